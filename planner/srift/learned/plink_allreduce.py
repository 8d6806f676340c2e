#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# plink_allreduce.py - one rank of a job that times all-reduces of torch.distributed
"""Times all-reduces; mpirun starts it, one process a rank, for plink-srift grid.

Rank 0 prints what the machines are, as JSON behind "machine", and for each
measurement BYTES, how many all-reduces ran together, and the seconds from their
beginning to the end of the last one on the slowest rank.
"""
import argparse
import datetime
import json
import math
import os
import sys
import time

import torch
import torch.distributed as dist

LAUNCHERS = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),
    ("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"),
    ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"),
    ("RANK", "WORLD_SIZE", "LOCAL_RANK"),
)
BLOCK_S = 0.2  # a measurement is the mean over all-reduces of so long
MOST = 1000  # all-reduces of a measurement


def place():
    """Rank, ranks, and rank on this machine, as the launcher tells."""
    for rank, size, local in LAUNCHERS:
        if rank in os.environ and size in os.environ:
            here = os.environ.get(local, "0")
            return int(os.environ[rank]), int(os.environ[size]), int(here)
    sys.exit("plink_allreduce: no launcher tells which rank this is")


def field(path, name):
    """The first value of that name in a file of /proc."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            key, _, value = line.partition(":")
            if key.strip() == name:
                return value.strip()
    return ""


def machine(device):
    kib = int(field("/proc/meminfo", "MemTotal").split()[0])
    return {
        "gpu": torch.cuda.get_device_name(device) if device.type == "cuda" else "",
        "cpu": field("/proc/cpuinfo", "model name") or os.uname().machine,
        "cores": os.cpu_count(),
        "memory_gib": max(1, round(kib / 2**20)),
    }


def check_alike(mine, ranks):
    """All machines of a grid's line are of one type."""
    every = [None] * ranks
    dist.all_gather_object(every, mine)
    for rank, other in enumerate(every):
        if other != every[0]:
            sys.exit(
                "plink_allreduce: rank %d is on another machine than rank 0: %s, not %s"
                % (rank, json.dumps(other), json.dumps(every[0]))
            )


def slowest(seconds, device):
    t = torch.tensor([seconds], dtype=torch.float64, device=device)
    dist.all_reduce(t, op=dist.ReduceOp.MAX)
    return t.item()


def reduce_all(tensors, wait):
    for work in [dist.all_reduce(t, async_op=True) for t in tensors]:
        work.wait()
    wait()


def measure(tensors, times, device):
    """The seconds of each of so many measurements."""
    wait = torch.cuda.synchronize if device.type == "cuda" else lambda: None
    reduce_all(tensors, wait)
    begin = time.monotonic()
    reduce_all(tensors, wait)
    took = slowest(time.monotonic() - begin, device)
    n = max(1, min(MOST, math.ceil(BLOCK_S / max(took, 1e-9))))
    for _ in range(times):
        dist.barrier()
        begin = time.monotonic()
        for _ in range(n):
            reduce_all(tensors, wait)
        yield slowest(time.monotonic() - begin, device) / n


def cell(text):
    size, together, times = (int(n) for n in text.split(":"))
    if size < 4 or size % 4 or together < 1 or times < 1:
        raise ValueError
    return size, together, times


def main():
    parser = argparse.ArgumentParser(prog="plink_allreduce", description=__doc__)
    parser.add_argument("--backend", default="gloo", help="of torch.distributed")
    parser.add_argument("--master", required=True, help="HOST:PORT, of rank 0")
    parser.add_argument("--timeout", type=float, default=300, help="of a call, in s")
    parser.add_argument(
        "cells", nargs="+", type=cell, metavar="BYTES:TOGETHER:TIMES"
    )
    args = parser.parse_args()
    rank, ranks, local = place()
    torch.set_num_threads(1)
    device = torch.device("cpu")
    if args.backend == "nccl":
        device = torch.device("cuda", local % max(1, torch.cuda.device_count()))
        torch.cuda.set_device(device)
    dist.init_process_group(
        args.backend,
        init_method="tcp://" + args.master,
        rank=rank,
        world_size=ranks,
        timeout=datetime.timedelta(seconds=args.timeout),
    )
    mine = machine(device)
    check_alike(mine, ranks)
    if rank == 0:
        print("machine", json.dumps(mine), flush=True)
    for size, together, times in args.cells:
        tensors = [torch.zeros(size // 4, device=device) for _ in range(together)]
        for seconds in measure(tensors, times, device):
            if rank == 0:
                print(size, together, "%.9g" % seconds, flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
