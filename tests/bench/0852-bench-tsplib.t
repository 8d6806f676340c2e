#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0852-bench-tsplib.t - bench/tsplib: every format; distances worked by hand
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$tmp" || exit 99

# instance FORMAT WEIGHTS: distances 12, 13, ... between 1, 2, 3, 4, 99 on the diagonal
instance() {
	printf 'NAME: t\nTYPE: ATSP (T. Est)\nDIMENSION:4\nEDGE_WEIGHT_TYPE : EXPLICIT\n'
	printf 'EDGE_WEIGHT_FORMAT: %s\nNODE_COORD_SECTION\n1 0 0\n' "$1"
	printf 'EDGE_WEIGHT_SECTION\n%s\nEOF\n' "$2"
}
while read -r format weights; do
	instance "$format" "$weights" >in.tsp
	is "$format" "$("$srcdir/bench/tsplib" in.tsp)" "# plink-matrix 1
# quantity rtt
# unit us
# symmetrize none
1 0 12 13 14
2 12 0 23 24
3 13 23 0 34
4 14 24 34 0"
done <<'END'
FULL_MATRIX 99 12 13 14 12 99 23 24 13 23 99 34 14 24 34 99
UPPER_ROW 12 13 14 23 24 34
LOWER_ROW 12 13 23 14 24 34
UPPER_DIAG_ROW 99 12 13 14 99 23 24 99 34 99
LOWER_DIAG_ROW 99 12 99 13 23 99 14 24 34 99
UPPER_COL 12 13 23 14 24 34
LOWER_COL 12 13 14 23 24 34
UPPER_DIAG_COL 99 12 99 13 23 99 14 24 34 99
LOWER_DIAG_COL 99 12 13 14 99 23 24 99 34 99
END
instance UPPER_ROW '12 13 14 23 24 34 1' >in.tsp
is "a weight too many" "$("$srcdir/bench/tsplib" in.tsp 2>&1)" \
	"tsplib: in.tsp: more values than its DIMENSION asks for"
is "one too few" "$(instance UPPER_ROW 12 >in.tsp; "$srcdir/bench/tsplib" in.tsp 2>&1)" \
	"tsplib: in.tsp: no instance that can be read: StopIteration()"

# 10 degrees 30 minutes are 10.5 * 3.141592 / 180 * 6378.388 km = 1168.90; with pi in
# full, 83 degrees 13 minutes would be 9264.0015 km
while read -r type a b x y want; do
	printf 'DIMENSION: 2\nEDGE_WEIGHT_TYPE: %s\nNODE_COORD_SECTION\n 2 %s %s\n 1 %s %s\n' \
		"$type" "$x" "$y" "$a" "$b" >in.tsp
	is "$type: $a $b to $x $y" "$("$srcdir/bench/tsplib" in.tsp | tail -n 2 | xargs)" \
		"1 0 $want 2 $want 0"
done <<'END'
EUC_2D 0 0 3 4 5
EUC_2D 0 0 1 1 1
EUC_2D 0 0 1.5e+00 0 2
CEIL_2D 0 0 1 1 2
ATT 0 0 10 0 4
ATT 0 0 10 30 10
GEO 0 0 0 -10.30 1169
GEO 5.15 7 -5.15 7 1169
GEO 0 0 0 83.13 9264
END

done_testing
