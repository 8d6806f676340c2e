#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1130-nccl-shim.t - NCCL's results stay what they are, its order is the plan's
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-nccl/nccl.sh"

matrix=$programs/matrix
life=$programs/life

# orders FUNCTION: in which orders it ran
orders() {
	did "$1" | cut -d ' ' -f 1 | sort -u
}

# every collective, 2 to 8 hosts, a type of each kind and all of them once
types='int32 float bfloat16 fp8_e4m3'
while read -r order; do
	n=$(echo "$order" | wc -w)
	given=$(seq 0 $((n - 1)) | xargs)
	plan "$order" >"$tmp/plan"
	[ "$n" != 4 ] || types=
	shim "$n" "$matrix" $types
	worked "$n hosts: every collective" $?
	types='int32 float bfloat16 fp8_e4m3'
	for f in AllReduce Broadcast Reduce; do
		is "$n hosts: $f in the plan's order" "$(orders $f)" \
			"$(hosts "$order")"
	done
	for f in AllGather ReduceScatter AlltoAll Gather Scatter Send; do
		is "$n hosts: $f in the given order" "$(orders $f)" \
			"$(hosts "$given")"
	done
	ended "$n hosts"
done <<'END'
1 0
2 0 1
2 0 3 1
4 2 0 3 1
5 3 1 0 2 4
1 3 5 0 6 2 4
7 2 5 0 3 6 1 4
END

# several processes on each host, a plan for trees
slots=2
plan '2 0 3 1' >"$tmp/plan"
shim 8 "$matrix" int32
worked "two processes a host" $?
for f in AllReduce Broadcast; do
	is "two processes a host: $f" "$(orders $f)" "$(hosts '2 0 3 1')"
done
slots=1
algorithm=double-binary-tree
plan '2 0 3 1' >"$tmp/plan"
shim 4 "$matrix" float
worked "a plan for trees" $?
is "a plan for trees: AllReduce" "$(orders AllReduce)" "$(hosts '2 0 3 1')"
is "a plan for trees: Broadcast, which is no tree" "$(orders Broadcast)" \
	"$(hosts '0 1 2 3')"
algorithm=ring

# communicators of all kinds
plan '2 0 3 1' >"$tmp/plan"
for subject in $("$life" --list); do
	shim 4 "$life" "$subject"
	rc=$?
	case $subject in
	wrong* | group-fails | revoke | stuck*) sed -i '/^fault/d' "$tmp/log" ;;
	esac
	worked "$subject" $rc
	case $subject in
	devices) ;; # one process, one host
	abort-at-once | left) ;;
	group-memory)
		is "$subject: hidden is one beside the world alone" \
			"$(grep -c '^comm' "$tmp/log")" 4
		ended "$subject"
		;;
	*)
		is "$subject: all-reduces in the plan's order" \
			"$(strays '2 0 3 1')" ""
		ended "$subject"
		;;
	esac
done
for n in 2 3; do
	[ $n = 2 ] && order='1 0' || order='1 2 0'
	plan "$order" >"$tmp/plan"
	for subject in two split shrink operators nonblocking-split; do
		shim $n "$life" $subject
		worked "$subject, $n hosts" $?
		is "$subject, $n hosts: in the plan's order" \
			"$(strays "$order")" ""
	done
done

# as many communicators as it takes
plan '2 0 3 1' >"$tmp/plan"
shim 4 "$life" plain
is "one more for each" "$(grep -c '^comm' "$tmp/log")" 2
is "and each process joins once" "$(grep -c '^init' "$tmp/log")" 4
plan '0 1 2 3' >"$tmp/plan"
shim 4 "$life" two
worked "the given order" $?
is "the given order: none more" "$(grep -c '^comm' "$tmp/log")" 2
plan '2 0 3 1' >"$tmp/plan"
NCCL_COMM_ID=127.0.0.1:29555
export NCCL_COMM_ID
shim 4 "$life" plain
worked "NCCL_COMM_ID" $?
is "NCCL_COMM_ID: in the plan's order" "$(orders AllReduce)" \
	"$(hosts '2 0 3 1')"
unset NCCL_COMM_ID

done_testing
