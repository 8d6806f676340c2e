# SPDX-License-Identifier: BSD-3-Clause
# dask.py - LightGBM on Dask: the list of machines in a plan's order
"""For LightGBM's Dask estimators, whose ranks follow their parameter machines (plink(7))."""
from urllib.parse import urlparse

from .plan import Plan, PlanError, find_host


def machines(plan, workers, port):
    """The value of machines. @workers: the addresses of the workers that train, of
    client.scheduler_info()["workers"]; @port: the first of those to use, one for each worker
    of a host. Raises OSError; PlanError: a worker's host is not in the plan, or could be
    several of its hosts."""
    plan = Plan(plan)
    at = {name: pos for pos, name in enumerate(plan.names())}
    found = []
    for worker in workers:
        host = urlparse(worker).hostname
        name = find_host(plan.hosts, host, host)
        if not name:
            raise PlanError(f"{plan.path}: worker {worker} is on none of its hosts")
        found.append((at[name], host))
    hosts = [host for _, host in sorted(found)]
    return ",".join(f"{h}:{port + hosts[:i].count(h)}" for i, h in enumerate(hosts))
