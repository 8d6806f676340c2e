#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1384-batch-mpi.t - the noise of a job is the same from its MPI all-reduces and from
# plink.norms
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"
cd "$tmp" || exit 99
# the packaged torch belongs to the system's python3, not to the first in PATH
python=/usr/bin/python3
"$python" -c 'import importlib.util as u, sys
sys.exit(not (u.find_spec("torch") and u.find_spec("mpi4py")))' ||
	skip_all "no torch or no mpi4py here"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$srcdir/python OMP_NUM_THREADS=1
MASTER_ADDR=127.0.0.1 MASTER_PORT=$(free_ports 1)
export PYTHONDONTWRITEBYTECODE PYTHONPATH OMP_NUM_THREADS MASTER_ADDR MASTER_PORT

cat >job.py <<'END'
import sys
import torch

STEPS, BATCH, FEATURES, CLASSES = 200, 8, 40, 10


def train(rank, wrap, reduce):
    """@wrap makes of the model what is called, @reduce does what it leaves to be done."""
    torch.manual_seed(1)
    plain = torch.nn.Sequential(torch.nn.Linear(FEATURES, 400), torch.nn.ReLU(),
                                torch.nn.Linear(400, CLASSES))
    means = 0.4 * torch.randn(CLASSES, FEATURES)
    model = wrap(plain)
    torch.manual_seed(100 + rank)
    for _ in range(STEPS):
        y = torch.randint(CLASSES, (BATCH,))
        x = means[y] + torch.randn(BATCH, FEATURES)
        plain.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        reduce(plain.parameters())
        with torch.no_grad():
            for p in plain.parameters():
                p -= 0.02 * p.grad


def by_ddp():
    import torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel
    import plink.norms

    def wrap(plain):
        model = DistributedDataParallel(plain)
        plink.norms.watch(model, BATCH, path="ddp", every=1)
        return model

    dist.init_process_group("gloo")
    train(dist.get_rank(), wrap, lambda _: None)
    dist.barrier()
    dist.destroy_process_group()


def by_mpi():
    from mpi4py import MPI

    comm = MPI.COMM_WORLD

    def reduce(parameters):
        parameters = list(parameters)
        flat = torch.cat([p.grad.flatten() for p in parameters])
        comm.Allreduce(MPI.IN_PLACE, flat.numpy(), MPI.SUM)
        flat /= comm.size
        for p, grad in zip(parameters, flat.split([p.numel() for p in parameters])):
            p.grad.copy_(grad.view_as(p))

    train(comm.rank, lambda plain: plain, reduce)


{"ddp": by_ddp, "mpi": by_mpi}[sys.argv[1]]()
END
for rank in 3 2 1; do
	RANK=$rank WORLD_SIZE=4 "$python" job.py ddp >out.$rank 2>&1 &
done
RANK=0 WORLD_SIZE=4 "$python" job.py ddp >out.0 2>&1
is "a DDP job with the hook: exit 0" $? 0
wait
PLINK_MPI_MODE=off PLINK_BATCH_SAMPLES=32
export PLINK_MPI_MODE PLINK_BATCH_SAMPLES
for every in 1 10; do
	mpi 4 -x LD_PRELOAD="$preload" -x PLINK_STATS="$tmp/$every,noise=$every" \
		"$python" job.py mpi >out 2>err
	is "the same training by mpi4py, unmodified: exit 0" $? 0
done

# agree LOG SHARE WHAT...: these differ from the hook's by at most that share
agree() {
	"$builddir/plink-batch" noise --json --weight=0.02 --warmup=0 ddp "$1" >out
	shift
	"$python" -c '
import json, sys
a, b = json.load(open("out"))["logs"]
share, *what = sys.argv[1:]
print("#", *(k + " %.5g" % l[k] for l in (a, b) for k in what))
sys.exit(any(abs(b[k] / a[k] - 1) > float(share) for k in what))' "$@"
}
ok "gamma and noise scale are those of the hook" agree 1.norms 0.001 \
	gamma scale
ok "of one iteration in ten: gamma within 5 %" agree 10.norms 0.05 gamma

done_testing
