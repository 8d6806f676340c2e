# SPDX-License-Identifier: BSD-3-Clause
# chooser.py - in which order the hosts stand that are in an elastic job
from . import library
from .plan import Host, Plan, find_self, is_other_machine

SEARCH_S = 5  # at most, for a first order by a matrix
# For a later one: 1024 hosts take less than .1 s, and .3 % more cost than by a search of
# seconds.
REPAIR_MOVES = 2000


class Chooser:
    """Knows a plan, a matrix or both. Raises OSError, PlanError, LibraryError."""

    def __init__(self, plan, matrix, spares):
        self.plan = Plan(plan) if plan else None
        self.net = library.Net(matrix) if matrix else None
        self.spares = spares
        self.running = []  # the names in the order of the round before
        self.working = 0  # the most nodes so far that were not idle as spares

    def own_name(self):
        """What the plan, or else the matrix, calls this host; None: nothing."""
        hosts = self.plan.hosts if self.plan else []
        planned = {host.name for host in hosts}
        measured = self.net.host if self.net else []
        return find_self(hosts + [Host(n) for n in measured if n not in planned])

    def stale(self, name):
        """Why the plan may be of machines before these, or None."""
        for host in self.plan.hosts if self.plan else ():
            if host.name == name and is_other_machine(host):
                return (
                    f"{self.plan.path}: {name} had the address {host.addr}, which this "
                    "machine has not: if machines were replaced, make a new plan"
                )
        return None

    def _order(self, present):
        """The hosts of @present, which are all known, in order."""
        there = set(present)
        if self.plan and (not self.net or there == set(self.plan.names())):
            return [name for name in self.plan.names() if name in there]
        known = [name for name in present if name in self.net.host]
        if len(known) > 2:
            known = self._search(known)
        return known + [name for name in present if name not in self.net.host]

    def _search(self, known):
        """A ring of @known: that of the round before, or else of the plan, repaired;
        a new one if most of @known are not in there."""
        before = self.running or (self.plan.names() if self.plan else [])
        at = {name: i for i, name in enumerate(before)}
        if 2 * sum(name in at for name in known) < len(known):
            return self.net.order(known, "time", SEARCH_S)
        known = sorted(known, key=lambda name: at.get(name, len(at)))
        return self.net.order(known, "moves", REPAIR_MOVES)

    def ranks(self, names):
        """@names: the name of each rank, None where it is not known. Returns the
        new rank of each: unknown ones after the known, and last the spares that take
        the place of no lost host."""
        working = sum(name not in self.spares for name in names)
        spares = [name for name in self.spares if name in names]
        idle = set(spares[max(0, self.working - working) :])
        self.working = max(self.working, working)
        present = dict.fromkeys(n for n in names if n and n not in idle)
        at = {name: i for i, name in enumerate(self._order(list(present)))}
        old = sorted(
            range(len(names)),
            key=lambda r: (
                names[r] in idle,
                at.get(names[r], len(at)),
                r,
            ),
        )
        new = [0] * len(names)
        for i, r in enumerate(old):
            new[r] = i
        return new

    def follow(self, order, working):
        """What the deciding node has decided: the name of each new rank, and the most
        that worked."""
        self.running = [name for name in order if name]
        self.working = working
