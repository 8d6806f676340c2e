#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1080-mpirun.t - plink-mpirun: mpirun's line, and what keeps it from running
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

cd "$tmp" || exit 99
unset LD_PRELOAD
tool=$builddir/plink-mpirun
node=$(uname -n)
# one host, under its own name
cat >mine <<END
# plink-plan 1
host 0 here slots=2 node=$node
order allreduce ring openmpi 0- : 0
END
plan 2 '1 0' >other

# run WORD...: plink-mpirun; its output to $out, messages to $err
run() {
	timeout -k 10 600 "$tool" "$@" >out 2>err </dev/null
	rc=$?
	out=$(cat out)
	err=$(cat err)
}

# line WHAT WANT WORD...: what --dry-run says without a check
line() {
	line_what=$1
	line_want=$2
	shift 2
	run --no-check --dry-run --library=/bin/sh "$@"
	is "$line_what" "$rc $out $err" "0 $line_want "
}

plan_is="-x PLINK_PLAN=$tmp/other"
shell="-x LD_PRELOAD=/bin/sh"
line "the plan and the library are added" \
	"mpirun $plan_is $shell -np 4 ./app -x 'a b'" \
	--plan=other -np 4 ./app -x 'a b'
line "the same after --" "mpirun $plan_is $shell -np 4 ./app -v" \
	-p other -- -np 4 ./app -v
line "options of ours that come later are mpirun's" \
	"mpirun $plan_is $shell -np 4 -v ./app" --plan "$tmp/other" -np 4 -v ./app
line "words that begin like one of ours are mpirun's" \
	"mpirun $plan_is $shell -pernode --verbose ./app" \
	--plan=other -pernode --verbose ./app
line "for each of several programs" \
	"mpirun $plan_is $shell -np 1 ./a : $plan_is $shell -np 2 ./b" \
	--plan=other -np 1 ./a : -np 2 ./b
line "what is preloaded stays, and comes first" \
	"mpirun $plan_is -x LD_PRELOAD=/tool.so:/bin/sh ./a" \
	--plan=other -x LD_PRELOAD=/tool.so ./a
line "all that there is to say" "mpirun $plan_is -x PLINK_MPI_MODE=world \
-x PLINK_STRICT=1 -x PLINK_STATS=$tmp/s.json $shell ./a" \
	--plan=other --mode=world --strict --stats=s.json ./a
run --no-check --dry-run --plan=other -v ./a
has "-v for the library, too" "$out" " -x PLINK_VERBOSE=1 "
has "and it says what is not known" "$err" "standard input stays with"
PLINK_PLAN=other PLINK_MAX_AGE=60 PLINK_HOST=h0 PLINK_STATS=x \
	line "and what the environment says, but the host" \
	"mpirun $plan_is -x PLINK_STATS=/s -x PLINK_MAX_AGE=60 $shell ./a" \
	--stats=/s ./a
for other in mpiexec orterun mpirun.openmpi; do
	"$other" --version 2>/dev/null | grep -Eq '\(Open(RTE| MPI)\)' || continue
	line "mpirun by its name $other" "$other $plan_is $shell ./a" \
		--mpirun=$other --plan=other ./a
done
line "another mpirun" "$(command -v mpirun) $plan_is $shell ./a" \
	--mpirun="$(command -v mpirun)" --plan=other ./a

# fails STATUS TEXT WORD...: nothing is run
fails() {
	fails_rc=$1
	fails_text=$2
	shift 2
	run "$@"
	is "$fails_text: exit $fails_rc, nothing run" "$rc $out" "$fails_rc "
	has "$fails_text: said" "$err" "$fails_text"
}

run_me="-np 2 --oversubscribe $alone echo run"
fails 125 "--plan is missing" $run_me
fails 125 "the program for mpirun is missing" --plan=mine
fails 125 "no program after 2" --plan=mine -np 2
fails 125 "the plan must be a file" --plan=- $run_me
fails 125 "--mode=off: not one of world, shadow" --mode=off --plan=mine \
	$run_me
fails 125 "--stats must name a file" --stats=- --plan=mine $run_me
mkfifo pipe
fails 125 "$tmp/pipe is not a regular file" --plan=pipe $run_me
fails 125 "leave nothing" --no-check --check-only --plan=mine $run_me
fails 125 "cannot open $tmp/none: No such file" --plan=none $run_me
fails 125 "-x PLINK_PLAN: use --plan" --plan=mine -x PLINK_PLAN=x $run_me
fails 125 "with --app mpirun takes no other" --plan=mine --app file
fails 125 "$([ $shared = vader ] && echo 'unknown option "--stric"' ||
	echo 'Option: --stric')" --plan=mine --stric $run_me
fails 125 "cannot read $tmp/none, see --library: No such file" --library=none --plan=mine \
	$run_me
cp mine "a b"
fails 125 "its name has a blank" --library="a b" --plan=mine $run_me
fails 127 "cannot run $tmp/none: No such file" --mpirun="$tmp/none" \
	--plan=mine $run_me
fails 126 "cannot run $tmp/mine: Permission denied" --mpirun="$tmp/mine" \
	--plan=mine $run_me
printf '#!/bin/sh\necho "Intel(R) MPI Library for Linux"\n' >unknown
chmod +x unknown
fails 125 "and only the mpiruns of Open MPI and of MPICH" \
	--mpirun="$tmp/unknown" --plan=mine $run_me
fails 125 "$node (ranks 0-1): cannot load the library: $tmp/mine: " \
	--library=mine --plan=mine $run_me
has "and how many there are" "$err" "2 of 2 processes could not follow"
fails 125 "(ranks 0-1): the preload library is not plink's" \
	--library="$builddir/libplink-bench-yield.so" --plan=mine $run_me
fails 125 "$node (ranks 0-1): the plan has no host with this name" \
	--plan=other $run_me
PLINK_HOST=h7 fails 125 "PLINK_HOST is \"h7\", and the plan has no" \
	--plan=other $run_me
sed 's/slots=2/slots=3/' mine >three
fails 125 "2 ranks of this job run on host here, and the plan says slots=3" \
	--plan=three $run_me
fails 125 "no process has answered" --plan=mine --hostfile none echo run
run --help
[ -w /dev/full ] && "$tool" --help >/dev/full 2>err
is "help for a full disk: exit 125" $? 125

# interrupted while the check runs, by an mpirun that never ends
cat >hangs <<'END'
#!/bin/sh
case $* in
*--version* | *--help*) exec mpirun "$@" ;;
esac
echo $$ >hangs-pid
exec sleep 1000
END
chmod +x hangs
"$tool" --plan=mine --mpirun="$tmp/hangs" $run_me >out 2>err &
pid=$!
for i in $(seq 100); do
	[ -s hangs-pid ] && break
	sleep 0.1
done
kill -TERM $pid
wait $pid
is "interrupted: exit 125" "$? $(cat out)" "125 "
has "interrupted: said" "$(cat err)" "interrupted"
ok "interrupted: nothing goes on" test ! -d "/proc/$(cat hangs-pid)"

# a plan that changes nothing
run --plan=mine -np 2 --oversubscribe $alone \
	sh -c 'echo "$LD_PRELOAD$PLINK_PLAN:$OMPI_COMM_WORLD_RANK"; sleep 1; exit 7'
is "no rank changes: run as it is, with its status" "$rc $(sort out | xargs)" \
	"7 :0 :1"
has "and that is said" "$err" \
	"plink-mpirun: the plan changes no rank: running without it"
run --plan=mine --dry-run -np 2 --oversubscribe ./a
is "also printed so" "$rc $out" "0 mpirun -np 2 --oversubscribe ./a"
run --plan=mine --check-only $run_me
is "the check alone" "$rc $out $err" "0 0 -> 0 here
1 -> 1 here "
PLINK_STATS=x run --plan=mine -np 2 --oversubscribe $alone \
	sh -c 'echo "$PLINK_STATS ${LD_PRELOAD##*/}"'
is "statistics want the library" "$rc $out" "0 x libplink-mpi.so
x libplink-mpi.so"

# a job whose output is marked, and one of two programs
run --plan=mine --check-only --tag-output -np 2 --oversubscribe $alone echo a
is "marked output is understood" "$rc $out $err" "0 0 -> 0 here
1 -> 1 here "
if mpirun --oversubscribe $alone -np 1 true : -np 1 true 2>err; then
	run --plan=other -np 2 --oversubscribe $alone -x PLINK_HOST=h0 \
		"$ranks" : -np 2 -x PLINK_HOST=h1 "$ranks"
	is "two programs, each with what it needs" "$rc $(sort out | xargs)" \
		"0 0:h0:2 1:h0:3 2:h1:0 3:h1:1"
else # as that of Debian 13, which crashes
	skip "two programs, each with what it needs" "mpirun starts no two"
fi
run --plan=mine --no-check -np 2 --oversubscribe $alone "$ranks"
is "unchecked: the library finds out" "$rc $(sort out | xargs)" "0 0::0 1::1"

done_testing
