#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1350-srift-profile.t - profiles from PyTorch's traces, and beside a model
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$tmp" || exit 99
# the packaged torch belongs to the system's python3, not to the first in PATH
python=/usr/bin/python3
. "$srcdir/tests/python/warm.sh"
script=$srcdir/planner/srift/profile/plink_profile.py
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

profile() {
	"$builddir/plink-srift" profile "$@"
}

# trace FACTOR: two iterations, times so many times as long; a call at 10 us,
# backward passes from 100 to 300 us, gradients of 4 MiB and 8 KiB at 150 and 300
trace() {
	awk -v x="$1" '
		function span(name, ts, dur, args) {
			printf "%s\n{\"ph\": \"X\", \"cat\": \"cpu_op\", " \
				"\"name\": \"%s\", \"ts\": %f, \"dur\": %f, " \
				"\"args\": {%s}}", n++ ? "," : "", name,
				at + ts * x, dur * x, args
		}
		BEGIN {
			print "{\"schemaVersion\": 1, \"traceEvents\": ["
			for (i = 0; i < 2; i++) {
				at = 1e9 + i * 1e6
				span("ProfilerStep#" i, 0, 500)
				span("aten::linear", 10, 80)
				span("autograd::engine::evaluate_function: A",
					100, 60)
				span("torch::autograd::AccumulateGrad", 140, 10,
					"\"Input Dims\": [[1024, 1024]], " \
					"\"Input type\": [\"float\"]")
				span("autograd::engine::evaluate_function: B",
					170, 130)
				span("torch::autograd::AccumulateGrad", 290, 10,
					"\"Input Dims\": [[2048]], " \
					"\"Input type\": [\"float\"]")
			}
			print "],\n\"traceName\": \"t\"}"
		}'
}
trace 1 >t1.json
trace 3 | gzip >t3.json.gz
profile --batches=8,24 --model=m --instance=i t1.json t3.json.gz >p.json 2>err
is "two traces, one packed: exit 0" "$?" 0
has "what they rest on" "$(cat err)" "t1.json: 8 samples: forward 90 us, \
backward 200 us, of 2 iterations, on the processor; 2 gradients of 4.2025 MB"
cat >check.py <<'END'
import json
p = json.load(open("p.json"))
i = p["instances"][0]
assert [l["bytes"] for l in p["layers"]] == [4194304, 8192], p
assert p["model"] == "m" and i["name"] == "i" and i["batches"] == [8, 24]
near = lambda a, b: abs(a - b) < 1e-9
assert all(map(near, i["forward_s"], [90e-6, 270e-6])), i
assert all(map(near, i["backward_s"], [200e-6, 600e-6])), i
assert all(map(near, i["finish"], [0.25, 1])), i
print("right")
END
is "the profile" "$("$python" check.py)" right
printf 'DP:\nallreduce,: 1\n' >busbw.yaml
"$builddir/plink-srift" predict --profile=p.json --machines=2xi@16 \
	--busbw=busbw.yaml >out
# in the middle of both: 180 and 400 us; 4 MiB at 1 GB/s from 280 us on
has "it predicts" "$(cat out)" "forward    180 us"
has "with its gradients" "$(cat out)" "2 all-reduces of 4.2025 MB in all"
profile --batches=8 --ranks=4 -o q.json - <t1.json 2>err
has "where its times are from" "$(cat q.json)" \
	'"with": "traces of PyTorch'"'s profiler\""
is "a machine of four ranks, by standard input" \
	"$? $(grep -A2 '"ranks": 4' q.json | tr -d ' \n')" '0 "ranks":4,"batches":[32'

# refuses STATUS TEXT ARG...
refuses() {
	refuses_status=$1 refuses_text=$2
	shift 2
	profile "$@" >out 2>err
	is "$*: exit $refuses_status, nothing on stdout" "$? $(cat out)" \
		"$refuses_status "
	has "$*: why" "$(cat err)" "$refuses_text"
}
is "a trace of an H100, of a job whose gradients NCCL reduces" \
	"$("$builddir/plink-srift" profile --batches=64 "$srcdir/tests/data/srift/ddp-h100.json.gz" \
		2>&1 >p.json | head -n 1 | sed 's/.*json.gz: //')" \
	"64 samples: forward 3.32 ms, backward 59.5 ms, of 1 iteration, on the accelerator; 16 gradients of 2.10534 MB in all"
head -c 700 t1.json >cut.json
refuses 3 "cut.json:7:1: the file is cut off here" --batches=8 cut.json
head -c 200 t3.json.gz >cut.gz
refuses 3 "the compressed data are cut off or damaged here" --batches=8 cut.gz
sed 's/"dur": 80/"dur": -80/' t1.json >wrong.json
refuses 3 'wrong.json:4:1: 2 events are left out, the first here: this event lacks valid times "ts" and "dur"' --batches=8 wrong.json
sed 's/Input Dims/Input Sizes/' t1.json >small.json
refuses 3 "it has no sizes of gradients" --batches=8 small.json
refuses 3 "'{' is wanted here" --batches=8 check.py
refuses 4 "none.json" --batches=8 none.json
refuses 4 "Is a directory" --batches=8 .
refuses 2 "--batches is wanted" t1.json
refuses 2 "a trace is wanted" --batches=8
refuses 2 "2 batches and 1 traces" --batches=8,9 t1.json
refuses 2 "that ascend" --batches=9,8 t1.json t1.json
refuses 2 "that ascend" --batches=8, t1.json
refuses 2 "--ranks wants" --batches=8 --ranks=0 t1.json
refuses 2 "1 to 255 bytes" --batches=8 --model= t1.json
refuses 2 "unknown option" --what
sed 's/\[2048\]/[2047]/' t1.json >other.json
refuses 3 "gradient 2 has 8192 bytes with 8 samples and 8188 with 9" \
	--batches=8,9 t1.json other.json
profile --help >help
is "profile --help: exit 0" $? 0
sed 's/\\-/-/g' "$builddir/man/plink-srift.1" >page
is "plink-srift(1) has every option of it" \
	"$(grep -oE -- '--[a-z][a-z-]+' help | sort -u | while read -r o; do
		grep -qF -- "$o" page || echo "$o"
	done)" ""

# the example of the page: names of files are these
mkdir example
cp t1.json example/b1.json
cp t3.json.gz example/b16.json.gz
cp t1.json example/b32.json
awk '/^\.nf/ { text = ""; next } { text = text $0 "\n" }
	/^\.fi/ && text ~ /^plink-srift profile/ { printf "%s", text }' page |
	sed '/^\.fi/d; s/\\e$/\\/' >example.sh
is "its example runs" "$(cd example && PATH="$builddir:$PATH" sh -e ../example.sh \
	2>/dev/null; grep -c '"name": "g4dn.8xlarge"' resnet18.json)" 1

# a model of its own, beside which the script runs
cat >model.py <<'END'
import torch


class Sometimes(torch.nn.Module):
    """A layer that every other call leaves out."""

    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(64, 32)
        self.branch = torch.nn.Linear(32, 32, bias=False)
        self.last = torch.nn.Linear(32, 8, bias=False)
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        x = torch.relu(self.first(x))
        return self.last(self.branch(x) if self.calls % 2 else x)


def make():
    def loss(model, n):
        return model(torch.randn(n, 64)).square().mean()

    return Sometimes(), loss


def plain():
    return torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.Linear(16, 2))


def full():
    def loss(model, n):
        if n > 37:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")
        return model(torch.randn(n, 16)).sum()

    return plain(), loss


def nothing():
    return torch.nn.ReLU()
END
"$python" "$script" --model=model:make --batches=2,4 --warmup=1 --repeat=10 \
	--threads=1 --average=mean --name=some --instance=i >p.json 2>err
is "plink_profile.py: exit 0" "$?" 0
cat >check.py <<'END'
import json
p = json.load(open("p.json"))
i = p["instances"][0]
names = [l["name"] for l in p["layers"]]
assert p["comment"].startswith("means of 10 iterations"), p
assert names == ["first.weight", "first.bias", "branch.weight", "last.weight"]
assert [l["bytes"] for l in p["layers"]] == [8192, 128, 4096, 1024]
assert [l.get("probability", 1) for l in p["layers"]] == [1, 1, 0.5, 1], p
assert i["batches"] == [2, 4] and min(i["forward_s"] + i["backward_s"]) > 0
assert i["finish"][3] < min(i["finish"][:2]), i
n = {n["name"]: n for n in p["numbers"]}
# without the branch, or with it: every other call has it
assert n["flops"]["value"] in [2 * 32 * (64 + 8), 2 * 32 * (64 + 32 + 8)], n
assert n["parameters"]["value"] == (8192 + 128 + 4096 + 1024) / 4, n
for each in i, *n.values():
    assert each["origin"] == "measured" and "torch" in each["with"] and each["when"]
print("right")
END
is "its layers, one of them dynamic, in the order of the backward pass" \
	"$("$python" check.py)" right
"$builddir/plink-srift" predict --profile=p.json --machines=2xi@4 \
	--busbw=busbw.yaml >out 2>err
is "it predicts" "$? $(head -n 1 out) $(cat err)" \
	"0 some: 2 machines, 2 ranks, 8 samples "

cat >train.py <<'END'
import sys
import torch
import model
sys.path.insert(0, sys.argv[1])
import plink_profile

network = model.plain()
plink_profile.watch(network, batch=6, path="p.json", warmup=1, repeat=3)
optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
for step in range(8):
    optimizer.zero_grad()
    with torch.no_grad():
        network(torch.ones(6, 16))
    network(torch.ones(6, 16)).sum().backward()
    optimizer.step()
p = __import__("json").load(open("p.json"))
i = p["instances"][0]
assert p["model"] == "Sequential" and i["batches"] == [6], p
assert [l["bytes"] for l in p["layers"]] == [1024, 64, 128, 8]
assert max(i["finish"][2:]) <= min(i["finish"][:2]), i
assert not network._forward_hooks and not network._forward_pre_hooks
weight = network[0].weight
before, network[0].weight.grad = weight.grad, None
for bad in model.nothing(), :
    try:
        plink_profile.watch(bad, batch=6, path="q")
        print("taken")
    except plink_profile.Fault as why:
        assert "no parameter" in str(why)
print("right")
END
cat >accelerator.py <<'END'
import sys, types
import torch
sys.path.insert(0, sys.argv[1])
import plink_profile

# an accelerator whose allocator starts anew in each iteration from 30 samples on
taken = {"num_alloc_retries": 0}
torch.cuda.memory_stats = lambda device: dict(taken)


def step(batch):
    if batch > 40:
        raise RuntimeError("CUDA out of memory")
    taken["num_alloc_retries"] += batch >= 30
    return torch.ones(1, requires_grad=True).sum()


model = types.SimpleNamespace(
    parameters=lambda: iter([torch.empty(0, device="meta")]), zero_grad=lambda: None
)
print(plink_profile.find_largest(lambda n: plink_profile.fits(step, n, model), 100))
model.parameters = lambda: iter([types.SimpleNamespace(device=torch.device("cuda"))])
print(plink_profile.find_largest(lambda n: plink_profile.fits(step, n, model), 100))
END
cat >refused.py <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import plink_profile

for status, *args in (
    (2, "--model=model:make", "--batches=4,2"),
    (2, "--model=model:plain", "--batches=1"),
    (2, "--model=model:make",),
    (2, "--model=model", "--batches=1"),
    (3, "--model=nosuch:make", "--batches=1"),
    (3, "--model=model:nosuch", "--batches=1"),
    (2, "--model=model:nothing", "--batches=1", "--input=4"),
    (2, "--model=model:make", "--batches=1", "--repeat=0"),
    (4, "--model=model:plain", "--batches=1", "--input=3", "--repeat=1"),
    (4, "--model=model:plain", "--batches=1", "--input=16", "-onone/p.json"),
):
    sys.argv[1:] = args
    try:
        got = plink_profile.main()
    except SystemExit as end:
        got = end.code
    if got != status:
        print("not", status, "but", got, *args)
END
# Of each line "NAME WORD..." "python3 WORD...", in a process of its own: what it prints
# and says to NAME, its exit status to standard output. PyTorch is imported once for all.
cat >forks.py <<'END'
import os
import runpy
import sys
import torch  # for those that are forked

for line in sys.stdin.read().splitlines():
    name, *sys.argv = line.split()
    pid = os.fork()
    if pid == 0:
        to = os.open(name, os.O_CREAT | os.O_WRONLY, 0o600)
        os.dup2(to, 1)
        os.dup2(to, 2)
        sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
        runpy.run_path(sys.argv[0], run_name="__main__")
        sys.exit(0)
    print(name, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
END
"$python" forks.py >ends 2>err <<END
most1000 $script --model=model:full --most=1000 --repeat=1 -o most1000.json
most20 $script --model=model:full --most=20 --repeat=1 -o most20.json
most1 $script --model=model:full --most=1 --repeat=1 -o most1.json
train train.py ${script%/*}
accelerator accelerator.py ${script%/*}
refused refused.py ${script%/*}
END
is "the largest batch is found, by memory or --most; 1, B/3, 2B/3 and B are taken" \
	"$("$python" -c 'import json
for most in 1000, 20, 1:
    print(*json.load(open("most%d.json" % most))["instances"][0]["batches"])' 2>&1)" \
	"1 12 25 37
1 7 13 20
1"
is "two lines in a training script" "$(cat train)" right
is "a batch for which memory is taken anew in each iteration is too large" \
	"$(xargs <accelerator)" "40 29"
is "what the script refuses, and by which status" \
	"$(xargs <ends) $(grep '^not' refused) $(cat err)" \
	"most1000 0 most20 0 most1 0 train 0 accelerator 0 refused 0  "
for why in "argument --batches" "--input tells" "or --most is wanted" "wants MODULE:NAME" \
	"cannot import nosuch" "has no nosuch" "no parameter" "argument --repeat" \
	"shapes cannot" "none/p.json"; do
	has "and says why: $why" "$(cat refused)" "$why"
done

done_testing
