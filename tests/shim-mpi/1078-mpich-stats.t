#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1078-mpich-stats.t - PLINK_STATS in programs of MPICH
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
library=mpich
. "$srcdir/tests/shim-mpi/mpi.sh"

file=$tmp/stats
plan 2 '1 0' >"$tmp/plan"

# run N CALLS: counted with the preload, statistics to $file
run() {
	run_n=$1
	shift
	shim "$run_n" -env PLINK_STATS "$file" "$as" 2 "$programs/counted" \
		"$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# rows FILE: all but the times
rows() {
	sed '/^#/d' "$1" | cut -d' ' -f1-8
}

# rows_in FILE: the same, and in which communicator
rows_in() {
	sed '/^#/d' "$1" | cut -d' ' -f1-8,12
}

run 4 all
is "the program ends well, and nothing is said" "$rc $(cat "$tmp/err")" "0 "
is "exactly the calls that were made" "$(rows_in "$file")" \
	"$(cat "$srcdir/tests/shim-mpi/counted-rows")"
has "by this library" "$(cat "$file")" "# by libplink-mpich "
run 2 threads
is "from several threads" "$(rows "$file" | sed 1d)" \
	"send blocking 1 1 1 16000 16000 2"
file=$tmp/none/stats run 2 elsewhere 5
is "a file that cannot be written: the program's own status" "$rc" 5
is "and one line" "$(grep -c "cannot write $tmp/none" "$tmp/err")" 1
mpi 2 -env LD_PRELOAD "$preload" -env PLINK_MPI_MODE off \
	-env PLINK_STATS "$file" "$programs/counted" elsewhere
is "switched off: counted" "$(rows "$file" | sed 1d)" \
	"barrier blocking 2 0 0 2 0 2"
shim 2 -env PLINK_STATS "$file,noise=1" "$as" 2 "$programs/noisy" in-place
is "norms of gradients: orthogonal ones" "$(sed -n 's/ seconds=.*//; /^step 3/p' "$file.norms")" \
	"step 3 16384 8192"
shim 2 -env PLINK_STATS "$file,noise=1" "$as" 2 "$programs/noisy" others
is "a call that fails, types and operations that are not looked at" $? 0

done_testing
