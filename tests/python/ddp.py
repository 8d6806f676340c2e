# SPDX-License-Identifier: BSD-3-Clause
# ddp.py MODE BACKEND [DEVICE] - one rank of a job of torch.distributed, for
# 1500-c10d.t and tests/gpu/run
import datetime
import hashlib
import os
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def show(*words):
    if dist.get_rank() == 0:
        print(*words, flush=True)


def train():
    """Several buckets, several of them on their way at the same time."""
    torch.manual_seed(1)
    layers = [torch.nn.Linear(120, 120) for _ in range(8)]
    model = DistributedDataParallel(
        torch.nn.Sequential(*layers, torch.nn.Linear(120, 3)), bucket_cap_mb=0.1
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
    torch.manual_seed(100 + dist.get_rank())
    x, y = torch.randn(16, 120), torch.randn(16, 3)
    for _ in range(10):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        mean = loss.detach().clone()
        dist.all_reduce(mean)
        show("loss", (mean.item() / dist.get_world_size()).hex())
    weights = b"".join(p.detach().cpu().numpy().tobytes() for p in model.parameters())
    digests = [None] * dist.get_world_size()
    dist.all_gather_object(digests, hashlib.sha256(weights).hexdigest())
    show("params", *sorted(set(digests)))


def values(count, dtype):
    """Of each rank; small, so that every order of adding gives the same bits."""
    return [
        (torch.arange(count) % 5 + rank + 1).to(dtype)
        for rank in range(dist.get_world_size())
    ]


def check(what, got, want):
    if not torch.equal(got, want):
        print(f"rank {dist.get_rank()}: {what} is wrong", flush=True)


def all_kinds():
    op = dist.ReduceOp
    kinds = {
        op.SUM: lambda a, b: a + b,
        op.PRODUCT: lambda a, b: a * b,
        op.MIN: torch.minimum,
        op.MAX: torch.maximum,
    }
    bits = {op.BAND: torch.bitwise_and, op.BXOR: torch.bitwise_xor}
    floats = torch.float, torch.double, torch.half, torch.bfloat16
    integers = torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64
    for dtype in floats + integers:
        for kind, two in {**kinds, **(bits if dtype in integers else {})}.items():
            each = values(3001, dtype)
            mine = each[dist.get_rank()].clone()
            want = each[0]
            for other in each[1:]:
                want = two(want, other)
            dist.all_reduce(mine, op=kind)
            check(f"{dtype} {kind}", mine, want)


def calls():
    rank, n = dist.get_rank(), dist.get_world_size()
    all_kinds()
    # many on their way, of both kinds, waited for backwards
    tensors = [torch.full((k * 300 + 1,), float(rank)) for k in range(20)]
    works = [dist.all_reduce(t, async_op=True) for t in tensors]
    for work in reversed(works):
        work.wait()
    for t in tensors:
        check("one of many", t, torch.full_like(t, n * (n - 1) / 2))
    # other layouts, the future, and what is Gloo's
    strided = torch.full((40, 50), float(rank)).t()
    dist.all_reduce(strided)
    check("a transposed one", strided, torch.full((50, 40), n * (n - 1) / 2))
    every_second = torch.full((4000,), float(rank))
    dist.all_reduce(every_second[::2])
    check("each second", every_second[::2], torch.full((2000,), n * (n - 1) / 2))
    check("the others", every_second[1::2], torch.full((2000,), float(rank)))
    result = dist.all_reduce(torch.ones(5000), async_op=True).get_future().wait()
    check("the future", result[0], torch.full((5000,), float(n)))
    empty = torch.empty(0)
    dist.all_reduce(empty)
    t = torch.full((5000,), float(rank))
    dist.broadcast(t, 1)
    check("broadcast", t, torch.ones(5000))
    parts = [torch.empty(2) for _ in range(n)]
    dist.all_gather(parts, torch.full((2,), float(rank)))
    check("all-gather", torch.stack(parts)[:, 0], torch.arange(n).float())
    pair = dist.new_group([0, 2])
    if rank in (0, 2):
        t = torch.full((5000,), float(rank + 1))
        dist.all_reduce(t, group=pair)
        check("a pair", t, torch.full((5000,), 4.0))
    everyone = dist.new_group()
    t = torch.ones(5000)
    dist.all_reduce(t, group=everyone)
    check("another group of all", t, torch.full((5000,), float(n)))
    dist.barrier()
    show("done by", dist.get_backend())


def dies():
    """Rank 2 is killed between two all-reduces."""
    t = torch.ones(100000)
    dist.all_reduce(t)
    if dist.get_rank() == 2:
        os._exit(0)
    start = time.monotonic()
    try:
        for _ in range(3):
            dist.all_reduce(t)
        print("no error", flush=True)
    except RuntimeError as e:
        took_s = time.monotonic() - start
        print("soon" if took_s < 20 else f"{took_s} s", e, flush=True)
    os._exit(0)


def main():
    mode, backend = sys.argv[1:3]
    if sys.argv[3:]:
        torch.set_default_device(sys.argv[3])
    if backend == "plink":
        import plink_c10d  # noqa: F401
    torch.set_num_threads(1)
    dist.init_process_group(backend, timeout=datetime.timedelta(seconds=20))
    {"train": train, "calls": calls, "dies": dies}[mode]()
    dist.destroy_process_group()


main()
