# SPDX-License-Identifier: BSD-3-Clause
# hub.py - one process of a job whose optimiser runs on hubs, held against torch.optim's
"""hub.py SCHEDULE RANK HOST:PORT SECRET"""
import sys
import time

import torch

from plink.hub import Hub, HubOptimizer

STEPS = 7
SETTINGS = {
    "sgd": dict(lr=0.1),
    "decay": dict(lr=0.1, weight_decay=0.01),
    "momentum": dict(lr=0.05, momentum=0.9, dampening=0.1),
    "nesterov": dict(lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01),
    "adam": dict(lr=0.01, betas=(0.8, 0.95), eps=1e-6),
    "adam decay": dict(lr=0.01, weight_decay=0.1),
}


def model():
    torch.manual_seed(1)
    return torch.nn.Sequential(
        torch.nn.Linear(40, 60), torch.nn.Tanh(), torch.nn.Linear(60, 3)
    )


def batch(step, rank):
    g = torch.Generator().manual_seed(100 * step + rank)
    return torch.randn(8, 40, generator=g), torch.randn(8, 3, generator=g)


def loss(net, data):
    return torch.nn.functional.mse_loss(net(data[0]), data[1])


def train(net, optimizer, processes):
    """Steps with the mean loss over these processes' batches."""
    for step in range(STEPS):
        optimizer.param_groups[0]["lr"] *= 0.9
        optimizer.zero_grad()
        sum(loss(net, batch(step, r)) for r in processes).div(len(processes)).backward()
        optimizer.step()


def difference(a, b):
    """The largest, in units of how far @b has moved."""
    pairs = list(zip(a.parameters(), b.parameters()))
    moved = max((p - q).abs().max() for p, q in zip(b.parameters(), model().parameters()))
    return float(max((p - q).abs().max() for p, q in pairs) / moved)


schedule, rank, address, secret = sys.argv[1:]
rank = int(rank)
hub = Hub(schedule, rank, address, secret)
for name, settings in SETTINGS.items():
    kind = "adam" if name.startswith("adam") else "sgd"
    net, alone = model(), model()
    if rank > 0:  # rank 0's are taken
        torch.nn.init.normal_(net[0].weight)
    optimizer = HubOptimizer(net.parameters(), hub, kind, **settings)
    train(net, optimizer, [rank])
    cls = torch.optim.Adam if kind == "adam" else torch.optim.SGD
    train(alone, cls(alone.parameters(), **settings), range(hub.processes))
    off = difference(net, alone)
    print(name, "as torch" if off < 1e-5 else "off by %g" % off)
# many pushes, then many pulls, of keys of their own; rank 0 does not wait for rank 1
KEYS = range(10, 60)
sgd = optimizer._optimizer({"lr": 0.5, "weight_decay": 0})
sgd.kind = 1
right = 0
for key in KEYS:
    hub.put(key, torch.full((100 + key,), float(key)))
time.sleep(0.3 * rank)
for key in KEYS:
    hub.push(key, torch.full((100 + key,), 2.0 * (rank + 1)), sgd)
for key in KEYS:
    pulled = torch.empty(100 + key)
    hub.pull(key, pulled)
    right += bool((pulled == key - 0.5 * 3).all())
print(right, "of", len(KEYS), "pulls are right")
try:
    hub.push(77, torch.zeros(100), optimizer._optimizer(optimizer.param_groups[0]))
except Exception as e:
    print(e)
# asynchronous steps: with rate 1 and gradients of 1, all parameters count the steps
net = torch.nn.Linear(30, 20)
start = net.weight.detach().clone() if rank == 0 else None
optimizer = HubOptimizer(net.parameters(), hub, "sgd", lr=1.0, staleness=2)
if rank == 0:
    try:
        for step in range(2 * STEPS):
            net.weight.grad = torch.ones_like(net.weight)
            optimizer.step()
        print("asynchronous steps:", (start - net.weight).mean().item())
    except Exception as e:
        print(e)
hub.close()
