#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1072-bench-shim-start.t - bench/shim-start: a row for each number and kind
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

bench=$srcdir/bench/shim-start
export builddir
"$bench" --launches=1 1 3 >"$tmp/out" 2>"$tmp/err"
is "exit 0" $? 0
is "silent on stderr" "$(cat "$tmp/err")" ""
is "a row for each number and kind" \
	"$(sed 1d "$tmp/out" | cut -d' ' -f1,2 | xargs)" \
	"1 bare 1 shadow 1 shim 1 stats 3 bare 3 shadow 3 shim 3 stats"
ok "the last comer takes no longer than the slowest" awk 'NR > 1 &&
	!($3 > 0 && $4 <= $5 && $6 > 0 && $7 > 0 && NF == 7) { exit 1 }' \
	"$tmp/out"

done_testing
