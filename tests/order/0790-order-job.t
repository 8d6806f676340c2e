#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0790-order-job.t - plink-order --job: one order for all communicators of a job
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

order=$builddir/plink-order
cd "$tmp" || exit 99

# two racks of four, dealt out in turns: 20 us within, 200 us across; a link gives
# 100 Gbit/s within, 10 Gbit/s across
awk 'BEGIN {
	print "# plink-matrix 1\n# quantity rtt\n# unit us"
	for (layer = 0; layer < 2; layer++) {
		if (layer)
			print "# layer alone bandwidth bytes-per-s"
		for (i = 0; i < 8; i++) {
			printf "h%d", i
			for (j = 0; j < 8; j++)
				printf " %s", i == j ? (layer ? "nan" : 0) : \
					(i % 2 == j % 2) != layer ? \
					(layer ? "1.25e9" : 20) : (layer ? "12.5e9" : 200)
			print ""
		}
	}
}' >racks

cat >job <<'END'
# plink-job 1
ranks 16
library nccl
mesh tp=2 ep=4 dp=2
kind tensor allreduce 1MiB calls=96 along=tp
kind expert allgather 256KiB calls=24 along=ep
kind data allreduce 4MiB along=dp
END

run() {
	"$order" "$@" >out 2>err
	rc=$?
}
run --matrix=racks --job=job --json
is "an order is found" $rc 0
# key NAME: of the JSON in out, all of them
key() {
	sed -n "s/^ *\"$1\": \(.*[^,]\),*\$/\1/p" out | tr '\n' ' '
}
ok "experts within racks: each half of the order has hosts of one rack" sh -c '
	sed -n "/\"order\"/,/]/s/.*\"h\([0-7]\)\".*/\1/p" out |
		awk "{ sum[int((NR - 1) / 4)] += \$1 % 2 } END {
			exit !(NR == 8 && sum[0] * sum[1] == 0 && sum[0] + sum[1] == 4)
		}"'
is "all orders were tried" "$(key exact)" "true "
ok "the kinds add up to what is found, which is less than what is given" \
	sh -c 'tr -d "\", " <out | awk -F: "
		/^given:/ && !n++ { given = \$2 }
		/^found:/ && !m++ { found = \$2 }
		/^cost:{/ { cost = NR }
		cost && NR == cost + 2 { sum += \$2; kinds++ }
		END {
			d = sum - found
			exit !(kinds == 3 && found < given && d < 1e-9 && d > -1e-9)
		}"'
ok "and the step as it is played out, too" sh -c 'tr -d "\", " <out |
	awk -F: "/^predicted:/ { p = NR } p && NR == p + 1 && !g { g = \$2 }
		p && NR == p + 2 && !f { f = \$2 } END { exit !(f > 0 && f < g) }"'
has "a kind whose groups are within hosts" "$(cat err)" \
	"tensor (allreduce 1M x 96, 8 groups of 2): within hosts"
has "what the others give up" "$(cat err)" "expert (allgather 256k x 24, 4 groups of 4): given"
has "slots are the job's" "$(cat err)" "2 ranks on each host, as the job has them"
run --matrix=racks --job=job --cost-of=out
is "the cost of what is no order" $rc 3
run --matrix=racks --job=job --format=names
cp out found
run --matrix=racks --job=job --cost-of=found
ok "--cost-of: the seconds of that order" sh -c 'awk "{ exit !(\$1 > 0) }" out'
has "... and what it takes of the given one" "$(cat err)" "in found"

# a job of one call is predicted as that call is
printf '%s\n' '# plink-job 1' 'ranks 8' 'library openmpi' \
	'kind one allreduce 64k algorithm=ring' 'group 0 1 2 3 4 5 6 7' >one
"$order" --matrix=racks --predict --impl=openmpi --algorithm=ring --size=64k 2>/dev/null |
	awk '$1 == "64k" && $2 == "ring" { print $3 }' >alone
run --matrix=racks --job=one --json
is "one call takes what --predict says" \
	"$(sed -n '/"predicted"/{n;s/.*: \(.*\),/\1/p;q;}' out |
		awk '{ printf "%.3f", $1 * 1e3 }')" "$(awk '{ printf "%.3f", $1 }' alone)"
# and blocks that are all the same take what an all-to-all takes
printf '%s\n' '# plink-job 1' 'ranks 8' 'library nccl' 'kind one alltoall 64k' \
	'group 0 1 2 3 4 5 6 7' >even
sed 's/alltoall 64k/alltoallv/' even | awk '{ print } END { for (i = 0; i < 8; i++)
	for (k = 0; k < 8; k++) if (i != k) print "send", i, k, "64k" }' >blocks
for job in even blocks; do
	run --matrix=racks --job=$job --json
	sed -n '/"predicted"/{n;p;q;}' out >$job.s
done
is "equal blocks take what an all-to-all takes" "$(cat blocks.s)" "$(cat even.s)"
run --matrix=racks --job=job
is "a host file has a line for each rank" "$(wc -l <out)" 16
run --matrix=racks --job=job --format=plan
has "a plan says what it is for" "$(cat out)" "order job all "
run --matrix=racks --job=job --min-gain=100
has "--min-gain keeps the given order" "$(cat err)" "the given order is kept"

# more hosts than are tried in all orders: the same whatever the threads
awk 'BEGIN {
	print "# plink-matrix 1\n# quantity rtt\n# unit us"
	for (i = 0; i < 16; i++) {
		printf "h%d", i
		for (j = 0; j < 16; j++)
			printf " %d", i == j ? 0 : i % 4 == j % 4 ? 20 + (i + j) % 3 : 200
		print ""
	}
}' >sixteen
sed 's/ranks 16/ranks 32/; s/dp=2/dp=4/' job >job32
run --matrix=sixteen --job=job32 --threads=1 --moves=10000
cp out one
has "without bandwidths sizes do not count" "$(cat err)" "no bandwidths are known"
run --matrix=sixteen --job=job32 --threads=3 --moves=10000
ok "the same order with three threads" cmp one out
run --matrix=sixteen --job=job32 --seed=2 --time=0.2
is "a time limit" $rc 0

# pairs of ranks alone: cliques of eight in a job of 512 ranks, numbered across the 64
# hosts; eight cliques send a little in a ring, and fit into one of eight racks
awk 'BEGIN {
	print "# plink-matrix 1\n# quantity rtt\n# unit us"
	for (i = 0; i < 64; i++) {
		printf "h%d", i
		for (j = 0; j < 64; j++)
			printf " %d", i == j ? 0 : i % 8 == j % 8 ? 20 : 200
		print ""
	}
}' >sixtyfour
awk 'BEGIN {
	print "# plink-job 1\nranks 512\nlibrary openmpi\nkind cliques traffic"
	for (r = 0; r < 512; r++)
		for (k = 1; k < 8; k++)
			print "send", r, (r + 64 * k) % 512, "4k messages=2"
	for (g = 0; g < 64; g++)
		print "send", g, int(g / 8) * 8 + (g + 1) % 8, "1k"
}' >cliques
awk 'BEGIN { for (i = 0; i < 512; i++) print "h" int(i / 8) }' >lines
run --matrix=sixtyfour --job=cliques --hosts-format=seq --moves=200000 lines
has "ranks placed one by one: nothing could be better" "$(cat err)" \
	"found 1.25 us, best possible not below 1.25 us, gap 0 %"
is "each host has its eight" "$(sort out | uniq -c | awk '{ print $1 }' | sort -u)" 8
run --matrix=sixtyfour --job=cliques --hosts-format=seq --moves=1 --format=rankfile lines
is "a rank map: as many slots of each host, each once" \
	"$(sed 's/.*=\(.*\) slot=/\1 /' out | sort -u | awk '$2 < 8' | wc -l)" 512
run --matrix=sixteen --job=job32 --hosts-format=seq lines
is "not for communicators" $rc 2
has "... which is said" "$(cat err)" 'kind "tensor": --hosts-format=seq is for'
awk 'BEGIN {
	print "# plink-job 1\nranks 32\nlibrary openmpi\nkind any traffic"
	for (r = 0; r < 32; r++)
		for (k = 1; k < 5; k++)
			print "send", r, (r * k * 7 + 3 * k) % 32, "4k messages=" k
}' >any
run --matrix=sixteen --job=any --moves=300000 --threads=1
cp out one
has "whole hosts, and a bound" "$(cat err)" "best possible not below"
run --matrix=sixteen --job=any --moves=300000 --threads=3
ok "the same order with three threads again" cmp one out

# timeout sends it twice
timeout --preserve-status -s INT 1 "$order" --matrix=sixteen --job=job32 --time=100 >out \
	2>err
rc=$?
is "an interrupt: status 1" $rc 1
is "... and the best order so far" "$(sort -u out | wc -l) $(wc -l <out)" "16 32"

# the report: squares of each kind's groups, with the racks found
cat >squares.py <<'END'
import os, re, sys
sys.path.insert(0, os.environ['srcdir'] + '/tests/report')
from report import Page
p = Page(open('page.html').read())
assert 'groups' in p.ids and len(p.scripts) == 2
drawn = re.findall(r'aria-label="racks of (\d+) groups, (\w+) order">(.*?)</svg>',
                   open('page.html').read(), re.S)
def racks(svg, size):
    n = re.findall(r'>(\d+)</text>', svg)
    return [len(set(n[i:i + size])) for i in range(0, len(n), size)]
assert [d[:2] for d in drawn] == [('2', 'given'), ('2', 'found'),
                                  ('4', 'given'), ('4', 'found')]
assert racks(drawn[0][2], 4) == [2, 2] and racks(drawn[1][2], 4) == [1, 1]
assert racks(drawn[3][2], 2) == [2, 2, 2, 2]
row = re.search(r'<tr><th scope="row">expert(.*?)</tr>', open('page.html').read()).group(1)
cells = re.sub('<[^>]*>', ' ', row).split()
assert cells[cells.index('of'):][1:4] == ['4', '2', '1'], cells
assert 'within hosts' in p.text and 'between racks' not in p.text
assert re.search('step of the job: [0-9.]+ times as fast', p.text)
END
export srcdir
run --matrix=racks --job=job --report=page.html
is "--report: exit 0" $rc 0
ok "the groups over the racks, before and after" python3 squares.py
run --matrix=racks --job=job --report=page.svg
has "--report=FILE.svg: the kinds' times" "$(cat page.svg)" ">expert</text>"
printf '%s\n' '# plink-job 1' 'ranks 8' 'library openmpi' 'kind halo traffic' \
	'send 0 1 1k' 'send 2 3 1k' 'send 0 2 2k' >halo
run --matrix=racks --job=halo --report=page.html
has "... of traffic, the share between racks" "$(cat page.html)" "50.0&nbsp;% between racks"

# two hosts with fast cards, where messages within a host are predicted to take
# longer: the order that costs least is not the fastest
printf '%s\n' '# plink-matrix 1' '# quantity rtt' '# unit us' 'a 0 100' 'b 100 0' >two
printf '%s\n' '# card a 1000G 1000G' '# card b 1000G 1000G' >>two
printf '%s\n' a a b b >lines4
printf '%s\n' '# plink-job 1' 'ranks 4' 'library openmpi' 'kind t traffic' \
	'send 0 2 1M' 'send 1 3 1M' >crossed
run --matrix=two --job=crossed --hosts-format=seq --json lines4
ok "no order is better for a kind alone than the best one seen" sh -c '
	sed -n "/\"predicted\"/,/}/s/^ *\"\([a-z]*\)\": \([0-9.e-]*\).*/\1 \2/p" out |
		awk "{ v[\$1] = \$2 } END { exit !(v[\"alone\"] > 0 && v[\"alone\"] <= v[\"found\"]) }"'

# an all-to-all of all ranks
printf '%s\n' '# plink-job 1' 'ranks 16' 'library gloo' 'mesh all=16' \
	'kind all alltoall 64k along=all' 'kind again alltoall 1M along=all' >even
run --matrix=racks --job=even --json
is "all pairs at once: nothing is searched" "$rc $(key moves)" "0 0 "
has "... which is said" "$(cat err)" "no order of these hosts is faster than another"

# what cannot be
refused() { # WHAT STATUS TEXT ARGUMENT...
	what=$1 status=$2 text=$3
	shift 3
	run --matrix=racks "$@"
	is "refused: $what" $rc "$status"
	has "... and why" "$(cat err)" "$text"
}
sed 's/ranks 16/ranks 12/; s/ep=4/ep=3/' job >job12
refused "another number of ranks" 3 "job12:2:6: the job has 12 ranks, the hosts have 8 slots" \
	--job=job12
sed 's/along=ep/along=xy/' job >bad
refused "a fault has its place" 3 "bad:6:45: not a dimension" --job=bad
sed 's/calls=24/algorithm=bruck/' job >bad
refused "an algorithm that the library does not have" 3 'bad:6:6: kind "expert"' \
	--job=bad
awk 'BEGIN {
	print "# plink-job 1\nranks 1048576\nmesh a=1048576"
	for (i = 0; i < 65; i++)
		print "kind k" i " allreduce 1k along=a"
}' >bad
refused "too many members" 3 "bad:68:29: the groups of all kinds have more than" --job=bad
refused "--size as well" 2 "--job gives the calls" --job=job --size=4k
refused "--pin as well" 2 "--job cannot be combined with --pin" --job=job --pin=h1
refused "an output that is the job" 2 "no output may replace" --job=job --output=job

done_testing
