#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0704-order-slurm.t - plink-order and plink-probe in a job of Slurm: its hosts, and
# srun's order
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/slurm.sh"

. "$srcdir/tests/thesis.sh"

# the cheapest ring from h1 on is h1 h4 h2 h3
cat >matrix <<'END'
# plink-matrix 1
# quantity rtt
# unit us
h1 0 90 10 20
h2 90 0 20 10
h3 10 20 0 90
h4 20 10 90 0
END

job 'echo "$SLURM_JOB_NODELIST" $SLURM_TASKS_PER_NODE' >said
is "a job of Slurm" "$(cat said)" 'h[1-4] 2(x3),1'
job "'$order' --matrix=matrix --format=deepspeed slurm" >out 2>err
is "its hosts and their tasks" "$(tr '\n' ';' <out)" \
	"h1 slots=2;h4 slots=1;h2 slots=2;h3 slots=2;"
job "'$order' --matrix=matrix --format=slurm --verify -o list slurm" 2>err
is "srun keeps the order" $? 0
has "and that is seen" "$(cat err)" "verified: all 7 ranks are on their hosts"
is "a line for each task" "$(tr '\n' ' ' <list)" "h1 h1 h4 h2 h2 h3 h3 "

# the command that is printed, as one would type it
cat >app <<'END'
#!/bin/sh
echo "$SLURM_PROCID $SLURMD_NODENAME $SLURM_LOCALID"
END
chmod +x app
sed -n 's/^plink-order: for srun, within the job: //p' err >command
job ". ./command" >out 2>err
is "the command that is printed does it" "$(sort -n out | tr '\n' ';')" \
	"0 h1 0;1 h1 1;2 h4 0;3 h2 0;4 h2 1;5 h3 0;6 h3 1;"
job "srun -n 7 ./app" >out 2>err
is "without the file tasks follow Slurm's own order" \
	"$(sort -n out | cut -d' ' -f2 | tr '\n' ' ')" "h1 h1 h2 h2 h3 h3 h4 "

# hosts given in another order than Slurm's, with other slots
printf 'h4\nh3 slots=3\nh1\nh2 slots=2\n' >hosts
job "'$order' --matrix=matrix --format=slurm --verify -o list hosts" 2>err
is "another order, other numbers of tasks: kept" $? 0
is "from the host that was first" "$(tr '\n' ' ' <list)" \
	"h4 h2 h2 h3 h3 h3 h1 "

mkdir bin
cat >bin/srun <<END
#!/bin/sh
sort -o "\$SLURM_HOSTFILE" "\$SLURM_HOSTFILE"
exec $(command -v srun) "\$@"
END
chmod +x bin/srun
job "PATH=$tmp/bin:\$PATH '$order' --matrix=matrix --format=slurm --verify \
	slurm" >out 2>err
is "an order that is not kept is noticed" $? 1
has "and said" "$(cat err)" "rank 2 is on h2, not on h4"
job "srun -N2 -n2 '$order' --matrix=matrix slurm" >out 2>err
has "in a step of fewer nodes: refused" "$(cat err)" \
	"has 2 nodes, but SLURM_JOB_NODELIST has 4"

# the same word for plink-probe, with agents started as the man page has it
probe=$builddir/plink-probe
job "'$probe' --launch='srun --overlap -N1 -n1 -w %h sh -c' --iface=lo \
	--agent='$builddir/plink-agent' --probes=5 slurm" >probed 2>err
is "plink-probe measures the nodes of the job" $? 0
has "all of them" "$(cat err)" "12 pairs measured, 0 missing, 0 of 4 hosts lost"
is "by their names" "$(awk '/^# layer/ { exit } /^h/ { print $1 }' probed |
	tr '\n' ' ')" "h1 h2 h3 h4 "
job "srun -N2 -n2 '$probe' slurm" >out 2>err
has "in a step of fewer nodes: refused" "$(cat err)" \
	"plink-probe: SLURM_TASKS_PER_NODE has 2 nodes"
"$probe" slurm >out 2>err
is "in no job: bad input" $? 3
has "and said" "$(cat err)" "this is not a Slurm job"
"$probe" --hosts-format=seq slurm >out 2>err
is "a job has no seq list" $? 2

done_testing
