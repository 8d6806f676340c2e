# SPDX-License-Identifier: BSD-3-Clause
# elastic.py - a process of an elastic job: rank 0 appends a line for each round, with
# which host has which rank; all work until a file appears
import os
import sys
import time

import torch
import torch.distributed as dist

rounds, stop = sys.argv[1:]
dist.init_process_group("gloo")
names = [None] * dist.get_world_size()
dist.all_gather_object(names, os.environ["PLINK_HOST"])
if dist.get_rank() == 0:
    with open(rounds, "a") as f:
        print(*names, file=f)
while True:
    flag = torch.tensor(float(os.path.exists(stop)))
    dist.all_reduce(flag)
    if flag.item() > 0:
        break
    time.sleep(0.2)
dist.destroy_process_group()
