#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1040-bench-shim.t - bench/shim: a row for each call, bare and preloaded
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

bench=$srcdir/bench/shim
export builddir
"$bench" --launches=2 --blocks=2 --calls=1000 >"$tmp/out" 2>"$tmp/err"
is "exit 0" $? 0
is "silent on stderr" "$(cat "$tmp/err")" ""
is "a row for each call and kind" \
	"$(sed 1d "$tmp/out" | awk '{ print $1 "/" $2 }' | xargs)" \
	"$(for call in rank-of-world rank-of-copy allreduce-self allreduce-4 \
		allreduce-none init; do
		kinds="shim shadow stats"
		[ $call != allreduce-none ] || kinds="shim shadow orders stats"
		for kind in bare $kinds; do
			echo "$call/$kind"
		done
	done | xargs)"
is "times and ratios are positive" "$(sed 1d "$tmp/out" |
	awk '!($3 > 0 && sub(/.*x/, "") && $1 > 0)')" ""

done_testing
