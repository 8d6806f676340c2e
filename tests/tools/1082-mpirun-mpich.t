#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1082-mpirun-mpich.t - plink-mpirun with the mpirun of MPICH
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
library=mpich
. "$srcdir/tests/shim-mpi/mpi.sh"

cd "$tmp" || exit 99
unset LD_PRELOAD
plan 2 '1 0' >plan

# run WORD...: plink-mpirun; its output to $out, messages to $err
run() {
	timeout -k 10 600 "$builddir/plink-mpirun" --mpirun=$mpirun \
		--plan=plan "$@" >out 2>err <plan
	rc=$?
	out=$(sort out | xargs)
	err=$(cat err)
}

# on_two OPTION... COMMAND: two processes on each of two hosts
on_two() {
	for two_last; do :; done
	run "$@" : -n 2 -env PLINK_HOST h1 "$two_last"
}

is_env="-env PLINK_PLAN $tmp/plan -env LD_PRELOAD"
on_two --no-check --dry-run -n 2 -genv LD_PRELOAD /t.so ./a
is "the plan and the library are added" "$rc $out $err" \
	"0 $mpirun $is_env /t.so:$preload -n 2 ./a : $is_env /t.so:$preload -n 2 \
-env PLINK_HOST h1 ./a "
hosts="-launcher fork -n 2 -env PLINK_HOST h0"
on_two --check-only $hosts ./a
is "the check finds the hosts" "$rc $out" "0 0 -> 2 h0 1 -> 3 h0 2 -> 0 h1 \
3 -> 1 h1"
is "and says what cannot be done" "$err" "plink-mpirun: standard input goes to \
rank 2: MPICH's mpirun has no option for it"
on_two --strict $hosts "$ranks"
is "the program runs with these ranks" "$rc $out" "0 0:h0:2 1:h0:3 2:h1:0 3:h1:1"
on_two --mode=shadow $hosts "$ranks"
is "shadow mode: the program runs, and its ranks stay" "$rc $out" \
	"0 0:h0:0 1:h0:1 2:h1:2 3:h1:3"
cat >dies <<-END
	#!/bin/sh
	case "\$*" in
	*mpi-check*) [ -e died ] || { >died; kill -PIPE \$\$; } ;;
	esac
	exec $mpirun "\$@"
END
chmod +x dies
on_two --mpirun="$tmp/dies" $hosts "$ranks"
is "an mpirun that a signal ends while it checks is run again" "$rc $out" \
	"0 0:h0:2 1:h0:3 2:h1:0 3:h1:1"
run -launcher fork -n 1 -env PLINK_HOST h0 "$ranks"
is "another number of processes: nothing is run" "$rc $out" "125 "
has "that is said" "$err" "1 rank of this job runs on host h0"
if [ -f "$builddir/libplink-mpi.so" ]; then
	on_two --library="$builddir/libplink-mpi.so" $hosts "$ranks"
	is "the library for Open MPI: nothing is run" "$rc $out" "125 "
	has "that is said" "$err" "and mpirun is MPICH's Hydra"
else
	skip "the library for Open MPI" "built without Open MPI"
fi
on_two -no-such-option $hosts "$ranks"
is "an option that nobody knows: nothing is run" "$rc $out" "125 "
has "what MPICH says is there" "$err" "unrecognized argument no-such-option"
plan 2 '0 1' >plan
on_two $hosts "$ranks"
is "no rank changes: run as it is" "$rc $out" "0 0:h0:0 1:h0:1 2:h1:2 3:h1:3"
has "and that is said" "$err" "the plan changes no rank: running without it"

done_testing
