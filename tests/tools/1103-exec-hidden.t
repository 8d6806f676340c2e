#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1103-exec-hidden.t - plink-exec: what would keep its number is changed or refused
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

cd "$tmp" || exit 99
cat >plan <<END
# plink-plan 1
host 0 h0 addr=10.0.0.1
host 1 h1 addr=10.0.0.2
host 2 h2 addr=10.0.0.3
order allreduce ring nccl 0- : 2 0 1
END
mkdir bin
printf '#!/bin/sh\necho "$PET_NODE_RANK $PET_MASTER_ADDR $PET_RDZV_ENDPOINT $*"\n' \
	>bin/torchrun
chmod +x bin/torchrun
ln -s "$builddir/plink-exec" bin

# run WORD...: plink-exec on h1, a second pod that becomes the third, with the variables
# $with; its output to $out, messages to $err
run() {
	env -i PATH="$tmp/bin:$PATH" PLINK_HOST=h1 PLINK_PLAN=plan RANK=1 MASTER_ADDR=h0 \
		$with plink-exec "$@" >out 2>err </dev/null
	rc=$?
	out=$(cat out)
	err=$(cat err)
}

# refuses MESSAGE WORD...
refuses() {
	refuses_why=$1
	shift
	run "$@"
	is "$with $*: refused" "$rc $out" "125 "
	has "$with $*: said" "$err" "$refuses_why"
}

# gives WANT WORD...: done without a word
gives() {
	gives_want=$1
	shift
	run "$@"
	is "$with $*" "$rc $out $err" "0 $gives_want "
}

# a launcher that is not plink-exec's own command
with=
refuses 'bash starts torchrun, and plink-exec changes the arguments of its own command only: let bash start "plink-exec --plan=PLAN torchrun' \
	bash -c 'torchrun --node_rank=1 x.py'
refuses "sh starts torchrun" sh -ec 'cd x && exec torchrun x.py'
refuses "sh starts torchrun" sh -c 'python3 -um torch.distributed.run x.py'
refuses "sh starts torchrun" sh -c 'python3 $(which torchrun) x.py'
refuses "sh starts torchrun" sh -c 'L="torchrun --nnodes=3"; $L x.py'
refuses "sh starts torchrun" sh -c 'exec "$@"' sh bin/torchrun x.py
refuses "bash starts torchrun" env A=b bash -euo pipefail -c "bash -c 'torchrun x.py'"
refuses "nice starts torchrun" nice -n 5 torchrun --nnodes=3 x.py
refuses "ssh starts torchrun" ssh h7 "torchrun --nnodes=3 x.py"
refuses "coverage starts torchrun" coverage run -m torch.distributed.run x.py
refuses "python3 starts torchrun" python3 -c 'from torch.distributed.run import main'
refuses "sh starts lightgbm" sh -c 'lightgbm config=x.conf'
refuses "deepspeed starts the processes" sh -c 'deepspeed x.py'
refuses "plink-mpirun(1)" mpirun -n 2 true
refuses "plink-mpirun(1)" mpirun.openmpi -n 2 true
refuses "plink-mpirun(1)" orterun -n 2 true
refuses '"srun ... plink-exec --plan=PLAN COMMAND"' srun true
for launch in "accelerate launch --machine_rank=1" accelerate-launch \
	"python3 -m accelerate.commands.launch" "python3 -u /bin/accelerate launch"; do
	refuses "--no_python plink-exec --plan=PLAN python3 SCRIPT" $launch x.py
done
cat >job.sh <<'END'
#!/usr/bin/env bash
# not torchrun: that is below
[ -n "$RANK" ] || pip install deepspeed
echo \
	$RANK # torchrun

true && torchrun \
	--nnodes=3 x.py
END
chmod +x job.sh
refuses "job.sh:7: job.sh starts torchrun" bash job.sh
refuses "./job.sh:7: ./job.sh starts torchrun" ./job.sh

# where plink-exec starts it, or nobody does
sed -i 's/torchrun .$/plink-exec &/' job.sh
gives "$(printf '2\n   --node_rank=2 --master_addr=10.0.0.3 --nnodes=3 x.py')" ./job.sh
sed -i '/plink-exec/,$d' job.sh
gives 2 ./job.sh
gives "torchrun 2" sh -c 'echo torchrun $RANK'

# its variables, where it is not seen
with="PET_NODE_RANK=1 PET_MASTER_ADDR=h0 PET_RDZV_ENDPOINT=h0:9 PET_NNODES=3"
seen='echo $RANK $PET_NODE_RANK $PET_MASTER_ADDR $PET_RDZV_ENDPOINT'
gives "2 2 10.0.0.3 10.0.0.3:9" sh -c "$seen"
gives "2 10.0.0.3 10.0.0.3:9 --node_rank=2 --master_addr=10.0.0.3 \
--rdzv_endpoint=10.0.0.3:9 x.py" torchrun x.py
with="$with TORCHELASTIC_RUN_ID=a TORCHELASTIC_USE_AGENT_STORE=True"
gives "2 2 h0 h0:9" sh -c "$seen"
with="NODE_RANK=1 SLURM_PROCID=1"
gives "2 2" --style=slurm sh -c 'echo $NODE_RANK $SLURM_PROCID'
with=PET_NNODES=4
refuses 'PET_NNODES is "4", and the plan has 3 hosts' true
with=PET_RDZV_BACKEND=c10d
refuses "rendezvous by c10d numbers hosts as it likes" true
with="PET_STANDALONE=1 PET_NNODES=3"
refuses "one host alone" torchrun x.py

# options that name this host, or the first one
with=
here="and by the plan it is 2"
refuses "--node-rank is 1, $here" python3 x.py --node-rank 1
refuses "--machine_rank is 1, $here" python3 x.py --machine_rank=1
refuses "RANK is 1, $here" env RANK=1 true
refuses "--node_rank is 7, $here" torchrun --nnodes=3 x.py --node_rank=7
refuses "--master_addr is h0, and by the plan it is 10.0.0.3" ./x --master_addr=h0
refuses "--dist-url is tcp://10.0.0.1:9" python3 x.py --dist-url tcp://10.0.0.1:9
refuses "--rank is 1, $here" python3 x.py --dist-url tcp://10.0.0.3:9 --rank 1
refuses '--node_rank is $1' bash -c './x --node_rank=$1' bash 1
with=OLD=1
refuses '--node_rank is $OLD' bash -c './x --node_rank=$RANK --node_rank=$OLD'
printf '#!/bin/sh\necho $*\n' >show
chmod +x show
gives "--node_rank=2 --machine-rank=2" \
	sh -c 'NEW=$RANK; ./show --node_rank=$NEW --machine-rank=${RANK}'
gives "--rank 16" ./show --rank 16
gives "--node-rank=2 --master_addr=h2 --dist-url env:// --init_method tcp://10.0.0.3:9" \
	./show --node-rank=2 --master_addr=h2 --dist-url env:// \
	--init_method tcp://10.0.0.3:9

done_testing
