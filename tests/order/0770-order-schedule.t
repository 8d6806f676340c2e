#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0770-order-schedule.t - plink-order --format=schedule: every algorithm, any groups,
# masters by three rules, the fastest at each size, and the command that runs them
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

cd "$tmp" || exit 99
mkdir bin
printf '#!/bin/sh\necho "mpirun (Open MPI) 4.1.4"\n' >bin/mpirun
chmod +x bin/mpirun
PATH=$tmp/bin:$PATH
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# matrix FILE RACKS OPTION...
matrix() {
	file=$1
	racks=$2
	shift 2
	"$builddir/plink-testbed" matrix --racks="$racks" --intra-us=100 \
		--inter-us=500 "$@" >"$file" 2>err || cat err
}

# schedule OPTION...: to out, status in $rc
schedule() {
	"$builddir/plink-order" --format=schedule "$@" >out 2>err
	rc=$?
}

# masters: how much of the buffer each rack's ranks are global masters of, in percent; racks
# are told by the letters of ranks in $1
masters() {
	awk -v racks="$1" '
	function close_slice() {
		if (gm != "") { of[substr(racks, gm + 1, 1)] += weight; all += weight }
		gm = ""
	}
	$1 == "slice" { close_slice(); weight = $2 }
	$1 == "round" && gm == "" {
		for (i = 2; i < NF; i++)
			if ($i == "store") { split($(i + 1), t, ">"); gm = t[1]; break }
	}
	END {
		close_slice()
		for (k = 1; k <= 9; k++) {
			r = substr("ABCDEFGHI", k, 1)
			if (index(racks, r)) printf "%s%.0f ", r, 100 * of[r] / all
		}
	}' out
}

# every all-reduce that the catalogue has; what is written has passed the symbolic check
matrix small 3+2
"$builddir/plink-order" --list-algorithms >list
awk '$1 == "allreduce" { sub(/\[.*/, "", $3); print $2, $3 }' list >allreduces
ok "there are all-reduces to try" test "$(wc -l <allreduces)" -ge 25
matrix four 2x2
while read -r impl name; do
	m=small
	want="0 1"
	case $impl,$name in
	gloo,ring | lightgbm,all-gather-* | xgboost,all-gather-*) want="2 0" ;;
	lightgbm,*doubling) m=four ;;
	esac
	schedule --matrix=$m --impl="$impl" --algorithm="$name"
	is "$impl $name" "$rc $(grep -c '^schedule .* 262144- chunk=' out)" "$want"
done <allreduces
schedule --matrix=four --impl=gloo --algorithm=ring
has "but not those that add up originals" "$(cat err)" \
	"ring (gloo) passes on what single ranks contribute, which no schedule can"
schedule --matrix=small --impl=thesis --algorithm=bcube:3
is "thesis bcube:3" "$rc $(grep -c '^schedule bcube:3 ' out)" "0 1"
schedule --matrix=small --impl=openmpi --algorithm=ring --size=8k,1M
is "from the smallest size on" "$rc $(grep -c '^schedule ring 8192- ' out)" "0 1"

# racks of 3, 5 and 8, by cardinality; the order has the racks one after the other
matrix uneven 3+5+8
schedule --matrix=uneven --algorithm=two-level
is "racks of 3, 5 and 8" $rc 0
racks=$(awk '$1 == "host" { n = substr($3, 2) + 0
	printf "%s", n < 3 ? "A" : n < 8 ? "B" : "C" }' out)
is "masters by cardinality" "$(masters "$racks")" "A19 B31 C50 "
is "without rates: chunks and windows as ever" \
	"$(grep -c '^schedule two-level 262144- chunk=32768 window=16$' out)" 1
has "and it is said" "$(cat err)" "schedules are not predicted: no bandwidth is known"
schedule --matrix=uneven
is "where nothing can be predicted: two levels" \
	"$rc $(grep -c '^schedule two-level 262144- ' out)" "0 1"
schedule --matrix=uneven --algorithm=best
is "unless the best is asked for: exit 1" "$rc $(cat out)" "1 "
has "and it is said why" "$(cat err)" "--algorithm=best needs predictions: no bandwidth"

# an uplink of a quarter; and where other rules than that of uplinks are the fastest
matrix slow 4x2 --nic=400M --uplink=200M,200M,200M,50M
matrix lone 1+3 --nic=400M --uplink=200M,200M
matrix odd 2+3+4 --nic=400M --uplink=400M,400M,400M
# rule MATRIX RULE WANT
rule() {
	schedule --matrix="$1" --algorithm=two-level --size=16M
	racks=$(awk 'FNR == NR { if ($2 == "rack") r[$3] = $4; next }
		$1 == "host" { printf "%s", substr("ABCD", r[$3] + 1, 1) }' "$1" out)
	is "masters by $2" "$rc $(grep -c "two-level, masters by $2," err) $(masters "$racks")" "0 1 $3"
}
rule lone cardinality "A25 B75 "
rule odd bandwidth "A27 B35 C38 "
rule slow uplinks "A33 B33 C33 D0 "
window=$(sed -n 's/^schedule .* window=//p' out)
ok "the window is short: $window" test "$window" -ge 2 -a "$window" -lt 16

# a card of a quarter, in a rack of four: it is no master
matrix card 2x4 --nic=400M --uplink=200M,50M
sed -i 's/^# card h1 .*/# card h1 100000000 100000000/' card
schedule --matrix=card --algorithm=two-level --size=16M
h1=$(awk '$1 == "host" && $3 == "h1" { print $2 }' out)
is "a slow card sends its own and no more" "$rc $(grep -c "[ >]$h1>.*[ ]$h1>" out)" "0 0"
schedule --matrix=card --algorithm=sharded --size=16M
is "and has no shard" "$rc $(grep -c "store $h1>" out)" "0 0"

schedule --matrix=small --algorithm=two-level --connections=4
is "connections are named before the first schedule" \
	"$rc $(grep -m2 -o '^connections.*\|^schedule two' out | xargs)" \
	"0 connections 4 schedule two"
schedule --matrix=slow --algorithm=two-level --size=16M --tune
is "what is tuned has its tree" "$rc $(grep -c '^tune$' out) $(grep '^tree' out)" \
	"0 1 tree$(awk '$1 == "host" { print $3 }' out | while read -r host; do
		echo "$((8 + $(sed -n "s/^# rack $host //p" slow)))"
	done | awk '!($1 in seen) { seen[$1] } { g[NR] = $1 } END {
		for (i = 1; i <= NR; i++) printf " %s", g[i] }') 12 12 12 12"
cp out tuned
schedule --matrix=slow --algorithm=two-level --size=16M --tune=35
is "with the change of speed that begins a search" "$rc $(grep '^tune' out)" \
	"0 tune change=35"
"$builddir/plink-order" --matrix=slow --predict=out --size=16M >read 2>err
is "which can be read" "$? $(grep -c '^16M  *two-level' read)" "0 1"
for change in change=0 change=1001 chance=20 20; do
	sed "s/^tune/& $change/" tuned >wrong
	"$builddir/plink-order" --matrix=slow --predict=wrong >out 2>err
	has "$change: exit 3" "$? $(cat err)" "3 plink-order: wrong:"
done
schedule --matrix=small --algorithm=sharded --tune
is "ranks without groups are groups of one" "$(sed -n 's/^tree //p' out)" \
	"5 6 7 8 9 10 10 10 10 10"
schedule --matrix=small --impl=openmpi --algorithm=ring --tune
is "a library's algorithm has none" "$rc $(grep -c '^tree' out)" "0 0"
"$builddir/plink-order" --matrix=slow --predict=tuned --size=16M >out 2>err
is "a tree can be read" "$? $(grep -c '^16M  *two-level' out)" "0 1"
awk '$1 == "tree" { $NF = 8 } { print }' tuned >wrong
"$builddir/plink-order" --matrix=slow --predict=wrong >out 2>err
is "a group in a lower one: exit 3" "$?" 3
has "where" "$(cat err)" "a group must stand here, from 12 to 12"
awk '$1 == "tree" { $2 = $3 = $4 = $5 = $6 } { print }' tuned >wrong
"$builddir/plink-order" --matrix=slow --predict=wrong >out 2>err
has "nor may one be empty" "$? $(cat err)" "nothing is in group"
sed 's/^tree .*/& 12/; /^tune/d; /^schedule/a tune' tuned >wrong
"$builddir/plink-order" --matrix=slow --predict=wrong >out 2>err
has "tune comes first" "$? $(cat err)" '"tune" stands before the first schedule'

# hosts that only add up
matrix hubs 1x6 --nic=200M,200M,200M,200M,800M,800M
cat >hub <<-'END'
	# plink-schedule 1
	host 0 h0
	host 1 h1
	host 2 h2
	host 3 h3
	aggregator h4
	aggregator h5
	schedule hubs 0- chunk=32768 window=8
	slice 1
	round add 0>4 1>4 2>4 3>4
	round store 4>0 4>1 4>2 4>3
	slice 1
	round add 0>5 1>5 2>5 3>5
	round store 5>0 5>1 5>2 5>3
END
"$builddir/plink-order" --matrix=hubs --predict=hub --size=4M >out 2>err
is "aggregators: a buffer in and out of each card of 200 Mbit/s" \
	"$? $(awk '/^4M/ { print ($3 > 167 && $3 < 200) }' out) $(cat err)" "0 1 "
sed 's/^round add 0>5 /round store 5>0 add /' hub >wrong
"$builddir/plink-order" --matrix=hubs --predict=wrong >out 2>err
is "they have nothing at first" "$? $(sed 's/.*: //' err)" \
	"3 aggregator 5 sends in round 0, before it has anything"
sed 's/h5$/h4/' hub >wrong
"$builddir/plink-order" --matrix=hubs --predict=wrong >out 2>err
is "one twice: exit 3" "$? $(cat err)" \
	"3 plink-order: wrong:7:12: aggregator \"h4\" stands here twice"
"$builddir/plink-audit" --pattern --schedule=hub --size=1M >out 2>err
is "not all run them" "$? $(sed 's/.*: //' err)" \
	"3 the schedules have aggregators (\"h4\"), which only libplink and plink_c10d run"

schedule --matrix=slow --connections=17
is "not above 16: exit 2" $rc 2

# shards, and more levels
schedule --matrix=small --algorithm=sharded
is "sharded: a slice a rank, two rounds" \
	"$rc $(grep -c '^slice 1$' out) $(grep -c '^round' out)" "0 5 10"
matrix rows 2x2x2 --far-us=2000
schedule --matrix=rows --algorithm=levels
is "three levels: six rounds" \
	"$rc $(awk '/^slice/ { n = 0 } /^round/ && ++n > most { most = n } END { print most }' out)" \
	"0 6"
schedule --matrix=rows --algorithm=two-level
is "two levels: four" \
	"$rc $(awk '/^slice/ { n = 0 } /^round/ && ++n > most { most = n } END { print most }' out)" \
	"0 4"

# groups that somebody tells
"$builddir/plink-groups" --groups=2 small >groups 2>err
"$builddir/plink-groups" --groups=2 --json small >groups.json 2>err
printf 'h[0-1] a\nh[2-4] b\n' >groups.plain
schedule --matrix=small --algorithm=two-level --groups=groups
is "groups of plink-groups" $rc 0
sed '/^#/d' out >text
schedule --matrix=small --algorithm=two-level --groups=groups.json
is "or its JSON" "$rc $(sed '/^#/d' out)" "0 $(cat text)"
schedule --matrix=small --algorithm=two-level --groups=groups.plain
racks=$(awk '$1 == "host" { n = substr($3, 2) + 0
	printf "%s", n < 2 ? "A" : "B" }' out)
is "or a file of groups" "$rc $(masters "$racks")" "0 A40 B60 "
schedule --matrix=small --algorithm=two-level --groups=- <groups.plain
is "or standard input" "$rc $(masters "$racks")" "0 A40 B60 "
schedule --topology=groups.plain --algorithm=two-level
is "a topology without hosts: usage" "$rc $(cat out)" "2 "
printf 'h0\nh1\nh2\nh3\nh4\n' >hosts
schedule --topology=groups.plain --algorithm=two-level hosts
is "a topology, and nothing measured" "$rc $(masters "$racks")" "0 A40 B60 "
printf 'h[0-1] a\nh[2-3] b\n' >short
schedule --matrix=small --algorithm=two-level --groups=short
is "groups that lack a host: exit 3" "$rc $(cat out)" "3 "
has "and it is named" "$(cat err)" "short: no group has host h4"
printf 'h[0-4] a\n' >one
schedule --matrix=small --algorithm=two-level --groups=one
is "one group: exit 1" "$rc $(cat out)" "1 "
has "and it is said" "$(cat err)" "two levels need several"

# the fastest at each size
schedule --matrix=slow
is "the fastest: exit 0" $rc 0
ok "no size has two schedules" awk '$1 == "schedule" {
	split($3, size, "-")
	if (n++ && size[1] <= last) exit 1
	last = size[2] == "" ? 1e18 : size[2]
}' out
has "the largest have two levels" "$(grep '^schedule' out | tail -n 1)" "schedule two-level "
has "without an end" "$(grep '^schedule' out | tail -n 1)" "- chunk="
is "all sizes from 2 KiB to 16 MiB are predicted" \
	"$(grep -c '^plink-order:  *[0-9]*[kM]  .* -> .*;' err)" 14
has "the command has the ranks in the order found" "$(cat err)" \
	"--host $(awk '$1 == "host" { printf "%s%s", sep, $3; sep = "," }' out) --map-by seq -np 8"
has "and the mode" "$(cat err)" \
	"libplink-mpi.so -x PLINK_MPI_MODE=engine -x PLINK_PLAN=$tmp/out ./app"
matrix pair 2+1 --nic=400M --uplink=200M
schedule --matrix=pair --size=16M
cp out first
schedule --matrix=pair --size=16M --algorithm=best
is "--algorithm=best is the same" "$rc $(sed '/^#/d' out)" "0 $(sed '/^#/d' first)"
printf '#!/bin/sh\nprintf "HYDRA build details:\\n  Version:   4.0.2\\n"\n' >bin/mpirun
schedule --matrix=small --algorithm=two-level
has "for MPICH: its options" "$(cat err)" "libplink-mpich.so -genv PLINK_MPI_MODE engine"

# messages are known less well than bytes: below 128 KiB only what gains a quarter
matrix equal 2x2 --nic=400M --uplink=200M
schedule --matrix=equal --size=2k,8k,32k,64k,128k,512k
is "small ones gain a quarter, or are the library's" "$(awk '
	BEGIN { ms["s"] = 1000; ms["m"] = 1; ms["u"] = .001 }
	$2 ~ /^[0-9]+[kM]$/ && /;/ {
		few = $2 ~ /k/ && $2 + 0 < 128 ? 1.25 : 1.05
		own = $7 * ms[substr($8, 1, 1)]
		its = $10 * ms[substr($11, 1, 1)]
		if ((its * few < own) == /left to the library/)
			print
		left += /left to the library/
	}
	END { print (left > 0) }' err)" 1

# halving-doubling is a little faster than two levels, from 2 MiB on
matrix near 2x2 --nic=200M --uplink=40M
schedule --matrix=near --size=4M --tune
is "what can be tuned is taken with --tune, if it is as fast" "$rc $(grep -c '^schedule two-level 4194304- ' out)" \
	"0 1"

# equal uplinks as fast as cards, one rack: nothing to gain at small sizes
matrix single 1x4 --nic=1G
schedule --matrix=single --size=16M
ok "one rack: a schedule that is faster, or none" \
	test "$rc" -eq 0 -o "$rc" -eq 1
schedule --matrix=single --algorithm=two-level
is "one rack: no two levels" "$rc $(cat out)" "1 "

# what does not go together
while read -r message; do
	read -r args
	# shellcheck disable=SC2086
	case $args in
	*topology*) "$builddir/plink-order" $args >out 2>err ;;
	*) "$builddir/plink-order" --matrix=small $args >out 2>err ;;
	esac
	is "$args: usage" "$? $(cat out)" "2 "
	has "$args: said" "$(cat err)" "$message"
done <<'END'
only with --format=schedule
--groups=groups
only with --format=schedule
--connections=2
only with --format=schedule
--tune
has an effect only on
--format=schedule --impl=openmpi --algorithm=ring --groups=groups
cannot be combined with an --algorithm of another collective
--format=schedule --impl=openmpi --collective=broadcast --algorithm=binomial
it cannot be standard input
--format=schedule --topology=- hosts
no output may replace them
--format=schedule --groups=groups -o groups
END
done_testing
