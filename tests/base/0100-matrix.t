#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0100-matrix.t - matrix files as plink-order takes them; the manual's examples
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

order="$builddir/plink-order"

# refused WHAT WANT FILE: exit 3, nothing on stdout, the place on stderr
refused() {
	out=$("$order" --matrix="$3" --format=names 2>"$tmp/err")
	is "$1: exit 3" "$?" 3
	is "$1: nothing on stdout" "$out" ""
	has "$1: place and fault" "$(cat "$tmp/err")" "$2"
}

: >"$tmp/empty"
refused "empty file" "empty:1:1: there is no matrix here" "$tmp/empty"
printf '0 1\n1 \000\n' >"$tmp/zero"
refused "zero byte" "zero:2:3: zero byte" "$tmp/zero"
printf '0 1 2\n1 0 2\n' >"$tmp/short"
refused "not square" "short:3:1: 2 rows of 3 values" "$tmp/short"
printf '{"format":1,"version":"0.1"}\n' >"$tmp/json"
refused "JSON" "json:1:1: this is JSON, not a matrix file: write one" \
	"$tmp/json"
echo '{"node": "h0", "ib-traffic/ib_write_lat_8_a_0_0:h0_h1:0": 2.5}' >"$tmp/results"
refused "SuperBench" "results:1:1: this is a file of SuperBench (write its times as CSV)" \
	"$tmp/results"
printf '# plink-matrix 9\n' >"$tmp/future"
refused "version" 'future:1:16: unknown version "9"' "$tmp/future"
printf 'NAME: t\nTYPE: TSP\nDIMENSION: 2\n' >"$tmp/instance"
refused "TSPLIB" "instance:1:1: this is a TSPLIB instance (write its weights as a square)" \
	"$tmp/instance"

# the examples of plink-matrix(5): block K of those between .nf and .fi
example() {
	sed -n '/^\.nf$/,/^\.fi$/p' "$srcdir/man/plink-matrix.5.in" |
		sed 's/\\-/-/g' |
		awk -v k="$1" '$1 == ".nf" { n++; next }
			$1 != ".fi" && n == k'
}
for k in 1 2 3; do
	example "$k" >"$tmp/example$k"
	ok "example $k is there" test -s "$tmp/example$k"
	is "example $k is read, its hosts kept" \
		"$("$order" --matrix="$tmp/example$k" --symmetrize=max \
			--format=names 2>"$tmp/err" | sort | tr '\n' ' ')" \
		"h0 h1 h2 "
done
"$order" --matrix="$tmp/example1" --symmetrize=none --format=names \
	>"$tmp/out" 2>"$tmp/err"
is "example 1 as measured lacks a pair: exit 1" "$?" 1

# milliseconds, if nobody says so
printf '0 0.2\n0.3 0\n' >"$tmp/ms"
"$order" --matrix="$tmp/ms" 2>"$tmp/err" >"$tmp/out"
has "no round trip is as short as a nanosecond" "$(cat "$tmp/err")" "states no unit"
"$order" --matrix="$tmp/ms" --unit=ms 2>"$tmp/err" >"$tmp/out"
is "a unit is believed" "$(grep -c "states no unit" "$tmp/err")" 0

done_testing
