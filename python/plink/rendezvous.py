# SPDX-License-Identifier: BSD-3-Clause
# rendezvous.py - the rendezvous backend "plink" of torchrun, as it is found
"""torchrun finds get_handler by the entry point group torchrun.handlers. It is
called while PyTorch is still being imported, and so imports nothing of it."""

# What "python3 -m plink.torchrun" was told; --rdzv_conf counts before it.
settings = {}


def create(params):
    from .handler import create_handler

    return create_handler(params, settings)


def get_handler():
    return create
