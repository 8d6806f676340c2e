# SPDX-License-Identifier: BSD-3-Clause
# plink_c10d - the backend "plink" of torch.distributed
"""All-reduces of torch.distributed by a schedule of plink.

    import plink_c10d
    torch.distributed.init_process_group("plink", ...)

PLINK_PLAN names the schedules (plink-schedule(5)); see plink-c10d(7). Calls for
which they have no schedule are Gloo's.
"""
import os

import torch.distributed as dist
from torch.distributed.distributed_c10d import ProcessGroupGloo

from . import _backend


def _create(store, rank, size, timeout):
    path = os.environ.get("PLINK_PLAN")
    if not path:
        raise RuntimeError("plink: PLINK_PLAN must name a file of schedules")
    schedules = _backend.Schedules(path)
    gloo = ProcessGroupGloo(
        dist.PrefixStore("gloo", store), rank, size, timeout=timeout
    )
    if size != schedules.processes:
        if dist.is_initialized():  # a group of some ranks of the job
            return gloo
        raise RuntimeError(
            f"plink: {path}: schedules of {schedules.processes} processes, "
            f"and the job has {size}"
        )
    return _backend.make(
        gloo,
        schedules,
        dist.PrefixStore("plink", store),
        rank,
        size,
        timeout,
        os.environ.get("PLINK_VERBOSE", "0") not in ("", "0"),
    )


def _register():
    try:
        dist.Backend.register_backend("plink", _create, devices=["cpu", "cuda"])
    except TypeError:  # before PyTorch 2
        dist.Backend.register_backend("plink", _create)


_register()
