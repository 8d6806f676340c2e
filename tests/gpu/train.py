# SPDX-License-Identifier: BSD-3-Clause
# train.py - a small job of torch on one GPU that all its ranks share
#
#     RANK=0 WORLD_SIZE=4 MASTER_ADDR=... MASTER_PORT=... python3 train.py ddp|shards
#
# ddp: DistributedDataParallel. shards: parameters in shards, gathered before use
# and gradients reduce-scattered, as FSDP does it. Prints "loss STEP VALUE".
import os
import sys

import torch
import torch.distributed as dist

STEPS = 8


def model_of(seed):
    torch.manual_seed(seed)
    return torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.Tanh(),
                               torch.nn.Linear(128, 16)).cuda()


def batch(rank, step):
    random = torch.Generator().manual_seed(1000 * step + rank)
    x = torch.randn(32, 64, generator=random)
    return x.cuda(), x[:, :16].sin().cuda()


def mean(loss, n):
    total = loss.detach().clone()
    dist.all_reduce(total)
    return total.item() / n


def ddp(rank, n):
    model = torch.nn.parallel.DistributedDataParallel(model_of(rank))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(STEPS):
        x, y = batch(rank, step)
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        yield mean(loss, n)


def shards(rank, n):
    model = model_of(7)
    whole = torch.nn.utils.parameters_to_vector(model.parameters()).detach()
    size = -(-whole.numel() // n)
    padded = torch.zeros(size * n, device="cuda")
    padded[:whole.numel()] = whole
    mine = padded[rank * size:(rank + 1) * size].clone()
    for step in range(STEPS):
        dist.all_gather_into_tensor(padded, mine)
        torch.nn.utils.vector_to_parameters(padded[:whole.numel()],
                                            model.parameters())
        model.zero_grad()
        x, y = batch(rank, step)
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        gradient = torch.zeros_like(padded)
        gradient[:whole.numel()] = torch.cat(
            [p.grad.reshape(-1) for p in model.parameters()])
        part = torch.empty_like(mine)
        dist.reduce_scatter_tensor(part, gradient)
        mine -= 0.1 / n * part
        yield mean(loss, n)


def main():
    rank, n = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    torch.cuda.set_device(0)
    dist.init_process_group("nccl")
    losses = []
    for loss in {"ddp": ddp, "shards": shards}[sys.argv[1]](rank, n):
        print("loss %d %.9g" % (len(losses), loss))
        losses.append(loss)
    failed = not losses[-1] < losses[0]
    dist.destroy_process_group()
    print("rank %d: 1 checks, %d failed" % (rank, failed), flush=True)


main()
