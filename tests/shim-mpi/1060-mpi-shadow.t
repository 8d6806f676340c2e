#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1060-mpi-shadow.t - in shadow mode collectives compute what they do without
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

PLINK_MPI_MODE=shadow
PLINK_STRICT=1
export PLINK_MPI_MODE PLINK_STRICT

# compare WHAT N SLOTS COMMAND...: bare and in shadow mode. $lives: how many
# communicators come and go in shadow mode; without, few say the same lines
compare() {
	what=$1
	n=$2
	slots=$3
	shift 3
	mpi "$n" "$@" ${lives:+5 5 2} >"$tmp/bare"
	is "$what: the program ends well without" $? 0
	# shellcheck disable=SC2086 # a word for each number
	shim "$n" "$as" "$slots" "$@" $lives >"$tmp/with" 2>"$tmp/err"
	is "$what: and with" "$? $(cat "$tmp/err")" "0 "
	is "$what: all is as without" "$(cat "$tmp/with")" "$(cat "$tmp/bare")"
	relay "$what" "$tmp/with"
}

collectives=$builddir/tests/shim-mpi/collectives
plan 1 '1 0' >"$tmp/plan"
lives="500 300 25"
compare "two ranks" 2 1 "$collectives"
plan 1 '2 0 1' >"$tmp/plan"
lives="1000 30 10"
compare "three ranks" 3 1 "$collectives"
plan 2 '1 0' >"$tmp/plan"
lives="60 30 10"
compare "two on each host" 4 2 "$collectives"
# an order for each collective, and for sizes and roots
cat >"$tmp/plan" <<'END'
# plink-plan 1
host 0 h0
host 1 h1
host 2 h2
host 3 h3
host 4 h4
order allreduce ring openmpi 4000- : 4 2 0 1 3
order allreduce recursive-doubling openmpi 0-3999 : 3 1 2 0 4
order broadcast binomial openmpi 0-100 root=2 : 4 2 0 1 3
order broadcast chain openmpi 0- : 1 0 2 3 4
order reduce chain openmpi 0- root=4 : 4 3 2 1 0
order reduce linear openmpi 0- : 0 1 2 3 4
order barrier tree openmpi 0- : 0 1 2 3 4
order allgather ring openmpi 28-28000 : 2 0 4 1 3
order allgather bruck openmpi 28001- : 4 0 1 2 3
END
compare "an order for each" 5 1 "$collectives"
lives=

# what looks for differences in world mode finds none either
plan 2 '1 0' >"$tmp/plan"
compare "the program of world mode" 4 2 "$builddir/tests/shim-mpi/same" \
	"$tmp/file"

if [ -x "$builddir/tests/shim-mpi/collectives-f08" ]; then
	plan 1 '2 0 1' >"$tmp/plan"
	for how in mpif mpi f08; do
		compare "Fortran, $how" 3 1 \
			"$builddir/tests/shim-mpi/collectives-$how"
	done
else
	skip "Fortran" "built without MPI for Fortran"
fi

# processes that come later
btl=tcp
plan 1 '1 0' >"$tmp/plan"
spawn=$builddir/tests/shim-mpi/spawn
mpi 2 --mca btl_tcp_if_include lo "$spawn" >"$tmp/bare" 2>"$tmp/err"
shim 2 --mca btl_tcp_if_include lo "$as" 1 "$spawn" "$as" 1 \
	>"$tmp/out" 2>"$tmp/err"
is "processes that start others" "$(sort "$tmp/out")" "$(sort "$tmp/bare")"

done_testing
