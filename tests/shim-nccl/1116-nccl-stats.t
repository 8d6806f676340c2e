#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1116-nccl-stats.t - libplink-nccl: PLINK_STATS, and what is said of waiting
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-nccl/nccl.sh"
counted=$programs/counted
plan '2 0 3 1' >"$tmp/plan"
mkdir "$tmp/files"
PLINK_STATS=$tmp/files/stats
export PLINK_STATS

# run N SUBJECT [COMMAND...]: with the plan, and so started; says so where it does
# not go well
run() {
	run_n=$1
	run_what=$2
	shift 2
	rm -rf "$tmp/files"
	mkdir "$tmp/files"
	shim "$run_n" "$@" "$counted" "$run_what"
	run_rc=$?
	[ "$run_what" != failing ] || sed -i '/^fault/d' "$tmp/log"
	worked "$run_what" $run_rc
}

# rows FILE: what was called, all but the times and the one process
rows() {
	sed '/^#/d; /^collective/d' "$1" | cut -d' ' -f1,3-7,12-
}

# of HOST, and of all the hosts that have left a file, the same?
of() {
	rows "$tmp/files/stats.$1".*
}
alike() {
	for alike_h in h0 h1 h2 h3; do
		of "$alike_h" | cksum
	done | sort -u | wc -l | tr -d ' '
}

key() {
	sed -n "s/^# $2 //p" "$1"
}

run 4 all
is "each process leaves a file" "$(ls "$tmp/files" |
	sed 's/\.[1-9][0-9]*$//' | xargs)" "stats.h0 stats.h1 stats.h2 stats.h3"
is "exactly the calls that were made, where they ran, and why" "$(of h1)" \
	"allreduce 4 0 0 1 0 planned -
allreduce 4 32 63 3 120 planned -
allreduce 4 256 511 2 800 planned -
broadcast 4 16 31 1 24 planned -
broadcast 4 32 63 1 32 planned -
reduce 4 64 127 1 100 planned -
allgather 4 8 15 1 10 given function
reduce-scatter 4 64 127 1 96 given function
alltoall 4 16 31 1 28 given function
gather 4 32 63 1 32 given function
scatter 4 32 63 1 36 given function
send 4 32 63 1 50 given function
group 0 0 0 2 0 any -"
is "in all processes" "$(alike)" 1
for file in "$tmp"/files/stats.h1.*; do
	pid=${file##*.}
done
is "the file says what it is" "$(head -n 1 "$file")" "# plink-stats 1"
for row in mode:shadow ranks:4 host:h1 "pid:$pid" rank:1 \
	"order:allreduce ring nccl" "plan:$tmp/plan" time:host; do
	is "and of the process: ${row%%:*}" "$(key "$file" "${row%%:*}")" \
		"${row#*:}"
done
is "all of one kind, and of one process" "$(sed '/^#/d; /^collective/d' "$file" |
	awk '{ print $2, $8, NF }' | sort -u)" "nonblocking 1 13"
ok "times are of one process, and not more than it ran" awk '
	/^# seconds/ { all = $3 }
	/^#/ || $1 == "collective" { next }
	$9 != $10 || $9 != $11 { exit 1 }
	{ sum += $9 }
	END { exit !(sum > 0 && sum <= all) }' "$file"

# the page's example, as one reads it
mkdir "$tmp/example"
for file in "$tmp"/files/stats.*; do
	cp "$file" "$tmp/example/job.${file##*/}"
done
sed -n "/^cat job/,/sort/{s/\\\\-/-/g; s/\\\\e/\\\\/g; p}" \
	"$builddir/man/plink-stats.5" >"$tmp/example.sh"
(cd "$tmp/example" && sh "$tmp/example.sh") >"$tmp/table" 2>&1
is "the page's example makes one table of all" "$(wc -l <"$tmp/table" |
	tr -d ' ')" 13
has "with the sums" "$(cat "$tmp/table")" \
	"allreduce 4 32-63 planned - 12 480 4 0."

# NCCL that calls its own functions through this library
cat >"$tmp/malloc.c" <<'END'
#include <stddef.h>
extern void *__libc_malloc(size_t);
void *malloc(size_t n) { return __libc_malloc(n); }
END
${CC:-cc} -shared -fPIC "$tmp/malloc.c" -o "$tmp/malloc.so"
of h1 >"$tmp/want"
preload=$preload:$tmp/malloc.so run 4 all
is "what NCCL calls itself is not counted" "$(of h1)" "$(cat "$tmp/want")"

# communicators of all kinds
run 4 failing
is "what fails is not counted" "$(of h2)" "allreduce 4 32 63 1 40 planned -"
shim 4 "$counted" sharded
is "FSDP: one process says that this library does not help" \
	"$(grep -c 'keep the job.s own order' "$tmp/err") $(sed -n \
	's/.*: \([0-9]* %\) of the bytes.*(\(.*\))/\1 \2/p' "$tmp/err")" \
	"1 67 % plink-exec, plink-torchrun"
run 4 parts
is "halves, and ranks alone" "$(of h2)" "allreduce 2 8 15 2 16 planned -
allreduce 4 4 7 1 4 planned -
allreduce 1 16 31 1 16 given one-rank"
slots=2
plan '1 0' >"$tmp/plan"
run 4 parts
is "a part on one host" "$(for f in "$tmp"/files/stats.h1.*; do
	rows "$f"
done | sort | uniq -c | sed 's/^ *//')" "2 allreduce 1 16 31 1 16 given one-rank
2 allreduce 2 8 15 2 16 given one-host
2 allreduce 4 4 7 1 4 planned -"
slots=1
plan '2 0 3 1' >"$tmp/plan"
run 4 groups
is "groups" "$(of h3)" "allreduce 4 4 7 10 40 planned -
group 0 0 0 5 0 any -"
run 4 nonblocking
is "one that does not block" "$(of h0)" "allreduce 4 32 63 6 240 planned -"
run 4 threads
is "several threads" "$(of h0)" "allreduce 4 4 7 200 800 planned -"
run 4 devices
is "all ranks in one process" "$(of h0)" "allreduce 3 32 63 3 120 given unknown
group 0 0 0 1 0 any -"
algorithm=double-binary-tree
plan '2 0 3 1' >"$tmp/plan"
run 4 all
algorithm=ring
is "a plan for trees" "$(of h0)" \
	"$(sed '/^broadcast\|^reduce /s/planned -/given root/' "$tmp/want")"
plan '2 0 3 1' >"$tmp/plan"

# why REASON MODE COMMAND...: all-reduces of jobs started so stand aside for it
why() {
	why=$1
	mode=$2
	shift 2
	rm -rf "$tmp/files"
	mkdir "$tmp/files"
	shim 4 "$@" "$counted" groups
	is "$why: the calls" "$? $(of h1 | sed '/^group/d')" \
		"0 allreduce 4 4 7 10 40 given $why"
	is "$why: the mode" "$(key "$tmp"/files/stats.h1.* mode)" "$mode"
}
why bad-plan aside env PLINK_PLAN="$tmp/none"
why bad-nccl aside env NCCL_LAUNCH_ORDER_IMPLICIT=0
version=2.17 why bad-nccl aside env
why no-plan aside env -u PLINK_PLAN
why others shadow sh -c '[ $RANK != 3 ] || unset PLINK_PLAN; exec "$@"' -
why in-order shadow sh -c 'case $RANK in 0) h=2;; 1) h=0;; 2) h=3;; *) h=1;;
	esac; PLINK_HOST=h$h exec "$@"' -
plan '0 1 2 3' >"$tmp/plan"
why no-change aside env
plan '2 0 3 1' >"$tmp/plan"

# how processes end, and begin
run 4 aborted
is "aborted, and no orderly end" "$(of h1)" "allreduce 4 32 63 1 40 planned -"
run 4 left
is "neither: no file" "$(ls "$tmp/files")" ""
run 4 forks
is "forked: files of those that have called something" \
	"$(ls "$tmp/files" | sed 's/\.[0-9]*$//' | uniq -c | sed 's/^ *//')" \
	"2 stats.h0
2 stats.h1
2 stats.h2
2 stats.h3"
is "forked: each has its own calls" "$(for f in "$tmp"/files/stats.h3.*; do
	rows "$f"
done | sort)" "allreduce 3 32 63 3 120 given unknown
allreduce 4 32 63 2 80 planned -
group 0 0 0 1 0 any -"

# the name of the file
PLINK_STATS=there run 4 elsewhere sh -c 'cd "$0/files"; exec "$@"' "$tmp"
is "relative to where the process started" "$(ls "$tmp/files" |
	sed 's/\.[0-9]*$//' | xargs)" "there.h0 there.h1 there.h2 there.h3"
PLINK_STATS=$tmp/files/%h_%%p run 4 elsewhere
is "with a host, and no number" "$(ls "$tmp/files" | xargs)" \
	"h0_%p h1_%p h2_%p h3_%p"
PLINK_STATS=$tmp/files/%p%x run 4 elsewhere
is "with a number, and what means nothing" "$(ls "$tmp/files" |
	sed 's/^[1-9][0-9]*//' | xargs)" "%x %x %x %x"
PLINK_STATS=$tmp/files/%h run 1 alone env PLINK_HOST=../h/h
is "with a host that has a slash" "$(ls -A "$tmp/files" | xargs)" ".._h_h"
PLINK_STATS=$tmp/files/a.json run 4 all
if command -v python3 >/dev/null 2>&1; then
	cat >"$tmp/rows.py" <<'END'
import glob, json, sys
job, = [json.load(open(f)) for f in glob.glob(sys.argv[1] + "/a.h1.*.json")]
assert job["host"] == "h1" and job["rank"] == 1 and job["time"] == "host"
for row in job["rows"]:
    print(*[row[k] for k in ("collective", "ranks", "size_min", "size_max",
                             "calls", "bytes", "order", "why")])
END
	is "the same rows in JSON" "$(python3 "$tmp/rows.py" "$tmp/files" 2>&1)" \
		"$(cat "$tmp/want")"
else
	skip "the same rows in JSON" "no python3 here"
fi
PLINK_STATS=- shim 4 "$counted" all
is "standard output" "$(grep -c '^allgather .* 1 10 1 ' "$tmp/out")" 4
mkfifo "$tmp/pipe"
for bad in "$tmp/none/stats:No such file or directory" "$tmp:a directory" \
	"$tmp/pipe:a pipe"; do
	PLINK_STATS=${bad%%:*} shim 4 "$counted" elsewhere
	is "${bad#*:}: the program ends well" \
		"$? $(grep -c ' 0 failed' "$tmp/out")" "0 4"
	is "${bad#*:}: a line of each process" \
		"$(grep -c libplink "$tmp/err")" 4
	has "${bad#*:}: namely this" "$(cat "$tmp/err")" \
		"libplink-nccl: cannot write ${bad%%:*}"
done
long=$(printf '%05000d' 0)
for name in "$long" "%%$long" "$tmp/$(printf '%04080d' 0)"; do
	PLINK_STATS=$name shim 4 "$counted" elsewhere
	is "too long a name" "$? $(sort -u "$tmp/err")" \
		"0 libplink-nccl: PLINK_STATS: the name is too long; no statistics"
done
is "which is not said where there is no NCCL" \
	"$(PLINK_STATS=$long LD_PRELOAD=$preload true 2>&1)" ""
PLINK_STATS= run 4 all
is "no name: no file" "$(ls "$tmp/files")" ""
PLINK_STATS=$tmp/files/stats LD_PRELOAD=$preload true
is "a program without NCCL: no file" "$(ls "$tmp/files")" ""

# NCCL inside a program that uses a GPU
(
	cd "$tmp" || exit
	echo 'int gpu;' >gpu.c
	${CC:-cc} -shared -fPIC gpu.c -o libcuda.so.1 -Wl,-soname,libcuda.so.1
	cat >inside.c <<-END
	int ncclAllReduce(void) { return 0; }
	int main(void) { return ncclAllReduce(); }
	END
	${CC:-cc} inside.c -o hidden -Wl,--no-as-needed ./libcuda.so.1
	${CC:-cc} inside.c -rdynamic -o seen -Wl,--no-as-needed ./libcuda.so.1
)
inside() {
	env LD_PRELOAD="$preload" LD_LIBRARY_PATH="$tmp" "$@" 2>&1
}
has "NCCL inside the program: why there are no statistics" \
	"$(inside "$tmp/seen")" "/seen contains NCCL"
is "which cannot be seen: nothing is said unasked" "$(inside "$tmp/hidden")" ""
has "but with PLINK_VERBOSE" "$(inside env PLINK_VERBOSE=1 "$tmp/hidden")" \
	"no function of NCCL was called through this library"
unset PLINK_STATS
is "nor is anything said of a program that wants neither plan nor statistics" \
	"$(inside env PLINK_VERBOSE=1 "$tmp/seen")" ""

# idle SUBJECT: rank 0 has not loaded the library, and does not come
idle() {
	shim 2 sh -c '[ $RANK != 0 ] || unset LD_PRELOAD; exec "$@"' - \
		"$counted" "$1"
}
plan '1 0' >"$tmp/plan"
line="waited 1 s for the other ranks of a communicator"
for subject in idle idle-nonblocking; do
	PLINK_NCCL_PATIENCE=1 idle $subject
	is "$subject: said once" "$(wc -l <"$tmp/err" | tr -d ' ')" 1
	has "$subject: namely so" "$(cat "$tmp/err")" "libplink-nccl: $line"
done
PLINK_NCCL_PATIENCE=0 idle idle
is "unless it is not wanted" "$(cat "$tmp/err")" ""
PLINK_NCCL_PATIENCE=1x shim 2 "$counted" groups
is "what is no number" "$(sort -u "$tmp/err")" \
	'libplink-nccl: PLINK_NCCL_PATIENCE must be a time, as 30 or 2m, not "1x"; using 30'
PLINK_NCCL_PATIENCE=1m shim 2 "$counted" groups
worked "patience" $?

done_testing
