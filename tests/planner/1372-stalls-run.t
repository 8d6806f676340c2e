#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1372-stalls-run.t - plink-stalls run: a PyTorch script that knows nothing of it
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
tool=$builddir/plink-stalls
train=$srcdir/tests/planner/stalls_train.py
python=${PLINK_PYTHON:-/usr/bin/python3}
[ -x "$python" ] && "$python" -c 'import torch.distributed' 2>/dev/null ||
	skip_all "$python has no torch: install python3-torch"
. "$srcdir/tests/torchrun.sh"
torchrun_meets || skip_all "this PyTorch lacks the libuv that its torchrun wants"

cd "$tmp" || exit 99
unset RANK LOCAL_RANK WORLD_SIZE MASTER_ADDR MASTER_PORT OMP_NUM_THREADS PYTHONPATH
GLOO_SOCKET_IFNAME=lo PYTHONDONTWRITEBYTECODE=1 STALLS_LOG=$tmp/log
export GLOO_SOCKET_IFNAME PYTHONDONTWRITEBYTECODE STALLS_LOG
mkdir data
i=0
while [ $((i += 1)) -le 120 ]; do
	echo "$i" >data/$i
done

# run STEPS OUTPUT COMMAND...
run() {
	steps=$1 file=$2
	shift 2
	timeout -k 10 600 "$tool" run -q --data=data \
		--iterations=6 --warmup=2 --steps="$steps" -o "$file" "$@" \
		>out 2>err </dev/null
	rc=$?
}
several() {
	echo "$python -m torch.distributed.run --redirects=1 --tee=1 --log_dir=$tmp/log.d
		--master_port=$(free_ports 1) --nproc_per_node $1"
}
# of FILE: the lines without times
lines() {
	sed -E 's/^(t[1-5]) [0-9.e-]+/\1/; s/ error=[0-9.e-]+//' "$1"
}

# t3 breaks; the same command goes on
run t1,t2,t3,t4 f $(several 2) "$train" data fails=t3
is "t3 breaks: exit 1" $rc 1
has "it is told what to do" "$(grep '^plink-stalls: t3' err)" \
	"ended with status 1; the same command continues after the steps in f"
is "t1 and t2 are kept" "$(sed -n 's/^\(t[1-5]\) .*/\1/p' f | xargs)" "t1 t2"
cp f before
rm log
echo '{"plink-profile": 2, "model": "m"}' >p.json
run t1,t2,t3,t4 f --profile=p.json $(several 2) "$train" data
is "goes on: exit 0" $rc 0
is "t1 and t2 are not run again" "$(grep -c '^t[12]' log) $(grep '^t[12]' f)" \
	"0 $(grep '^t[12]' before)"
is "all that is known of the run" "$(lines f)" "# plink-stalls 1
run stalls_train here
gpus 2
batch 4
samples 120
data-bytes $(cat data/* | wc -c)
layers 1
gradients 288
workers 2
script stalls_train.py
t1 iterations=6
t2 iterations=6
t3 iterations=6
t4 iterations=6"
has "the table is shown" "$(cat out)" "stalls_train  here        2"
"$tool" table --json f >json
is "the profile has its stalls" "$("$python" -c 'import json
s = json.load(open("json"))["runs"][0]["stalls"]
for n in json.load(open("p.json"))["numbers"]:
    assert abs(n["value"] - s[n["name"][:-2]]["s"]) < 1e-9, (n, s)
    print(n["name"], n["instance"], n["batch"], n["origin"], n["with"])')" \
	"$(for i in interconnect_s prep_s fetch_s; do
		echo "$i here 8 measured plink-stalls run"
	done)"
if grep -q "stays in memory" err; then
	skip "t3 reads from storage, t4 from memory" "$(cat err)"
else
	# (now and then the system says "not at once" of what is there)
	is "t3 reads from storage, t4 from memory" \
		"$(sort log | uniq -c | sort -rn | awk '!most[$2]++ { print $2, $3 }' |
			sort | xargs)" "t3 cold t4 warm"
fi

# the same GPUs in two machines: each runs the tool
port=$(free_ports 1)
for node in 0 1; do
	cp f f$node
	timeout -k 10 600 "$tool" run -q --steps=t5 \
		--machines=2 --instance=small --iterations=6 --warmup=2 -o f$node \
		"$python" -m torch.distributed.run --redirects=1 --tee=1 \
		--log_dir="$tmp/log.$node" \
		--nnodes=2 --node_rank=$node --master_addr=127.0.0.1 --master_port="$port" \
		--nproc_per_node=1 "$train" data >out$node 2>err$node </dev/null &
	eval "pid$node=$!"
done
wait "$pid0" && wait "$pid1"
is "t5 on two machines: exit 0" $? 0
is "t5 is added" "$(lines f0 | tail -n 1)" "t5 iterations=6 machines=2 instance=small"
has "with a row of its own" "$(cat out0)" "2 x small"

# a few batches are replayed: those that were kept, and what workers loaded ahead
rm -f log
run t1 g "$python" "$train" data workers=0 batch=4 scan=1 compute=0.1
is "one process: exit 0" $rc 0
is "a loop that does not train comes first: it is not timed" \
	"$(awk '$1 == "t1" { print ($2 >= .1) }' g)" 1
is "the first four batches are all that is loaded" "$(wc -l <log)" 16
run t4 g --model=counted "$python" "$train" data kind=counted workers=0
is "with a sampler of its own: exit 0" "$rc" 0
is "it is beside the first" "$(grep '^run' g | xargs)" \
	"run stalls_train here run counted here"
run t1 g --model=endless "$python" "$train" data kind=endless
is "with an endless loader: exit 0" $rc 0
is "it has no number of samples" "$(sed '1,/^run endless/d' g | grep -c samples)" 0
run t4 g --model=short "$python" "$train" data epochs=1 batch=10
is "one that ends too soon: exit 0" $rc 0
has "that is told" "$(cat err)" "t4: the script ended after 3 iterations of 6"

# refused STATUS WORDS STEPS OUTPUT COMMAND...
refused() {
	status=$1 words=$2
	shift 2
	run "$@"
	is "$words: exit $status" "$rc $(cat out)" "$status "
	has "it says" "$(cat err)" "$words"
}
refused 3 "stalls_train.py: no loop took more batches" t1 h "$python" "$train" data kind=none epochs=1
refused 3 "2 samples of a GPU in an iteration, but 4 in the steps before" t1,t2 h \
	$(several 2) "$train" data divides=1 workers=0
refused 3 "h has stalls_train on here from the script stalls_train.py, not other.py" t2 h \
	--model=stalls_train "$python" other.py
refused 4 "cannot start no-such" t1 i no-such other.py
refused 1 "t1: false ended with status 1" t1 i false
refused 2 "t5 needs --machines" t5 i true
refused 2 "--machines needs --steps=t5" t1 i --machines=2 true
refused 2 "t5 needs another command than t1" t1,t5 i --machines=2 true
refused 2 "--steps wants some of t1,t2,t3,t4,t5" t6 i true
refused 2 "run needs the command that trains" t1 i
refused 2 "run needs --output" t1 - true
refused 3 "f:1:1: this is measured steps of training, not a profile" t1 i --profile=f true
refused 2 "there is no /nowhere/sitecustomize.py" t1 i --hook=/nowhere true
echo "not mine" >i
refused 3 "i:1:1: the first line must be" t1 i true
is "a file that is no such is left" "$(cat i)" "not mine"

done_testing
