# SPDX-License-Identifier: BSD-3-Clause
# ranks.py - a process of a torch job: rank 0 shows which process has which rank
import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
names = [None] * dist.get_world_size()
name = os.environ["PLINK_HOST"] + "." + os.environ["LOCAL_RANK"]
dist.all_gather_object(names, name)
total = torch.ones(1) * dist.get_rank()
dist.all_reduce(total)
if dist.get_rank() == 0:
    print("ranks", *names, "sum", int(total.item()), flush=True)
dist.destroy_process_group()  # its threads outlive Python otherwise
