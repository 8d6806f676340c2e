# SPDX-License-Identifier: BSD-3-Clause
# slurm.sh - a Slurm of a test's own; source it after tap.sh. A controller and four
# nodes, h1 to h4, all on this machine, on free ports, that trust everybody and last
# as long as the test, which goes on in $tmp. It has the switches of topology.conf, the
# filter of cli_filter.lua and the prolog task_prolog, if the test has written them there.
cd "$tmp" || exit 99
PATH=$PATH:/usr/sbin:/sbin
pids=
cleanup() {
	for p in $pids; do
		kill "$p" 2>/dev/null
	done
	# a slurmd may wait for ever for a step that does not end
	(sleep 15 && kill -KILL $pids $(steps)) >/dev/null 2>&1 &
	wait $pids
	kill $! 2>/dev/null
}

# this Slurm's slurmstepds, which are nobody's children
steps() {
	grep -lzxF "SLURM_CONF=$tmp/slurm.conf" /proc/[0-9]*/environ 2>/dev/null |
		while IFS=/ read -r _ _ p _; do
			case $(cat "/proc/$p/comm" 2>/dev/null) in
			slurmstepd) echo "$p" ;;
			esac
		done
}
for p in slurmctld slurmd srun salloc; do
	[ -n "$(command -v $p)" ] || skip_all "no $p here"
done

user=$(id -un)
SLURM_CONF=$tmp/slurm.conf
export SLURM_CONF
unset SLURM_JOB_ID SLURM_JOB_NODELIST SLURM_TASKS_PER_NODE SLURM_HOSTFILE
mkdir state h1 h2 h3 h4

# configure PORT...
configure() {
	cat >slurm.conf <<-END
	ClusterName=plink
	SlurmctldHost=localhost
	SlurmctldPort=$1
	SlurmUser=$user
	SlurmdUser=$user
	AuthType=auth/none
	CredType=cred/none
	StateSaveLocation=$tmp/state
	SlurmdSpoolDir=$tmp/%n
	SlurmctldPidFile=$tmp/state/pid
	SlurmdPidFile=$tmp/%n/pid
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	MpiDefault=none
	SwitchType=switch/none
	SelectType=select/linear
	JobAcctGatherType=jobacct_gather/none
	AccountingStorageType=accounting_storage/none
	SlurmdParameters=config_overrides
	NodeName=h1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$2 CPUs=8
	NodeName=h2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$3 CPUs=8
	NodeName=h3 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$4 CPUs=8
	NodeName=h4 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$5 CPUs=8
	PartitionName=all Nodes=h[1-4] Default=YES State=UP
END
	[ ! -e topology.conf ] || echo TopologyPlugin=topology/tree >>slurm.conf
	[ ! -e task_prolog ] || echo "TaskProlog=$tmp/task_prolog" >>slurm.conf
	[ ! -e cli_filter.lua ] || echo CliFilterPlugins=cli_filter/lua >>slurm.conf
}

# up: are all nodes there? False as soon as one of the daemons has given up.
up() {
	n=0
	while ! grep -qs ': fatal: ' state/log h?/log && [ $n -lt 120 ]; do
		[ "$(timeout 10 sinfo -h -t idle -o %D 2>/dev/null)" != 4 ] || return 0
		n=$((n + 1))
		sleep 0.5
	done
	return 1
}

# A port that was free may be taken by the time it is wanted.
for try in 1 2 3; do
	set -- $(free_ports 5)
	[ $# = 5 ] || skip_all "no python3 here"
	configure "$@"
	slurmctld -D >state/log 2>&1 &
	pids=$!
	for h in h1 h2 h3 h4; do
		slurmd -D -N $h >$h/log 2>&1 &
		pids="$pids $!"
	done
	! up || break
	cat state/log h1/log | tail -n 20 | sed 's/^/# /'
	cleanup
	[ $try -lt 3 ] || skip_all "no Slurm comes up here"
done

# job ARGS: a shell command in a job of seven tasks on four nodes
job() {
	timeout -k 10 600 salloc -Q -N4 -n7 --overcommit sh -c "$@"
}
