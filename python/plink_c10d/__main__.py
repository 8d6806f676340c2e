# SPDX-License-Identifier: BSD-3-Clause
# python3 -m plink_c10d SCRIPT [ARGUMENT...]: an unchanged script with the backend
# plink where it asks for gloo
import functools
import os
import runpy
import sys

import torch.distributed as dist
from torch.distributed import distributed_c10d

import plink_c10d  # noqa: F401


def _instead(backend):
    """gloo as plink, also in "cpu:gloo,cuda:nccl"; what is not named is not
    changed."""
    if not isinstance(backend, str):
        return backend
    parts = [part.split(":") for part in backend.lower().split(",")]
    return ",".join(
        ":".join(part[:-1] + ["plink" if part[-1] == "gloo" else part[-1]])
        for part in parts
    )


def _wrap(function, place):
    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        if len(args) > place:
            args = list(args)
            args[place] = _instead(args[place])
        elif "backend" in kwargs:
            kwargs["backend"] = _instead(kwargs["backend"])
        return function(*args, **kwargs)

    return wrapped


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: python3 -m plink_c10d SCRIPT [ARGUMENT...]")
    for module in dist, distributed_c10d:
        module.init_process_group = _wrap(module.init_process_group, 0)
        module.new_group = _wrap(module.new_group, 2)
    del sys.argv[0]
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    runpy.run_path(sys.argv[0], run_name="__main__")


main()
