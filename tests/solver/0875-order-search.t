#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0875-order-search.t - bench/order-search: rows, and costs that can be true
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

bench=$builddir/bench/order-search

rc=0
"$bench" --hosts=8 --moves=1000 --seeds=2 >"$tmp/out" 2>"$tmp/err" || rc=$?
is "exit 0" $rc 0
is "six networks, six algorithms" "$(tail -n +3 "$tmp/out" | wc -l)" 36
is "bound <= found <= given, rack by rack; the thesis' stages find no cheaper one" \
	"$(tail -n +3 "$tmp/out" | awk '$4 > $5 || $5 > $6 || $5 > $7 ||
		$8 + 0 > $10 + 0 || $11 > 1')" ""
for threads in 1 3; do
	"$bench" --hosts=20 --moves=90000 --seeds=1 --threads=$threads \
		--network=noisy --algorithm=halving-doubling --no-thesis |
		tail -n 1 | awk '{ print $4, $5, $13 }' >"$tmp/threads-$threads"
done
is "moves alone count, not threads" "$(cat "$tmp/threads-3")" \
	"$(cat "$tmp/threads-1")"

# drawn problems: each is searched and compared, and the table has them all
rc=0
"$builddir/bench/order-cells" --cells=6 --max-hosts=9 --time=0.02 --seeds=1 \
	>"$tmp/out" 2>"$tmp/err" || rc=$?
is "order-cells: exit 0" $rc 0
is "few hosts: none dearer" "$(awk 'NF > 7 && $1 + 0 > 0 && $NF > 1' "$tmp/out")" ""
is "all are counted" "$(sed -n '/^search/,/^more/p' "$tmp/out" |
	awk '/^[a-z-]+ +[0-9]+ / { n += $2 + $5 + $8 + $11 } END { print n }')" 6
for bad in --time=0 --hosts=1 --network=x --algorithm=x --no-such extra; do
	rc=0
	"$bench" $bad >"$tmp/out" 2>"$tmp/err" || rc=$?
	is "$bad: usage" $rc 2
done

done_testing
