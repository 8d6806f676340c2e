#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1152-xgboost.t - bench/xgboost: its options, and XGBoost on a small cluster
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

PLINK_BUILD=$builddir
export PLINK_BUILD
bench=$srcdir/bench/xgboost

for bad in --nonsense extra --racks=4 --racks=4x --racks=0x4 --launches=0 --features= \
	--seed=-1 --uplink=; do
	"$bench" $bad >/dev/null 2>"$tmp/err"
	is "$bad: usage" "$? $(grep -c 'see xgboost --help' "$tmp/err")" "2 1"
done

[ -x "$builddir/bench/xgboost-job" ] || {
	skip "a small cluster" "built without XGBoost"
	done_testing
	exit
}
why=$("$builddir/plink-testbed" check 2>&1) || {
	skip "a small cluster" "$why"
	done_testing
	exit
}
# XGBoost's own leaks are not plink's
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
prefix=t$$
out=$("$bench" --racks=2x2 --intra-us=100 --inter-us=2000 --launches=1 --iterations=2 \
	--features=6 --bins=15 --rows=50 --depth=3 --prefix=$prefix --keep="$tmp/kept" 2>&1)
is "a small cluster: done" $? 0
has "a small cluster: models" "$out" "wrote the same model in all launches: yes"
is "a small cluster: calls are of a tree of the depth asked for" \
	"$(sort -nu "$tmp/kept/calls" | head -n 2 | xargs) $(wc -l <"$tmp/kept/calls")" \
	"16 1440 4"
has "a small cluster: predicted" "$out" ", predicted "
"$builddir/plink-testbed" status --prefix="$prefix" >/dev/null 2>&1
is "nothing left" $? 1

done_testing
