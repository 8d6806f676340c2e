# SPDX-License-Identifier: BSD-3-Clause
# mpi.sh - programs under mpirun with and without libplink-mpi.so; source it
# after tap.sh. With library=mpich: MPICH's, and libplink-mpich.so.
case ${library:=openmpi} in
openmpi)
	preload=$builddir/libplink-mpi.so
	programs=$builddir/tests/shim-mpi
	mpirun=mpirun
	;;
mpich)
	preload=$builddir/libplink-mpich.so
	programs=$builddir/tests/shim-mpi/mpich
	mpirun=mpirun.mpich
	command -v $mpirun >/dev/null 2>&1 || mpirun=mpiexec.hydra
	;;
esac
ranks=$programs/ranks
[ -f "$preload" ] || skip_all "built without MPI ($library)"
command -v $mpirun >/dev/null 2>&1 || skip_all "no $mpirun here"

# what the MPI library itself leaks is not plink's, and the preload comes before
# a sanitizer's own library, where there is one
ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
unset PLINK_PLAN PLINK_HOST PLINK_MPI_MODE PLINK_STRICT PLINK_VERBOSE \
	PLINK_MAX_AGE PLINK_MPI_TIMEOUT PLINK_STATS PLINK_LIVE \
	PLINK_TRANSPORT

. "$srcdir/tests/openmpi.sh"
btl=$shared

# mpi N COMMAND...: N processes on this machine. Open MPI's mpirun itself hangs in
# PMIx_server_finalize once in some thousand runs: such a one costs 240 seconds.
mpi() {
	mpi_n=$1
	shift
	[ $library = openmpi ] || {
		timeout -k 10 240 $mpirun -launcher fork -n "$mpi_n" "$@"
		return
	}
	timeout -k 10 240 mpirun -np "$mpi_n" --oversubscribe $alone \
		--mca btl $btl,self --mca mpi_yield_when_idle 1 "$@"
}

# shim N COMMAND...: the same with the preload and $tmp/plan
shim() {
	mpi_n=$1
	shift
	[ $library = openmpi ] || {
		mpi "$mpi_n" -env LD_PRELOAD "$preload" \
			-env PLINK_PLAN "$tmp/plan" "$@"
		return
	}
	mpi "$mpi_n" -x LD_PRELOAD="$preload" -x PLINK_PLAN="$tmp/plan" "$@"
}

# survived COMMAND...: again where mpirun has itself been ended by a signal, which
# Open MPI's is after one abort in fifty, with and without the library
# (PMIx_server_finalize)
survived() {
	for _ in 1 2 3 4 5; do
		"$@"
		survived_rc=$?
		[ $survived_rc -gt 128 ] || break
	done
	return $survived_rc
}

# as K COMMAND...: a command that thinks that K ranks run on each host: h0 for
# the first K, h1, ...
as=$tmp/as
cat >"$as" <<'END'
#!/bin/sh
k=$1
shift
PLINK_HOST=h$((${OMPI_COMM_WORLD_RANK:-$PMI_RANK} / k)) exec "$@"
END
chmod +x "$as"

# plan SLOTS 'NUMBER...': of as many hosts, in that order
plan() {
	echo "# plink-plan 1"
	plan_i=0
	for _ in $2; do
		echo "host $plan_i h$plan_i slots=$1"
		plan_i=$((plan_i + 1))
	done
	echo "order allreduce ring openmpi 0- : $2"
}

# relay WHAT FILE: a check for each line of the program's
relay() {
	grep -q '^ok ' "$2" || fail "$1: the program runs"
	while read -r line; do
		case $line in
		'ok '*) pass "$1: ${line#ok }" ;;
		'not ok '*) fail "$1: ${line#not ok }" ;;
		esac
	done <"$2"
}

# MPICH's dies of SIGPIPE in 1 of 100 runs whose processes end at once
if ! mpi 2 sleep 0.1 2>"$tmp/err" && ! mpi 2 sleep 0.1 2>"$tmp/err"; then
	sed 's/^/# /' "$tmp/err"
	skip_all "mpirun cannot start processes here"
fi
