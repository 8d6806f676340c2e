#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1103-bench-exec.t - bench/exec-start, ddp-machines and torchrun: what they show
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

export builddir
bench=$srcdir/bench/exec-start
"$bench" --rounds=1 --times=2 2 30 >"$tmp/out" 2>"$tmp/err"
is "exec-start: exit 0" $? 0
is "silent on stderr" "$(cat "$tmp/err")" ""
is "a row for each number" "$(sed 1d "$tmp/out" | cut -d' ' -f1 | xargs)" "2 30"
is "all times are there, and positive" \
	"$(sed 1d "$tmp/out" | awk 'NF != 6 || !($2 + 0 > 0 && $3 + 0 > 0 &&
		$4 + 0 > 0)')" ""

PLINK_BUILD=$builddir
export PLINK_BUILD
bench=$srcdir/bench/ddp-machines
python=${PLINK_PYTHON:-/usr/bin/python3}
why=$("$builddir/plink-testbed" check 2>&1) ||
	why="no emulated cluster here: $why"
[ -x "$python" ] && [ "$("$python" -c 'from importlib.util import find_spec
print(bool(find_spec("torch")))')" = True ] ||
	why="$python has no torch: install python3-torch"
[ -z "$why" ] || {
	skip "a small cluster" "$why"
	done_testing
	exit
}
. "$srcdir/tests/python/warm.sh"
PLINK_PYTHON=$python
export PLINK_PYTHON
prefix=t$$
out=$("$bench" --racks=2x2 --intra-us=100 --inter-us=2000 --sizes=1024 \
	--launches=1 --steps=2 --order="--impl=thesis --algorithm=ring" \
	--prefix=$prefix 2>&1)
is "a small cluster: done" $? 0
has "each rank where the plan puts it" "$out" \
	"ranks are where the list and the plan say: yes"
has "the same training" "$out" \
	"losses and parameters have the same bits in all: yes"
has "a ratio" "$out" "given/found "
"$builddir/plink-testbed" status --prefix="$prefix" >/dev/null 2>"$tmp/err"
is "nothing left" $? 1

done_testing
