#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1064-mpi-engine.t - in engine mode all-reduces run by schedules, and compute what they do
# without
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

. "$srcdir/tests/shim-mpi/engine.sh"

collectives=$programs/collectives
chunk=4000 schedule 3+2
lives="100 40 8"
compare "two levels" 5 "$collectives"
schedule 2x2 --collective=allreduce --impl=openmpi --algorithm=ring
lives="50 20 6"
compare "a ring" 4 "$collectives"
schedule 2+1 --collective=allreduce --impl=openmpi --algorithm=recursive-doubling
compare "recursive doubling" 3 "$collectives"
lives=
compare "the program of world mode" 3 "$programs/same" "$tmp/file"

# all forms of the call, on the world and on a copy of it
schedule 2+1
compare "nonblocking, persistent" 3 "$programs/requests" all
unseen "the forms" 3 "$programs/requests"
for bindings in mpif mpi f08; do
	if [ -x "$programs/collectives-$bindings" ]; then
		compare "Fortran, $bindings" 3 "$programs/collectives-$bindings"
	fi
done

unequal tcp

# chunks as messages: where nobody could be reached by TCP
chunk=4000 schedule 3+2
sed -i 's/^host \([0-9]*\) .*/& addr=192.0.2.1\1/' "$tmp/plan"
PLINK_TRANSPORT=mpi
export PLINK_TRANSPORT
lives="80 20 6"
compare "by messages, two levels" 5 "$collectives"
lives=
schedule 2+1
compare "by messages, nonblocking, persistent" 3 "$programs/requests" all
PLINK_VERBOSE=1 shim 3 "$as" 1 "$ranks" >"$tmp/out" 2>"$tmp/err"
has "by messages: said" "$(cat "$tmp/err")" "chunks go by messages of the MPI library"
PLINK_TRANSPORT=udp shim 3 "$as" 1 "$ranks" >"$tmp/out" 2>"$tmp/err"
has "another transport: refused" "$(cat "$tmp/err")" 'PLINK_TRANSPORT must be tcp or mpi, not "udp"'
unequal mpi
# UCX has tags of 23 bits, where others have 31
if ompi_info 2>/dev/null | grep -q 'pml: ucx'; then
	pml=${OMPI_MCA_pml-}
	OMPI_MCA_pml=ucx OMPI_MCA_pml_ucx_tls=any OMPI_MCA_pml_ucx_devices=any
	export OMPI_MCA_pml OMPI_MCA_pml_ucx_tls OMPI_MCA_pml_ucx_devices
	lives="20 5 5"
	compare "by messages of UCX" 3 "$collectives"
	OMPI_MCA_pml=$pml
	unset OMPI_MCA_pml_ucx_tls OMPI_MCA_pml_ucx_devices
fi
unset PLINK_TRANSPORT

# what the mode leaves to the library, it says once
PLINK_VERBOSE=1 shim 3 "$as" 1 "$programs/requests" all >"$tmp/out" 2>"$tmp/err"
is "own operations in the background: said once" \
	"$(grep -c "all-reduces that do not block, by other operations than sum, .* run without a schedule" \
		"$tmp/err")" 1
has "and that there are enough connections" "$(cat "$tmp/err")" \
	"a persistent request: no connections of its own: 16 communicators and requests have them"

# calls are counted as in other modes
slots=2 schedule 2x1
shim 4 -x PLINK_STATS="$tmp/stats" "$as" 2 "$programs/counted" all \
	>"$tmp/out" 2>"$tmp/err"
is "with statistics the program ends well" "$? $(cat "$tmp/err")" "0 "
is "exactly the calls that were made are counted" \
	"$(sed '/^#/d' "$tmp/stats" | cut -d' ' -f1-8,12)" \
	"$(cat "$srcdir/tests/shim-mpi/counted-rows")"
has "in this mode" "$(cat "$tmp/stats")" "# mode engine"

# what is told of it
schedule 2+1 --collective=allreduce --impl=openmpi --algorithm=recursive-doubling
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
