#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1520-ray.t - plink.ray: bundles by a plan, from tables as Ray documents them (Ray is no
# package of Debian)
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
python=${PLINK_PYTHON:-/usr/bin/python3}
[ -x "$python" ] || skip_all "no $python here"
export PYTHONPATH="$srcdir/python" PYTHONDONTWRITEBYTECODE=1
cd "$tmp" || exit 99
cat >plan <<'END'
# plink-plan 1
host 0 h0 addr=192.0.2.10
host 1 h1 node=one.example.org
host 2 192.0.2.9
host 3 h3
order allreduce ring nccl 0- : 2 3 0 1
END
"$python" - >out 2>&1 <<'END'
from plink.plan import PlanError
from plink.ray import bundles

nodes = [
    {"NodeID": i, "NodeManagerHostname": h, "NodeManagerAddress": a}
    for i, h, a in (("a7", "one", "192.0.2.1"), ("b3", "x", "192.0.2.10"),
                    ("c1", "y", "192.0.2.9"), ("d0", "head", "192.0.2.2"))
]
where = {0: "b3", 1: "a7", 2: "c1", 3: "a7", 10: "b3", 9: "c1"}
print(bundles("plan", {"bundles_to_node_id": where}, nodes))
try:
    bundles("plan", {"bundles_to_node_id": {0: "d0"}}, nodes)
except PlanError as e:
    print(e)
END
is "nodes by the plan, bundles of a node as Ray counts; an unknown node is refused" \
	"$(cat out)" "[2, 9, 0, 10, 1, 3]
plan: node d0 is none of its hosts"
done_testing
