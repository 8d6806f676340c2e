#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1108-slurm-filter.t - packaging/slurm/cli_filter.lua: steps of a real Slurm by a plan,
# with srun as it always was
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
sed "s,^local folder = .*,local folder = \"$tmp\"," \
	"$srcdir/packaging/slurm/cli_filter.lua" >"$tmp/cli_filter.lua"
. "$srcdir/tests/slurm.sh"

unset PLINK_PLAN PLINK_HOST PLINK_MAX_AGE
cat >plan <<'END'
# plink-plan 1
host 0 h1
host 1 node2 node=h2.example.org
host 2 h3
host 3 h4
host 4 h9
order allreduce ring thesis 0- : 3 4 0 2 1
order broadcast binomial thesis 0- : 0 1 2 3 4
END
cat >app <<'END'
#!/bin/sh
echo "$SLURM_PROCID $SLURMD_NODENAME.$SLURM_LOCALID"
END
cat >batch <<'END'
#!/bin/sh
srun ./app
END
# all nodes are this machine
cat >renumbered <<END
#!/bin/sh
case \$SLURMD_NODENAME in
h2) PLINK_HOST=node2 ;;
*) PLINK_HOST=\$SLURMD_NODENAME ;;
esac
export PLINK_HOST
exec "$builddir/plink-exec" --plan=ours ./app
END
chmod +x app batch renumbered
sed '/ h9$/d; s/^host [0-2].*/& slots=2/; s/: 3 4/: 3/; /broadcast/d' plan >ours

by_slurm="0 h1.0;1 h1.1;2 h2.0;3 h2.1;4 h3.0;5 h3.1;6 h4.0;"
by_plan="0 h4.0;1 h1.0;2 h1.1;3 h3.0;4 h3.1;5 h2.0;6 h2.1;"

# step WHAT COMMAND WANT SAID: a step of the job has its tasks there, and says that
step() {
	job "$2" >out 2>err
	is "$1" "$(sort -n out | tr '\n' ';')" "$3"
	is "$1: what is said" "$(sed 's/^srun: lua: plink: //' err)" "$4"
}

step "no plan" "srun ./app" "$by_slurm" ""
export PLINK_PLAN=plan
step "a plan" "srun ./app" "$by_plan" "tasks follow plan, from h4 on"
step "a task a node" "srun -n 4 ./app" "0 h4.0;1 h1.0;2 h3.0;3 h2.0;" \
	"tasks follow plan, from h4 on"
step "the plan again, by plink-exec" "srun ./renumbered" "$by_plan" \
	"tasks follow plan, from h4 on"
step "a distribution of its own" "srun -m cyclic ./app" \
	"0 h1.0;1 h2.0;2 h3.0;3 h4.0;4 h1.1;5 h2.1;6 h3.1;" ""
step "a node of its own" "srun -N 1 -n 1 -w h3 ./app" "0 h3.0;" ""
step "fewer nodes" "srun -N 2 -n 2 ./app" "0 h1.0;1 h2.0;" \
	"tasks do not follow plan: the step has other nodes or tasks than the job"
step "no such plan" "PLINK_PLAN=none srun ./app" "$by_slurm" \
	"tasks do not follow none: none: No such file or directory"
step "another file" "PLINK_PLAN=app srun ./app" "$by_slurm" \
	"tasks do not follow app: it is no plan of version 1"
sed 's/: 3 4 0 2 1/: 3 1 0 2/; s/ h3$/ h5/; / h9$/d; /broadcast/d' plan >other
step "a node that the plan lacks" "PLINK_PLAN=other srun ./app" "$by_slurm" \
	"tasks do not follow other: h3 is not in it"

timeout -k 10 600 sbatch -W -N4 -n7 --overcommit -o out batch >/dev/null 2>err
is "a script of sbatch" "$(grep -v '^srun:' out | sort -n | tr '\n' ';')" "$by_plan"
srun -Q -N 4 -n 4 ./app >out 2>err
is "no allocation: Slurm's order" "$(sort -n out | tr '\n' ';')$(cat err)" \
	"0 h1.0;1 h2.0;2 h3.0;3 h4.0;"

unset PLINK_PLAN
{ printf '\357\273\277' && sed '1s/$/ # seed 1/; s/$/\r/' plan; } >all.plan
step "the partition's plan" "srun ./app" "$by_plan" \
	"tasks follow $tmp/all.plan, from h4 on"
step "and nothing about steps that cannot follow it" "srun -N 1 -n 1 ./app" "0 h1.0;" ""
step "but not for a user who wants none" "PLINK_PLAN= srun ./app" "$by_slurm" ""

done_testing
