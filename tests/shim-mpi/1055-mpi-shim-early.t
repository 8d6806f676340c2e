#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1055-mpi-shim-early.t - OMPI_COMM_WORLD_RANK follows the plan before MPI_Init
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

told=$builddir/tests/shim-mpi/told
plan 2 '1 0' >"$tmp/plan"

# on COMMAND...: a command that the launcher seems to have started with another on
# each of the hosts h0, h1, ...
on=$tmp/on
cat >"$on" <<'END'
#!/bin/sh
export PLINK_HOST=h$((PMIX_RANK / 2))
export OMPI_COMM_WORLD_LOCAL_RANK=$((PMIX_RANK % 2))
export OMPI_COMM_WORLD_LOCAL_SIZE=2
eval "$on_set"
exec "$@"
END
# what a script and its children see, and the rank within the host
cat >"$tmp/see" <<'END'
#!/bin/sh
echo "$PMIX_RANK $OMPI_COMM_WORLD_RANK \
$(sh -c 'echo $OMPI_COMM_WORLD_RANK $OMPI_COMM_WORLD_LOCAL_RANK')"
END
chmod +x "$on" "$tmp/see"

# run COMMAND...: four processes on two hosts; sorted output, all on one line
run() {
	shim 4 "$on" "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
	out=$(sort "$tmp/out" | xargs)
	err=$(cat "$tmp/err")
}

moved="0:2:2:2 1:3:3:3 2:0:0:0 3:1:1:1"
run "$told"
is "the rank before MPI_Init is the one after it" "$rc $out $err" "0 $moved "
run "$tmp/see"
is "scripts and their children see it, and the launcher's own variables" \
	"$rc $out $err" "0 0 2 2 0 1 3 3 1 2 0 0 0 3 1 1 1 "
run sh -c 'sh -c "exec \"\$@\"" - "$@"; exit $?' - "$told"
is "programs within scripts within scripts" "$rc $out $err" "0 $moved "
if bash=$(command -v bash); then
	run "$bash" -c '"$BASH" -c "echo \$PMIX_RANK \$OMPI_COMM_WORLD_RANK; true"'
	is "a shell with a setenv of its own" "$rc $out $err" \
		"0 0 2 1 3 2 0 3 1 "
	run "$bash" -c '"$@"; exit $?' - "$told"
	is "and what it starts" "$rc $out $err" "0 $moved "
else
	skip "a shell with a setenv of its own" "no bash here"
fi
if python=$(command -v python3); then
	run "$python" -c 'import os, sys
rank = os.environ["PMIX_RANK"]
with open(sys.argv[1] + rank, "w") as f:
    print(rank, os.environ["OMPI_COMM_WORLD_RANK"], file=f)' "$tmp/python"
	is "Python" "$rc $(cat "$tmp"/python? | xargs) $err" \
		"0 0 2 1 3 2 0 3 1 "
else
	skip "Python" "no python3 here"
fi
run env -u OMPI_COMM_WORLD_RANK "$told"
is "what is not there is not made" "$rc $out $err" \
	"0 0:::2 1:::3 2:::0 3:::1 "

# mpirun itself has the library, and what it starts gets it from there
LD_PRELOAD=$preload PLINK_PLAN=$tmp/plan mpi 4 "$on" "$told" \
	>"$tmp/out" 2>"$tmp/err"
is "preloaded into mpirun, too" "$? $(sort "$tmp/out" | xargs) \
$(cat "$tmp/err")" "0 $moved "

# ten hosts: the number gets longer
plan 1 '1 2 3 4 5 6 7 8 9 10 0' >"$tmp/plan"
# the same with one process on each host
sed 's,/ 2,,; s,RANK % 2,0,; s/SIZE=2/SIZE=1/' "$on" >"$tmp/one"
chmod +x "$tmp/one"
shim 11 "$tmp/one" "$tmp/see" >"$tmp/out" 2>"$tmp/err"
is "numbers of more digits" "$(grep -E '^(0|10) ' "$tmp/out" | sort | xargs)" \
	"0 10 10 0 10 9 9 0"

# what it does not fit: where it fits, two processes on two hosts change places
plan 1 '1 0' >"$tmp/plan"
as_launched="0:0:0:0 1:1:1:1"
stays() {
	what=$1
	shift
	shim 2 "$tmp/one" "$@" >"$tmp/out" 2>"$tmp/err"
	is "$what: as launched, before and after" "$? $(sort "$tmp/out" | xargs)" \
		"0 $as_launched"
}
PLINK_MPI_MODE=off stays "switched off" "$told"
PLINK_MPI_MODE=shadow stays "shadow mode" "$told"
PLINK_MPI_MODE=no-such stays "an unknown mode" "$told"
PLINK_MAX_AGE=60 stays "a plan that is too old" "$told"
on_set='unset PLINK_PLAN'
export on_set
stays "no plan" "$told"
on_set='export PLINK_HOST=h2'
stays "another host" "$told"
on_set='export PLINK_PLAN=/dev/null'
stays "a plan that is none" "$told"
on_set=
plan 1 '0 1' >"$tmp/plan"
stays "the identity" "$told"
plan 1 '3 1 2 0' >"$tmp/plan"
run "$told"
is "other slots: as launched, before and after" "$rc $out" \
	"0 0:0:0:0 1:1:1:1 2:2:2:2 3:3:3:3"
plan 2 '2 1 0' >"$tmp/plan"
run "$told"
is "more hosts: as launched before MPI_Init, by the plan from there on" "$rc $out" \
	"0 0:0:2:2 1:1:3:3 2:2:0:0 3:3:1:1"

if mpi 1 -x LD_PRELOAD=liboshmem.so.40 true 2>&1 | grep -q preloaded; then
	skip "OpenSHMEM in the program" "no liboshmem.so.40 here"
else
	plan 1 '1 0' >"$tmp/plan"
	stays "OpenSHMEM in the program, not in its scripts" \
		env LD_PRELOAD="$preload:liboshmem.so.40" "$told"
fi

# each process has its own way to be wrong until MPI_Init
plan 2 '1 0' >"$tmp/plan"
plan 2 '1 0' | sed 's/ring/tree/' >"$tmp/other"
run sh -c '[ $PMIX_RANK -lt 3 ] || PLINK_PLAN=$0; exec "$@"' "$tmp/other" \
	"$told"
is "no agreement: put right in MPI_Init" "$rc $out" \
	"0 0:2:0:0 1:3:1:1 2:0:2:2 3:1:3:3"
has "for the reason said" "$err" "differs from the plan of rank 0: copy \
rank 0's plan there; ranks stay"
run sh -c '[ $PMIX_RANK != 1 ] || PLINK_PLAN=/nowhere; exec "$@"' - "$told"
is "one cannot read the plan: put right in MPI_Init" "$rc $out $err" \
	"0 0:2:2:2 1:3:3:3 2:0:0:0 3:1:1:1 "
run sh -c 'PLINK_HOST=h$((PMIX_RANK % 2)) exec "$@"' - "$told"
is "another host than its shell took: by the last word" "$rc $out $err" \
	"0 0:2:2:2 1:1:0:0 2:2:3:3 3:1:1:1 "
cd "$tmp" || exit 99
mkdir elsewhere
run env PLINK_PLAN=plan sh -c 'cd elsewhere && exec "$@"' - "$told"
is "a name that leads nowhere by then: put right in MPI_Init" "$rc $out" \
	"0 0:2:0:0 1:3:1:1 2:0:2:2 3:1:3:3"

# processes that others have spawned keep the ranks that they were given
btl=tcp
plan 1 '1 0' >"$tmp/plan"
shim 2 --mca btl_tcp_if_include lo "$tmp/one" "$told" "$tmp/one" "$told" \
	>"$tmp/out" 2>"$tmp/err"
is "spawned processes" "$(sort "$tmp/out" | xargs)" \
	"0:1:1:1 1:0:0:0 child 0:0:0:0 child 1:1:1:1"

done_testing
