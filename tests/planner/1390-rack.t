#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1390-rack.t - plink-rack: from profiles, matrices, groups and prices to answers
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
srcdir=$(cd "$srcdir" && pwd)
cd "$tmp" || exit 99
rack=$builddir/plink-rack
prices=$srcdir/planner/rack/thesis-prices.json

# value NAME: of the JSON on stdin
value() {
	python3 -c 'import json, sys
print("%.6g" % json.load(sys.stdin)[sys.argv[1]])' "$1"
}

is "two hubs four times as fast: the workers' cards are the limit" \
	"$("$rack" need --workers=8 --size=4MiB --iteration=1s --card=200Mbit --hubs=2 \
		--hub=800Mbit --json | value exchange_with_hubs_s)" 0.167772
has "need, in words" "$("$rack" need --workers=8 --size=4MiB --iteration=1s \
	--card=200Mbit --hubs=2 --hub=800Mbit --memory=90 --memory-used=6 --adds=470)" \
	"an exchange by cards of 200Mbit takes 294 ms; with 2 hubs 168 ms: 1.75 times as fast
the server's memory has room for 120 workers
470 thousand million additions a second need 5.64 TB/s of memory"
"$rack" need --workers=1000000 --size=1 --iteration=1s --memory=1e9 --memory-used=1e-6 \
	>/dev/null 2>&1
is "room for more workers than can be counted: exit 2" $? 2
cp "$srcdir/tests/data/srift/three-layers.json" p.json
name=$(python3 -c 'import json; print(json.load(open("p.json"))["instances"][0]["name"])')
sum=$(python3 -c 'import json; print(sum(l["bytes"] for l in
	json.load(open("p.json"))["layers"]))')
is "need: the size of a profile" "$("$rack" need --workers=2 --profile=p.json \
	--instance="$name" --json | value bytes)" "$(python3 -c "print('%.6g' % $sum)")"
"$rack" need --workers=2 --profile=p.json --instance=none 2>err
is "no such instance: exit 3" "$? $(cat err)" \
	"3 plink-rack: p.json: no instance \"none\""

printf '%s\n' '# plink-matrix 1' '# unit us' '# quantity rtt' '# rack a 0' '# rack b 0' \
	'# rack c 1' '# rack d 1' '# card a 1G 1G' '# card b 1G 1G' '# card c 1G 1G' \
	'# card d 1G 1G' '# uplink 0 200M 200M' '# uplink 1 200M 200M' 'a 0 1 9 9' 'b 1 0 9 9' 'c 9 9 0 1' 'd 9 9 1 0' >m
"$builddir/plink-groups" --json m >groups.json
"$rack" levels --matrix=m --hub=4Gbit --size=1M >out
is "levels: racks and rates of a matrix" "$? $(sed -n 1p out)" \
	"0 2 racks of 2 workers; cards 1Gbit, uplinks 200Mbit, hubs 4Gbit; 1M of gradients"
has "levels: it pays" "$(cat out)" "pays: 1.43 times as fast"
"$rack" levels --matrix=m --hub=4Gbit --uplink=2Gbit >out
is "levels: faster uplinks, it does not, exit 1" "$? $(tail -n 1 out)" \
	"1 a hub in each rack does not pay"
is "levels: the same from groups and numbers" "$("$rack" levels --groups=groups.json \
	--card=1Gbit --uplink=200Mbit --hub=4Gbit --json)" \
	"$("$rack" levels --racks=2 --workers=2 --card=1Gbit --uplink=200Mbit --hub=4Gbit --json)"
"$rack" levels --racks=2 --workers=2 --hub=1Gbit 2>err
is "levels: rates are needed" "$? $(cut -c1-44 err)" \
	"2 plink-rack: --card and --uplink, or --matrix"

"$rack" cost --csv=rows.csv -o table "$prices"
is "cost: each with its reported value" "$(cut -d, -f1,4,9 rows.csv | tail -n +2)" \
	'"100Gb sharded",16,46.11
"25Gb PHub",44,55.19
"25Gb PHub",65,57.71
"25Gb PHub",76,59.03'
has "cost: why they differ" "$(cat table)" "what else went into the table is not printed"
is "cost: all combinations" "$("$rack" cost --hubs=1,2,4 --oversubscription=1,2 --csv=- -o table \
	"$prices" 2>err | cut -d, -f2-4 | xargs)" \
	"hubs,oversubscription,workers 0,1,16 0,2,21 1,1,44 1,2,65 2,1,24 2,2,45 4,2,5"
has "cost: but those without a port for workers" "$(cat err)" "4 hubs at 1:1"
echo '{"plink-rack": 1, "deployments": 1}' >bad
"$rack" cost bad 2>err
is "cost: a wrong file: exit 3 and its place" "$? $(cut -d: -f1-4 err)" \
	"3 plink-rack: bad:1:34"
is "cost: nothing is lost" "$("$rack" cost -o bad bad 2>/dev/null; echo $?; cat bad)" \
	'2
{"plink-rack": 1, "deployments": 1}'
done_testing
