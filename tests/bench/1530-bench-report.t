#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1530-bench-report.t - bench/report: a row for a size, bytes as they are
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

bench="$builddir/bench/report"
"$bench" --hosts=20 --repeats=2 >"$tmp/out" 2>"$tmp/err"
is "exit 0, silent on stderr" "$? $(cat "$tmp/err")" "0 "
is "a row: hosts, seconds and bytes of page and matrix" \
	"$(awk '$1 == 20 && NF == 7 && $5 > 1000 && $6 > 400 { print "row" }' \
		"$tmp/out")" row
is "the ratio is that of the bytes" \
	"$(awk '$1 == 20 { print sprintf("%.2f", $5 / $6) == $7 }' "$tmp/out")" 1
"$bench" --hosts=20 --repeats=1 >"$tmp/again"
is "the same bytes again" "$(awk '$1 == 20 { print $5, $6 }' "$tmp/again")" \
	"$(awk '$1 == 20 { print $5, $6 }' "$tmp/out")"
done_testing
