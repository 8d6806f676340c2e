#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1334-srift-hubs.t - plink-srift --hubs: times by hand and as measured, and what hubs cost
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
results=$(cd "$srcdir" && pwd)/bench/results/hub.txt
cd "$tmp" || exit 99

# profile BYTES: one layer, and a batch of 8 only for eight machines that is not too slow
profile() {
	cat <<-END
	{"plink-profile": 1, "model": "one", "layers": [{"name": "a", "bytes": $1}],
	 "instances": [
	  {"name": "i", "batches": [1, 2], "forward_s": [0.5, 9], "backward_s": [1e-9, 9],
	   "finish": [0]},
	  {"name": "duo", "ranks": 2, "batches": [2, 4], "forward_s": [0.5, 9],
	   "backward_s": [1e-9, 9], "finish": [0]}]}
	END
}
profile 4194304 >one.json
srift() {
	verb=$1
	shift
	"$builddir/plink-srift" "$verb" --profile=one.json "$@"
}
# exchange OPTION...: ms with hubs and without
exchange() {
	srift predict --rated=200Mbit --json "$@" | python3 -c 'import json, sys
j = json.load(sys.stdin)
print("%.1f %.1f" % (1e3 * j["exchange_s"], 1e3 * j["hubs"]["without"]["exchange_s"]))'
}
# 4 MiB at 25 MB/s are S / B = 167.8 ms; 2 N (N - 1) / (N^2 + k N - 2 k) of that
is "8 workers, 2 hubs four times as fast: S / B" \
	"$(exchange --machines=8xi@1 --hubs=2 --hub-nic=800Mbit)" "167.8 293.6"
is "1 hub four times as fast: 112 / 88 of that" \
	"$(exchange --machines=8xi@1 --hubs=1 --hub-nic=800Mbit)" "213.5 293.6"
is "2 hubs like the workers: 112 / 76" "$(exchange --machines=8xi@1 --hubs=2)" "247.2 293.6"
is "8 of them: S / B" "$(exchange --machines=8xi@1 --hubs=8)" "167.8 293.6"
is "16: no less" "$(exchange --machines=8xi@1 --hubs=16)" "167.8 293.6"
is "2 workers: nothing to gain" "$(exchange --machines=2xi@1 --hubs=4)" "167.8 167.8"
is "2 ranks that share a card: nothing" "$(exchange --machines=8xduo@2 --hubs=8)" "314.6 314.6"

srift predict --rated=200Mbit --machines=8xi@1 --hubs=2 --hub-nic=800Mbit --hub-machine=h \
	--price=i=1,h=0.5 >out
has "the cost has the hubs" "$(cat out)" "for 1000 iterations, at \$9.00 an hour"
has "what they gain is said" "$(cat out)" \
	"2 of h: 1.19 times as fast as without, where the exchange takes 294 ms, the iteration 794 ms, and 1000 iterations cost \$1.76"
has "the exchange has its origin" "$(cat out)" "168 ms (given, rated bandwidth, with hubs)"
has "or that they gain nothing" "$(srift predict --rated=200Mbit --machines=2xi@1 --hubs=1)" \
	"hubs       gain nothing: as fast as without"
cat >t8 <<'END'
# ranks 8
#       size         count      type   redop    root     time   algbw   busbw #wrong
     4194304       1048576     float     sum      -1   335544    0.01    0.01      0
END
is "measured all-reduces: as much faster as by rated cards" "$(srift predict --busbw=t8 \
	--machines=8xi@1 --hubs=2 --nic=100Mbit --hub-nic=400Mbit --json | python3 -c '
import json, sys
j = json.load(sys.stdin)
print("%.4f" % (j["hubs"]["without"]["exchange_s"] / j["exchange_s"]))')" 1.7500

# the market: an iteration takes 500 ms and the exchange; 3600 of them, dollars an hour
market() {
	printf 'instance,price,spot,spot_available\ni,1,,\nh,%s\n' "$1" >prices
	shift
	srift recommend --catalogue=prices --batch=8 --iterations=3600 --rated=200Mbit \
		--exclude=duo --hub-machine=h --hub-nic=800Mbit "$@"
}
# facts: of the JSON
facts() {
	python3 -c 'import json, sys
j = json.load(sys.stdin)
print(j["choice"]["hubs"], "%.3f" % j["choice"]["job_cost"], j["exact"],
      *["%d:%.3f" % (c["hubs"], c["choice"]["job_cost"]) if c["choice"] else c["hubs"]
        for c in j["hubs"]["numbers"]])'
}
# 8 * .7936 without; 8.5 * .7135, 9 * .6678 with 1 and 2; 9.5 * .6678 with 3
is "cheap hubs: two are best" "$(market 0.5,, --hubs=0,1,2,3 --json | facts)" \
	"2 6.010 True 0:6.349 1:6.065 2:6.010 3:6.344"
is "dear ones: none" "$(market 1,, --hubs=0,1,2 --json | facts)" \
	"0 6.349 True 0:6.349 1:6.422 2:6.678"
is "but the job is faster with them" "$(market 1,, --hubs=0,1,2 --objective=time --json | facts |
	cut -c1-7)" "2 6.678"
is "auto: up to as many as workers" "$(market 0.5,, --hubs=auto --json | facts | cut -d' ' -f1-2,12-)" \
	"2 6.010 8:8.013"
is "a budget keeps them in" "$(market 0.5,, --hubs=0,2 --budget=6.1 --json | facts)" \
	"2 6.010 True 0 2:6.010"
is "all choices that no other one beats: with and without" "$(market 1,, --hubs=0,1,2 --pareto \
	--json | python3 -c 'import json, sys
print(*[c["hubs"] for c in json.load(sys.stdin)["pareto"]])')" "2 1 0"
market 1,0.2,1 --hubs=0,2 >out
has "hubs are spot machines first" "$(cat out)" "  1 x h: spot, \$0.2 an hour each, hubs
  1 x h: on demand, \$1.00 an hour each, hubs"
has "the choice names them" "$(cat out)" "choice     8xi@1 with 2 hubs"
has "and what they gain" "$(cat out)" "hubs       2 of h: the job costs 3.23 % less than without
  0        8xi@1: 2857 s, \$6.35
  2        8xi@1 with 2 hubs: 2404 s, \$6.14"
market 1,, --hubs=0,1 >out
has "that they gain nothing" "$(cat out)" \
	"hubs       gain nothing: with 1 the job costs 1.15 % more than without"
is "machines that are hubs run no ranks" "$(market 1,, --hub-machine=i --hub-nic=200Mbit \
	--available=i=9 --hubs=0,1,2,10 | sed -n '/^hubs/,/^CAP/p' | sed '1d;$d' | cut -d: -f1)" \
	"  0        8xi@1
  1        8xi@1 with 1 hub
  2        4xi@2 with 2 hubs
  10       more than there are"

# figures that bench/hub has measured, by the schedules that it ran
matrix() {
	python3 -c 'import sys
n, rate, k, hub_rate, us = map(int, sys.argv[1:])
print("# plink-matrix 1\n# unit us\n# quantity rtt")
for i in range(n + k):
    print("# rack h%d 0\n# card h%d %sM %sM" % (i, i, *[rate if i < n else hub_rate] * 2))
for i in range(n + k):
    print("h%d" % i, *[0 if i == j else 2 * us for j in range(n + k)])' "$@"
}
awk '/ workers at .* hubs at / { n = $1 " " $4 " " $6 " " $9 " " $11 " " $15 }
	/^with  / { print n, $2 }' "$results" >measured
is "there are four such measurements" "$(wc -l <measured)" 4
while read -r n rate k hub_rate us bytes ms; do
	matrix "$n" "$rate" "$k" "$hub_rate" "$us" >net
	seq 0 $((n - 1)) | sed 's/^/h/' | "$builddir/plink-order" --matrix=net --impl=gloo \
		--format=plan - >plan 2>/dev/null
	profile "$bytes" >one.json
	got=$(srift predict --matrix=net --plan=plan --machines="${n}xi@1" --hubs="$k" \
		--aggregators="$(seq -s, -f h%g "$n" $((n + k - 1)))" --json |
		sed -n 's/^ *"exchange_s": \(.*\),/\1/p' | sed 1q)
	ok "$n workers at $rate, $k hubs at $hub_rate, $bytes bytes: within 10 % of $ms ms" \
		python3 -c "assert abs(1e3 * $got / $ms - 1) < .1, $got"
done <measured
profile 4194304 >one.json
matrix 8 200 2 200 100 >net
seq -f h%g 0 7 | "$builddir/plink-order" --matrix=net --impl=gloo --format=plan - >plan 2>/dev/null
on_net="--matrix=net --plan=plan --aggregators=h8,h9"
is "recommend on a measured network: as predict says" "$(printf 'instance,price\ni,1\nh,.1\n' \
	>prices; srift recommend --catalogue=prices --batch=8 --iterations=3600 --exclude=duo \
	--hub-machine=h $on_net --hub-nic=800Mbit --hubs=auto --json | python3 -c '
import json, sys
print(*["%.6f" % c["choice"]["iteration_s"] for c in json.load(sys.stdin)["hubs"]["numbers"]])')" \
	"$(for k in 0 1 2; do
		srift predict --machines=8xi@1 $on_net --hub-nic=800Mbit --hubs=$k --json |
			python3 -c 'import json, sys; print("%.6f" % json.load(sys.stdin)["iteration_s"])'
	done | xargs)"
matrix 8 200 2 800 100 >fast
on_fast="--machines=8xi@1 --matrix=fast --plan=plan --aggregators=h8,h9 --hubs=2"
is "--nic is of the machines, not of hubs" "$(srift predict $on_fast --nic=200Mbit --json | grep _s)" \
	"$(srift predict $on_fast --json | grep _s)"
profile 8192 >one.json
has "8 KiB for two hubs: slices too small, so without" \
	"$(srift predict --machines=8xi@1 $on_net --hub-nic=800Mbit --hubs=2)" "hubs       gain nothing"
profile 4194304 >one.json

# two racks of four workers and a hub, h4 and h9, whose uplinks are slow
python3 -c '
print("# plink-matrix 1\n# unit us\n# quantity rtt\n# uplink 0 200M 200M\n# uplink 1 200M 200M")
for i in range(10):
    print("# rack h%d %d\n# card h%d %s %s" % (i, i // 5, i, *["800M" if i % 5 == 4 else "200M"] * 2))
for i in range(10):
    print("h%d" % i, *[0 if i == j else 200 for j in range(10)])' >racks
seq -f h%g 0 9 | grep -v '[49]' | "$builddir/plink-order" --matrix=racks --impl=gloo \
	--format=plan - >plan-racks 2>/dev/null
"$builddir/plink-order" --matrix=racks --format=schedule -o schedule --size=4M \
	--aggregators=h4,h9 2>/dev/null
is "hubs in racks: as plink-order predicts the schedule that it writes" "hub-racks $(srift predict \
	--matrix=racks --plan=plan-racks --machines=8xi@1 --hubs=2 --aggregators=h4,h9 |
	awk '$1 == "exchange" { printf "%.0f", $2; exit }')" "$("$builddir/plink-order" --matrix=racks \
	--predict=schedule --size=4M 2>/dev/null | awk '$1 == "4M" { printf "%s %.0f", $2, $3 }')"

# no STATUS TEXT COMMAND...: nothing on stdout
no() {
	no_status=$1 no_text=$2
	shift 2
	"$@" >out 2>err
	is "$*: exit $no_status, nothing on stdout" "$? $(cat out)" "$no_status "
	has "$*: why" "$(cat err)" "$no_text"
}
predict="srift predict --machines=8xi@1"
no 2 "as 2,4,8, not \"2,1\"" market 1,, --hubs=2,1
no 2 "not \"some\"" market 1,, --hubs=some
no 2 "one number of --hubs" $predict --rated=1Gbit --hubs=1,2
no 2 "one number of --hubs" $predict --rated=1Gbit --hubs=auto
no 2 "need --hubs" $predict --rated=1Gbit --hub-nic=1Gbit
no 2 "need --hub-machine" $predict --rated=1Gbit --hubs=1 --price=i=1
no 2 "no hourly price is given for h" $predict --rated=1Gbit --hubs=1 --price=i=1 --hub-machine=h
no 2 "needs the rate of the machines' own cards" $predict --busbw=t8 --hubs=1 --hub-nic=1Gbit
no 2 "--cap is for all-reduces without hubs" $predict --rated=1Gbit --hubs=1 --cap=1Gbit
no 2 "--nic and --uplink need --plan" $predict --rated=1Gbit --nic=1Gbit --hubs=1 --hub-nic=1Gbit
no 2 "needs --aggregators" $predict --matrix=net --plan=plan --hubs=1
no 2 "it needs --plan" $predict --rated=1Gbit --aggregators=h8 --hubs=1
no 2 '"h10" is none of the hosts of net' $predict $on_net,h10 --hubs=1
no 2 '"h8" comes again' $predict $on_net,h8 --hubs=1
no 2 '"h7" has ranks in plan' $predict $on_net,h7 --hubs=1
no 2 "--hubs: 3, but --aggregators has 2 hosts" $predict $on_net --hubs=3
no 2 "needs --hub-machine" srift recommend --catalogue=prices --batch=8 --iterations=1 \
	--rated=1Gbit --hubs=1
no 2 "--hubs or --spot-history" market 1,, --hubs=1 --spot-history=prices --save=1s
no 2 'no machine "g" for hubs' market 1,, --hubs=1 --hub-machine=g
no 1 "1 of h can be had, fewer than --hubs" market 1,, --hubs=2 --available=h=1
no 1 "other numbers of hubs leave no choice, either" market 1,, --hubs=0,1 --budget=1
market 1,, --hubs=0,2 --available=h=1 --budget=1 >out 2>err
is "a number that cannot be had is none of those" "$? $(grep -c 'other numbers' err)" "1 0"
no 2 "watch launches no hubs" "$builddir/plink-srift" watch --iterations=1 --batch=8 --progress=p \
	--launch=: --start=: --profile=one.json --catalogue=prices --rated=1Gbit --hubs=1 \
	--hub-machine=h
sed -i '/^# card/d' net
no 2 "rates of cards are not known" $predict --matrix=net --plan=plan --aggregators=h8 --hubs=1 \
	--hub-nic=1Gbit

done_testing
