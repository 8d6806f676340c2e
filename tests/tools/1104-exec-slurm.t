#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1104-exec-slurm.t - plink-exec in steps of a real Slurm, by itself and by
# packaging/slurm/task_prolog
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
# all nodes are this machine
sed "s,^folder=.*,folder=$tmp,; s,^PATH=,PATH=$builddir:," \
	"$builddir/packaging/slurm/task_prolog" >"$tmp/prolog"
cat >"$tmp/task_prolog" <<END
#!/bin/sh
PLINK_HOST=\$SLURMD_NODENAME exec sh "$tmp/prolog"
END
chmod +x "$tmp/task_prolog"
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

# the site's prolog, with a plan of the user
by_slurm="0 h1.0 0 h1;1 h1.1 0 h1;2 h2.0 1 h1;3 h2.1 1 h1;4 h3.0 2 h1;5 h3.1 2 h1;"
by_slurm="${by_slurm}6 h4.0 3 h1;"
# prolog WHAT COMMAND WANT
prolog() {
	job "$2" >out 2>err
	is "$1" "$(sort -n out | tr '\n' ';')" "$3"
}
prolog "task_prolog: no plan" "srun -n 7 ./app" "$by_slurm"
prolog "task_prolog: PLINK_PLAN" "PLINK_PLAN=$tmp/plan srun -n 7 ./app" "$want"
is "task_prolog: without a word" "$(cat err)" ""
prolog "task_prolog: and plink-exec" "PLINK_PLAN=$tmp/plan srun -n 7 ./start" "$want"
prolog "task_prolog: a step that does not fit" \
	"PLINK_PLAN=$tmp/plan srun -n 4 -N 4 ./app" \
	"0 h1.0 0 h1;1 h2.0 1 h1;2 h3.0 2 h1;3 h4.0 3 h1;"
job "PLINK_VERBOSE=1 PLINK_PLAN=$tmp/plan srun -n 4 -N 4 ./app" >out 2>err
has "task_prolog: and why, with PLINK_VERBOSE" "$(cat out)" \
	"the step has 1 task on h1, and the plan 2 slots"
sed 's/ h4/ h5/' plan >other
prolog "task_prolog: a node that the plan lacks, also in the other tasks" \
	"PLINK_PLAN=$tmp/other srun -n 7 ./app" "$by_slurm"

# a plan of more hosts: its order of those that the step has
sed 's/^host 3.*/&\nhost 4 h9/; s/: 3 0 2 1/: 3 4 0 2 1/' plan >more
mv more plan
job "srun -n 7 ./start" >out 2>err
is "a plan of more hosts than the job has" "$(sort -n out | tr '\n' ';')$(cat err)" \
	"$want"
job "srun -n 3 -N 2 -w h1,h4 ./start" >out 2>err
is "and than a step has" "$(sort -n out | tr '\n' ';')$(cat err)" \
	"0 h4.0 0 h4;1 h1.0 1 h4;2 h1.1 1 h4;"

# a plan of the site for all jobs of the partition, also those of batch scripts
cat >batch <<'END'
#!/bin/sh
echo "batch $SLURM_PROCID $(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)"
srun sh -c './app; [ $SLURM_PROCID -gt 0 ] || echo "plan $PLINK_PLAN"'
END
chmod +x batch
cp plan all.plan
timeout -k 10 600 sbatch -W -N4 -n7 --overcommit -o out batch >/dev/null 2>err
is "task_prolog: the partition's plan, in steps alone" "$(grep '^[bp]' out | sort | tr '\n' ';')$(
	grep '^[0-9]' out | sort -n | tr '\n' ';')" "batch 0 h1;plan $tmp/all.plan;$want"
prolog "task_prolog: not for a user who wants none" "PLINK_PLAN= srun -n 7 ./app" \
	"$by_slurm"

done_testing
