#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0772-order-aggregators.t - plink-order --aggregators: what hubs gain, and when nothing
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$tmp" || exit 99

# matrix MBIT...: hosts h0, h1, ... 200 us apart, with cards of these rates
matrix() {
	python3 -c 'import sys
n = len(sys.argv) - 1
print("# plink-matrix 1\n# unit us\n# quantity rtt")
for i, rate in enumerate(sys.argv[1:]):
    print("# rack h%d 0\n# card h%d %sM %sM" % (i, i, rate, rate))
for i in range(n):
    print("h%d" % i, *[0 if i == k else 200 for k in range(n)])' "$@"
}
order() {
	"$builddir/plink-order" --matrix=m --format=schedule -o s --size=4M "$@" 2>err
}

matrix 200 200 200 200 200 200 200 200 800 800 >m
order --aggregators=h8,h9
is "two fast hubs: exit 0" "$?" 0
is "a slice for each, in equal parts" "$(grep -c '^slice 524288' s)" 2
is "the ranks are the other hosts" "$(grep -c '^host' s) $(grep '^aggregator' s | xargs)" \
	"8 aggregator h8 aggregator h9"
# limit: 4 MiB over 200 Mbit/s with headers; 2 N (N - 1) / (N^2 + k N - 2 k) without hubs
ok "what they gain is said" python3 -c '
import re
text = open("err").read()
m, a, b = re.search(r"an all-reduce of (\d+)M takes ([0-9.]+) m?s, without them ([0-9.]+) m?s",
                    text).groups()
a, b = [float(x) * (1 if float(x) > 99 else 1e3) * 4 / int(m) for x in (a, b)]
assert 173 <= a <= 185 and 300 <= b <= 330, (a, b)'
has "and how they are started" "$(cat err)" "on each of the 2 aggregators"
# (of more calls)
ok "--predict says the same" awk '$1 == "4M" { a = $3 } /;  hubs/ && $2 == "4M" { b = $(NF - 1) }
	END { exit !(a > .99 * b && a < 1.01 * b) }' - err <<END
$("$builddir/plink-order" --matrix=m --predict=s --size=4M 2>/dev/null)
END

matrix 200 200 200 200 200 200 200 200 200 200 >m
order --aggregators=h8,h9
is "two hubs like the ranks: these add up, too" \
	"$(grep 'round add' s | sed 's/.*>//' | sort -n | uniq -c | awk '{ printf "%s ", $1 }')" \
	"3 3 3 3 3 3 3 3 7 7 "

matrix 200 200 200 200 200 200 200 200 5 >m
order --aggregators=h8
is "a slow hub is left out" "$? $(grep -c '^aggregator' s)" "0 0"
has "and that is said" "$(cat err)" "the aggregators gain nothing"

# racks UPLINK...: racks of four workers and a hub, whose uplinks are slow
racks() {
	python3 -c 'import sys
n = 5 * len(sys.argv[1:])
print("# plink-matrix 1\n# unit us\n# quantity rtt")
for g, rate in enumerate(sys.argv[1:]):
    print("# uplink %d %sM %sM" % (g, rate, rate))
for i in range(n):
    print("# rack h%d %d\n# card h%d %s %s" % (i, i // 5, i, *(["800M" if i % 5 == 4 else "200M"] * 2)))
for i in range(n):
    print("h%d" % i, *[0 if i == k else 200 if i // 5 == k // 5 else 300 for k in range(n)])' "$@"
}
racks 200 200 >m
order --aggregators=h4,h9
is "a hub in each of two racks with slow uplinks: exit 0" "$?" 0
is "a slice for each rack, by hubs that add up their rack" \
	"$(grep -c '^slice' s) $(sed -n 's/^schedule \([^ ]*\) .*/\1/p' s | sort -u)" "2 hub-racks"
# crossing: transfers from a rack to the other, by the numbers in the file
crossing() {
	tr '>' ' ' <s | awk '$1 == "host" { rack[$2] = substr($3, 2) > 4; n = $2 + 1 }
		$1 == "aggregator" { rack[n++] = substr($2, 2) > 4 }
		$1 == "round" { for (i = 2; i < NF; i++)
			if ($i ~ /^[0-9]/) { if (rack[$i] != rack[$(i + 1)]) print $i, $(i + 1); i++ } }'
}
is "only sums pass the uplinks, there and back" "$(crossing | sort | uniq -c | xargs)" \
	"2 8 9 2 9 8"
# a hub's card carries what four ranks and the other hub send: with headers, 219 ms
ok "in little more than the time of a hub's card" awk '$1 == "4M" && $3 > 219 && $3 < 240 { n++ }
	END { exit n != 1 }' <<END
$("$builddir/plink-order" --matrix=m --predict=s --size=4M 2>/dev/null)
END
seq 0 9 | awk '{ print "h" $1, "rack" ($1 > 4) }' >groups
grep -v -e '^# rack' -e '^# uplink' m >told
rm s
order --matrix=told --groups=groups --aggregators=h4,h9 --algorithm=hub-racks
is "racks that a file tells: the same slices" "$(crossing | sort | uniq -c | xargs)" "2 8 9 2 9 8"
has "nothing to compare with" "$(cat err)" "with aggregators an all-reduce of 4M takes 228 ms
"
racks 50 100 200 >m
seq 0 14 | awk '{ print "h" $1, "rack" int($1 / 5) }' >groups
for groups in "" --groups=groups; do
	order --aggregators=h4,h9,h14 --algorithm=hub-racks $groups
	grep '^slice' s
done | sort | uniq -c | xargs >slices
is "groups that are the racks: their uplinks count" "$(cat slices)" \
	"2 slice 262144 2 slice 786432"
racks 4000 4000 >m
order --aggregators=h4,h9
is "with fast uplinks: without racks" \
	"$(sed -n 's/^schedule \([^ ]*\) .*/\1/p' s | sort -u)" "hubs"
order --aggregators=h4 --algorithm=hub-racks
has "a rack without a hub: refused" "$? $(cat err)" \
	"2 plink-order: a rack has ranks and no aggregator"

matrix 200 200 200 200 200 200 200 200 5 >m
# refused WORDS OPTION...
refused() {
	words=$1
	shift
	order "$@"
	is "exit 2" $? 2
	has "$words" "$(cat err)" "$words"
}
refused '"h10" is none of the hosts' --aggregators=h10
refused '"h8" comes again' --aggregators=h8,h8
refused "leaves 1 host for ranks" --aggregators=h1,h2,h3,h4,h5,h6,h7,h8
refused "cannot --tune" --aggregators=h8 --tune
refused "need --aggregators" --algorithm=hub-racks
refused "only with --format=schedule" --aggregators=h8 --format=hostfile

# card rates that are not known are no reason to guess
sed -i '/^# card/d' m
order --aggregators=h8 --algorithm=hubs
has "unknown rates: nothing is guessed" "$(cat err)" "rates of cards are not known"

done_testing
