#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1061-mpi-shadow-orders.t - in shadow mode collectives run in the plan's orders
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

PLINK_MPI_MODE=shadow
export PLINK_MPI_MODE
sent=$builddir/tests/shim-mpi/sent

# set_algorithms N: the library's, by its numbers, N of all-reduces; with monitoring
set_algorithms() {
	coll="--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_allreduce_algorithm $1 \
--mca coll_tuned_bcast_algorithm 6 --mca coll_tuned_reduce_algorithm 5 \
--mca coll_tuned_allgather_algorithm 4 --mca coll_tuned_barrier_algorithm 3 \
--mca pml_monitoring_enable 1"
}

# of_call NUMBER FILE: what that call has sent
of_call() {
	awk -v call="$1" '$1 == "call" { at = $2; next } at == call' "$2"
}

# runs: of standard input, lines "WHAT:ORDER:ROOT:COLLECTIVE:COUNT", in one job: each call
# with launch rank ROOT sends what it sends without the shim, by ranks of the ORDER; to
# $tmp/out-NUMBER
runs() {
	cat >"$tmp/rows"
	# shellcheck disable=SC2046,SC2086 # options, a word for each call
	mpi 5 $coll "$sent" $(awk -F: '{ n = split($2, at, " ")
		for (i = 1; i <= n; i++) if (at[i] == $3) print $4 ":" $5 ":" i - 1
		}' "$tmp/rows") >"$tmp/bare"
	# shellcheck disable=SC2046,SC2086
	shim 5 $coll "$as" 1 "$sent" $(awk -F: '{ print $4 ":" $5 ":" $3 }' "$tmp/rows") \
		>"$tmp/with"
	row=0
	while IFS=: read -r what order _; do
		row=$((row + 1))
		of_call $row "$tmp/bare" | awk -v order="$order" '
			BEGIN { split(order, at) }
			{ print at[$1 + 1], at[$2 + 1], $3, $4 }' | sort >"$tmp/want"
		of_call $row "$tmp/with" | sort >"$tmp/out-$row"
		ok "$what: something is sent" test -s "$tmp/out-$row"
		is "$what: who sends how much to whom" "$(cat "$tmp/out-$row")" \
			"$(cat "$tmp/want")"
	done <"$tmp/rows"
}

if mpi 2 --mca pml_monitoring_enable 1 "$sent" broadcast:1000:0 |
	grep -q '^0 1 4000 1$'; then
	plan 1 '3 0 4 1 2' >"$tmp/plan"
	set_algorithms 4
	runs <<-'END'
		ring all-reduce:3 0 4 1 2:0:allreduce:50000
		binomial broadcast:3 0 4 1 2:4:broadcast:1000
		binomial reduce:3 0 4 1 2:1:reduce:1000
		ring all-gather:3 0 4 1 2:0:allgather:1000
		barrier:3 0 4 1 2:0:barrier:0
		nonblocking:3 0 4 1 2:2:ibroadcast:1000
	END
	is "a ring: each sends to the next only" \
		"$(cut -d' ' -f1,2 "$tmp/out-1" | xargs)" "0 4 1 2 2 3 3 0 4 1"
	set_algorithms 3
	runs <<-'END'
		recursive doubling:3 0 4 1 2:0:allreduce:10
	END

	# several orders
	sed -i 's/ 0- : 3 0 4 1 2/ 0-39999 : 3 0 4 1 2/' "$tmp/plan"
	cat >>"$tmp/plan" <<'END'
order allreduce ring openmpi 40000- : 2 1 0 4 3
order barrier tree openmpi 0- : 0 1 2 3 4
END
	set_algorithms 4
	runs <<-'END'
		39996 bytes:3 0 4 1 2:0:allreduce:9999
		40000 bytes:2 1 0 4 3:0:allreduce:10000
		the order that changes nothing:0 1 2 3 4:0:barrier:0
		a collective without an order of its own:3 0 4 1 2:3:broadcast:1000
	END

	# ranks 0, 2, 4 and 1, 3 in the order 3 4 0 1 2
	plan 1 '3 4 0 1 2' >"$tmp/plan"
	# shellcheck disable=SC2086
	shim 5 $coll "$as" 1 "$sent" allreduce:50000:0:half >"$tmp/with"
	is "some of the processes: in the same order" \
		"$(of_call 1 "$tmp/with" | sort | cut -d' ' -f1,2 | xargs)" \
		"0 2 1 3 2 4 3 1 4 0"
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
