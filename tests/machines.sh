# SPDX-License-Identifier: BSD-3-Clause
# machines.sh - mpirun on emulated machines; source it after tap.sh. It skips the
# test where there can be none, and takes down what the test has put up.
testbed=$builddir/plink-testbed
why=$("$testbed" check 2>&1) || skip_all "no emulated cluster here: $why"
command -v mpirun >/dev/null || skip_all "no mpirun here"
mpirun --version | grep -q 'Open MPI' || skip_all "mpirun is not Open MPI's"

prefix=t$$e
. "$srcdir/tests/openmpi.sh"
to_testbed
cleanup() {
	"$testbed" down --prefix=$prefix 2>/dev/null
}

# mpirun in these containers of our own is root
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# what is given mpirun's words there
machines_mpirun=mpirun

# on_machines N COMMAND...: from machine h0, N ranks, one for each line of
# $tmp/ranks-on, for at most $machines_limit seconds; its messages to $tmp/err
machines_limit=600
on_machines() {
	machines_n=$1
	shift
	timeout -k 10 $machines_limit "$testbed" exec --prefix=$prefix h0 -- \
		$machines_mpirun -np "$machines_n" --hostfile "$tmp/ranks-on" \
		$on_testbed "$@" 2>"$tmp/err"
	machines_rc=$?
	# of a child that was quicker than its parent; nothing comes of it
	sed -i '/plm:[rs]sh: Warning: setpgid(.*) failed in parent/d' "$tmp/err"
	return $machines_rc
}
