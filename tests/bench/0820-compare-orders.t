#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0820-compare-orders.t - bench/compare-orders: times, ratios, correlation
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

compare=$builddir/bench/compare-orders

# found is the best order, worst costs 2.5 times as much; best's two launches
# have least times of 1000 and 1010 us: a spread of 1 %. Ranks by cost are
# 3 1.5 1.5 6 4 5, by time 3 2 1 6 5 4: squared deviations 17 and 17.5, squared
# differences 2.5, so rho = (17 + 17.5 - 2.5) / 2 / sqrt(17 * 17.5) = 0.928.
cat >"$tmp/golden" <<'END'
# costs first
unit us
order given 2000
order found 1000
order best 1000
order worst 3000

order random-2 2400
order random-3 2500
time given 2048 2100.0 2000
time found 2048 1000.5
time best 2048 1200 1000
time worst 2048 2500 2600 2700
time random-2 2048 2400
time random-3 2048 2300
time best 2048 1020 1010 1300
END

cat >"$tmp/want" <<'END'
all-reduce of 2048 bytes
order                 predicted        least       median   to best   spread
                             ms           ms           ms                  %
given                     2.000         2.00         2.00     2.000      0.0
found                     1.000         1.00         1.00     1.000      0.0
best                      1.000         1.00         1.02     1.000      1.0
worst                     3.000         2.50         2.60     2.500      0.0
random-2                  2.400         2.40         2.40     2.400      0.0
random-3                  2.500         2.30         2.30     2.300      0.0
ratios of the least times:
found/best     1.000  plink's order against the planted best
given/found    1.999  what plink gains here
worst/best     2.500  what an order can cost
random/best    2.300  median of 2 random orders
Spearman       0.928  predicted cost and time, 6 orders
END
is "golden input" "$("$compare" "$tmp/golden")" "$(cat "$tmp/want")"
is "standard input, --brief: no other orders in the table" \
	"$("$compare" --brief <"$tmp/golden")" "$(grep -v '^random-' "$tmp/want")"

sed 's/^time.*//' "$tmp/golden" >"$tmp/costs"
out=$("$compare" "$tmp/costs")
has "no times: says that nothing was timed" "$out" "nothing was timed"
has "no times: ratios of costs" "$out" "given/found    2.000"
is "no times: no correlation" "$(echo "$out" | grep -c Spearman)" 0

out=$(grep -v '^unit' "$tmp/costs" | "$compare")
has "no unit: costs as they are" "$out" "given                      2000     2.000"

# two sizes, and an order that was not launched at one of them
{
	cat "$tmp/golden"
	echo "time best 4096 50"
	echo "time worst 4096 100"
} >"$tmp/two"
out=$("$compare" "$tmp/two" | sed -n '/4096/,$p')
has "second size" "$out" "worst/best     2.000"
is "second size: no ratio for what was not launched" \
	"$(echo "$out" | grep -c '^found/best')" 0

# bad PLACE INPUT: refused there
bad() {
	printf '%b' "$2" >"$tmp/bad"
	bad_out=$("$compare" "$tmp/bad" 2>"$tmp/err")
	is "$1: exit 3" $? 3
	is "$1: nothing on stdout" "$bad_out" ""
	has "$1: says where" "$(cat "$tmp/err")" "bad:$1:"
}
bad 1:1 'nonsense a 1\n'
bad 1:6 'order\n'
bad 1:9 'order a 1x\n'
bad 1:9 'order a -1\n'
bad 1:9 'order a inf\n'
bad 1:9 'order a nan\n'
bad 1:11 'order a 1 2\n'
bad 2:7 'order a 1\norder a 2\n'
bad 1:6 'time a 2 3\n'
bad 2:8 'order a 1\ntime a two 3\n'
bad 2:9 'order a 1\ntime a 2\n'
bad 2:12 'order a 1\ntime a 2 3 0\n'
bad 2:6 'unit us\nunit ms\n'
bad 1:6 'unit bytes-per-s\n'
bad 1:6 'unit hours\n'
printf '' >"$tmp/bad"
"$compare" "$tmp/bad" >/dev/null 2>&1
is "empty input: exit 3" $? 3
"$compare" "$tmp/none" >/dev/null 2>&1
is "no such file: exit 4" $? 4
"$compare" --nonsense >/dev/null 2>&1
is "unknown option: exit 2" $? 2

done_testing
