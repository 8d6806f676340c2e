#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1114-nccl-decides.t - libplink-nccl.so: all processes follow a plan, or none
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-nccl/nccl.sh"
life=$builddir/tests/shim-nccl/life

# made: how many communicators there are, and were
made() {
	grep -c '^comm' "$tmp/log"
}

# said N: a line as often as N, and what it says
said() {
	is "is said in as many lines" "$(wc -l <"$tmp/err" | tr -d ' ')" "$1"
	has "namely so" "$(cat "$tmp/err")" "libplink-nccl: $2"
}

# results: were all of them right, whatever was said?
right() {
	is "$1: works" "$(grep -c ' 0 failed$' "$tmp/out")" "$job_n"
}

# with RANK: another environment for that rank
with() {
	cat >"$tmp/with" <<-END
	[ "\$RANK" = $1 ] && export $2
	exec "\$@"
	END
	shift 2
	shim 4 sh "$tmp/with" "$@"
}

plan '2 0 3 1' >"$tmp/plan"
shim 4 "$life" plain
worked "a plan" $?
is "makes one more" "$(made)" 2
plan '2 4 0 3 1' >"$tmp/plan"
shim 4 "$life" plain
worked "a plan of more hosts than the job has" $?
is "gives its order of those that are there" "$(did AllReduce | cut -d' ' -f1)" \
	"h2.0,h0.0,h3.0,h1.0"
plan '2 0 3 1' >"$tmp/plan"

plan '0 2 3 1' >"$tmp/other"
with 2 "PLINK_PLAN=$tmp/other" "$life" plain
right "another plan on one rank"
said 1 "a communicator of 4 ranks: some process has no plan, or a plan other than"
is "and no hidden one remains" "$(did AllReduce | cut -d' ' -f1)" \
	"h0.0,h1.0,h2.0,h3.0"
with 2 PLINK_PLAN= "$life" plain
right "no plan on one rank"
said 1 "a communicator of 4 ranks: some process has no plan"
with 0 PLINK_PLAN= "$life" plain
right "no plan on rank 0"
with 2 "PLINK_HOST=elsewhere" "$life" plain
right "a host that is not in the plan"
said 2 ""
has "the one that is meant" "$(cat "$tmp/err")" \
	"plan: no host of the plan is \"elsewhere\": name one in PLINK_HOST; \
ranks stay as they are"
export PLINK_STRICT=1
with 2 PLINK_PLAN= "$life" plain
is "PLINK_STRICT: fails" "$(grep -c 'ncclCommInitRank: invalid usage' \
	"$tmp/out")" 4
shim 4 "$life" plain
worked "PLINK_STRICT and a plan" $?
unset PLINK_STRICT

export PLINK_MAX_AGE=60
shim 4 "$life" plain
right "a plan that is too old"
said 1 "$tmp/plan does not say when it was made"
unset PLINK_MAX_AGE

echo nonsense >"$tmp/plan"
shim 4 "$life" plain
right "no plan at all"
said 1 "$tmp/plan:1:1: "

plan '0 1 2 3' >"$tmp/plan"
shim 4 "$life" plain
worked "the identity" $?
is "makes none" "$(made)" 1

# ranks that are in order already: 0 on h2, 1 on h0, ...
plan '2 0 3 1' >"$tmp/plan"
cat >"$tmp/placed" <<'END'
set -- 2 0 3 1 -- "$@"
i=$RANK
while [ "$i" -gt 0 ]; do
	shift
	i=$((i - 1))
done
PLINK_HOST=h$1
while [ "$1" != -- ]; do
	shift
done
shift
exec "$@"
END
shim 4 sh "$tmp/placed" "$life" plain
worked "ranks that are in order already" $?
is "keep their communicator" "$(did AllReduce | cut -d' ' -f1)" \
	"h0.0,h1.0,h2.0,h3.0"

# all on one host of two, and groups of one host
slots=2
plan '1 0' >"$tmp/plan"
host=h0
shim 4 "$life" plain
worked "a communicator on one host" $?
is "has no hidden one" "$(made)" 1
shim 4 "$life" nonblocking-group
worked "nor has one that does not block" $?
is "in a group" "$(grep -c 'by=split' "$tmp/log")" 0
unset host
shim 4 "$life" split
worked "parts, some of them on one host" $?
slots=1

# an NCCL that cannot
plan '2 0 3 1' >"$tmp/plan"
version=2.17
shim 4 "$life" plain
right "an NCCL without ncclCommSplit"
said 1 "NCCL 21701: it has no ncclCommSplit, which came with 2.18; ranks stay"
version=2.28
export NCCL_LAUNCH_ORDER_IMPLICIT=0
shim 4 "$life" plain
right "an NCCL that may not order two communicators"
said 1 "NCCL 22809: NCCL_LAUNCH_ORDER_IMPLICIT is 0"
is "stands as it is" "$(made)" 1
export PLINK_NCCL_ONE_STREAM=1
shim 4 "$life" plain
worked "a program of one stream" $?
is "needs no order" "$(made)" 2
unset PLINK_NCCL_ONE_STREAM
for NCCL_LAUNCH_ORDER_IMPLICIT in 00 false 99999999999999999999; do
	shim 4 "$life" plain
	is "nor does it with $NCCL_LAUNCH_ORDER_IMPLICIT" "$? $(made)" "0 1"
done
NCCL_LAUNCH_ORDER_IMPLICIT=0x1
shim 4 "$life" plain
worked "with 0x1 it does" $?
is "and there is a hidden one" "$(made)" 2

# set to nothing is not set, for NCCL: the library sets it
cat >"$tmp/told.c" <<'END'
#include <stdio.h>
#include <stdlib.h>

__attribute__((destructor)) static void tell(void)
{
	printf("implicit %s\n", getenv("NCCL_LAUNCH_ORDER_IMPLICIT"));
	fflush(stdout);
}
END
${CC:-cc} -shared -fPIC -o "$tmp/told.so" "$tmp/told.c"
export NCCL_LAUNCH_ORDER_IMPLICIT=
job 4 env LD_PRELOAD="$preload $tmp/told.so" PLINK_PLAN="$tmp/plan" \
	PLINK_NCCL_LIBRARY="$programs/$version/libnccl.so.2" "$life" plain
worked "with nothing it does" $?
is "as the library says so" "$(grep -c '^implicit 1$' "$tmp/out")" 4
is "and there is a hidden one, too" "$(made)" 2
unset NCCL_LAUNCH_ORDER_IMPLICIT

# another malloc: NCCL's own calls of its functions come back to the library
cat >"$tmp/malloc.c" <<'END'
#include <stddef.h>
extern void *__libc_malloc(size_t);
void *malloc(size_t n) { return __libc_malloc(n); }
END
${CC:-cc} -shared -fPIC "$tmp/malloc.c" -o "$tmp/malloc.so"
preload=$preload:$tmp/malloc.so
for subject in plain nonblocking nonblocking-group nonblocking-split buffers; do
	shim 4 "$life" $subject
	worked "another malloc: $subject" $?
done

done_testing
