#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1144-bench-nccl.t - bench/nccl-calls: a row for each call, on the right order
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-nccl/nccl.sh"

bench=$srcdir/bench/nccl-calls
export builddir
"$bench" --launches=1 --blocks=2 --calls=1000 >"$tmp/out" 2>"$tmp/err"
is "exit 0" $? 0
is "silent on stderr" "$(cat "$tmp/err")" ""
is "a row for each call; what is shadowed" \
	"$(sed 1d "$tmp/out" | awk '{ print $1 "/" $2 }' | xargs)" \
	"user-rank/given all-gather/given all-reduce/planned broadcast/planned group/given"
is "times are positive" "$(sed 1d "$tmp/out" |
	awk '!($3 > 0 && $4 > 0 && sub(/^x/, "", $6) && $6 > 0 && $7 > 0)')" ""
is "the rows have all columns" "$(awk '{ print NF }' "$tmp/out" |
	sed 1d | sort -u)" 8

done_testing
