# SPDX-License-Identifier: BSD-3-Clause
# handler.py - c10d's dynamic rendezvous, which decides who is in, with ranks that
# follow a plan
import datetime
import json
import os
import re
import sys

from torch.distributed import PrefixStore
from torch.distributed.elastic.rendezvous import RendezvousHandler
from torch.distributed.elastic.rendezvous import c10d_rendezvous_backend
from torch.distributed.elastic.rendezvous import dynamic_rendezvous

from .chooser import Chooser

WAIT_S = 30  # for the names of all hosts
KEEP = "keep"  # the decision for the rendezvous' own ranks
FORM = 1  # of what nodes tell one another; others may have another version of plink


def _warn(text):
    print(f"plink: {text}", file=sys.stderr, flush=True)


class _Vote:
    """One round: each node tells its name, rank 0 decides, and all follow. Whoever
    waits too long for the decision decides to keep the ranks: a decision is made
    once (compare_set), so that no two nodes follow different ones."""

    def __init__(self, store, rank, size, wait_s):
        self.store = PrefixStore("plink", store)
        self.rank, self.size, self.wait_s = rank, size, wait_s

    def _get(self, keys, seconds):
        self.store.wait(keys, datetime.timedelta(seconds=max(seconds, 0.1)))
        if hasattr(self.store, "multi_get"):  # in PyTorch 2.1; one round trip
            return self.store.multi_get(keys)
        return [self.store.get(key) for key in keys]

    def tell(self, name):
        told = {"form": FORM, "name": name}
        self.store.set(f"name/{self.rank}", json.dumps(told))

    def names(self):
        keys = [f"name/{r}" for r in range(self.size)]
        told = [json.loads(text) for text in self._get(keys, self.wait_s)]
        if any(not isinstance(t, dict) or t.get("form") != FORM for t in told):
            raise ValueError("hosts have different versions of plink")
        return [t["name"] for t in told]

    def decide(self, decision):
        """The decision, which is this one unless there was one. Those who wait
        are woken by another key: compare_set wakes nobody in PyTorch 1.13."""
        decided = self.store.compare_set("ranks", "", decision).decode()
        self.store.set("decided", "yes")
        return decided

    def await_decision(self):
        try:
            self._get(["decided"], 2 * self.wait_s)
        except Exception:  # it is late, or the store is gone: then this fails
            pass
        return self.decide(KEEP)


class Handler(RendezvousHandler):
    """Passes everything on to @inner but the ranks. @addr: where this node is
    found; None: by its name."""

    def __init__(self, inner, chooser, wait_s, addr=None):
        self._inner, self._chooser, self._wait_s = inner, chooser, wait_s
        self._addr = addr
        self._said = set()

    def get_backend(self):
        return "plink"

    def is_closed(self):
        return self._inner.is_closed()

    def set_closed(self):
        return self._inner.set_closed()

    def num_nodes_waiting(self):
        return self._inner.num_nodes_waiting()

    def get_run_id(self):
        return self._inner.get_run_id()

    def shutdown(self):
        return self._inner.shutdown()

    @property
    def use_agent_store(self):
        return getattr(self._inner, "use_agent_store", False)

    def _say_once(self, text):
        if text not in self._said:
            self._said.add(text)
            _warn(text)

    def _own_name(self):
        try:
            name = self._chooser and self._chooser.own_name()
            why = name and self._chooser.stale(name)
            if why:
                self._say_once(why)
        except Exception as error:
            self._say_once(f"{error}")
            return None
        if self._chooser and not name:
            host = os.environ.get("PLINK_HOST") or os.uname().nodename
            self._say_once(f"{host} is not known: it comes after the known hosts")
        return name

    def _propose(self, vote):
        """The new rank of each, as rank 0 sees it."""
        try:
            if not self._chooser:
                return KEEP
            names = vote.names()
            ranks = self._chooser.ranks(names)
            order = [name for _, name in sorted(zip(ranks, names), key=lambda x: x[0])]
            working = self._chooser.working
            return json.dumps({"ranks": ranks, "order": order, "working": working})
        except Exception as error:
            self._say_once(f"{error}; ranks stay as the rendezvous gives them")
            return KEEP

    def _rank_of(self, store, rank, size):
        """The new rank, the same on all nodes that ask."""
        try:
            vote = _Vote(store, rank, size, self._wait_s)
            vote.tell(self._own_name())
            decision = (
                vote.decide(self._propose(vote))
                if rank == 0
                else vote.await_decision()
            )
            if decision == KEEP:
                return rank
            decision = json.loads(decision)
            if self._chooser:
                self._chooser.follow(decision["order"], decision["working"])
            return decision["ranks"][rank]
        except Exception as error:
            self._say_once(f"{error}; the rank stays {rank}")
            return rank

    def next_rendezvous(self):
        found = self._inner.next_rendezvous()
        if isinstance(found, tuple):  # before PyTorch 2.4
            store, rank, size = found
            return store, self._rank_of(store, rank, size), size
        rank = self._rank_of(found.store, found.rank, found.world_size)
        return _moved(found, rank, self.use_agent_store, self._addr)


def _moved(found, rank, use_agent_store, addr):
    """The same with another rank. Where nodes do not share the rendezvous' store,
    the one of rank 0 has to be found again."""
    from torch.distributed.elastic.rendezvous.api import (
        RendezvousInfo,
        RendezvousStoreInfo,
    )

    where = found.bootstrap_store_info
    if not use_agent_store:
        store = PrefixStore("plink/bootstrap", found.store)
        where = RendezvousStoreInfo.build(rank, store, addr)
    return RendezvousInfo(found.store, rank, found.world_size, where)


def _make_chooser(params, settings):
    def setting(name):
        return params.get(name) or settings.get(name)

    plan = setting("plan") or os.environ.get("PLINK_PLAN")
    spares = [s for s in re.split("[+,]", setting("spares") or "") if s]
    if not plan and not setting("matrix"):
        _warn("neither a plan nor a matrix is given: ranks stay as they are")
        return None
    try:
        return Chooser(plan, setting("matrix"), spares)
    except Exception as error:
        _warn(f"{error}; ranks stay as the rendezvous gives them")
        return None


def create_handler(params, settings):
    # From PyTorch 2.4 on the agents share a store with the workers. Then a node that
    # joins later waits for an address that no one tells it, and workers can find what
    # those of an earlier round have left (pytorch #135712, #182221).
    os.environ.setdefault("TORCH_DISABLE_SHARE_RDZV_TCP_STORE", "1")
    backend, store = c10d_rendezvous_backend.create_backend(params)
    inner = dynamic_rendezvous.create_handler(store, backend, params)
    wait_s = float(params.get("wait") or settings.get("wait") or WAIT_S)
    addr = getattr(params, "local_addr", None)
    return Handler(inner, _make_chooser(params, settings), wait_s, addr)
