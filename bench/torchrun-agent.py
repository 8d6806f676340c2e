#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# torchrun-agent.py - torchrun that says when its rendezvous ended
#
# torchrun-agent.py RECORD c10d|plink [WORD...]: torchrun itself, or plink.torchrun, with
# these words. A line is appended to RECORD when a round of c10d's rendezvous ends on this
# host, and another when plink's does: "met c10d|plink ROUND SECONDS".
import sys
import time

from plink import handler, torchrun
from torch.distributed import run
from torch.distributed.elastic.rendezvous import dynamic_rendezvous


def note_end(kind, record, what, inner):
    meet = kind.next_rendezvous

    def next_rendezvous(self):
        found = meet(self)
        ended = time.monotonic()
        number = inner(self)._state_holder.state.round
        with open(record, "a") as f:
            print("met", what, number, "%.6f" % ended, file=f)
        return found

    kind.next_rendezvous = next_rendezvous


def main():
    record, what, *words = sys.argv[1:]
    c10d = dynamic_rendezvous.DynamicRendezvousHandler
    note_end(c10d, record, "c10d", lambda h: h)
    note_end(handler.Handler, record, "plink", lambda h: h._inner)
    if what == "plink":
        torchrun.main(words)
    else:
        run.main(["--rdzv_backend=c10d", *words])


main()
