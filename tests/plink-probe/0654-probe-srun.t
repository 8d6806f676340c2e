#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0654-probe-srun.t - --launch=srun in a job of a real Slurm, agents sent along
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cp "$builddir/plink-agent" "$tmp/agent"
cp "$builddir/plink-probe" "$tmp/probe"
. "$srcdir/tests/slurm.sh"

for how in --agent --push; do
	job "./probe --launch=srun $how=$tmp/agent --iface=lo --probes=5 \
		-o matrix slurm" >out 2>err
	rc=$?
	if [ $how = --push ] && grep -q "needs shared libraries" err; then
		is "--push: no static agent here (sanitizers): exit 3" "$rc" 3
		continue
	fi
	is "$how: exit 0" "$rc" 0
	has "$how: the four hosts of the job" "$(cat err)" \
		"12 pairs measured, 0 missing, 0 of 4 hosts lost"
done
# another step has all of the job meanwhile
job 'srun -N4 -n4 sleep 30 & sleep 1
	./probe --launch=srun --agent=$PWD/agent --iface=lo --probes=5 -o matrix slurm
	rc=$?; kill $!; wait; exit $rc' >out 2>err
is "beside another step: exit 0" "$?" 0

done_testing
