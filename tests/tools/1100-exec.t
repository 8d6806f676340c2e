#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1100-exec.t - plink-exec: numbers and addresses by the plan, and what is refused
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

cd "$tmp" || exit 99
tool=$builddir/plink-exec
unset RANK LOCAL_RANK WORLD_SIZE LOCAL_WORLD_SIZE NODE_RANK GROUP_RANK NNODES \
	MASTER_ADDR NCCL_COMM_ID PLINK_HOST PLINK_PLAN PLINK_MAX_AGE \
	OMPI_COMM_WORLD_RANK SLURM_PROCID CROSS_RANK CROSS_SIZE LOCAL_SIZE \
	ROLE_RANK ROLE_WORLD_SIZE TORCHELASTIC_RUN_ID \
	TORCHELASTIC_USE_AGENT_STORE DMLC_TASK_ID DMLC_NUM_WORKER
cat >plan <<END
# plink-plan 1
host 0 h0 slots=2 addr=10.0.0.1
host 1 h1 slots=2 addr=10.0.0.2 node=node1
host 2 h2 slots=2 addr=fd00::3
order allreduce ring openmpi 0- : 2 0 1
END
sed 's/slots=2/slots=1/; s/: 2 0 1/: 1 2 0/' plan >single
export PLINK_HOST=h1

# run [NAME=VALUE]... WORD...: plink-exec; its output to $out, messages to $err
run() {
	env "$@" >out 2>err </dev/null
	rc=$?
	out=$(cat out)
	err=$(cat err)
}

# gives WHAT WANT [NAME=VALUE]... WORD...: done without a word
gives() {
	gives_what=$1
	gives_want=$2
	shift 2
	run "$@"
	is "$gives_what" "$rc $out $err" "0 $gives_want "
}

# refuses WHAT MESSAGE [NAME=VALUE]... WORD...
refuses() {
	refuses_what=$1
	refuses_why=$2
	shift 2
	run "$@"
	is "$refuses_what: refused" "$rc $out" "125 "
	has "$refuses_what: said" "$err" "$refuses_why"
}

ranks='echo $RANK $LOCAL_RANK $WORLD_SIZE $NODE_RANK $MASTER_ADDR $MASTER_PORT'
gives "env: ranks by the plan" "4 0 6 2 fd00::3 29500" \
	RANK=2 LOCAL_RANK=0 WORLD_SIZE=6 NODE_RANK=1 MASTER_ADDR=10.0.0.1 \
	MASTER_PORT=29500 "$tool" -p plan -- sh -c "$ranks"
all=$(for host in 0 1 2; do
	for local in 0 1; do
		RANK=$((2 * host + local)) LOCAL_RANK=$local PLINK_HOST=h$host \
			"$tool" --plan=plan sh -c 'echo $RANK'
	done
done)
is "env: hosts as blocks, each rank once" "$(echo "$all" | xargs)" "2 3 4 5 0 1"
gives "one process on a host needs no LOCAL_RANK" "0" \
	RANK=1 "$tool" -p single sh -c 'echo $RANK'
gives "twice is once" "5" RANK=3 LOCAL_RANK=1 \
	"$tool" -p plan "$tool" -p plan sh -c 'echo $RANK'
gives "asked for, a rank need not be there" "4" LOCAL_RANK=0 \
	"$tool" -p plan --style=env sh -c 'echo $RANK'
gives "PLINK_PLAN will do" 4 RANK=2 LOCAL_RANK=0 PLINK_PLAN=plan \
	"$tool" sh -c 'echo $RANK'

# the tracker of XGBoost sorts task IDs as text
{
	echo "# plink-plan 1"
	for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
		echo "host $i g$i"
	done
	echo "order allreduce ring xgboost 0- : 0 1 2 3 4 5 6 7 8 9 10 11"
} >twelve
all=$(for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
	DMLC_TASK_ID=$((11 - i)) DMLC_NUM_WORKER=12 PLINK_HOST=g$i \
		"$tool" -p twelve sh -c 'echo $DMLC_TASK_ID'
done)
is "xgboost: IDs that are sorted to the plan's order" "$(echo "$all" | xargs)" \
	"0 1 10 11 2 3 4 5 6 7 8 9"
gives "xgboost: several on a host" 4 DMLC_TASK_ID=2 LOCAL_RANK=0 \
	"$tool" -p plan sh -c 'echo $DMLC_TASK_ID'
refuses "xgboost: which of several" "LOCAL_RANK is not set" DMLC_TASK_ID=2 \
	"$tool" -p plan true
refuses "xgboost: another job" "DMLC_NUM_WORKER is 4, and the plan has 6" \
	DMLC_TASK_ID=2 DMLC_NUM_WORKER=4 LOCAL_RANK=0 "$tool" -p plan true

# a script that starts the processes of its host itself, as Lightning's do
gives "a host's number alone" "2 fd00::3 none" NODE_RANK=1 NNODES=3 \
	MASTER_ADDR=10.0.0.1 "$tool" -p plan \
	sh -c 'echo $NODE_RANK $MASTER_ADDR ${RANK-none}'
refuses "of another number of hosts" "NNODES is 4, and the plan has 3 hosts" \
	NODE_RANK=1 NNODES=4 "$tool" -p plan true
refuses "or of none of them" "NODE_RANK is 3, and the plan has 3 hosts" \
	NODE_RANK=3 "$tool" -p plan true
refuses "or no number" 'NODE_RANK is "h1", not a number' \
	NODE_RANK=h1 "$tool" -p plan true

gives "NCCL_COMM_ID keeps its port" "[fd00::3]:29555" RANK=2 LOCAL_RANK=0 \
	NCCL_COMM_ID=10.0.0.1:29555 "$tool" -p plan sh -c 'echo $NCCL_COMM_ID'
gives "also of an IPv6 address" "10.0.0.2:29555" RANK=2 \
	NCCL_COMM_ID='[fd00::3]:29555' "$tool" -p single \
	sh -c 'echo $NCCL_COMM_ID'
gives "SLURM" "4 2 h2,h0,node1" SLURM_PROCID=2 SLURM_LOCALID=0 SLURM_NODEID=1 \
	SLURM_NTASKS=6 SLURM_JOB_NODELIST='h[0-2]' \
	"$tool" -p plan sh -c 'echo $SLURM_PROCID $SLURM_NODEID $SLURM_JOB_NODELIST'
gives "Open MPI's" "5 3" OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_LOCAL_RANK=1 \
	OMPI_COMM_WORLD_SIZE=6 PMIX_RANK=3 \
	"$tool" -p plan sh -c 'echo $OMPI_COMM_WORLD_RANK $PMIX_RANK'
gives "all that there are" "5 5" OMPI_COMM_WORLD_RANK=3 RANK=3 LOCAL_RANK=1 \
	OMPI_COMM_WORLD_LOCAL_RANK=1 \
	"$tool" -p plan sh -c 'echo $OMPI_COMM_WORLD_RANK $RANK'
gives "or one style alone" "5 3" OMPI_COMM_WORLD_RANK=3 RANK=3 LOCAL_RANK=1 \
	OMPI_COMM_WORLD_LOCAL_RANK=1 "$tool" -p plan -s openmpi \
	sh -c 'echo $OMPI_COMM_WORLD_RANK $RANK'

gives "DeepSpeed's" "4 0 2 fd00::3" RANK=2 LOCAL_RANK=0 WORLD_SIZE=6 \
	LOCAL_SIZE=2 CROSS_RANK=1 CROSS_SIZE=3 MASTER_ADDR=10.0.0.1 \
	"$tool" -p plan \
	sh -c 'echo $RANK $LOCAL_RANK $CROSS_RANK $MASTER_ADDR'
gives "DeepSpeed's inside SLURM's" "5 2 1" RANK=3 LOCAL_RANK=1 CROSS_RANK=1 \
	SLURM_PROCID=1 SLURM_LOCALID=0 SLURM_NTASKS=3 \
	"$tool" -p plan sh -c 'echo $RANK $CROSS_RANK $SLURM_PROCID'
gives "one that torchrun has started, which serves the store" "5 5 2 h0" \
	RANK=3 ROLE_RANK=3 ROLE_WORLD_SIZE=6 LOCAL_RANK=1 GROUP_RANK=1 \
	MASTER_ADDR=h0 TORCHELASTIC_RUN_ID=none SLURM_PROCID=1 \
	TORCHELASTIC_USE_AGENT_STORE=True "$tool" -p plan \
	sh -c 'echo $RANK $ROLE_RANK $GROUP_RANK $MASTER_ADDR'
gives "or does not" "5 fd00::3" RANK=3 LOCAL_RANK=1 MASTER_ADDR=h0 \
	TORCHELASTIC_RUN_ID=none TORCHELASTIC_USE_AGENT_STORE=False \
	"$tool" -p plan sh -c 'echo $RANK $MASTER_ADDR'
gives "NCCL's" "5 [fd00::3]:29555" RANK=3 LOCAL_RANK=1 \
	NCCL_COMM_ID=10.0.0.1:29555 "$tool" -p plan -s nccl \
	sh -c 'echo $RANK $NCCL_COMM_ID'
sed 's/ addr=.*//; s/host 2 h2/host 2 localhost/' plan >names
gives "NCCL_COMM_ID by a name that has an address" "localhost:29555" RANK=3 \
	LOCAL_RANK=1 NCCL_COMM_ID=10.0.0.1:29555 "$tool" -p names \
	sh -c 'echo $NCCL_COMM_ID'
sed 's/localhost/no-such-host.invalid/' names >nowhere
refuses "or has none" "no-such-host.invalid, which does not resolve here" RANK=3 \
	LOCAL_RANK=1 NCCL_COMM_ID=10.0.0.1:29555 "$tool" -p nowhere true
refuses "NCCL_COMM_ID without a port" '"10.0.0.1", which has no port' RANK=3 \
	LOCAL_RANK=1 NCCL_COMM_ID=10.0.0.1 "$tool" -p plan true
refuses "NCCL's style without it" "NCCL_COMM_ID is not set" RANK=3 LOCAL_RANK=1 \
	"$tool" -p plan -s nccl true

# a ring begins anywhere: plink-order leaves its first host in front
cat >ring.matrix <<'END'
# plink-matrix 1
# quantity rtt
# unit us
h0 nan 9 1 9
h1 9 nan 9 1
h2 1 9 nan 2
h3 9 1 2 nan
END
"$builddir/plink-order" --impl=thesis --matrix=ring.matrix --format=plan \
	>ring.plan 2>err
is "a ring is put in order" "$(sed -n 's/^order.*: //p' ring.plan)" "0 2 3 1"
run RANK=1 MASTER_ADDR=h0 PLINK_HOST=h3 "$tool" -p ring.plan \
	sh -c 'echo $RANK $MASTER_ADDR'
is "what leads to its first host stays" "$rc $out" "0 2 h0"

# torchrun, which shows what it is given
mkdir bin
cat >bin/torchrun <<'END'
#!/bin/sh
echo "$*"
END
cp bin/torchrun bin/python3
chmod +x bin/*
PATH=$tmp/bin:$PATH
gives "torchrun: its host's number and the first host" \
	"--node_rank=2 --master_addr=fd00::3 --nnodes=3 --nproc_per_node 2 \
--master-port=29501 train.py --nnodes=7" \
	"$tool" -p plan torchrun --nnodes=3 --node-rank=1 --nproc_per_node 2 \
	--master_addr 10.0.0.1 --master-port=29501 train.py --nnodes=7
gives "torchrun: as a module, behind Python's own options" \
	"-W ignore -X dev -m torch.distributed.run --node_rank=2 \
--master_addr=fd00::3 --nnodes 3 x" RANK=1 "$tool" -p plan \
	python3 -W ignore -X dev -m torch.distributed.run --nnodes 3 x
gives "torchrun: beginnings of its options, and whatever has one letter" \
	"--node_rank=2 --master_addr=fd00::3 --nn=3:3 -r3 -t 3 -m --lo x --max=1 train" \
	"$tool" -p plan torchrun --nn=3:3 -r3 --node_r 1 -t 3 --master_a=h0 -m --lo x \
	--max=1 train
gives "torchrun: as a module, among Python's options" \
	"-Bum torch.distributed.run --node_rank=2 --master_addr=fd00::3 --nnodes 3 x" \
	"$tool" -p plan python3 -Bum torch.distributed.run --nnodes 3 x
gives "torchrun: as Python's script" \
	"-u bin/torchrun --node_rank=2 --master_addr=fd00::3 --nnodes 3 x" \
	"$tool" -p plan python3 -u bin/torchrun --nnodes 3 x
gives "torchrun: as a module, in one word" \
	"-mtorch.distributed.run --node_rank=2 --master_addr=fd00::3 --nnodes 3 x" \
	"$tool" -p plan python3 -mtorch.distributed.run --nnodes 3 x
gives "torchrun: as a module, with what has no value" \
	"-u -m torch.distributed.run --node_rank=2 --master_addr=fd00::3 --nnodes 3 \
-m train" "$tool" -p plan python3 -u -m torch.distributed.run --nnodes 3 -m train
gives "torchrun: an endpoint" \
	"--node_rank=2 --master_addr=fd00::3 --rdzv_endpoint=[fd00::3]:4 --nnodes=3 \
--rdzv_backend=static a.py" "$tool" -p plan torchrun --nnodes=3 \
	--rdzv_backend=static --rdzv-endpoint=h0:4 a.py
printf '#!/bin/sh\necho $PET_NODE_RANK $SLURM_PROCID $*\n' >bin/torchrun
gives "torchrun: its own variables, and no others" \
	"2 1 --node_rank=2 --master_addr=fd00::3 a.py" \
	SLURM_PROCID=1 SLURM_NTASKS=3 PET_NODE_RANK=1 PET_NNODES=3 \
	"$tool" -p plan torchrun a.py
refuses "torchrun: c10d" "numbers hosts as it likes" \
	"$tool" -p plan torchrun --nnodes=3 --rdzv-backend=c10d a.py
refuses "torchrun: c10d, in short" "numbers hosts as it likes" \
	"$tool" -p plan torchrun --nnodes=3 --rdzv-b c10d a.py
refuses "torchrun: a beginning of two" "could be --nnodes or --node_rank" \
	"$tool" -p plan torchrun --nnodes=3 --n=1 a.py
refuses "torchrun: an option without its value" "--node_rank has no value" \
	"$tool" -p plan torchrun --node_rank --nnodes=3 a.py
refuses "torchrun: one of tomorrow" "does not know torchrun's --tomorrow" \
	"$tool" -p plan torchrun --nnodes=3 --tomorrow a.py
refuses "torchrun: elastic" '--nnodes is "1:3"' \
	"$tool" -p plan torchrun --nnodes=1:3 a.py
refuses "torchrun: one host" '--nnodes is "1"' "$tool" -p plan torchrun a.py
refuses "torchrun: standalone" "one host alone" \
	"$tool" -p plan torchrun --standalone --nnodes=3 a.py
refuses "torchrun, which it is not" "echo is not torchrun" \
	"$tool" -p plan -s torchrun echo

run RANK=2 LOCAL_RANK=0 MASTER_ADDR=h0 "$tool" -p plan --dry-run false
is "--dry-run shows old and new, and runs nothing" "$rc $out$err" \
	"0 RANK 2 -> 4
MASTER_ADDR h0 -> fd00::3"
run RANK=2 LOCAL_RANK=0 "$tool" -p plan -v true
is "-v says it" "$rc $out$(echo "$err" | sed 1d)" "0 RANK 2 -> 4"

printf 'h0 slots=2\nh1\n' >hosts
gives "a plan of more hosts than the list has: its order of these" "2 0 4 1 10.0.0.1" \
	RANK=3 LOCAL_RANK=0 WORLD_SIZE=4 NODE_RANK=0 MASTER_ADDR=10.0.0.9 \
	"$tool" -p plan --hosts=hosts sh -c \
	'echo $RANK $LOCAL_RANK $WORLD_SIZE $NODE_RANK $MASTER_ADDR'
echo 10.0.0.2 >hosts
gives "a list of addresses" "1" RANK=1 LOCAL_RANK=1 "$tool" -p plan --hosts=hosts \
	sh -c 'echo $RANK'
printf 'h1\nh7\n' >hosts
refuses "a list with another host" "hosts has the host h7, and the plan has none" \
	RANK=0 LOCAL_RANK=0 "$tool" -p plan --hosts=hosts true
refuses "nothing there" "nothing to number" "$tool" -p plan true
refuses "no LOCAL_RANK" "LOCAL_RANK is not set, and h1 runs 2 processes" \
	RANK=2 "$tool" -p plan true
refuses "too many here" "LOCAL_RANK is 2, and the plan has 2 processes on h1" \
	RANK=2 LOCAL_RANK=2 "$tool" -p plan true
refuses "another job's plan" "WORLD_SIZE is 8, and the plan has 6 processes" \
	RANK=2 LOCAL_RANK=0 WORLD_SIZE=8 "$tool" -p plan true
refuses "a rank beyond the plan's" "RANK is 6, and the plan has 6 processes" \
	RANK=6 LOCAL_RANK=0 "$tool" -p plan true
refuses "launchers that do not agree" \
	"LOCAL_RANK is 0 and SLURM_LOCALID is 1: two processes would get" \
	RANK=3 LOCAL_RANK=0 SLURM_PROCID=3 SLURM_LOCALID=1 "$tool" -p plan true
sed "s/node=node1/node=$(uname -n)/" plan >own
sed "s/10.0.0.2/192.168.77.7/" own >private
sed "s/10.0.0.2/203.0.113.7/" own >public
run RANK=2 LOCAL_RANK=0 PLINK_HOST= "$tool" -p private sh -c "$ranks"
is "a plan of another machine of that name: told" "$rc $err" "0 plink-exec: in the \
plan, h1 had the address 192.168.77.7, which this machine has not: if machines were \
replaced, make a new plan"
gives "not for an address that a router may have" "4 0" RANK=2 LOCAL_RANK=0 PLINK_HOST= \
	"$tool" -p public sh -c 'echo $RANK $LOCAL_RANK'
refuses "another host's name" "PLINK_HOST is \"h0\", and this is $(uname -n)" \
	RANK=1 LOCAL_RANK=1 PLINK_HOST=h0 "$tool" -p own true
for launcher in deepspeed "python3 -m deepspeed.launcher.launch"; do
	refuses "$launcher" "deepspeed --no_python --no_local_rank plink-exec" \
		"$tool" -p plan $launcher train.py
done
refuses "no number" 'LOCAL_RANK is "x"' RANK=2 LOCAL_RANK=x "$tool" -p plan true
refuses "a host that is not there" "no host of that name" RANK=2 PLINK_HOST=h9 \
	"$tool" -p plan true
refuses "a plan too old" "PLINK_MAX_AGE is 5" RANK=2 PLINK_MAX_AGE=5 \
	"$tool" -p plan true
echo 'order x' >>plan
refuses "a plan that is none" "plan:6:" RANK=2 "$tool" -p plan true
refuses "no plan" "No such file" RANK=2 "$tool" -p missing true
refuses "no plan named" "--plan is missing" "$tool" true
refuses "no command" "a command is missing" "$tool" -p single
refuses "no such style" "--style=ring: not one of auto, env, slurm" "$tool" -p single -s ring true
run RANK=1 "$tool" -p single ./missing
is "a command that is not there" "$rc" 127
run RANK=1 "$tool" -p single ./single
is "a command that is none" "$rc" 126
run RANK=1 "$tool" -p single sh -c 'exit 7'
is "else its own status" "$rc" 7

done_testing
