#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1382-batch-norms.t - plink.norms: the log is that of the gradients, and the
# job trains as without it
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$tmp" || exit 99
# the packaged torch belongs to the system's python3, not to the first in PATH
python=/usr/bin/python3
"$python" -c 'import importlib.util as u, sys
sys.exit(not u.find_spec("torch"))' || skip_all "no torch here"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$srcdir/python OMP_NUM_THREADS=1
MASTER_ADDR=127.0.0.1 MASTER_PORT=$(free_ports 1)
export PYTHONDONTWRITEBYTECODE PYTHONPATH OMP_NUM_THREADS MASTER_ADDR MASTER_PORT

cat >job.py <<'END'
import copy, sys
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import plink.norms

STEPS = 4
dist.init_process_group("gloo")
rank, workers = dist.get_rank(), dist.get_world_size()
torch.manual_seed(1)
plain = torch.nn.Sequential(torch.nn.Linear(40, 300), torch.nn.ReLU(),
                            torch.nn.Linear(300, 10))
# several buckets
models = [DistributedDataParallel(copy.deepcopy(plain), bucket_cap_mb=0.01)
          for _ in range(3)]
norms = plink.norms.watch(models[0], batch=8, path="log", every=1)
plink.norms.watch(models[2], batch=8, path="some", every=2)
torch.manual_seed(100 + rank)
expected = []
for step in range(STEPS):
    x, y = torch.randn(8, 40), torch.randint(10, (8,))
    alone = copy.deepcopy(models[1].module)
    torch.nn.functional.cross_entropy(alone(x), y).backward()
    mine = torch.cat([p.grad.flatten() for p in alone.parameters()])
    mean, square = mine / workers, mine.dot(mine) / workers
    dist.all_reduce(mean)
    dist.all_reduce(square)
    expected.append((square.item(), mean.dot(mean).item()))
    for model in models:
        model.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        with torch.no_grad():
            for p in model.parameters():
                p -= 0.1 * p.grad
        if model is models[0]:
            norms.loss(step + 0.5)
same = all(torch.allclose(a, b, rtol=1e-5, atol=1e-7)
           for model in (models[0], models[2])
           for a, b in zip(model.parameters(), models[1].parameters()))
if rank == 0:
    print("trains alike" if same else "trains differently")
    lines = [l.split() for l in open("log")]
    assert lines[:3] == [["#", "plink-norms", "1"], ["workers", "2"], ["batch", "16"]]
    assert len(lines) == 3 + STEPS - 1, lines
    for i, line in enumerate(lines[3:]):
        assert line[:2] == ["step", str(i)] and line[5] == "loss=%g" % (i + 0.5), line
        for got, want in zip(line[2:4], expected[i]):
            assert abs(float(got) / want - 1) < 1e-4, (got, want)
    some = [l.split()[:4] for l in open("some")][3:]
    assert some == [lines[3][:4], lines[5][:4]], some
    print("norms are right")
dist.barrier()
dist.destroy_process_group()
END
RANK=1 WORLD_SIZE=2 "$python" job.py >out.1 2>err.1 &
RANK=0 WORLD_SIZE=2 "$python" job.py >out.0 2>err.0
is "two workers: exit 0" $? 0
wait $!
is "they train as without the hook, and the log is that of their gradients" \
	"$(cat out.0; tail -n 1 err.0)" "trains alike
norms are right"
"$builddir/plink-batch" noise --warmup=0 log >out 2>err
is "plink-batch reads it" "$? $(tail -n 1 out | awk '{ print $1, $2, $3 }')" "0 2 16 3"

done_testing
