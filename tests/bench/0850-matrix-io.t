#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0850-matrix-io.t - bench/matrix-io: six rows of rates, nothing left behind
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

io="$builddir/bench/matrix-io"
mkdir "$tmp/files"

TMPDIR=$tmp/files "$io" --hosts=20 --repeats=3 >"$tmp/out" 2>"$tmp/err"
is "exit 0" "$?" 0
is "silent on stderr" "$(cat "$tmp/err")" ""
is "a row for each kind of value, written and read" \
	"$(awk '$1 == "write" || $1 == "read" { print $1, $2 }' "$tmp/out" |
		tr '\n' ,)" \
	"write whole,read whole,write decimals,read decimals,write full,read full,"
is "rates and ratios are positive" \
	"$(awk '$1 ~ /write|read/ && !($3 > 0 && $4 > 0 && $5 > 0)' "$tmp/out")" ""
is "no file is left" "$(ls "$tmp/files")" ""
TMPDIR=/nonexistent "$io" --hosts=2 >"$tmp/out" 2>&1
is "no folder for the files: exit 4" "$?" 4

done_testing
