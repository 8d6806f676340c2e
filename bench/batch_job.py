#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# batch_job.py - a small CNN and its DDP job, for bench/batch
#
# batch_job.py BATCH RATE [LOSS]: trains it by DistributedDataParallel over Gloo, started
# with the variables of env://, with batches of BATCH samples of all workers, which are
# the same whatever their number, and the learning rate times RATE. With LOSS, until the
# loss of samples that are not trained on is as low: rank 0 prints the seconds and the
# epochs that this took, interpolated between the two last looks, without what looking
# took. Otherwise, until it is ended. The norms of gradients go where plink-batch run
# wants them.
import math
import os
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../python"))
import plink.norms

SAMPLES, HELD_BACK, CLASSES, PIXELS = 2048, 256, 10, 20
RATE = 0.01
LOOKS = 2  # an epoch
EPOCHS_MAX = 40


def network():
    torch.manual_seed(1)
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, 12, 3, padding=1),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
        torch.nn.Conv2d(12, 24, 3, padding=1),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
        torch.nn.Flatten(),
        torch.nn.Linear(24 * (PIXELS // 4) ** 2, 128),
        torch.nn.ReLU(),
        torch.nn.Linear(128, CLASSES),
    )


def data():
    """Images of classes: a pattern each, shifted, in noise."""
    torch.manual_seed(2)
    n = SAMPLES + HELD_BACK
    patterns = torch.randn(CLASSES, PIXELS, PIXELS)
    classes = torch.randint(CLASSES, (n,))
    shifts = torch.randint(-1, 2, (n, 2)).tolist()
    images = torch.stack(
        [patterns[c].roll(s, (0, 1)) for c, s in zip(classes.tolist(), shifts)]
    )
    images = (images + 0.5 * torch.randn(n, PIXELS, PIXELS)).unsqueeze(1)
    return images, classes


def look(model, images, classes, rank, workers):
    """The loss of what is held back, a part by each worker."""
    part = slice(SAMPLES + rank, None, workers)
    with torch.no_grad():
        loss = torch.nn.functional.cross_entropy(
            model.module(images[part]), classes[part], reduction="sum"
        )
    dist.all_reduce(loss)
    return loss.item() / HELD_BACK


def main():
    batch, rate = int(sys.argv[1]), RATE * float(sys.argv[2])
    target = float(sys.argv[3]) if len(sys.argv) > 3 else None
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    rank, workers = dist.get_rank(), dist.get_world_size()
    model = DistributedDataParallel(network())
    norms = plink.norms.watch(model, batch // workers)
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    images, classes = data()
    torch.manual_seed(3)
    order, seen, next_look, took_s = [], 0, 0, 0.0
    before = None
    while True:
        if target is not None and seen >= next_look:
            loss = look(model, images, classes, rank, workers)
            now = (math.log(loss), took_s, seen / SAMPLES)
            if loss <= target or seen > EPOCHS_MAX * SAMPLES:
                break
            before = now
            next_look += SAMPLES // LOOKS
        begin = time.monotonic()
        while len(order) < batch:
            order += torch.randperm(SAMPLES).tolist()
        mine, order = order[rank:batch:workers], order[batch:]
        loss = torch.nn.functional.cross_entropy(model(images[mine]), classes[mine])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if norms.path:
            norms.loss(loss.item())
        took_s += time.monotonic() - begin
        seen += batch
    if rank == 0 and loss <= target:
        share = (before[0] - math.log(target)) / (before[0] - now[0])
        print(*("%.6g" % (b + share * (n - b)) for b, n in zip(before[1:], now[1:])))
    dist.barrier()
    # Gloo's threads may wait for Python, and its end for them (PyTorch 1.13)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
