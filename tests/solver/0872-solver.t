#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0872-solver.t - bench/solver: its two tables, and gaps that can be true
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

bench=$builddir/bench/solver

rc=0
"$bench" --max-hosts=16 --seeds=2 >"$tmp/out" 2>"$tmp/err" || rc=$?
is "exit 0" $rc 0
tail -n +3 "$tmp/out" >"$tmp/rows"
is "6, 10 and 16 hosts of seven kinds" "$(wc -l <"$tmp/rows")" 21
is "the planted order is found" \
	"$(grep -E '^(uneven )?(racks|pods) ' "$tmp/rows" |
		grep -c ' 0.000%    0.000%    0.000% ')" 12

rc=0
"$bench" --max-hosts=16 --time=0.16 --seeds=1 >"$tmp/out" 2>"$tmp/err" || rc=$?
is "--time: exit 0" $rc 0
tail -n +3 "$tmp/out" >"$tmp/rows"
is "three times for each" \
	"$(awk -F'|' '{ print substr($1, 29) + 0 }' "$tmp/rows" | sort -n |
		uniq -c | tr -s ' \n' ' ')" " 21 0.01 21 0.04 21 0.16 "
is "nothing is better than the optimum, proofs are no better than rings" \
	"$(awk -F'|' '{
		gsub(/[%b]/, "")
		split($2, p, " ")
		split($3, t, " ")
		if (p[1] < 0 || p[2] < p[1] || p[3] < 0 ||
		    t[2] < 0 || t[1] < t[2])
			print }' "$tmp/rows")" ""
is "the planted order is found in time" \
	"$(grep -E '^(uneven )?(racks|pods) .* 0.16 ' "$tmp/rows" |
		grep -c '|    0.000%    0.000% ')" 12
for bad in --time=0 --seeds=0 extra; do
	rc=0
	"$bench" $bad >"$tmp/out" 2>"$tmp/err" || rc=$?
	is "$bad: usage" $rc 2
done

done_testing
