#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0933-audit-read.t - bench/audit-read: both read all packets, nothing left behind
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

bench=$builddir/bench/audit-read
[ -x "$bench" ] || skip_all "built without libpcap"
mkdir "$tmp/files"

TMPDIR=$tmp/files "$bench" --megabytes=1 --repeats=3 --flows=7 --kept=10 \
	>"$tmp/out" 2>"$tmp/err"
is "exit 0" "$?" 0
is "silent on stderr" "$(cat "$tmp/err")" ""
has "as many packets as fit" "$(cat "$tmp/out")" \
	"# 15151 packets, 7 flows, 10 bytes"
is "two rows of rates" "$(awk '/^(plink|libpcap)/ && $2 > 0 && $3 > 0 {
	print $1 }' "$tmp/out" | xargs)" "plink libpcap"
is "no file is left" "$(ls "$tmp/files")" ""
TMPDIR=/nonexistent "$bench" --megabytes=1 >"$tmp/out" 2>&1
is "no folder for the file: exit 4" "$?" 4

done_testing
