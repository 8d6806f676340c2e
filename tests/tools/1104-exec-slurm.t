#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1104-exec-slurm.t - plink-exec in steps of a real Slurm
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/slurm.sh"

tool=$builddir/plink-exec
unset RANK LOCAL_RANK OMPI_COMM_WORLD_RANK CROSS_RANK TORCHELASTIC_RUN_ID \
	NCCL_COMM_ID MASTER_ADDR PLINK_PLAN PLINK_HOST PLINK_MAX_AGE
cat >plan <<'END'
# plink-plan 1
host 0 h1 slots=2
host 1 h2 slots=2
host 2 h3 slots=2
host 3 h4
order allreduce ring thesis 0- : 3 0 2 1
END
# a task finds its rank and, as job scripts do, the host of rank 0
cat >app <<'END'
#!/bin/sh
echo "$SLURM_PROCID $SLURMD_NODENAME.$SLURM_LOCALID $SLURM_NODEID" \
	$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
END
# all nodes are this machine
cat >start <<END
#!/bin/sh
PLINK_HOST=\$SLURMD_NODENAME exec "$tool" --plan=plan ./app
END
chmod +x app start

want="0 h4.0 0 h4;1 h1.0 1 h4;2 h1.1 1 h4;3 h3.0 2 h4;4 h3.1 2 h4;5 h2.0 3 h4;"
want="${want}6 h2.1 3 h4;"
job "srun -n 7 ./app" >out 2>err
is "tasks as Slurm numbers them" "$(sort -n out | cut -d' ' -f1-2 | tr '\n' ';')" \
	"0 h1.0;1 h1.1;2 h2.0;3 h2.1;4 h3.0;5 h3.1;6 h4.0;"
job "srun -n 7 ./start" >out 2>err
is "by the plan: tasks, nodes, and who is in front" \
	"$(sort -n out | tr '\n' ';')" "$want"
is "without a word" "$(cat err)" ""
job "srun -n 7 -m cyclic ./start" >out 2>err
is "the same where Slurm deals them out in turn" \
	"$(sort -n out | tr '\n' ';')" "$want"
job "srun -n 4 -N 4 ./start" >out 2>err
is "a step of fewer tasks: refused" "$(cat out)" ""
has "and said" "$(cat err)" "is 4, and the plan has 7 processes"

# a plan of more hosts: its order of those that the step has
sed 's/^host 3.*/&\nhost 4 h9/; s/: 3 0 2 1/: 3 4 0 2 1/' plan >more
mv more plan
job "srun -n 7 ./start" >out 2>err
is "a plan of more hosts than the job has" "$(sort -n out | tr '\n' ';')$(cat err)" \
	"$want"
job "srun -n 3 -N 2 -w h1,h4 ./start" >out 2>err
is "and than a step has" "$(sort -n out | tr '\n' ';')$(cat err)" \
	"0 h4.0 0 h4;1 h1.0 1 h4;2 h1.1 1 h4;"

done_testing
