#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0810-allreduce.t - bench/allreduce: what it prints, and that its check can fail
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

allreduce=$builddir/bench/allreduce
[ -x "$allreduce" ] || skip_all "built without MPI"
command -v mpirun >/dev/null 2>&1 || skip_all "no mpirun here"

# the library's own leaks are not plink's; nor is the order of preloads
ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

. "$srcdir/tests/openmpi.sh"

run3() {
	mpirun -np 3 --oversubscribe $alone --mca btl tcp,self \
		--mca btl_tcp_if_include lo --mca mpi_yield_when_idle 1 "$@"
}

if ! run3 true 2>"$tmp/err"; then
	sed 's/^/# /' "$tmp/err"
	skip_all "mpirun cannot start processes here"
fi

out=$(run3 "$allreduce" --sizes=4,2k --blocks=2 --iterations=3 2>"$tmp/err")
is "three ranks: done" $? 0
has "says the number of ranks" "$out" "float sum over 3 ranks"
has "says which library it is" "$out" "# library "
has "says that nothing blocks its yields" "$out" "# yield-block none"
is "says where each rank runs" \
	"$(echo "$out" | sed -n 's/^# order //p')" \
	"$(uname -n) $(uname -n) $(uname -n)"
is "a line per size, a time per all-reduce" \
	"$(echo "$out" | sed -n '/^#/!s/[0-9.]*[.][0-9]/T/gp')" \
	"4 T T T T,T,T,T,T,T
2048 T T T T,T,T,T,T,T"

out=$(run3 "$allreduce" --sizes=4,2k --blocks=2 --iterations=3 --per=block)
is "per block: a time per block" \
	"$(echo "$out" | sed -n '/^#/!s/[0-9.]*[.][0-9]/T/gp')" \
	"4 T T T T,T
2048 T T T T,T"

out=$(run3 "$allreduce" --sizes=4 --blocks=1 --iterations=300000 --block-ms=1 |
	sed '/^#/d; s/.* //' | tr , '\n' | wc -l)
ok "--block-ms: 2 times at least, and fewer than would take longer" \
	test "$out" -ge 2 -a "$out" -lt 300000
out=$(run3 "$allreduce" --sizes=4 --blocks=1 --leave 2>/dev/null)
has "--leave: all is written" "$out" "# done"
if [ -x "$allreduce-mpich" ] && command -v mpirun.mpich >/dev/null; then
	out=$(mpirun.mpich -np 3 "$allreduce-mpich" --sizes=4 --blocks=1 --leave 2>&1)
	# mpirun's status is that of ranks which it killed since others had left
	has "--leave with MPICH: says which library it is" "$out" "# library MPICH"
	has "--leave with MPICH: all is written" "$out" "# done"
fi

out=$(run3 --mca coll_tuned_use_dynamic_rules 1 \
	--mca coll_tuned_allreduce_algorithm 4 \
	-x LD_PRELOAD="$builddir/libplink-bench-yield.so" -x PLINK_YIELD_US=700 \
	"$allreduce" --sizes=1k --blocks=1 --iterations=5)
is "ring, with blocking yields: done" $? 0
has "says which algorithm was asked for" "$out" \
	"# asked coll_tuned_allreduce_algorithm=4"
has "says that yields block, and for how long" "$out" "# yield-block 700 us"

# a library that gets one element wrong, on one rank only
for rank in 0 2; do
	out=$(run3 -x LD_PRELOAD="$builddir/libplink-test-mpi-flip.so" \
		-x PLINK_FLIP_RANK=$rank "$allreduce" --sizes=2k --blocks=2 \
		--iterations=2 2>"$tmp/err")
	is "a wrong sum on rank $rank: exit 1" $? 1
	has "a wrong sum on rank $rank: says so" "$(cat "$tmp/err")" \
		"wrong sum: 2 elements of 2048 bytes"
	is "a wrong sum on rank $rank: no time given" \
		"$(echo "$out" | sed '/^#/d')" ""
done

done_testing
