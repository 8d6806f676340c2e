#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0696-bench-probe.t - bench/probe: rows that can be true, and nothing left
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

export builddir
bench=$srcdir/bench/probe

"$builddir/bench/usage" "$tmp/used" sh -c 'exit 3'
is "usage ends as its command" $? 3
ok "and notes it" grep -qE '^0\.[0-9]+ 0\.[0-9]+ [0-9.]+ [0-9]+ [0-9]+$' "$tmp/used"

why=$("$builddir/plink-testbed" check 2>&1) || {
	skip "a small cluster" "$why"
	done_testing
	exit
}
testbeds() {
	ls /run/plink-testbed 2>/dev/null | grep "^probe$1\$"
}
"$bench" --racks=2x2 --intra-us=200 --inter-us=2000 --runs=1 --busy=1 --many=100 \
	--many-hosts=2 --keep="$tmp/kept" >"$tmp/out" 2>"$tmp/err" &
bench_pid=$!
wait $bench_pid
is "a small cluster: exit 0, nothing on stderr" "$? $(cat "$tmp/err")" "0 "
# row WHAT FIELD
row() {
	awk -v what="$1" -v i="$2" '$1 == what && $2 == 1 { print $i }' "$tmp/out"
}
for what in plink plain tiers; do
	is "$what: all pairs measured, and none earlier than it can be" \
		"$(row $what 3) $(row $what 5 | awk '{ print ($1 > -1000) }')" "12 1"
	ok "$what: as many packets as probes and answers are" \
		test "$(row $what 9)" -ge $((12 * 2 * 40))
done
is "the fixed number: each of two hosts sends so many, and one to warm up" \
	"$(row many 3) $(($(row many 9) >= 2 * 2 * 100))" "2 1"
is "which host is nearer is seen of all" "$(row plink 15)" 1.0000
is "no pair of hosts is in wrong racks" "$(row plink 14)" 0
command -v fping >/dev/null &&
	is "fping: all pairs" "$(row fping 3)" 12
ok "how many more packets the fixed number takes" \
	grep -qE '^many: .* times as many packets of a pair' "$tmp/out"
ok "what was measured is kept" test -s "$tmp/kept/plink-1-matrix"
# the delays are 200 and 2000 one way: truth is no less, but for early packets
ok "truth is what the emulator applied" awk 'NR > 1 {
	n++; if (!($4 > 300 && $5 >= $4)) bad = 1 } END { exit bad || n != 12 }' \
	"$tmp/kept/plink-1-trips"
is "nothing left" "$(testbeds $bench_pid)" ""

done_testing
