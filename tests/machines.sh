# SPDX-License-Identifier: BSD-3-Clause
# machines.sh - mpirun on emulated machines, by the ordinary user of testbed.sh; source it
# after tap.sh. It skips the test where there can be none, and takes down what the test
# has put up.
. "$srcdir/tests/testbed.sh"
command -v mpirun >/dev/null || skip_all "no mpirun here"
mpirun --version | grep -q 'Open MPI' || skip_all "mpirun is not Open MPI's"
. "$srcdir/tests/openmpi.sh"
to_testbed

# what is given mpirun's words there
machines_mpirun=mpirun

# on_machines N COMMAND...: from machine h0, N ranks, one for each line of
# $tmp/ranks-on, for at most 600 seconds; its messages to $tmp/err
on_machines() {
	machines_n=$1
	shift
	timeout -k 10 600 "$testbed" exec --prefix=$prefix h0 -- \
		$machines_mpirun -np "$machines_n" --hostfile "$tmp/ranks-on" \
		$on_testbed "$@" 2>"$tmp/err"
	machines_rc=$?
	# of a child that was quicker than its parent; nothing comes of it
	sed -i '/plm:[rs]sh: Warning: setpgid(.*) failed in parent/d' "$tmp/err"
	return $machines_rc
}
