#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1040-bench-shim.t - bench/shim: four rows, each call bare and preloaded
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
. "$srcdir/tests/mpi-shim/mpi.sh"

bench=$srcdir/bench/shim
export builddir
"$bench" --launches=2 --blocks=2 --calls=1000 >"$tmp/out" 2>"$tmp/err"
is "exit 0" $? 0
is "silent on stderr" "$(cat "$tmp/err")" ""
is "a row for each call" "$(sed 1d "$tmp/out" | cut -d' ' -f1 | xargs)" \
	"rank-of-world rank-of-copy allreduce-4 init"
is "times and ratios are positive" "$(sed 1d "$tmp/out" |
	awk '{ sub(/.*x/, ""); if (!($1 > 0)) print }')" ""
for bad in --launches=x --launches=0 --blocks= --what extra; do
	"$bench" "$bad" >"$tmp/out" 2>&1
	is "$bad: exit 2" $? 2
done

done_testing
