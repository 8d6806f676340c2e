#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0800-yield-block.t - the preload that lets sched_yield() wait for the network
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

lib=$builddir/libplink-bench-yield.so
loop=$builddir/tests/bench/yield-loop

# preloaded before a sanitizer's own library, where there is one
ASAN_OPTIONS=verify_asan_link_order=0
export ASAN_OPTIONS

# turns_bounded HOW US: with a wait of US, at most one turn per US that passed,
# and two for where they meet (a busy machine makes time pass, not turns)
turns_bounded() {
	turns_out=$(LD_PRELOAD=$lib PLINK_YIELD_US=$2 "$loop" "$1" 40) ||
		return 1
	turns=${turns_out#turns=}
	turns=${turns%% *}
	elapsed=${turns_out#*elapsed_us=}
	elapsed=${elapsed%% *}
	echo "$turns_out"
	[ "$turns" -gt 0 ] && [ "$turns" -le $((elapsed / $2 + 2)) ]
}

for how in poll epoll; do
	has "$how: without the preload a program turns and yields" \
		"$("$loop" $how 40)" "yielded=0"
	has "$how: with it, it still does" \
		"$(LD_PRELOAD=$lib "$loop" $how 40)" "yielded=0"
	ok "$how: it sleeps until the byte comes" turns_bounded $how 100000
	ok "$how: but not for longer than asked" turns_bounded $how 2000
done
alone() {
	env "$@" LD_PRELOAD=$lib PLINK_YIELD_US=100000 "$loop" alone 40
}
has "alone: the third poll in a row waits until the byte comes" \
	"$(alone PLINK_YIELD_POLLS=3)" "turns=2 "
ok "alone: none does unless asked to" test "$(alone | tr -dc '0-9 ' |
	cut -d' ' -f1)" -gt 100
blind_sleeps() {
	slept=$(LD_PRELOAD=$lib "$@" "$loop" blind 0)
	echo "${slept##*slept=}"
}
ok "with no poll before them each eighth yield sleeps" \
	test "$(blind_sleeps env)" -ge 10
ok "0 turns it off" test "$(blind_sleeps env PLINK_YIELD_US=0)" -lt 10

done_testing
