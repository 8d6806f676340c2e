#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1202-bench-embed.t - bench/embed, embed-sparse, missing-cells: rows that can be true
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

rc=0
"$builddir/bench/embed" --seeds=1 --hosts=64 >"$tmp/out" 2>"$tmp/err" || rc=$?
is "embed: exit 0, nothing on stderr" "$rc $(cat "$tmp/err")" "0 "
is "a row for each kind of noise" "$(sed 1d "$tmp/out" | wc -l)" 12
ok "shares are shares" awk 'NR > 1 {
	for (i = NF - 10; i <= NF - 3; i++)
		if (!($i >= 0 && $i <= 100)) bad = 1 } END { exit bad }' "$tmp/out"
# by the defaults: the least the embedding is for
ok "two tiers: at least 99 %; three: more than as measured, if not all was right" \
	awk 'NR > 1 { raw = $(NF - 10); mine = $(NF - 5) }
	NR > 1 && /^2/ && mine < 99 { bad = 1 }
	NR > 1 && /^3/ && mine <= raw && raw < 99 { bad = 1 }
	END { exit bad }' "$tmp/out"

rc=0
"$builddir/bench/embed-sparse" --hosts=1000 >"$tmp/out" 2>"$tmp/err" || rc=$?
is "embed-sparse: exit 0, a row for 16, 32 and 64 probes" \
	"$rc $(sed 1d "$tmp/out" | awk '{ printf "%s ", $2 }')" "0 16 32 64 "
ok "half of the estimates are off by less than a third" \
	awk 'NR > 1 && !($3 < 33) { bad = 1 } END { exit bad }' "$tmp/out"

rc=0
builddir=$builddir "$srcdir/bench/missing-cells" --racks=4x4 --seeds=1 \
	--moves=1000 >"$tmp/out" 2>"$tmp/err" || rc=$?
is "missing-cells: exit 0, nothing on stderr" "$rc $(cat "$tmp/err")" "0 "
ok "no order costs much less than that of the whole matrix" awk '
	NR > 1 && !($3 > 0.8 && $4 > 0.8) { bad = 1 }
	END { exit bad || NR != 13 }' "$tmp/out"

done_testing
