#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# torchrun-job.py - a process of an elastic job: DistributedDataParallel over Gloo
#
# torchrun-job.py RECORD STOP BYTES: trains a network with about that many bytes of
# gradients until the file STOP is there. Rank 0 appends a line to RECORD for each step
# but the first two of a round: "step HOST,HOST,... MS", hosts by rank. It knows nothing
# of plans.
import math
import os
import socket
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

WARMUP = 2


def main():
    record, stop, size = sys.argv[1:]
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    hosts = [None] * dist.get_world_size()
    dist.all_gather_object(hosts, socket.gethostname())
    width = math.isqrt(int(size) // 4)
    model = DistributedDataParallel(torch.nn.Linear(width, width, bias=False))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x, y = torch.randn(2, 8, width)
    stopped, step = torch.zeros(1), 0
    while not stopped.item():
        begin = time.monotonic()
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        ms = (time.monotonic() - begin) * 1e3
        step += 1
        if dist.get_rank() == 0 and step > WARMUP:
            with open(record, "a") as f:
                print("step", ",".join(hosts), "%.3f" % ms, file=f)
        stopped.fill_(os.path.exists(stop))
        dist.all_reduce(stopped)
    dist.destroy_process_group()


main()
