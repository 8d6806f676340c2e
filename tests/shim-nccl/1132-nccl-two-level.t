#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1132-nccl-two-level.t - libplink-nccl.so: all-reduces in two levels
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-nccl/nccl.sh"
levels=$programs/levels
counted=$programs/counted
life=$programs/life
PLINK_TEST_COUNT=64
export PLINK_TEST_COUNT

# calls FUNCTION: which communicators carried it how often, counts of elements
calls() {
	awk -v name="$1" '
		$1 == "comm" {
			sub(/^order=/, "", $NF)
			gsub(/\.0/, "", $NF)
			order[$2] = $NF
		}
		$1 == "call" && $4 == name && $3 == 0 {
			sub(/^count=/, "", $5)
			n[order[$2] " " $5]++
		}
		END {
			for (o in n)
				print o " x" n[o]
		}' "$tmp/log" | sort
}

# what runs where: five operators of seven in equal groups, with 100 elements
schedule '0 1 0 1' >"$tmp/plan"
shim 4 "$levels" operators
worked "equal groups" $?
is "equal groups: shares within them, a multiple of 16 bytes" \
	"$(calls ReduceScatter)" "h0,h2 48 x5
h1,h3 48 x5"
is "equal groups: what does not divide, to the last" "$(calls Reduce)" \
	"h0,h2 4 x5
h1,h3 4 x5"
is "equal groups: across them, and what is not for two levels" \
	"$(calls AllReduce)" "h0,h1 48 x5
h0,h1,h2,h3 100 x2
h2,h3 52 x5"
is "equal groups: all get all" "$(calls AllGather) $(calls Broadcast)" \
	"h0,h2 48 x5
h1,h3 48 x5 h0,h2 4 x5
h1,h3 4 x5"
is "equal groups: each process is in three, and one that was a vote" \
	"$(grep -c '^comm' "$tmp/log")" 6
ended "equal groups"
schedule '0 1 0 1 1' >"$tmp/plan"
shim 5 "$levels" operators
worked "unequal groups" $?
is "unequal groups: the larger one reduces to as many as the smaller one has" \
	"$(calls ReduceScatter) $(calls Reduce)" "h0,h2 48 x4 h0,h2 4 x4
h1,h3,h4 48 x4
h1,h3,h4 52 x4"
is "unequal groups: an average is not one of averages" "$(calls AllReduce)" \
	"h0,h1 48 x4
h0,h1,h2,h3,h4 100 x3
h2,h3 52 x4"
is "unequal groups: broadcasts in place of an all-gather" \
	"$(calls AllGather) $(calls Broadcast)" "h0,h2 48 x4 h0,h2 4 x4
h1,h3,h4 48 x4
h1,h3,h4 52 x4"
ended "unequal groups"

# sums of all counts, types, operators, in and out of place, in groups
while read -r groups; do
	n=$(echo "$groups" | wc -w)
	schedule "$groups" >"$tmp/plan"
	for subject in sizes groups two nothing; do
		shim "$n" "$levels" $subject
		rc=$?
		[ $subject != nothing ] || sed -i '/^fault/d' "$tmp/log"
		worked "$groups: $subject" $rc
		ended "$groups: $subject"
	done
	types='int32 float bfloat16'
	[ "$n" != 4 ] || types=
	shim "$n" "$programs/matrix" $types
	worked "$groups: every collective" $?
	is "$groups: all-reduces across the groups, and those of all" \
		"$(calls AllReduce | awk '{ print split($1, w, ",") }' |
			sort -nu | xargs)" \
		"$(echo "$groups" | xargs -n 1 | sort -u | wc -l) $n"
done <<'END'
0 0 1 1
0 0 1
0 0 0 1 1 2
0 1 2 0 1 2 0 1
END
slots=2
schedule '0 0 1' >"$tmp/plan"
for subject in sizes two; do
	shim 6 "$levels" $subject
	worked "two a host: $subject" $?
done
shim 6 "$levels" operators
is "two a host: as many shards as the smallest group has ranks" \
	"$(did AllReduce | grep -v h1 | cut -d' ' -f1)" "h0.0,h2.0
h0.1,h2.1"
slots=1

# communicators of all kinds
for groups in '0 1 0 1' '0 1 1 1 0'; do
	n=$(echo "$groups" | wc -w)
	schedule "$groups" >"$tmp/plan"
	for subject in $("$life" --list); do
		[ $n = 4 ] || case $subject in
		plain | two | *split* | shrink* | threads) ;;
		*) continue ;;
		esac
		shim "$n" "$life" "$subject"
		rc=$?
		case $subject in
		wrong* | group-fails | revoke | stuck*)
			sed -i '/^fault/d' "$tmp/log" ;;
		esac
		worked "$groups: $subject" $rc
		case $subject in
		devices | abort-at-once | left) ;;
		*) ended "$groups: $subject" ;;
		esac
		case $subject in
		plain | two | config | scalable | group-init | split | \
			no-finalize | threads | many)
			ok "$groups: $subject: in two levels" \
				[ "$(did ReduceScatter | wc -l)" -gt 0 ] ;;
		nonblocking | nonblocking-group)
			is "$groups: $subject: not in two levels" \
				"$(did ReduceScatter)" "" ;;
		esac
	done
done

# a rank that does not come, and a communicator that ends in its group
schedule '0 1 0 1' >"$tmp/plan"
PLINK_TEST_NCCL_PATIENCE_MS=500 shim 4 "$levels" late
rc=$?
sed -i '/^fault/d' "$tmp/log"
worked "a rank that does not come: an error" $rc
ended "a rank that does not come"
shim 4 "$levels" ended
worked "a communicator that ends before its group" $?
ended "a communicator that ends before its group"

# what the schedule is for
schedule '0 1 0 1' 400-403 >"$tmp/plan"
shim 4 "$levels" operators
is "sizes that the schedule has" "$(calls ReduceScatter | wc -l | xargs)" 2
for sizes in 401- 0-399; do
	schedule '0 1 0 1' $sizes >"$tmp/plan"
	shim 4 "$levels" operators
	worked "other sizes, $sizes" $?
	is "other sizes, $sizes: as they are" "$(calls AllReduce)" \
		"h0,h1,h2,h3 100 x7"
done
schedule '0 1 0 1' | awk '/^schedule/ {
	print "schedule ring 0-399 chunk=1 window=0"
	print "slice 1"
	print "round add 1>0 2>0 3>0"
	print "round store 0>1 0>2 0>3"
}
{ print }' >"$tmp/plan"
shim 4 "$levels" operators
is "the second schedule is of two levels" "$(calls ReduceScatter | wc -l |
	xargs)" 2
sed -i 's/ring 0-399/ring 0-400/' "$tmp/plan"
shim 4 "$levels" operators
is "but the first one comes first" "$(calls AllReduce)" "h0,h1,h2,h3 100 x7"

# as plink-order writes it, of racks of three and two
"$builddir/plink-testbed" matrix --racks=3+2 --intra-us=100 --inter-us=500 \
	>"$tmp/matrix" 2>"$tmp/err"
"$builddir/plink-order" --matrix="$tmp/matrix" --impl=nccl --algorithm=two-level \
	--format=schedule --size=400 >"$tmp/plan" 2>>"$tmp/err"
is "plink-order writes a schedule" $? 0
sed -i 's/^host \([0-9]*\) [^ ]*/host \1 h\1/' "$tmp/plan"
shim 5 "$levels" operators
worked "plink-order's" $?
is "plink-order's: two shards across two racks" "$(calls AllReduce |
	cut -d' ' -f2- | sort -n)" "48 x4
52 x4
100 x3"

# statistics: the program's calls alone
mkdir "$tmp/files"
PLINK_STATS=$tmp/files/stats
export PLINK_STATS
schedule '0 1 0 1' >"$tmp/plan"
of() {
	rm -f "$tmp"/files/*
	shim 4 "$counted" "$1"
	worked "statistics: $1" $?
	sed '/^#/d; /^collective/d' "$tmp"/files/stats.h1.* |
		cut -d' ' -f1,3-7,12- >"$tmp/got"
}
of all
is "statistics: calls in two levels, and none but the program's" \
	"$(cat "$tmp/got")" "allreduce 4 32 63 3 120 two-level -
allreduce 4 256 511 2 800 two-level -
allreduce 4 0 0 1 0 given schedule
broadcast 4 16 31 1 24 given function
broadcast 4 32 63 1 32 given function
reduce 4 64 127 1 100 given function
allgather 4 8 15 1 10 given function
reduce-scatter 4 64 127 1 96 given function
alltoall 4 16 31 1 28 given function
gather 4 32 63 1 32 given function
scatter 4 32 63 1 36 given function
send 4 32 63 1 50 given function
group 0 0 0 2 0 any -"
is "statistics: the mode" "$(sed -n 's/^# mode //p; s/^# order //p' \
	"$tmp"/files/stats.h1.*)" "two-level
allreduce two-level nccl"
of parts
is "statistics: halves of one rank in each group" "$(grep ' 2 8 ' \
	"$tmp/got")" "allreduce 2 8 15 2 16 given groups"
of nonblocking
is "statistics: does not block" "$(cat "$tmp/got")" \
	"allreduce 4 32 63 6 240 given nonblocking"
unset PLINK_STATS

# aside WHAT LINES WORDS COMMAND...: right, as NCCL does it, and so many lines
aside() {
	what=$1
	lines=$2
	words=$3
	shift 3
	shim 4 "$@"
	is "$what: works" "$(grep -c ' 0 failed$' "$tmp/out")" "$job_n"
	is "$what: not in two levels" "$(calls ReduceScatter)" ""
	is "$what: is said in as many lines" "$(wc -l <"$tmp/err" | xargs)" \
		"$lines"
	has "$what: namely so" "$(cat "$tmp/err")" "$words"
	sed -i '/^fault/d' "$tmp/log"
	ended "$what"
}
schedule '0 0 1 1' >"$tmp/other"
shares="a communicator of 4 ranks: some process has no schedule, or another one \
than these, or the groups of hosts have other shares of the ranks; all-reduces \
stay as they are"
aside "another schedule" 1 "libplink-nccl: $tmp/plan: $shares" \
	sh -c '[ $RANK != 2 ] || PLINK_PLAN=$0; exec "$@"' "$tmp/other" \
	"$life" plain
aside "no schedule on one rank" 1 "$shares" \
	sh -c '[ $RANK != 2 ] || unset PLINK_PLAN; exec "$@"' - "$life" plain
plan '2 0 3 1' >"$tmp/other"
aside "a plan on one rank" 1 "$shares" \
	sh -c '[ $RANK != 2 ] || PLINK_PLAN=$0; exec "$@"' "$tmp/other" \
	"$life" plain
aside "ranks that are not on their hosts" 1 "$shares" \
	sh -c '[ $RANK != 2 ] || PLINK_HOST=h1; exec "$@"' - "$life" plain
aside "no such host" 2 \
	"no host of the schedule is \"h9\": name one in PLINK_HOST" \
	sh -c '[ $RANK != 2 ] || PLINK_HOST=h9; exec "$@"' - "$life" plain
aside "does not block" 0 "" "$life" nonblocking
aside "does not block, verbose" 1 \
	"a communicator of 4 ranks: it does not block; all-reduces stay as" \
	env PLINK_VERBOSE=1 "$life" nonblocking
schedule '0 0 0 0' >"$tmp/plan"
aside "one group" 0 "" "$life" plain
aside "one group, verbose" 1 "a communicator of 4 ranks: its ranks are one group \
of hosts, or each is one: standing aside" env PLINK_VERBOSE=1 "$life" plain
schedule '0 1 2 3' >"$tmp/plan"
aside "groups of one" 0 "" "$life" plain
schedule '0 1 0 1' >"$tmp/plan"
NCCL_LAUNCH_ORDER_IMPLICIT=0 aside "an NCCL that may not order them" 1 \
	"NCCL_LAUNCH_ORDER_IMPLICIT is 0" "$life" plain
sed -i 's/two-level/ring/' "$tmp/plan"
aside "another algorithm" 1 "$tmp/plan: no schedule is two-level" "$life" plain
slots=2
schedule '0 1' | sed 's/1>0 3>2/1>0 2>0/; s/>2 /&0>3 /' >"$tmp/plan"
aside "a host in two groups" 1 \
	"$tmp/plan: the processes of h1 are in several groups" "$life" plain
slots=1
schedule '0 0 1 1' | sed 's/1>0 3>2/1>0 3>1/' >"$tmp/plan"
aside "a chain" 1 "no two levels: in the first round process 1 both" \
	"$life" plain
schedule '0 0 1 1' | sed 's/window=16//' >"$tmp/plan"
aside "half a schedule" 1 "$tmp/plan:6:" "$life" plain

# refused, and said
schedule '0 1 0 1' >"$tmp/plan"
export PLINK_STRICT=1
shim 4 "$life" plain
worked "PLINK_STRICT and a schedule" $?
shim 4 sh -c '[ $RANK != 2 ] || unset PLINK_PLAN; exec "$@"' - "$life" plain
is "PLINK_STRICT: fails" "$(grep -c 'ncclCommInitRank: invalid usage' \
	"$tmp/out")" 4
has "PLINK_STRICT: said" "$(cat "$tmp/err")" "other shares of the ranks; refusing \
the communicator (PLINK_STRICT)"
unset PLINK_STRICT
PLINK_VERBOSE=1 shim 4 "$life" two
is "PLINK_VERBOSE: said once" "$(sort "$tmp/err")" "\
libplink-nccl: $tmp/plan: allreduce two-level nccl 0-; a \
communicator of 4, 2 shards: rank -> group, rank in it, host
libplink-nccl: 0 -> 0 0/2 h0
libplink-nccl: 1 -> 1 0/2 h1
libplink-nccl: 2 -> 0 1/2 h2
libplink-nccl: 3 -> 1 1/2 h3"

done_testing
