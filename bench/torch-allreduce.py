#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# torch-allreduce.py - times the all-reduce of torch among processes of this machine
#
# torch-allreduce.py RANKS SIZES BLOCKS ITERATIONS WARMUP BLOCK_MS [BACKEND [DEVICE]]: as
# bench/allreduce --per=block, in place, and with lines of the same form: bytes, least,
# median, greatest, all, in microseconds, of the slowest rank; then the processor time of
# one all-reduce, of all ranks together, in the median block. BACKEND: gloo, nccl, or
# plink, whose schedules are of the hosts h0, h1, ... All ranks share one GPU.
import os
import statistics
import sys
import tempfile
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as processes


def parse(size):
    return int(size.rstrip("km")) * {"k": 1024, "m": 1 << 20}.get(size[-1], 1)


def of_all(seconds, op=dist.ReduceOp.MAX):
    t = torch.tensor([seconds], dtype=torch.float64)
    dist.all_reduce(t, op=op)
    return t.item()


def time_size(size, blocks, iterations, warmup, block_s):
    x = torch.ones(size // 4)
    times_us, used_us = [], []
    dist.all_reduce(x)
    start = time.monotonic()
    dist.all_reduce(x)
    per_block = int(block_s / max(of_all(time.monotonic() - start), 1e-9))
    iterations = max(2, min(iterations, per_block))
    wait = torch.cuda.synchronize if x.is_cuda else lambda: None
    for _ in range(blocks):
        for _ in range(min(warmup, iterations)):
            dist.all_reduce(x)
        dist.barrier()
        wait()
        start, used = time.monotonic(), time.process_time()
        for _ in range(iterations):
            dist.all_reduce(x)
        wait()
        took, used = time.monotonic() - start, time.process_time() - used
        times_us.append(of_all(took) / iterations * 1e6)
        used_us.append(of_all(used, dist.ReduceOp.SUM) / iterations * 1e6)
    return times_us, statistics.median(used_us)


def run(rank, ranks, file, backend, device, sizes, args):
    torch.set_num_threads(1)
    if device != "cpu":
        torch.set_default_device(device)
    os.environ["NCCL_HOSTID"] = os.environ["PLINK_HOST"] = f"h{rank}"
    if backend == "plink":
        import plink_c10d  # noqa: F401
    dist.init_process_group(backend, f"file://{file}", rank=rank, world_size=ranks)
    for size in sizes:
        us, used_us = time_size(size, *args)
        if rank == 0:
            ends = min(us), statistics.median(us), max(us)
            times = ("%.1f" % t for t in ends)
            print(size, *times, ",".join("%.1f" % t for t in us), "%.1f" % used_us)
    dist.destroy_process_group()


def main():
    ranks, sizes, blocks, iterations, warmup, block_ms = sys.argv[1:7]
    backend = sys.argv[7] if len(sys.argv) > 7 else "gloo"
    device = sys.argv[8] if len(sys.argv) > 8 else "cpu"
    with tempfile.TemporaryDirectory() as folder:
        args = int(blocks), int(iterations), int(warmup), int(block_ms) / 1e3
        file = os.path.join(folder, "store")
        sizes = [parse(size) for size in sizes.split(",")]
        processes.spawn(run, (int(ranks), file, backend, device, sizes, args), nprocs=int(ranks))


if __name__ == "__main__":
    main()
