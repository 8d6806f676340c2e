#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0875-order-search.t - bench/order-search: rows, and costs that can be true
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

bench=$builddir/bench/order-search

rc=0
"$bench" --hosts=8 --moves=1000 --seeds=2 >"$tmp/out" 2>"$tmp/err" || rc=$?
is "exit 0" $rc 0
is "five networks, six algorithms" "$(tail -n +3 "$tmp/out" | wc -l)" 30
is "bound <= found <= given, rack by rack; annealing finds no cheaper one" \
	"$(tail -n +3 "$tmp/out" | awk '$4 > $5 || $5 > $6 || $5 > $7 ||
		$8 + 0 > $10 + 0')" ""
for threads in 1 3; do
	"$bench" --hosts=20 --moves=90000 --seeds=1 --threads=$threads \
		--network=noisy --algorithm=halving-doubling --no-annealing |
		tail -n 1 | awk '{ print $4, $5, $12 }' >"$tmp/threads-$threads"
done
is "moves alone count, not threads" "$(cat "$tmp/threads-3")" \
	"$(cat "$tmp/threads-1")"
for bad in --time=0 --hosts=1 --network=x --algorithm=x --no-such extra; do
	rc=0
	"$bench" $bad >"$tmp/out" 2>"$tmp/err" || rc=$?
	is "$bad: usage" $rc 2
done

done_testing
