#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1322-bench-srift-learned.t - bench/srift-learned: rows that can be true
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

rc=0
"$builddir/bench/srift-learned" --machines=2 --folds=2 --trees=80 >"$tmp/out" \
	2>"$tmp/err" || rc=$?
grep -q "configured without XGBoost" "$tmp/err" && skip_all "no XGBoost here"
is "exit 0, nothing on stderr" "$rc $(cat "$tmp/err")" "0 "
is "two rows with the grid's ranks, two between" \
	"$(grep -cE '^(as grid|between) ' "$tmp/out")" 4
ok "no model is much better than the truth" awk '/^(as grid|between)/ {
	t = $(NF - 4)
	if (!(t > 7 && t < 9 && $(NF - 3) > t - 1 && $(NF - 1) > t - 1))
		bad = 1 } END { exit bad }' "$tmp/out"
ok "with the grid's ranks the learned one is within two points, a line is not" \
	awk '/^as grid/ && !($(NF - 2) < 2 && $(NF - 1) > 2 + $(NF - 4)) {
	bad = 1 } END { exit bad }' "$tmp/out"
ok "predictions are made" grep -qE '^predictions/s: [1-9]' "$tmp/out"

done_testing
