#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1092-mpich-shadow.t - shadow mode for MPICH
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
library=mpich
. "$srcdir/tests/shim-mpi/mpi.sh"

PLINK_MPI_MODE=shadow
PLINK_STRICT=1
export PLINK_MPI_MODE PLINK_STRICT

# compare WHAT N SLOTS COMMAND...: bare and in shadow mode
compare() {
	what=$1
	n=$2
	slots=$3
	shift 3
	mpi "$n" "$@" >"$tmp/bare"
	is "$what: the program ends well without" $? 0
	shim "$n" "$as" "$slots" "$@" >"$tmp/with" 2>"$tmp/err"
	is "$what: and with" "$? $(cat "$tmp/err")" "0 "
	is "$what: all is as without" "$(sort "$tmp/with")" \
		"$(sort "$tmp/bare")"
	ok "$what: something is checked" grep -q '^ok ' "$tmp/with"
	ok "$what: all of it is right" sh -c "! grep '^not ok ' '$tmp/with'"
}

# Its processes poll: with more of them than there are cores, a few of each.
plan 1 '1 0' >"$tmp/plan"
compare "two ranks" 2 1 "$programs/collectives" 100 30 30
compare "large counts" 2 1 "$programs/large" 10 5 5
plan 1 '2 0 1' >"$tmp/plan"
compare "three ranks" 3 1 "$programs/collectives" 5 3 2
# an order for each collective, and for sizes and roots
cat >"$tmp/plan" <<'END'
# plink-plan 1
host 0 h0
host 1 h1
host 2 h2
order allreduce ring openmpi 4000- : 2 0 1
order allreduce recursive-doubling openmpi 0-3999 : 1 2 0
order broadcast binomial openmpi 0-100 root=2 : 2 0 1
order broadcast chain openmpi 0- : 1 0 2
order reduce linear openmpi 0-4000 : 0 1 2
order reduce chain openmpi 0- root=2 : 1 2 0
order barrier tree openmpi 0- : 0 1 2
order allgather ring openmpi 28-28000 : 2 1 0
END
compare "an order for each" 3 1 "$programs/large" 2 2 1

# ran ORDER [WORD]: "FUNCTION RANK-THERE ..." of all processes, by launch ranks
ran() {
	plan 1 "$1" >"$tmp/plan"
	shift
	mpi 3 -env LD_PRELOAD "$preload $builddir/\
libplink-test-mpich-below.so" -env PLINK_PLAN "$tmp/plan" "$as" 1 \
		"$programs/placed" "$@" >"$tmp/out"
	sort "$tmp/out" | awk '{ at[$2] = at[$2] " " $3; root[$2] = $4 }
		END { for (name in at) print name at[name], root[name] }' |
		sort
}

is "each call is one of the ranks in the order, and its root" \
	"$(ran '2 0 1' | sed 's/ 1 2 0 -1$//; s/ 1 2 0 1$/ to/' | xargs)" \
	"Allgather Allgather_c Allreduce Allreduce_c Allreduce_init \
Allreduce_init_c Barrier Barrier_init Bcast to Bcast_c to Bcast_init to \
Bcast_init_c to Iallreduce Iallreduce_c Ibarrier Ibcast to Ibcast_c to Ireduce to \
Ireduce_c to Reduce to Reduce_c to Reduce_init to Reduce_init_c to"
is "on some of the processes: in the same order" \
	"$(ran '2 0 1' half | sed 's/^[A-Za-z_]*//' | sort -u | xargs)" \
	"1 0 0 -1 1 0 0 1"

MPIR_CVAR_COLL_ALIAS_CHECK=0
export MPIR_CVAR_COLL_ALIAS_CHECK
has "one buffer for input and result, where MPICH takes it" \
	"$(ran '2 0 1' one)" "Reduce 1 2 0 1"
unset MPIR_CVAR_COLL_ALIAS_CHECK

# what looks for differences in world mode finds none either
plan 1 '1 0' >"$tmp/plan"
for program in "same $tmp/file" mpi4; do
	# shellcheck disable=SC2086 # program and argument
	mpi 2 "$programs"/$program >"$tmp/bare"
	# shellcheck disable=SC2086
	shim 2 "$as" 1 "$programs"/$program >"$tmp/with"
	is "${program% *}: the program ends well" $? 0
	is "${program% *}: all is as without" "$(sort "$tmp/with")" \
		"$(sort "$tmp/bare")"
done
if [ -x "$programs/collectives-f08" ]; then
	plan 1 '2 0 1' >"$tmp/plan"
	for how in mpif f08; do
		compare "Fortran, $how" 3 1 "$programs/collectives-$how"
	done
else
	skip "Fortran" "built without MPICH for Fortran"
fi

# what is said
PLINK_VERBOSE=1
export PLINK_VERBOSE
plan 2 '1 0' >"$tmp/plan"
shim 4 "$as" 2 "$ranks" >"$tmp/out" 2>"$tmp/err"
is "ranks stay" "$? $(sort "$tmp/out" | xargs)" \
	"0 0:h0:0 1:h0:1 2:h1:2 3:h1:3"
has "PLINK_VERBOSE=1 says which orders are for what" "$(cat "$tmp/err")" \
	"libplink-mpich: reduce: allreduce ring openmpi: h1 h0"

done_testing
