#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# fsdp_job.py - a training with FSDP, in shards that have copies, for bench/fsdp
#
# fsdp_job.py STEPS SHARD [FILE]: trains a network of equal layers over Gloo, started
# with the variables of env://; rank 0 prints the seconds of each step. FSDP spreads
# each layer over groups of SHARD ranks, whose copies all-reduce their gradients (HSDP).
# With FILE, each rank takes one step more and writes its trace to FILE.RANK.trace, which
# has the groups, and its calls since the start, which PyTorch's Flight Recorder has, to
# FILE.RANK.calls.
# FSDP_MODEL is the layers and their width: 4x256.
import os
import sys
import time

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

WARMUP = 2
LAYERS, WIDTH = map(int, os.environ.get("FSDP_MODEL", "4x256").split("x"))


def network(mesh):
    layers = [torch.nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(LAYERS)]
    for layer in layers:
        fully_shard(layer, mesh=mesh)
    return fully_shard(torch.nn.Sequential(*layers), mesh=mesh)


def step(model, optimizer):
    optimizer.zero_grad()
    model(torch.randn(8, WIDTH)).square().mean().backward()
    optimizer.step()


def record(file, model, optimizer):
    with torch.profiler.profile() as profile:
        step(model, optimizer)
    profile.export_chrome_trace(file + ".trace")
    with open(file + ".calls", "wb") as out:
        out.write(torch._C._distributed_c10d._dump_fr_trace_json())


def main():
    steps, shard = int(sys.argv[1]), int(sys.argv[2])
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    shape = (dist.get_world_size() // shard, shard)
    mesh = init_device_mesh("cpu", shape, mesh_dim_names=("copy", "shard"))
    torch.manual_seed(1)
    model = network(mesh)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    times_s = []
    for i in range(WARMUP + steps):
        begin = time.monotonic()
        step(model, optimizer)
        if i >= WARMUP:
            times_s.append("%.6f" % (time.monotonic() - begin))
    if len(sys.argv) > 3:
        record("%s.%d" % (sys.argv[3], dist.get_rank()), model, optimizer)
    if dist.get_rank() == 0:
        print(*times_s, flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
