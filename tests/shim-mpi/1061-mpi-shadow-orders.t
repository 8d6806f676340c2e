#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1061-mpi-shadow-orders.t - in shadow mode collectives run in the plan's orders
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

PLINK_MPI_MODE=shadow
export PLINK_MPI_MODE
sent=$builddir/tests/shim-mpi/sent

# set_algorithm COLLECTIVE N: by the library's number; with monitoring
set_algorithm() {
	coll="--mca coll_tuned_use_dynamic_rules 1 \
--mca coll_tuned_$1_algorithm $2 --mca pml_monitoring_enable 1"
}

# runs WHAT 'ORDER' ROOT COLLECTIVE COUNT: the call with launch rank ROOT sends
# what it sends without the shim, by ranks of the ORDER
runs() {
	what=$1
	order=$2
	root=$3
	pos=$(echo "$order" | awk -v r="$root" \
		'{ for (i = 1; i <= NF; i++) if ($i == r) print i - 1 }')
	# shellcheck disable=SC2086 # options
	mpi 5 $coll "$sent" "$4" "$5" "$pos" >"$tmp/bare"
	awk -v order="$order" 'BEGIN { split(order, at) }
		{ print at[$1 + 1], at[$2 + 1], $3, $4 }' "$tmp/bare" |
		sort >"$tmp/want"
	# shellcheck disable=SC2086
	shim 5 $coll "$as" 1 "$sent" "$4" "$5" "$root" | sort >"$tmp/out"
	ok "$what: something is sent" test -s "$tmp/out"
	is "$what: who sends how much to whom" "$(cat "$tmp/out")" \
		"$(cat "$tmp/want")"
}

if mpi 2 --mca pml_monitoring_enable 1 "$sent" broadcast 1000 0 |
	grep -q '^0 1 4000 1$'; then
	plan 1 '3 0 4 1 2' >"$tmp/plan"
	set_algorithm allreduce 4
	runs "ring all-reduce" '3 0 4 1 2' 0 allreduce 50000
	is "a ring: each sends to the next only" \
		"$(cut -d' ' -f1,2 "$tmp/out" | xargs)" "0 4 1 2 2 3 3 0 4 1"
	set_algorithm allreduce 3
	runs "recursive doubling" '3 0 4 1 2' 0 allreduce 10
	set_algorithm bcast 6
	runs "binomial broadcast" '3 0 4 1 2' 4 broadcast 1000
	set_algorithm reduce 5
	runs "binomial reduce" '3 0 4 1 2' 1 reduce 1000
	set_algorithm allgather 4
	runs "ring all-gather" '3 0 4 1 2' 0 allgather 1000
	set_algorithm barrier 3
	runs "barrier" '3 0 4 1 2' 0 barrier 0
	coll="--mca pml_monitoring_enable 1"
	runs "nonblocking" '3 0 4 1 2' 2 ibroadcast 1000

	# several orders
	sed -i 's/ 0- : 3 0 4 1 2/ 0-39999 : 3 0 4 1 2/' "$tmp/plan"
	cat >>"$tmp/plan" <<'END'
order allreduce ring openmpi 40000- : 2 1 0 4 3
order barrier tree openmpi 0- : 0 1 2 3 4
END
	set_algorithm allreduce 4
	runs "39996 bytes" '3 0 4 1 2' 0 allreduce 9999
	runs "40000 bytes" '2 1 0 4 3' 0 allreduce 10000
	set_algorithm barrier 3
	runs "the order that changes nothing" '0 1 2 3 4' 0 barrier 0
	set_algorithm bcast 6
	runs "a collective without an order of its own" '3 0 4 1 2' 3 \
		broadcast 1000

	# ranks 0, 2, 4 and 1, 3 in the order 3 4 0 1 2
	plan 1 '3 4 0 1 2' >"$tmp/plan"
	set_algorithm allreduce 4
	# shellcheck disable=SC2086
	shim 5 $coll "$as" 1 "$sent" allreduce 50000 0 half | sort >"$tmp/out"
	is "some of the processes: in the same order" \
		"$(cut -d' ' -f1,2 "$tmp/out" | xargs)" "0 2 1 3 2 4 3 1 4 0"
else
	skip "who sends how much to whom" "no monitoring by this Open MPI"
fi

# what is said
cat >"$tmp/plan" <<'END'
# plink-plan 1
host 0 h0 slots=2
host 1 h1 slots=2
order allreduce ring thesis 0- : 1 0
order broadcast binomial openmpi 0-65535 root=1 : 0 1
order broadcast chain nccl 0- : 0 1
END
PLINK_VERBOSE=1
export PLINK_VERBOSE
shim 4 "$as" 2 "$ranks" >"$tmp/out" 2>"$tmp/err"
is "ranks stay" "$? $(sort "$tmp/out" | xargs)" \
	"0 0:h0:0 1:h0:1 2:h1:2 3:h1:3"
is "PLINK_VERBOSE=1 says which orders are for what" \
	"$(sed 's/^libplink-mpi: //' "$tmp/err")" \
	"mode shadow, $tmp/plan: ranks stay; collective, bytes: order: hosts
allreduce 0-: allreduce ring thesis: h1 h0
broadcast 0-65535, root at 1: broadcast binomial openmpi: h0 h1
broadcast of other sizes: allreduce ring thesis: h1 h0
reduce: allreduce ring thesis: h1 h0
barrier: allreduce ring thesis: h1 h0
allgather: allreduce ring thesis: h1 h0
none: broadcast chain nccl: h0 h1"

# a plan made by plink-order
"$builddir/plink-testbed" matrix --racks=2x2 --intra-us=100 --inter-us=2000 \
	--seed=1 >"$tmp/m"
printf '%s\n' h0 h2 h1 h3 >"$tmp/hosts"
plink_order() {
	"$builddir/plink-order" --matrix="$tmp/m" --format=plan "$@" \
		"$tmp/hosts" 2>/dev/null
}
plink_order --impl=thesis >"$tmp/plan"
plink_order --collective=broadcast --impl=openmpi --algorithm=binomial \
	--pin=h0 | grep '^order ' >>"$tmp/plan"
is "plink-order makes two orders" "$(grep -c '^order ' "$tmp/plan")" 2
shim 4 "$as" 1 "$ranks" >"$tmp/out" 2>"$tmp/err"
has "one is for the broadcasts" "$(cat "$tmp/err")" \
	"broadcast 0-: broadcast binomial openmpi, "
has "and one for the others" "$(cat "$tmp/err")" "barrier: allreduce ring thesis, "

plan 2 '0 1' >"$tmp/plan"
shim 4 "$as" 2 "$ranks" >"$tmp/out" 2>"$tmp/err"
has "an order that changes nothing" "$(cat "$tmp/err")" \
	"no order changes any rank: standing aside"

# a library that can make no communicator, as one process finds
plan 2 '1 0' >"$tmp/plan"
mpi 4 -x LD_PRELOAD="$preload $builddir/libplink-test-mpi-below.so" \
	-x PLINK_PLAN="$tmp/plan" "$as" 2 "$builddir/tests/shim-mpi/same" \
	"$tmp/file" >"$tmp/out" 2>"$tmp/err"
is "no communicator can be made: the program ends well" $? 0
has "and that is said" "$(cat "$tmp/err")" "no communicator can be made for \
1 of 1 orders: their calls stay on MPI_COMM_WORLD"
relay "no communicator" "$tmp/out"
unset PLINK_VERBOSE
plan 2 '1 0' >"$tmp/plan"
shim 4 "$as" 2 sh -c 'echo $OMPI_COMM_WORLD_RANK $PMIX_RANK' >"$tmp/out"
is "the environment is as it was" "$(sort "$tmp/out" | xargs)" "0 0 1 1 2 2 3 3"

# what cannot be followed
plan 1 '1 0' >"$tmp/plan"
shim 4 "$as" 2 "$ranks" >"$tmp/out" 2>"$tmp/err"
is "another job's plan: said, and the program runs" "$? $(cat "$tmp/err")" \
	"0 libplink-mpi: 2 ranks of this job run on host h0, and the plan says \
slots=1; ranks stay as they are"
PLINK_STRICT=1 && export PLINK_STRICT
survived shim 4 "$as" 2 "$ranks" >"$tmp/out" 2>"$tmp/err"
is "PLINK_STRICT: the job ends" "$? $(cat "$tmp/out")" "1 "

done_testing
