# SPDX-License-Identifier: BSD-3-Clause
# ray.py - the bundles of a placement group of Ray in a plan's order
"""For scripts that give their workers' ranks to bundles (plink(7)): rank r belongs to
bundle bundles(...)[r]."""
from .plan import Plan, PlanError, find_host


def bundles(plan, table, nodes):
    """The numbers of the bundles, by position of their nodes in the plan (a file), and
    on a node as Ray counts them. @table: ray.util.placement_group_table(group); @nodes:
    ray.nodes(). Raises OSError; PlanError: a node is not in the plan, or could be several
    of its hosts."""
    plan = Plan(plan)
    at = {name: pos for pos, name in enumerate(plan.names())}
    pos = {}
    for node in nodes:
        name = find_host(
            plan.hosts, node["NodeManagerHostname"], node["NodeManagerAddress"]
        )
        if name:
            pos[node["NodeID"]] = at[name]
    where = table["bundles_to_node_id"]
    for node in where.values():
        if node not in pos:
            raise PlanError(f"{plan.path}: node {node} is none of its hosts")
    return sorted(where, key=lambda bundle: (pos[where[bundle]], bundle))
