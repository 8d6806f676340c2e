#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1390-srift-hub-costs.t - plink-srift need, levels and cost: from numbers, matrices and
# prices to answers
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
srcdir=$(cd "$srcdir" && pwd)
cd "$tmp" || exit 99
srift=$builddir/plink-srift
prices=$srcdir/planner/srift/comm/thesis-prices.json

# value WHAT: of the JSON on stdin, a Python expression of it, j
value() {
	python3 -c 'import json, sys
j = json.load(sys.stdin)
print(eval(sys.argv[1]))' "$1"
}

# refused STATUS WORDS VERB OPTION...: by a line
refused() {
	status=$1 words=$2
	shift 2
	"$srift" "$@" >out 2>err
	is "$*: exit $status, a line" "$? $(wc -l <err) $(cat out)" "$status 1 "
	has "it says" "$(cat err)" "$words"
}

is "two hubs four times as fast: the workers' cards are the limit" \
	"$("$srift" need --workers=8 --size=4MiB --iteration=1s --card=200Mbit --hubs=2 \
		--hub=800Mbit --json | value '"%.6g" % j["exchange_with_hubs_s"]')" 0.167772
is "need, in words" "$("$srift" need --workers=8 --size=4MiB --iteration=1s \
	--card=200Mbit --hubs=2 --hub=800Mbit)" \
	"8 workers, 4.194 MB of gradients in iterations of 1 s
CC   colocated, central           0.4698 Gbit/s  not hidden
CS   colocated, sharded           0.1174 Gbit/s  hidden
NCC  not colocated, central       0.5369 Gbit/s  not hidden
NCS  not colocated, sharded      0.06711 Gbit/s  hidden
an exchange by cards of 200Mbit takes 294 ms; with 2 hubs 168 ms: 1.75 times as fast"
is "need without cards: the four rates alone" "$("$srift" need --workers=8 --size=4MiB \
	--iteration=1s | sed 's/.*  //; $s/$/./')" \
	"8 workers, 4.194 MB of gradients in iterations of 1 s
0.4698 Gbit/s
0.1174 Gbit/s
0.5369 Gbit/s
0.06711 Gbit/s."
is "need: hubs' cards are as the workers', what is not asked for is null" \
	"$("$srift" need --workers=4 --size=1M --iteration=1s --card=1G --hubs=4 --json |
		value '"%.6g %s" % (j["exchange_with_hubs_s"], j["servers"][0]["hidden"])'
	"$srift" need --workers=4 --size=1M --iteration=1s --json |
		value 'j["exchange_s"], j["exchange_with_hubs_s"], j["servers"][0]["hidden"]')" \
	"0.00838861 True
(None, None, None)"
refused 2 "--workers, --size and --iteration are" need --workers=2 --size=1k
refused 2 "--hub needs --hubs, and that needs --card" need --workers=2 --size=1k \
	--iteration=1s --hubs=1
refused 2 "--hub needs --hubs" need --workers=2 --size=1k --iteration=1s --card=1G --hub=1G
refused 2 "need takes options only" need --workers=2 --size=1k --iteration=1s x
refused 2 "unknown option --memory" need --memory=90

printf '%s\n' '# plink-matrix 1' '# unit us' '# quantity rtt' '# rack a 0' '# rack b 0' \
	'# rack c 1' '# rack d 1' '# card a 1G 1G' '# card b 2G 2G' '# card c 2G 2G' \
	'# card d 2G 2G' '# uplink 0 200M 200M' '# uplink 1 300M 300M' 'a 0 1 9 9' 'b 1 0 9 9' 'c 9 9 0 1' 'd 9 9 1 0' >m
"$srift" levels --matrix=m --hub=4Gbit --size=1M >out
is "levels: racks and the least rates of a matrix" "$? $(sed -n 1p out)" \
	"0 2 racks of 2 workers; cards 1Gbit, uplinks 200Mbit, hubs 4Gbit; 1M of gradients"
has "levels: it pays" "$(cat out)" "pays: 1.43 times as fast"
"$srift" levels --matrix=m --hub=4Gbit --uplink=2Gbit >out
is "levels: faster uplinks, it does not, exit 1" "$? $(tail -n 1 out)" \
	"1 a hub in each rack does not pay"
is "levels: the same from numbers" "$("$srift" levels --matrix=m --hub=4Gbit --json)" \
	"$("$srift" levels --racks=2 --workers=2 --card=1Gbit --uplink=200Mbit --hub=4Gbit --json)"
is "levels: numbers stand for those of a matrix" \
	"$("$srift" levels --matrix=m --racks=3 --workers=5 --card=2G --hub=4Gbit --json |
		value 'j["racks"], j["workers"], j["card_bits_per_s"], j["bytes"]')" \
	"(3, 5, 2000000000.0, 67108864)"
sed '/^# uplink/d' m >no-uplinks
has "levels: uplinks that are not known carry what a rack's cards send" \
	"$("$srift" levels --matrix=no-uplinks --hub=4Gbit)" "uplinks 2Gbit"
sed '/^# uplink/d; /^# card/d' m >no-rates
sed '/^# rack/d; /^# uplink/d' m >no-racks
refused 3 "no-rates: no rates are known" levels --matrix=no-rates --hub=1G
refused 3 "no-racks: no racks are known" levels --matrix=no-racks --hub=1G --workers=2
refused 2 "--matrix or all of" levels --racks=2 --workers=2 --hub=1Gbit --card=1G

"$srift" cost --json "$prices" >rows
is "cost: each with its reported value" "$(value '"\n".join("%s %d %.2f %.2f" % (
	r["deployment"], r["workers"], r["per_1000_dollars"], r["reported"])
	for r in j["rows"])' <rows)" \
	"100Gb sharded 16 46.11 46.11
25Gb PHub 44 61.44 55.19
25Gb PHub 65 66.49 57.71
25Gb PHub 76 68.13 59.03"
"$srift" cost -o table "$prices"
is "cost: over the first row, and why they differ, once" \
	"$(awk 'NR > 1 { print $(NF - 1) }' table | head -n 4 | xargs) $(grep -c 'is not printed' table)" \
	"1.00 1.33 1.44 1.48 1"
refused 2 "one file of prices" cost
refused 4 "cannot open none" cost none
echo '{"plink-rack": 1, "deployments": 1}' >bad
refused 3 "plink-srift: bad:1:34" cost bad
refused 2 "the output must not replace it" cost -o bad bad
is "cost: nothing is lost" "$(cat bad)" '{"plink-rack": 1, "deployments": 1}'
done_testing
