#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0870-thesis-solver.t - bench/thesis-solver: rows, and ratios that can be true
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

bench=$builddir/bench/thesis-solver

mkdir -p "$tmp/data/tsplib"
echo "five 10" >"$tmp/data/OPTIMA"
cat >"$tmp/data/tsplib/five.tsp" <<'END'
NAME: five
TYPE: TSP
DIMENSION: 5
EDGE_WEIGHT_TYPE: EXPLICIT
EDGE_WEIGHT_FORMAT: FULL_MATRIX
EDGE_WEIGHT_SECTION
0 9 2 2 9
9 0 9 2 2
2 9 0 9 2
2 2 9 0 9
9 2 2 9 0
END
rc=0
"$bench" --time=0.2 --max-hosts=16 --data="$tmp/data" \
	>"$tmp/out" 2>"$tmp/err" || rc=$?
is "exit 0" $rc 0
is "a row for each matrix" "$(tail -n +2 "$tmp/out" | wc -l)" 22
is "no ring is cheaper than the optimum, and no stage worse than before" \
	"$(tail -n +2 "$tmp/out" | awk '{
		for (i = NF; $i !~ /^b$/ && i > NF - 2; i--) {}
		n = $(NF - 1) == "b" ? NF - 2 : NF - 1
		if ($n < 0.99995 || $(n - 1) < 0.99995 ||
		    $(n - 1) > $(n - 2) || $(n - 2) > $(n - 3))
			print }')" ""
is "plink finds the optimum where it is known" \
	"$(tail -n +2 "$tmp/out" | awk '$(NF - 1) != "b" && $(NF - 1) > 1.00005')" ""
has "the ring of five: found by both" "$(grep '^five' "$tmp/out")" \
	"1.0000    1.0000"

done_testing
