#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1000-mpi-shim.t - an unmodified MPI program sees ranks that follow the plan
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

same=$builddir/tests/shim-mpi/same
plan 2 '1 0' >"$tmp/plan"

# which process has which rank
shim 4 "$as" 2 sh -c 'echo "$PLINK_HOST $OMPI_COMM_WORLD_RANK"' >"$tmp/out"
is "hosts that the launcher does not know: nothing happens before MPI_Init" \
	"$(sort "$tmp/out" | xargs)" "h0 0 h0 1 h1 2 h1 3"
shim 4 "$as" 2 "$ranks" >"$tmp/out" 2>"$tmp/err"
is "the hosts in the plan's order, ranks of a host in theirs" \
	"$(sort "$tmp/out" | xargs)" "0:h0:2 1:h0:3 2:h1:0 3:h1:1"
is "nothing is said" "$(cat "$tmp/err")" ""
plan 1 '3 0 4 1 2' >"$tmp/plan"
shim 5 "$as" 1 "$ranks" >"$tmp/out"
is "five hosts" "$(sort "$tmp/out" | xargs)" \
	"0:h0:1 1:h1:3 2:h2:4 3:h3:0 4:h4:2"
# round-robin: ranks of a host do not follow one another at first
plan 2 '1 0' >"$tmp/plan"
shim 4 sh -c 'PLINK_HOST=h$((OMPI_COMM_WORLD_RANK % 2)) exec "$0"' "$ranks" \
	>"$tmp/out"
is "ranks dealt out by host come together" "$(sort "$tmp/out" | xargs)" \
	"0:h0:2 1:h1:0 2:h0:3 3:h1:1"

# PLINK_VERBOSE
PLINK_VERBOSE=1
export PLINK_VERBOSE
shim 4 "$as" 2 "$ranks" >"$tmp/out" 2>"$tmp/err"
unset PLINK_VERBOSE
is "PLINK_VERBOSE=1 says it all once" "$(sed 's/^libplink-mpi: //' "$tmp/err")" \
	"mode world, $tmp/plan: allreduce ring openmpi; launch rank -> rank, host
0 -> 2 h0
1 -> 3 h0
2 -> 0 h1
3 -> 1 h1"
for row in "30 40:, 25.0 % cheaper than the given order" "0 40:, 100.0 % cheaper \
than the given order" "40 40:, no cheaper than the given order" "30 0:"; do
	costs=${row%%:*}
	plan 2 '1 0' | sed "s/0- :/0- cost=${costs% *} given=${costs#* } :/" \
		>"$tmp/plan"
	PLINK_VERBOSE=1 shim 4 "$as" 2 "$ranks" >"$tmp/out" 2>"$tmp/err"
	has "and what is gained, $costs" "$(head -n 1 "$tmp/err")" \
		"allreduce ring openmpi${row#*:}; launch rank"
done
plan 2 '1 0' | sed "s/0- :/0- cost=1 given=4 :/" >"$tmp/plan"
PLINK_MPI_MODE=shadow PLINK_VERBOSE=1 shim 4 "$as" 2 "$ranks" >"$tmp/out" \
	2>"$tmp/err"
has "in shadow mode, too" "$(cat "$tmp/err")" "allreduce 0-: allreduce ring \
openmpi, 75.0 % cheaper than the given order: h1 h0"
plan 2 '1 0' >"$tmp/plan"

# the program cannot tell
mpi 4 "$same" "$tmp/file" >"$tmp/bare"
relay "without" "$tmp/bare"
for how in '' threads; do
	rm -f "$tmp/file"
	shim 4 "$as" 2 "$same" "$tmp/file" $how >"$tmp/with"
	is "the program ends well" $? 0
	relay "with${how:+, $how}" "$tmp/with"
	# Open MPI 5 deletes no attributes of a world that is its own
	is "as many checks as without" \
		"$(grep '^ok' "$tmp/with" | grep -vc 'of MPI_COMM_WORLD then')" \
		"$(grep '^ok' "$tmp/bare" | grep -vc 'of MPI_COMM_WORLD then')"
done

# aborted FILE COMMAND...: its messages; again where mpirun itself failed, which
# it does, with and without the library, a few times in a hundred: it cannot read
# what it was sent of an abort, or is ended by a signal in PMIx_server_finalize
aborted() {
	said=$1
	shift
	tries=20
	while
		"$@" "$as" 2 "$ranks" 7 >"$tmp/out" 2>"$said"
		status=$?
		{ [ $status != 7 ] || ! grep -q 'MPI_ABORT was invoked' "$said" ||
			! grep -q 'in communicator' "$said"; } &&
			[ $tries -gt 1 ]
	do
		tries=$((tries - 1))
	done
}

# MPI_Abort
aborted "$tmp/bare" mpi 4
is "without: MPI_Abort gives the job its status" $status 7
aborted "$tmp/err" shim 4
is "with: MPI_Abort gives the job its status" $status 7
for f in bare err; do
	has "$f: and mpirun says so" "$(cat "$tmp/$f")" \
		"MPI_ABORT was invoked on rank"
	grep -o 'in communicator.*' "$tmp/$f" >"$tmp/$f.comm"
done
is "in the same words" "$(cat "$tmp/err.comm")" "$(cat "$tmp/bare.comm")"
has "of the rank that mpirun knows" "$(cat "$tmp/err")" "invoked on rank 3"

done_testing
