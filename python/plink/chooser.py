# SPDX-License-Identifier: BSD-3-Clause
# chooser.py - in which order the hosts stand that are in an elastic job
from . import library
from .plan import Host, Plan, find_self

SEARCH_S = 5  # at most, for an order by a matrix


class Chooser:
    """Knows a plan, a matrix or both. Raises OSError, PlanError, LibraryError."""

    def __init__(self, plan, matrix, spares):
        self.plan = Plan(plan) if plan else None
        self.net = library.Net(matrix) if matrix else None
        self.spares = spares

    def own_name(self):
        """What the plan, or else the matrix, calls this host; None: nothing."""
        if self.plan:
            return find_self(self.plan.hosts)
        return find_self([Host(name) for name in self.net.names()])

    def _order(self, present):
        """The hosts of @present, which are all known, in order."""
        if self.plan and (not self.net or len(present) == len(self.plan.hosts)):
            return [name for name in self.plan.names() if name in present]
        measured = set(self.net.names())
        known = [name for name in present if name in measured]
        if len(known) > 2:
            known = self.net.order(known, SEARCH_S)
        return known + [name for name in present if name not in measured]

    def ranks(self, names):
        """@names: the name of each rank, None where it is not known. Returns the
        new rank of each: unknown ones after the known, spares last."""
        present = list(dict.fromkeys(name for name in names if name))
        at = {name: i for i, name in enumerate(self._order(present))}
        old = sorted(
            range(len(names)),
            key=lambda r: (
                names[r] in self.spares,
                at.get(names[r], len(at)),
                r,
            ),
        )
        return [old.index(r) for r in range(len(names))]
