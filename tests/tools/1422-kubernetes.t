#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1422-kubernetes.t - packaging/kubernetes/: what the containers run, with the variables
# that each operator sets in its pods
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
python=${PLINK_PYTHON:-/usr/bin/python3}
"$python" -c 'import yaml' 2>/dev/null || skip_all "$python has no yaml"
cd "$tmp" || exit 99
unset RANK LOCAL_RANK WORLD_SIZE MASTER_ADDR PLINK_PLAN PLINK_MAX_AGE

# the commands, in files KIND.NAME of the container; the plan is mounted where they look
"$python" - "$srcdir"/packaging/kubernetes/*.yaml >found <<'END'
import sys
import yaml

def specs(part):
    """The specs of all pods."""
    if isinstance(part, dict):
        if "containers" in part:
            yield part
        part = list(part.values())
    for each in part if isinstance(part, list) else []:
        yield from specs(each)

for path in sys.argv[1:]:
    with open(path) as text:
        for document in yaml.safe_load_all(text):
            for spec in specs(document):
                (c,) = spec["containers"]
                mounts = {m["name"]: m["mountPath"] for m in c.get("volumeMounts", [])}
                plans = [(mounts[v["name"]], v["configMap"]["optional"])
                         for v in spec.get("volumes", [])]
                print(document["kind"], c["name"], *plans)
                if "command" in c:
                    assert c["command"][:2] == ["sh", "-c"]
                    with open(document["kind"] + "." + c["name"], "w") as out:
                        out.write(c["command"][2])
END
is "containers, and where they have the plan" "$(sort found)" "JobSet train ('/plink', True)
MPIJob launcher
MPIJob worker
PyTorchJob pytorch ('/plink', True)
PyTorchJob pytorch ('/plink', True)
TrainingRuntime node ('/plink', True)"

cat >job.plan <<'END'
# plink-plan 1
host 0 p0 addr=10.0.0.1
host 1 p1 addr=10.0.0.2
host 2 p2 addr=10.0.0.3
host 3 p3 addr=10.0.0.4
order allreduce ring nccl 0- : 2 0 3 1
END
mkdir bin
cat >bin/torchrun <<'END'
#!/bin/sh
echo "$PLINK_HOST $PET_NODE_RANK $PET_MASTER_ADDR $*"
END
cat >bin/plink-order <<END
#!/bin/sh
[ "\$1" = --push ] && shift && exec "$builddir/plink-order" --matrix=net --algorithm=ring "\$@"
END
cat >bin/mpirun <<'END'
#!/bin/sh
echo "$*"
uniq -c "$2"
END
chmod +x bin/*
sed -i "s,/plink/,$tmp/," JobSet.* PyTorchJob.* TrainingRuntime.*
sed -i 's,/etc/mpi/hostfile,given,; s,/tmp/,,' MPIJob.*

# pods FILE VARIABLE...: all four, each with its number as I
pods() {
	file=$1
	shift
	for I in 0 1 2 3; do
		eval "PATH=$tmp/bin:$builddir:\$PATH PLINK_HOST=p$I $* timeout 10 sh ./$file"
	done 2>&1
}

# wanted VARIABLES WORDS: what torchrun finds on each, with these before and after
wanted() {
	for n in "0 1" "1 3" "2 0" "3 2"; do
		echo "p${n% *} $(eval "echo $1")--node_rank=${n#* }" \
			"--master_addr=10.0.0.3 $2train.py"
	done
}

is "JobSet" "$(pods JobSet.train JOB_COMPLETION_INDEX=\$I)" "$(wanted '"  "' \
	"--nnodes=4 --nproc_per_node=8 --master_port=29500 ")"
torch=$(wanted '"${n#* } 10.0.0.3 "')
common="PET_NNODES=4 PET_NPROC_PER_NODE=8 PET_NODE_RANK=\$I PET_MASTER_PORT=23456"
is "PyTorchJob" "$(pods PyTorchJob.pytorch "$common" RANK=\$I WORLD_SIZE=32 \
	MASTER_ADDR=train-master-0 MASTER_PORT=23456 \
	PET_MASTER_ADDR=train-master-0)" "$torch"
is "TrainJob" "$(pods TrainingRuntime.node "$common" \
	PET_MASTER_ADDR=train-node-0-0.train)" "$torch"

cat >net <<'END'
# plink-matrix 1
# quantity rtt
# unit us
w0.train.default.svc 0 900 50 900
w1.train.default.svc 900 0 900 50
w2.train.default.svc 50 900 0 900
w3.train.default.svc 900 50 900 0
END
sed -n 's/^\(w.*svc\) .*/\1 slots=8/p' net >given
PATH=$tmp/bin:$builddir:$PATH sh ./MPIJob.launcher >out 2>err
is "MPIJob: neighbours stand together" \
	"$(sed 's/ *8 w\([0-3]\).*/\1/' out | tr '\n' ' ')" \
	"--hostfile hostfile --map-by seq -np 32 ./app 0 2 3 1 "

done_testing
