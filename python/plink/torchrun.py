# SPDX-License-Identifier: BSD-3-Clause
# torchrun.py - torchrun with the rendezvous backend "plink", also where PyTorch is too
# old to find it by itself
"""python3 -m plink.torchrun [OPTION]... [torchrun's options] SCRIPT [ARGUMENT]..."""
import argparse
import sys

from . import rendezvous


def parse(argv):
    parser = argparse.ArgumentParser(
        prog="plink.torchrun",
        allow_abbrev=False,
        description="torchrun with ranks by a plan; all other options are torchrun's",
    )
    parser.add_argument("--plan", help="the plan (PLINK_PLAN)")
    parser.add_argument("--matrix", help="orders hosts anew if some are missing")
    parser.add_argument("--spares", help="names of hosts that come last: h7,h8")
    parser.add_argument("--wait", type=float, help="seconds, for all names (30)")
    own, rest = [], list(argv)
    while rest and rest[0].split("=")[0] in ("--plan", "--matrix", "--spares", "--wait"):
        own.append(rest.pop(0))
        if "=" not in own[-1] and rest:
            own.append(rest.pop(0))
    if rest[:1] in (["--help"], ["-h"]):
        parser.print_help()
    return parser.parse_args(own), rest


def main(argv=None):
    own, rest = parse(sys.argv[1:] if argv is None else argv)
    from torch.distributed import run
    from torch.distributed.elastic.rendezvous import rendezvous_handler_registry

    rendezvous.settings.update(vars(own))
    rendezvous_handler_registry.register("plink", rendezvous.create)
    run.main(["--rdzv_backend=plink", *rest])


if __name__ == "__main__":
    main()
