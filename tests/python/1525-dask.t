#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1525-dask.t - plink.dask: LightGBM's machines by a plan, from addresses as Dask has them
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
python=${PLINK_PYTHON:-/usr/bin/python3}
[ -x "$python" ] || skip_all "no $python here"
export PYTHONPATH="$srcdir/python" PYTHONDONTWRITEBYTECODE=1
cd "$tmp" || exit 99
cat >plan <<'END'
# plink-plan 1
host 0 h0 addr=192.0.2.10
host 1 h1
host 2 192.0.2.9
host 3 h3 addr=192.0.2.3
order allreduce ring lightgbm 0- : 2 3 0 1
END
"$python" - >out 2>&1 <<'END'
from plink.dask import machines
from plink.plan import PlanError

workers = {f"tcp://{a}": {} for a in ("192.0.2.10:41", "h1:42", "192.0.2.9:40",
                                      "192.0.2.10:40")}
print(machines("plan", workers, 12400))
try:
    machines("plan", ["tcp://192.0.2.1:40"], 12400)
except PlanError as e:
    print(e)
END
is "by the plan, a port for each worker of a host; an unknown host is refused" \
	"$(cat out)" "192.0.2.9:12400,192.0.2.10:12400,192.0.2.10:12401,h1:12400
plan: worker tcp://192.0.2.1:40 is on none of its hosts"
done_testing
