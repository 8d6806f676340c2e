#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# plink_allreduce.py - one rank of a job that times all-reduces of PyTorch or of MPI
"""Times all-reduces; mpirun starts it, one process a rank, for plink-srift grid.

Rank 0 prints what the machines are, as JSON behind "machine", and for each
measurement BYTES, how many all-reduces ran together, and the seconds from their
beginning to the end of the last one on the slowest rank.
"""
import argparse
import array
import datetime
import json
import math
import os
import sys
import time

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


class Torch:
    """All-reduces of torch.distributed."""

    def __init__(self, args):
        # here, as only what is used must be there
        import torch
        import torch.distributed as dist

        self.rank, self.ranks, local = place()
        self.torch, self.dist = torch, dist
        self.device = torch.device("cpu")
        torch.set_num_threads(1)
        if args.backend == "nccl":
            gpu = local % max(1, torch.cuda.device_count())
            self.device = torch.device("cuda", gpu)
            torch.cuda.set_device(self.device)
        dist.init_process_group(
            args.backend,
            init_method="tcp://" + args.master,
            rank=self.rank,
            world_size=self.ranks,
            timeout=datetime.timedelta(seconds=args.timeout),
        )
        self.barrier = dist.barrier
        self.end = dist.destroy_process_group

    def gpu(self):
        if self.device.type != "cuda":
            return ""
        return self.torch.cuda.get_device_name(self.device)

    def gather(self, mine):
        every = [None] * self.ranks
        self.dist.all_gather_object(every, mine)
        return every

    def buffer(self, size):
        return self.torch.zeros(size // 4, device=self.device)

    def reduce_all(self, buffers):
        for work in [self.dist.all_reduce(b, async_op=True) for b in buffers]:
            work.wait()
        if self.device.type == "cuda":
            self.torch.cuda.synchronize()


class Mpi:
    """All-reduces of MPI, by mpi4py."""

    def __init__(self, _args):
        from mpi4py import MPI

        self.mpi, self.comm = MPI, MPI.COMM_WORLD
        self.rank, self.ranks = self.comm.Get_rank(), self.comm.Get_size()
        self.gather, self.barrier = self.comm.allgather, self.comm.Barrier
        self.end = MPI.Finalize

    def gpu(self):
        return ""

    def buffer(self, size):
        return array.array("f", bytes(size))

    def reduce_all(self, buffers):
        if len(buffers) == 1:  # as programs call it
            self.comm.Allreduce(self.mpi.IN_PLACE, buffers[0])
            return
        self.mpi.Request.Waitall(
            [self.comm.Iallreduce(self.mpi.IN_PLACE, b) for b in buffers]
        )


def machine(gpu):
    kib = int(field("/proc/meminfo", "MemTotal").split()[0])
    return {
        "gpu": gpu,
        "cpu": field("/proc/cpuinfo", "model name") or os.uname().machine,
        "cores": os.cpu_count(),
        "memory_gib": max(1, round(kib / 2**20)),
    }


def check_alike(every):
    """All machines of a grid's line are of one type."""
    for rank, other in enumerate(every):
        if other != every[0]:
            sys.exit(
                "plink_allreduce: rank %d is on another machine than rank 0: %s, not %s"
                % (rank, json.dumps(other), json.dumps(every[0]))
            )


def measure(job, buffers, times):
    """The seconds of each of so many measurements, on the slowest rank."""
    job.reduce_all(buffers)
    begin = time.monotonic()
    job.reduce_all(buffers)
    took = max(job.gather(time.monotonic() - begin))
    n = max(1, min(MOST, math.ceil(BLOCK_S / max(took, 1e-9))))
    for _ in range(times):
        job.barrier()
        begin = time.monotonic()
        for _ in range(n):
            job.reduce_all(buffers)
        yield max(job.gather(time.monotonic() - begin)) / n


def cell(text):
    size, together, times = (int(n) for n in text.split(":"))
    if size < 4 or size % 4 or together < 1 or times < 1:
        raise ValueError
    return size, together, times


def main():
    parser = argparse.ArgumentParser(prog="plink_allreduce", description=__doc__)
    parser.add_argument(
        "--backend", default="gloo", help="of torch.distributed, or mpi, by mpi4py"
    )
    parser.add_argument("--master", required=True, help="HOST:PORT, of rank 0")
    parser.add_argument("--timeout", type=float, default=300, help="of a call, in s")
    parser.add_argument(
        "cells", nargs="+", type=cell, metavar="BYTES:TOGETHER:TIMES"
    )
    args = parser.parse_args()
    job = (Mpi if args.backend == "mpi" else Torch)(args)
    mine = machine(job.gpu())
    check_alike(job.gather(mine))
    if job.rank == 0:
        print("machine", json.dumps(mine), flush=True)
    for size, together, times in args.cells:
        buffers = [job.buffer(size) for _ in range(together)]
        for seconds in measure(job, buffers, times):
            if job.rank == 0:
                print(size, together, "%.9g" % seconds, flush=True)
    job.end()


if __name__ == "__main__":
    main()
