#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# ddp-train.py - a small training job as any: DistributedDataParallel over Gloo
#
# ddp-train.py STEPS BYTES...: for each size a network with about that many bytes
# of gradients is trained STEPS steps on data of the rank's own. Rank 0 prints where
# the ranks are, the losses to the bit, a digest of the parameters, which must be
# the same everywhere, and the time of each step; and, before, what an all-reduce
# of one number takes. It is started with the variables of env:// and knows nothing
# of plans.
import hashlib
import math
import socket
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

WARMUP = 3


def everywhere(value):
    values = [None] * dist.get_world_size()
    dist.all_gather_object(values, value)
    return values


def show(*words):
    if dist.get_rank() == 0:
        print(*words, flush=True)


def timed(steps, step):
    times_ms = []
    for i in range(WARMUP + steps):
        start = time.monotonic()
        step()
        if i >= WARMUP:
            times_ms.append((time.monotonic() - start) * 1e3)
    return ["%.3f" % t for t in times_ms]


def reduce_one_number(steps):
    number = torch.ones(1)
    show("time", 4, *timed(steps, lambda: dist.all_reduce(number)))


def train(size, steps):
    width = max(1, math.isqrt(size // 4))
    torch.manual_seed(1)
    model = DistributedDataParallel(torch.nn.Linear(width, width, bias=False))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    data = torch.Generator().manual_seed(1000 + dist.get_rank())
    x = torch.randn(8, width, generator=data)
    y = torch.randn(8, width, generator=data)
    losses = []

    def step():
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())

    times_ms = timed(steps, step)
    weights = b"".join(p.detach().numpy().tobytes() for p in model.parameters())
    digests = everywhere(hashlib.sha256(weights).hexdigest())
    gathered = everywhere(losses)
    means = [sum(each) / len(each) for each in zip(*gathered)]
    show("time", 4 * width * width, *times_ms)
    show("loss", 4 * width * width, *[mean.hex() for mean in means])
    show("params", 4 * width * width, *sorted(set(digests)))


def main():
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    show("order", *everywhere(socket.gethostname()))
    steps = int(sys.argv[1])
    reduce_one_number(steps)
    for size in sys.argv[2:]:
        train(int(size), steps)
    dist.barrier()
    dist.destroy_process_group()  # its threads outlive Python otherwise


main()
