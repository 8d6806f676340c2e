#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1090-mpich-shim.t - the same for MPICH: libplink-mpich.so
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
library=mpich
. "$srcdir/tests/shim-mpi/mpi.sh"

plan 2 '1 0' >"$tmp/plan"
permuted="0:h0:2 1:h0:3 2:h1:0 3:h1:1"

shim 4 "$as" 2 "$ranks" >"$tmp/out" 2>"$tmp/err"
is "the hosts in the plan's order, ranks of a host in theirs" \
	"$? $(sort "$tmp/out" | xargs)" "0 $permuted"
is "nothing is said" "$(cat "$tmp/err")" ""
PLINK_VERBOSE=1 shim 4 "$as" 2 "$ranks" >"$tmp/out" 2>"$tmp/err"
has "PLINK_VERBOSE=1 says it all" "$(xargs <"$tmp/err")" \
	"libplink-mpich: 0 -> 2 h0 libplink-mpich: 1 -> 3 h0"
PLINK_PLAN=/nowhere mpi 4 -env LD_PRELOAD "$preload" "$as" 2 "$ranks" \
	>"$tmp/out" 2>"$tmp/err"
is "without plan the ranks stay" "$? $(sort "$tmp/out" | xargs)" \
	"0 0:h0:0 1:h0:1 2:h1:2 3:h1:3"
is "and that is said" "$(cat "$tmp/err")" "libplink-mpich: cannot open \
/nowhere: No such file or directory; ranks stay as they are"

# agrees WHAT COMMAND...: four processes print the same checks without and with
agrees() {
	agrees_what=$1
	shift
	mpi 4 "$as" 2 "$@" >"$tmp/bare"
	is "$agrees_what: the program ends well without" $? 0
	shim 4 "$as" 2 "$@" >"$tmp/with"
	is "$agrees_what: and with" $? 0
	has "$agrees_what: something is checked" "$(cat "$tmp/bare")" "ok "
	is "$agrees_what: all is as without" \
		"$(grep 'ok ' "$tmp/with" | sort)" \
		"$(grep 'ok ' "$tmp/bare" | sort)"
}

# What fails without fails with: MPICH 4.0 has no MPI_UNIVERSE_SIZE here, that of
# Debian 12 puts and gets nothing in windows, 4.2 does not count MPI_LASTUSEDCODE.
agrees "C" "$programs/same" "$tmp/file"
is "all but what MPICH lacks is right" "$(grep '^not ok' "$tmp/bare" |
	grep -vE 'MPI_UNIVERSE_SIZE|a put|a get|MPI_LASTUSEDCODE')" ""
agrees "C, threads" "$programs/same" "$tmp/file" threads
agrees "what came with MPI 4" "$programs/mpi4"
is "all of that is right" "$(grep '^not ok' "$tmp/bare")" ""
if [ -x "$programs/cxx" ]; then
	agrees "C++" "$programs/cxx"
	is "C++: all is right" "$(grep '^not ok' "$tmp/bare")" ""
else
	skip "C++" "built without MPICH for C++"
fi
if [ -x "$programs/use-mpi-f08" ]; then
	for how in mpif use-mpi use-mpi-f08; do
		agrees "$how" "$programs/$how"
		is "$how: all is right" "$(grep '^not ok' "$tmp/bare")" ""
		is "$how: the ranks are those of the plan" \
			"$(grep -e '->' "$tmp/with" | sort | xargs)" \
			"0 -> 2 1 -> 3 2 -> 0 3 -> 1"
	done
else
	skip "Fortran" "built without MPICH for Fortran"
fi

# PLINK_STATS
PLINK_STATS=$tmp/stats shim 4 "$as" 2 "$programs/mpi4" >"$tmp/out"
is "calls are counted: the program ends well" $? 0
has "and written" "$(grep -E '^broadcast +persistent' "$tmp/stats")" " 4 "

# a tool in front
tool=$builddir/libplink-test-mpich-tool.so
mpi 4 -env LD_PRELOAD "$tool $preload" -env PLINK_PLAN "$tmp/plan" "$as" 2 \
	"$ranks" >"$tmp/out"
is "a tool in front: the ranks are those of the plan" \
	"$? $(grep -v tool "$tmp/out" | sort | xargs)" "0 $permuted"
is "the tool sees the world that the program sees" \
	"$(grep -c 'asked 1 times, of MPI_COMM_WORLD' "$tmp/out")" 4

shim 4 "$as" 2 "$ranks" 7 >"$tmp/out" 2>"$tmp/err"
is "MPI_Abort gives the job its status" $? 7

# processes without the shim
plan 2 '1 0' >"$tmp/plan"
cat >"$tmp/some" <<'END'
#!/bin/sh
[ "$PMI_RANK" = 1 ] || LD_PRELOAD=$preload && export LD_PRELOAD
exec "$@"
END
chmod +x "$tmp/some"
# again where mpiexec, which ends a job that was aborted at once, has lost its words
for _ in 1 2 3 4 5; do
	preload=$preload PLINK_PLAN=$tmp/plan PLINK_MPI_TIMEOUT=2 \
		mpi 4 "$tmp/some" "$as" 2 "$ranks" >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ ! -s "$tmp/err" ] || break
done
is "the preload in some only: the job ends" $status 1
has "and names the others" "$(cat "$tmp/err")" "ranks 1 have not answered"

# each library in programs of the other
if [ -f "$builddir/libplink-mpi.so" ]; then
	other=$(mpirun --version | sed -n 's/.*(Open MPI) //p')
	plan 1 '1 0' >"$tmp/plan"
	mpi 2 -env LD_PRELOAD "$builddir/libplink-mpi.so" \
		-env PLINK_PLAN "$tmp/plan" "$as" 1 "$ranks" \
		>"$tmp/out" 2>"$tmp/err"
	is "Open MPI's library in it: ranks stay" \
		"$? $(sort "$tmp/out" | xargs)" "0 0:h0:0 1:h1:1"
	has "that is said" "$(tr -s ' ' <"$tmp/err")" \
		"made for Open MPI ${other%%.*}, not for \"MPICH Version: 4"
	library=openmpi
	mpi 2 -x LD_PRELOAD="$preload" -x PLINK_PLAN="$tmp/plan" "$as" 1 \
		"$builddir/tests/shim-mpi/ranks" >"$tmp/out" 2>"$tmp/err"
	is "MPICH's in programs of Open MPI: ranks stay" \
		"$? $(sort "$tmp/out" | xargs)" "0 0:h0:0 1:h1:1"
	is "that is said once" "$(cat "$tmp/err")" "libplink-mpich: made for \
MPICH 4, not for \"Open MPI v$other\"; ranks stay as they are"
	PLINK_STRICT=1 survived mpi 2 -x PLINK_STRICT -x LD_PRELOAD="$preload" \
		-x PLINK_PLAN="$tmp/plan" "$as" 1 \
		"$builddir/tests/shim-mpi/ranks" >"$tmp/out" 2>"$tmp/err"
	is "PLINK_STRICT: the job ends" "$? $(cat "$tmp/out")" "1 "
	has "for the reason said" "$(cat "$tmp/err")" \
		"not for \"Open MPI v$other\"; ending the job (PLINK_STRICT)"
else
	skip "each library in programs of the other" "built without Open MPI"
fi

grep -c '^PL_MPI_ALIAS' "$builddir/shim/mpi/wrappers-mpich.c" >"$tmp/n"
ok "most of MPI is wrapped ($(cat "$tmp/n"))" test "$(cat "$tmp/n")" -ge 200

done_testing
