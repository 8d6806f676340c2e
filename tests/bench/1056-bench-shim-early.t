#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1056-bench-shim-early.t - bench/shim-early: a row for each number of hosts
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

bench=$srcdir/bench/shim-early
export builddir
"$bench" --rounds=1 --times=2 2 30 >"$tmp/out" 2>"$tmp/err"
is "exit 0" $? 0
is "silent on stderr" "$(cat "$tmp/err")" ""
is "a row for each number" "$(sed 1d "$tmp/out" | cut -d' ' -f1 | xargs)" "2 30"
is "all times are there, and positive" \
	"$(sed 1d "$tmp/out" | awk 'NF != 7 || !($2 + 0 > 0 && $3 + 0 > 0 &&
		$4 + 0 > 0 && $5 + 0 > 0)')" ""
"$builddir/bench/start-time" 2 no-such-program >"$tmp/out" 2>&1
is "what cannot be started: exit 1" $? 1
"$builddir/bench/start-time" 3 A=1 B=2 sh -c '[ "$A$B" = 12 ]' >"$tmp/out"
is "times in an environment" "$? $(grep -c '^[1-9]' "$tmp/out")" "0 3"

done_testing
