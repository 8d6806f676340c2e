#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# zero_job.py - a training whose weights are spread over the ranks, for bench/srift-job
#
# zero_job.py STEPS SAMPLES: trains a network of equal layers over Gloo, started with the
# variables of env://; rank 0 prints the seconds of each step. Each rank holds a part of
# each layer's weights, as in ZeRO's third stage and FSDP: they are gathered before the
# layer's forward and its backward pass. PyTorch 1.13 has no reduce-scatter over Gloo:
# gradients are all-reduced, and each rank keeps its part. As a module it gives the
# network, whole, to plink_profile.py. ZERO_MODEL is its layers and their width: 4x256.
import os
import sys
import time

import torch
import torch.distributed as dist

WARMUP = 3
LAYERS, WIDTH = map(int, os.environ.get("ZERO_MODEL", "4x256").split("x"))


def make():
    """The network on one machine, and the loss of so many samples."""
    layers = []
    for _ in range(LAYERS):
        layers += [torch.nn.Linear(WIDTH, WIDTH, bias=False), torch.nn.ReLU()]

    def loss(model, samples):
        return model(torch.randn(samples, WIDTH)).square().mean()

    return torch.nn.Sequential(*layers), loss


def gather(part):
    parts = [torch.empty_like(part) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, part)
    return torch.cat(parts)


class Spread(torch.autograd.Function):
    """x * weights, of which each rank has some rows."""

    @staticmethod
    def forward(ctx, x, part):
        ctx.save_for_backward(x, part)
        return x @ gather(part).t()

    @staticmethod
    def backward(ctx, grad):
        x, part = ctx.saved_tensors
        weights = gather(part)
        all_rows = grad.t() @ x
        dist.all_reduce(all_rows)
        return grad @ weights, all_rows.chunk(dist.get_world_size())[dist.get_rank()]


def main():
    steps, samples = int(sys.argv[1]), int(sys.argv[2])
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    torch.manual_seed(1)
    rows = WIDTH // dist.get_world_size()
    parts = [
        (torch.randn(rows, WIDTH) / WIDTH**0.5).requires_grad_() for _ in range(LAYERS)
    ]
    optimizer = torch.optim.SGD(parts, lr=0.01)
    times_s = []
    for step in range(WARMUP + steps):
        begin = time.monotonic()
        optimizer.zero_grad()
        x = torch.randn(samples, WIDTH)
        for part in parts:
            x = torch.relu(Spread.apply(x, part))
        x.square().mean().backward()
        optimizer.step()
        if step >= WARMUP:
            times_s.append("%.6f" % (time.monotonic() - begin))
    if dist.get_rank() == 0:
        print(*times_s, flush=True)
    dist.barrier()
    dist.destroy_process_group()  # its threads outlive Python otherwise


if __name__ == "__main__":
    main()
