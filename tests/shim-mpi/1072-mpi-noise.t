#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1072-mpi-noise.t - PLINK_STATS=FILE,noise: the norms of what a job adds up
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"
cd "$tmp" || exit 99

noisy=$programs/noisy
plan 2 '1 0' >plan

# run N OPTIONS CALLS: noisy with the preload
run() {
	shim "$1" -x PLINK_STATS="$tmp/job$2" "$as" 2 "$noisy" "$3" >out 2>err
	rc=$?
}

# steps LOG: its lines, without the seconds
steps() {
	sed -n 's/^\(step .*\) seconds=[0-9.e+-]*$/\1/p' "$1"
}

# gamma LOG
gamma() {
	"$builddir/plink-batch" noise --warmup=0 "$1" 2>/dev/null |
		awk 'END { print $1, $(NF - 3), $(NF - 2) }'
}

run 2 ,noise=1 alike
is "the program ends well, and nothing is said" "$rc $(cat err)" "0 "
is "a log: all iterations but the last" "$(steps job.norms | sed -n '1p;$p')" \
	"step 0 32768 32768
step 10 32768 32768"
is "with the processes, and without a batch" "$(sed -n '/^[^s]/p' job.norms | grep -v '^# by')" \
	"# plink-norms 1
# ranks 0 1
workers 2"
is "all gradients are the same: gamma is 1" "$(gamma job.norms)" "2 1 0.5"
is "its own all-reduces are not counted" "$(grep ^allreduce job | cut -d ' ' -f 1-6)" \
	"allreduce blocking 2 131072 262143 24"
for how in apart in-place wide; do
	rm -f job.norms
	run 4 ,noise=1 $how
	is "$how: orthogonal ones of one length: gamma is the number of processes" \
		"$rc $(steps job.norms | sed -n '2p') $(gamma job.norms)" \
		"0 step 1 8192 2048 4 4 1"
done
run 3 ,noise=1 unequal
is "of different lengths: the mean of their squares, and the square of their mean" \
	"$(steps job.norms | sed -n '1p')" "step 0 54613.3333 32768"
run 1 ,noise=1 alike
is "one process has no noise, but plink-batch run needs its seconds" \
	"$rc $(steps job.norms | sed -n 1p) $(gamma job.norms)" \
	"0 step 0 32768 32768 1 - -"
PLINK_MPI_MODE=shadow run 2 ,noise=5 alike
is "one iteration in five, in shadow mode, too" "$rc $(steps job.norms | cut -d ' ' -f 2 |
	xargs)" "0 0 5 10"
run 2 ,noise=1,calls=2 two
is "two calls are an iteration: their squares add up" \
	"$(steps job.norms | sed -n '1p;$p')" "step 0 49152 40960
step 10 49152 40960"
run 2 ,noise alike
is "one iteration in ten, if nothing else is said" "$(steps job.norms)" \
	"step 0 32768 32768
step 10 32768 32768"
run 2 ,noise=1 nan
is "what is no number" "$(steps job.norms | sed -n '1p')" "step 0 nan nan"
rm -f job.*
PLINK_BATCH_SAMPLES=64 PLINK_BATCH_NORMS=$tmp/own run 2 ,noise=1 alike
is "where plink-batch run wants it, with its batch" \
	"$(sed -n '/^batch/p' own) $(ls job.* 2>/dev/null)" "batch 64 "
run 4 ,noise=1 halves
is "other communicators: a log each, of all those with the same members" \
	"$(for f in job.*.norms; do
		echo "$f" $(sed -n 's/^# ranks //p' "$f") = $(steps "$f" | wc -l)
	done)" "job.0-1.norms 0 2 = 12
job.1-1.norms 1 3 = 12"
rm -f job.*
run 2 ,noise=1 others
is "neither small ones, nor of other types or operations, nor those that do not block" \
	"$rc $(ls job.* 2>/dev/null)" "0 "
run 2 ,noise=1 closed
is "a program that takes the log's descriptor keeps its file" \
	"$rc $(steps job.norms | wc -l) $(cat program)" "0 1 "
rm -f job.*
for bad in ,noise=0 ,noise=x ,noise=1,call=2 ,noise=1,calls=; do
	run 2 $bad alike
	is "$bad: said once; statistics, but no noise" \
		"$rc $(grep -c libplink-mpi err) $(grep -c "\"$bad\"" err) $(ls job*)" "0 1 1 job"
done
mkdir job.norms
run 2 ,noise=1 alike
is "a log that cannot be written: said once" "$rc $(grep -c libplink-mpi err) $(
	sed 's/.*: cannot/cannot/' err)" \
	"0 1 cannot write $tmp/job.norms: Is a directory; no norms from here on"
rmdir job.norms

# MPI refuses what it cannot read, too, on all processes alike
run 2 ,noise=1 unreadable
is "vectors that cannot be read: said once, and no log" \
	"$rc $(grep -c 'vectors cannot be read (in the memory of a GPU' err) $(
		ls job.* 2>/dev/null)" "0 1 "

done_testing
