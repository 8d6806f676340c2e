#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1058-bench-shim-machines.t - bench/shim-machines: a small cluster, world mode
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

PLINK_BUILD=$builddir
export PLINK_BUILD
bench=$srcdir/bench/shim-machines
why=$("$builddir/plink-testbed" check 2>&1) || {
	skip "a small cluster" "$why"
	done_testing
	exit
}
prefix=t$$
out=$("$bench" --racks=2x2 --intra-us=100 --inter-us=2000 --size=1k --launches=1 \
	--blocks=1 --iterations=2 --prefix=$prefix 2>&1)
is "a small cluster: done" $? 0
has "each rank where the plan puts it" "$out" \
	"ranks of shim are where those of placed are: yes"
has "rounded alike" "$out" "a rounded sum has the same bits in all: yes"
has "a ratio" "$out" "shim/placed "
"$builddir/plink-testbed" status --prefix="$prefix" >/dev/null 2>"$tmp/err"
is "nothing left" $? 1

done_testing
