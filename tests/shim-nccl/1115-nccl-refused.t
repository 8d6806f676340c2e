#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1115-nccl-refused.t - what cannot be followed: the words, and the job as without
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-nccl/nccl.sh"
linked=$programs/linked
given=h0.0,h1.0,h2.0,h3.0
plan='2 0 3 1'
plan "$plan" >"$tmp/plan"

# stands WHAT WORDS: it is right, in the given order, and these lines are all that
# is said
stands() {
	is "$1: works" "$(grep -c ' 0 failed$' "$tmp/out")" "$job_n"
	is "$1: in the given order" "$(did AllReduce)" "$given 1"
	is "$1: said" "$(sort "$tmp/err")" "$2"
}

# words FILE: what the processes say, whatever the communicator's name is
words() {
	sed 's/(u[0-9.a-f]*: /(/' "$1" | sort
}

# fails_alike WHAT COMMAND...: with and without the library, in words and status; the
# program's are in $tmp/out then
fails_alike() {
	what=$1
	shift
	job 4 "$@"
	alone_rc=$?
	mv "$tmp/out" "$tmp/alone"
	shim 4 "$@"
	is "$what: the same status" $? "$alone_rc"
	is "$what: the same words" "$(words "$tmp/out")" "$(words "$tmp/alone")"
	is "$what: nothing of the library's own" "$(cat "$tmp/err")" ""
}

# a host that the plan lacks
shim 4 sh -c '[ $RANK != 3 ] || PLINK_HOST=h9; exec "$0"' "$linked"
stands "no such host" "\
libplink-nccl: $tmp/plan: no host of the plan is \"h9\": name one in \
PLINK_HOST; ranks stay as they are
libplink-nccl: a communicator of 4 ranks: some process has no plan, or a \
plan other than $tmp/plan; ranks stay as they are"
host=h9
shim 4 "$linked"
stands "no such host anywhere" "$(for _ in 1 2 3 4; do
	echo "libplink-nccl: $tmp/plan: no host of the plan is \"h9\": name one in \
PLINK_HOST; ranks stay as they are"
done)"
host=

# a machine of that name that had another address when the plan was made
sed -i "s/^host 3 .*/& node=$(uname -n) addr=192.168.255.254/" "$tmp/plan"
shim 4 "$linked"
worked "another address, but a host that is named" $?
if [ -n "$(hostname -I)" ]; then
	shim 4 sh -c '[ $RANK != 3 ] || PLINK_HOST=; exec "$0"' "$linked"
	stands "a machine that was replaced" "\
libplink-nccl: a communicator of 4 ranks: some process has no plan, or a \
plan other than $tmp/plan; ranks stay as they are
libplink-nccl: host h3 was measured at 192.168.255.254, an address that $(uname -n) \
has not: make a new plan or, if it is the same machine, name it in PLINK_HOST; ranks \
stay as they are"
else
	skip "a machine that was replaced" "this machine has no address"
fi
plan "$plan" >"$tmp/plan"

# an NCCL that cannot split
version=2.17
shim 4 "$linked"
stands "older than 2.18" "libplink-nccl: NCCL 21701: it has no ncclCommSplit, \
which came with 2.18; ranks stay as they are"
PLINK_STRICT=1 shim 4 "$linked"
is "older than 2.18, PLINK_STRICT: refused" \
	"$(grep -c 'ncclCommInitRank: invalid usage' "$tmp/out")" 4
is "older than 2.18, PLINK_STRICT: said" "$(cat "$tmp/err")" "libplink-nccl: NCCL \
21701: it has no ncclCommSplit, which came with 2.18; refusing the communicator \
(PLINK_STRICT)"
shim 4 env PLINK_PLAN="$tmp/nowhere" "$linked"
stands "older than 2.18, and no such plan" "libplink-nccl: cannot open \
$tmp/nowhere: No such file or directory; ranks stay as they are"
NCCL_COMM_ID=127.0.0.1:29555 job 4 env LD_PRELOAD="$preload" \
	PLINK_PLAN="$tmp/plan" PLINK_NCCL_LIBRARY="$tmp/none" "$linked"
is "no library, and ids of the environment: said" "$(grep -c . "$tmp/err")$(
	grep -v 'no NCCL to hand calls on to' "$tmp/err")" 4
version=2.28
export NCCL_LAUNCH_ORDER_IMPLICIT=0 PLINK_STRICT=1
shim 4 "$linked"
is "no order of launches, PLINK_STRICT: refused" \
	"$(grep -c 'ncclCommInitRank: invalid usage' "$tmp/out")" 4
is "no order of launches, PLINK_STRICT: said" "$(cat "$tmp/err")" "libplink-nccl: \
NCCL 22809: NCCL_LAUNCH_ORDER_IMPLICIT is 0: unset it, or set PLINK_NCCL_ONE_STREAM=1 \
if the program uses each communicator on one stream only; refusing the \
communicator (PLINK_STRICT)"
unset NCCL_LAUNCH_ORDER_IMPLICIT PLINK_STRICT

# no NCCL
none() {
	shim 4 env PLINK_NCCL_LIBRARY="$tmp/none" "$linked"
}
none
is "no library: every process fails" "$(grep -c ' 0 failed$' "$tmp/out") $(grep -c \
	'^rank 0: not ok - ncclGetUniqueId: ' "$tmp/out")" "0 1"
is "no library: said" "$(sort -u "$tmp/err")" "libplink-nccl: no NCCL to hand calls \
on to: $tmp/none: cannot open shared object file: No such file or directory; set \
PLINK_NCCL_LIBRARY to the path of the real libnccl.so.2"
is "no library: by each process once" "$(wc -l <"$tmp/err" | tr -d ' ')" 4

# two processes of one rank: NCCL finds it, or nobody
fails_alike "two of one rank" sh -c '[ $RANK != 2 ] || RANK=1; exec "$0"' "$linked"
is "two of one rank: it fails" "$(grep -c ' 0 failed$' "$tmp/out")" 0
ok "two of one rank: NCCL says so" grep -q "^fault .* is taken" "$tmp/log"
fails_alike "two of one rank, on one host" \
	sh -c '[ $RANK != 2 ] || { RANK=1; PLINK_HOST=h1; }; exec "$0"' "$linked"

# NCCL_COMM_ID
for id in host.invalid:29555 127.0.0.1; do
	NCCL_COMM_ID=$id
	export NCCL_COMM_ID
	fails_alike "NCCL_COMM_ID=$id" "$linked"
	is "NCCL_COMM_ID=$id: no process works" \
		"$(grep -c ' 0 failed$' "$tmp/out")" 0
done
unset NCCL_COMM_ID

# who is whose neighbour on a host, NCCL tells the library
slots=2
plan '1 0' >"$tmp/plan"
for what in 'without LOCAL_RANK' 'all with LOCAL_RANK=0'; do
	case $what in
	without*) set -- env -u LOCAL_RANK -u LOCAL_WORLD_SIZE ;;
	*) set -- env LOCAL_RANK=0 ;;
	esac
	shim 4 "$@" "$linked"
	worked "two a host, $what" $?
	is "two a host, $what: in the plan's order" "$(did AllReduce)" \
		"h1.0,h1.1,h0.0,h0.1 1"
done

done_testing
