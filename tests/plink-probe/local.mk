# SPDX-License-Identifier: BSD-3-Clause
# Tests of plink-probe and plink-probe-mpi.
TOOL_TESTS += \
	tests/plink-probe/0600-probe.t tests/plink-probe/0610-probe-faults.t \
	tests/plink-probe/0612-probe-extent.t \
	tests/plink-probe/0614-probe-verbs.t \
	tests/plink-probe/0616-probe-killed.t \
	tests/plink-probe/0617-probe-alive.t \
	tests/plink-probe/0618-probe-addresses.t \
	tests/plink-probe/0619-probe-cut-off.t \
	tests/plink-probe/0620-probe-testbed.t \
	tests/plink-probe/0622-probe-wire.t \
	tests/plink-probe/0640-probe-descriptors.t \
	tests/plink-probe/0650-probe-push.t \
	tests/plink-probe/0652-probe-launchers.t \
	tests/plink-probe/0654-probe-srun.t \
	tests/plink-probe/0655-probe-security.t \
	tests/plink-probe/0657-probe-replay.t \
	tests/plink-probe/0658-probe-hostile.t \
	tests/plink-probe/0660-probe-launch-faults.t \
	tests/plink-probe/0662-probe-mpijob.t \
	tests/plink-probe/0670-probe-mpi.t \
	tests/plink-probe/0672-probe-mpich.t \
	tests/plink-probe/0674-probe-mpi-machines.t \
	tests/plink-probe/0675-probe-mpich-machines.t \
	tests/plink-probe/0680-bandwidth.t \
	tests/plink-probe/0681-bandwidth-testbed.t \
	tests/plink-probe/0682-bandwidth-faults.t \
	tests/plink-probe/0683-bandwidth-security.t \
	tests/plink-probe/0685-bandwidth-ipv6.t \
	tests/plink-probe/0687-bandwidth-few.t \
	tests/plink-probe/0690-probe-sparse.t \
	tests/plink-probe/0692-probe-full.t
EXTRA_DIST += \
	tests/plink-probe/probe-mpi.sh
