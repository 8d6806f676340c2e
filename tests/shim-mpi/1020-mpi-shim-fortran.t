#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1020-mpi-shim-fortran.t - Fortran programs see ranks that follow the plan
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

[ -x "$builddir/tests/shim-mpi/use-mpi-f08" ] ||
	skip_all "built without MPI for Fortran"
plan 2 '1 0' >"$tmp/plan"
for how in mpif use-mpi use-mpi-f08; do
	mpi 4 "$builddir/tests/shim-mpi/$how" >"$tmp/bare"
	is "$how: the program ends well without" $? 0
	shim 4 "$as" 2 "$builddir/tests/shim-mpi/$how" >"$tmp/with"
	is "$how: and with" $? 0
	is "$how: the ranks are those of the plan" \
		"$(grep -e '->' "$tmp/with" | sort)" "0 -> 2
1 -> 3
2 -> 0
3 -> 1"
	relay "$how, without" "$tmp/bare"
	relay "$how, with" "$tmp/with"
	is "$how: as many checks as without" "$(grep -c '^ok' "$tmp/with")" \
		"$(grep -c '^ok' "$tmp/bare")"
done

PLINK_MPI_MODE=off shim 4 "$as" 2 "$builddir/tests/shim-mpi/mpif" >"$tmp/off"
is "standing aside: the program ends well" $? 0
mpi 4 "$builddir/tests/shim-mpi/mpif" >"$tmp/bare"
is "standing aside: all is as without" "$(sort "$tmp/off")" \
	"$(sort "$tmp/bare")"

shim 4 "$as" 2 "$builddir/tests/shim-mpi/plugin" >"$tmp/out"
is "bindings that a plugin has loaded" "$? $(sort -u "$tmp/out")" \
	"0 MPI_TAG_UB is there"

done_testing
