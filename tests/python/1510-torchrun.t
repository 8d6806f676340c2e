#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1510-torchrun.t - plink.torchrun: ranks by a plan in elastic jobs of the real torchrun
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
python=${PLINK_PYTHON:-/usr/bin/python3}
[ -x "$python" ] || skip_all "no $python here"
srcdir=$(cd "$srcdir" && pwd)
export PYTHONPATH="$srcdir/python" LD_LIBRARY_PATH="$builddir" \
	PYTHONDONTWRITEBYTECODE=1 GLOO_SOCKET_IFNAME=lo OMP_NUM_THREADS=1
unset PLINK_PLAN PLINK_HOST RANK LOCAL_RANK WORLD_SIZE MASTER_ADDR MASTER_PORT
cd "$tmp" || exit 99
cat >plan <<'END'
# plink-plan 1
host 0 h0
host 1 h1 node=one addr=192.0.2.1
host 2 h2.example.org
host 3 h3 slots=2
order allreduce ring gloo 0- : 2 0 3 1
order broadcast binomial openmpi 0- : 0 1 2 3
END
cat >matrix <<'END'
# plink-matrix 1
# quantity rtt
# unit us
h0 0 90 10 90 20
h1 90 0 90 90 90
h2.example.org 10 90 0 20 90
h3 90 90 20 0 10
h4 20 90 90 10 0
END

# ranks ARG: Python that prints what a Chooser says of it
ranks() {
	"$python" -c "from plink.chooser import Chooser
$1"
}
is "the plan's order, of those that are there" "$(ranks '
c = Chooser("plan", None, {"h2.example.org"})
print(c.ranks(["h0", "h1", "h3"]), c.ranks(["h1", "h0"]))')" "[0, 2, 1] [1, 0]"
is "unknown hosts after the known, spares last" "$(ranks '
c = Chooser("plan", None, {"h0"})
print(c.ranks([None, "h1", "h0", "h2.example.org"]))')" "[2, 1, 3, 0]"
is "the spare of a lost host has a place in the order; another one stays last" "$(ranks '
c = Chooser("plan", None, ["h2.example.org", "h1"])
print(c.ranks(["h0", "h1", "h2.example.org", "h3"]),
      c.ranks(["h0", "h1", "h2.example.org"]))')" "[0, 2, 3, 1] [1, 2, 0]"
is "two nodes of one host stay beside each other, as they were" "$(ranks '
c = Chooser("plan", None, set())
print(c.ranks(["h0", "h1", "h0", "h3"]))')" "[0, 3, 1, 2]"
# Python does not bring what a libplink with sanitizers needs
if nm -D "$builddir/libplink.so.0" | grep -q ' U __asan_'; then
	skip "with a matrix" "libplink has sanitizers"
else
is "with a matrix: a ring of those that are there, and the plan for all" "$(ranks '
c = Chooser("plan", "matrix", set())
def order(names):
    ranks = c.ranks(names)
    return [names[ranks.index(r)] for r in range(len(names))]
print(*order(["h0", "h1", "h3", "h2.example.org"]))
c = Chooser(None, "matrix", set())
print(*order(["h0", "h3", "h2.example.org", "h4"]))')" "h2.example.org h0 h3 h1
h0 h4 h3 h2.example.org"
is "the order of the round before, repaired; spares are not searched" "$(ranks '
c = Chooser(None, "matrix", {"h2.example.org"})
c.net.order = lambda names, *how: print(*names, *how) or names
c.running = ["h4", "h3", "h1"]
print(c.ranks(["h0", "h3", "h2.example.org", "h4"]))
c.running = ["h4"]
c.ranks(["h0", "h3", "h1"])')" "h4 h3 h0 moves 2000
[2, 1, 3, 0]
h0 h3 h1 time 5"
fi
is "hosts are found as plink-exec finds them" "$(ranks '
import os
from plink.plan import Host, find_self
node = os.uname().nodename
short = node.split(".")[0]
print(find_self([Host("a"), Host("b", node=node)]),
      find_self([Host("a"), Host(short + ".else.where")]) == short + ".else.where",
      find_self([Host("a", addr="127.0.0.1")]))
os.environ["PLINK_HOST"] = "a"
print(find_self([Host("a"), Host("b", node=node)]))')" "b True None
a"
is "a plan of other machines is told" "$(ranks '
import os
from plink.plan import Host, is_other_machine
node = os.uname().nodename
for addr, of in (("192.168.77.7", node), ("8.8.8.8", node), ("8.8.8.8", "x"),
                 ("127.0.0.1", "x"), (None, "x"), ("fd00::7:7", node)):
    print(is_other_machine(Host("a", of, addr)), end=" ")
print(Chooser("plan", None, set()).stale("h1"))')" \
	"True False True False False True plan: h1 had the address 192.0.2.1, which this machine has not: if machines were replaced, make a new plan"
# refused TEXT LINE...: a plan of these lines
refused() {
	refused_text=$1
	shift
	printf '%s\n' "$@" >bad
	has "refused: $refused_text" "$(ranks 'Chooser("bad", None, set())' 2>&1)" \
		"$refused_text"
}
refused "bad:1: this is no plan of version 1" "# plink-plan 2"
refused "bad:3: the order must have each host once" "# plink-plan 1" "host 0 a" \
	"order allreduce ring gloo 0- : 0 0"
refused "bad:2: host 0 and its name must follow" "# plink-plan 1" "host 1 a"
refused 'bad:3: duplicate host "a"' "# plink-plan 1" "host 0 a" "host 1 a"
refused "bad: there is no order in this plan" "# plink-plan 1" "host 0 a"

is "torchrun finds the backend by its entry point" "$("$python" -c '
from importlib.metadata import entry_points
found = entry_points(group="torchrun.handlers")
print(found["plink"].load()().__name__)')" create
cp -r "$srcdir/python" source
chmod -R u+w source
env -u PYTHONPATH "$python" -m pip install --quiet --no-index --no-build-isolation \
	--no-compile --target=installed ./source >pip.log 2>&1
is "pip installs it" $? 0
sed 's/^/# /' pip.log
is "and torchrun finds that one by its entry point" "$(PYTHONPATH=$tmp/installed \
	"$python" -c '
from importlib.metadata import entry_points
found = entry_points(group="torchrun.handlers")
print(found["plink"].load()().__code__.co_filename)')" \
	"$tmp/installed/plink/rendezvous.py"

"$python" -c 'import torch.distributed' 2>/dev/null || {
	echo "# $python has no torch: no job"
	done_testing
	exit
}
# The answers of PyTorch from 2.4 on, which Debian's lacks: two rounds of three nodes.
is "PyTorch 2.4: all are told of the store of the plan's first rank" "$(PLINK_HOST= ranks '
import datetime, threading
from dataclasses import dataclass
import torch.distributed as dist
from torch.distributed.elastic.rendezvous import api
from plink.handler import Handler

@dataclass
class Found:
    store: object
    rank: int
    world_size: int
    bootstrap_store_info: str
class Where:
    @staticmethod
    def build(rank, store, addr):
        if rank == 0:
            store.set("addr", addr)
        return store.get("addr").decode()
api.RendezvousInfo, api.RendezvousStoreInfo = Found, Where
root = dist.HashStore()
class Inner:
    use_agent_store = False
    def __init__(self, rank):
        self.rank, self.round = rank, 0
    def next_rendezvous(self):
        self.round += 1
        store = dist.PrefixStore(f"round{self.round}", root)
        return Found(store, self.rank, 3, "of the inner rank 0")
names = ["h0", "h1", "h2.example.org"]
class Named(Chooser):
    def own_name(self):
        return names[int(threading.current_thread().name)]
out = [[], [], []]
def node(i):
    handler = Handler(Inner(i), Named("plan", None, set()), 30, f"at-{names[i]}")
    for _ in range(2):
        info = handler.next_rendezvous()
        out[i].append(f"{info.rank} {info.bootstrap_store_info}")
    out[i].append(handler._chooser.running == ["h2.example.org", "h0", "h1"])
threads = [threading.Thread(target=node, args=(i,), name=str(i)) for i in range(3)]
for t in threads: t.start()
for t in threads: t.join()
for i in range(3): print(names[i], *out[i])')" "h0 1 at-h2.example.org 1 at-h2.example.org True
h1 2 at-h2.example.org 2 at-h2.example.org True
h2.example.org 0 at-h2.example.org 0 at-h2.example.org True"
is "a host with another version of plink: ranks stay, and one line says why" "$(PLINK_HOST=h0 \
	ranks '
import torch.distributed as dist
from plink.handler import Handler
store = dist.HashStore()
other = dist.PrefixStore("plink", store)
other.set("name/1", "\"h2.example.org\"")
class Inner:
    def next_rendezvous(self):
        return store, 0, 2
print(Handler(Inner(), Chooser("plan", None, set()), 5).next_rendezvous()[1],
      other.get("ranks").decode())' 2>&1)" \
	"plink: hosts have different versions of plink; ranks stay as the rendezvous gives them
0 keep"

. "$srcdir/tests/torchrun.sh"
torchrun_meets || {
	echo "# this PyTorch lacks the libuv that its torchrun wants: no job"
	done_testing
	exit
}

endpoint=127.0.0.1:$(free_ports 1)
# start NAME WORD...: a torchrun as on the host NAME, which lasts; a group of its own
start() {
	start_host=$1
	shift
	PLINK_HOST=$start_host setsid timeout -k 10 900 "$python" -m plink.torchrun \
		"$@" --nproc_per_node=1 --max_restarts=9 --monitor_interval=1 \
		--redirects=1 --tee=1 --log_dir="$tmp/log" \
		--rdzv_endpoint="$endpoint" --rdzv_conf=last_call_timeout=2,wait=60 \
		"$srcdir/tests/python/elastic.py" "$tmp/rounds" "$tmp/stop" \
		>"out.$start_host" 2>"err.$start_host" </dev/null &
	eval "pid_$start_host=$!"
}
# lose NAME: the host with all that runs there; workers of PyTorch 2 are in sessions of
# their own
lose() {
	eval "lost=\$pid_$1"
	kill -KILL $(pgrep -P "$(pgrep -P "$lost")") -"$lost"
}
# until LINE: has a round had these ranks?
until_round() {
	tries=0
	while [ $tries -lt 1200 ] && ! tail -n 1 rounds | grep -qx "$1"; do
		tries=$((tries + 1))
		sleep 0.25
	done
	tail -n 1 rounds
}
cleanup() {
	for p in $pid_h0 $pid_h1 $pid_h2 $pid_x9; do
		kill -KILL -"$p" 2>/dev/null
	done
	wait
}
sed 's/h2.example.org/h2/' plan >short
: >rounds
start h1 --plan=short --nnodes=2:4 # the store is here: it comes first
sleep 2
start h0 --plan=short --nnodes=2:4
is "two of four: the plan's order of them" "$(until_round "h0 h1")" "h0 h1"
start h2 --plan=short --nnodes=2:4
is "one more: its place is in front" "$(until_round "h2 h0 h1")" "h2 h0 h1"
lose h2
is "it is killed: the others remain" "$(until_round "h0 h1")" "h0 h1"
start x9 --plan=short --nnodes=2:4
is "a host that the plan does not have: last" "$(until_round "h0 h1 x9")" "h0 h1 x9"
kill -TERM -"$pid_h0"
is "scaled down" "$(until_round "h1 x9")" "h1 x9"
is "which is said, once" "$(cat err.* | grep -c '^plink: x9 is not known')" 1
touch stop
wait "$pid_h1"
is "the job ends well" $? 0
wait "$pid_x9"
is "on all hosts" $? 0

rm stop rounds
: >rounds
endpoint=127.0.0.1:$(free_ports 1)
start h1 --plan=bad --nnodes=2
sleep 2
start h0 --plan=bad --nnodes=2
touch stop
wait "$pid_h1"
is "no plan that can be read: the job runs all the same" $? 0
wait "$pid_h0"
is "on all hosts" $? 0
is "and one line says why" "$(grep -c '^plink:' err.h0) $(grep '^plink:' err.h1)" \
	"1 plink: bad: there is no order in this plan; ranks stay as the rendezvous gives them"
done_testing
