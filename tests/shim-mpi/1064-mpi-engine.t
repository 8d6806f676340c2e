#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1064-mpi-engine.t - in engine mode all-reduces run by schedules, and compute what they do
# without
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

PLINK_MPI_MODE=engine
PLINK_STRICT=1
export PLINK_MPI_MODE PLINK_STRICT

# schedule RACKS [OPTION...]: to $tmp/plan, for every size and in short chunks
schedule() {
	"$builddir/plink-testbed" matrix --racks="$1" --intra-us=100 \
		--inter-us=500 >"$tmp/matrix" 2>"$tmp/err"
	shift
	sed -n 's/^# rack \([^ ]*\) .*/\1/p' "$tmp/matrix" >"$tmp/hosts"
	"$builddir/plink-order" --matrix="$tmp/matrix" --format=schedule \
		"$@" "$tmp/hosts" >"$tmp/made" 2>>"$tmp/err" || cat "$tmp/err"
	sed '/^schedule/s/[0-9]*- chunk=[0-9]* window=[0-9]*/0- chunk=1000 window=3/' \
		"$tmp/made" >"$tmp/plan"
}

# compare WHAT N COMMAND...: bare and in engine mode
compare() {
	what=$1
	n=$2
	shift 2
	mpi "$n" "$@" >"$tmp/bare"
	is "$what: the program ends well without" $? 0
	shim "$n" "$as" 1 "$@" >"$tmp/with" 2>"$tmp/err"
	is "$what: and with" "$? $(cat "$tmp/err")" "0 "
	is "$what: all is as without" "$(cat "$tmp/with")" "$(cat "$tmp/bare")"
	relay "$what" "$tmp/with"
}

collectives=$programs/collectives
schedule 3+2
compare "two levels" 5 "$collectives" 10000
schedule 2x2 --collective=allreduce --impl=openmpi --algorithm=ring
compare "a ring" 4 "$collectives"
schedule 2+1 --collective=allreduce --impl=openmpi --algorithm=recursive-doubling
compare "recursive doubling" 3 "$collectives"
compare "the program of world mode" 3 "$programs/same" "$tmp/file"

# what is told of it
PLINK_VERBOSE=1 shim 3 "$as" 1 "$ranks" >"$tmp/out" 2>"$tmp/err"
has "its schedules are told" "$(cat "$tmp/err")" \
	"allreduce 0-: recursive-doubling, 1 slices, chunks of 1000 bytes"

# a schedule that does not add up, and a plan, are refused
sed '/^round add/s/ add [^ ]*/ add/' "$tmp/plan" >"$tmp/short"
mv "$tmp/short" "$tmp/plan"
survived shim 3 "$as" 1 "$ranks" >"$tmp/out" 2>"$tmp/err"
is "a schedule that loses a contribution ends the job" $? 1
has "and says which" "$(cat "$tmp/err")" \
	"schedule 1 (recursive-doubling), slice 1: rank"
plan 1 '1 0 2' >"$tmp/plan"
PLINK_STRICT=0 shim 3 "$as" 1 "$ranks" >"$tmp/out" 2>"$tmp/err"
is "with a plan the job runs on" $? 0
has "and the fault is told" "$(cat "$tmp/err")" "plan:1:1: this is a plan, not a schedule"

done_testing
