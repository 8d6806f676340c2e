#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# srift_job.py - a small network and its DDP job, for bench/srift-ddp
#
# srift_job.py STEPS SAMPLES: trains it by DistributedDataParallel over Gloo, started
# with the variables of env://; rank 0 prints the seconds of each step. As a module
# it gives the network to plink_profile.py. SRIFT_MODEL is the width of its middle,
# which its gradients' size goes with, and its channels, which its work goes with:
# 256x8.
import os
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

WARMUP = 3
PIXELS = 16


def network():
    width, channels = map(int, os.environ.get("SRIFT_MODEL", "256x8").split("x"))
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, channels, 3, padding=1),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(4),
        torch.nn.Flatten(),
        torch.nn.Linear(channels * (PIXELS // 4) ** 2, width),
        torch.nn.ReLU(),
        torch.nn.Linear(width, width),
        torch.nn.ReLU(),
        torch.nn.Linear(width, width),
        torch.nn.ReLU(),
        torch.nn.Linear(width, 10),
    )


def loss_of(model, samples):
    images = torch.randn(samples, 3, PIXELS, PIXELS)
    classes = torch.randint(10, (samples,))
    return torch.nn.functional.cross_entropy(model(images), classes)


def make():
    return network(), loss_of


def main():
    steps, samples = int(sys.argv[1]), int(sys.argv[2])
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    torch.manual_seed(1)
    model = DistributedDataParallel(network())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    torch.manual_seed(1000 + dist.get_rank())
    times_s = []
    for step in range(WARMUP + steps):
        begin = time.monotonic()
        optimizer.zero_grad()
        loss_of(model, samples).backward()
        optimizer.step()
        if step >= WARMUP:
            times_s.append("%.6f" % (time.monotonic() - begin))
    if dist.get_rank() == 0:
        print(*times_s, flush=True)
    dist.barrier()
    dist.destroy_process_group()  # its threads outlive Python otherwise


if __name__ == "__main__":
    main()
