#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1370-stalls.t - plink-stalls: tables of measured steps, made-up models, what-ifs
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
tool=$builddir/plink-stalls
cd "$tmp" || exit 99

cat >steps <<END
# plink-stalls 1
run m p3.16xlarge
gpus 8
batch 32
samples 256000
data-bytes 25600000000
workers 4
t1 10
t2 19
t3 40
t4 25
t5 114 machines=2 instance=p3.8xlarge
run one p3.2xlarge
batch 32
samples 32
t1 1
END
printf 'instance,price\np3.16xlarge,24.48\np3.8xlarge,12.24\n' >prices

"$tool" table --catalogue=prices steps >out 2>err
is "table: exit 0" $? 0
row() {
	grep "$1" out | head -n 1 | tr -s ' ' | sed 's/ *$//'
}
is "a row of the machine" "$(row '^m ')" \
	'm p3.16xlarge 8 25 s t4 +90.0% - +15.0% +37.5% 6.94 h $170.00'
is "a row of the machines of t5" "$(row '2 x p3')" \
	' 2 x p3.8xlarge 8 114 s t5 - +500.0% - - ~33.3 h ~$816.00'
is "a single GPU: t2 is t1, no stall" "$(row '^one ')" \
	'one p3.2xlarge 1 1 s t2 +0.0% - - - 1 s -'
is "the price that is missing is told" "$(cat err)" \
	"plink-stalls: prices has no price for p3.2xlarge"
is "advice, the longest stall first" "$(sed -n 's/^  \([a-z]*-bound\).*/\1/p' out |
	xargs)" "network-bound fetch-bound interconnect-bound prep-bound"
"$tool" table --json --catalogue=prices steps >json 2>/dev/null
is "the same as JSON" "$(python3 -c 'import json
r = json.load(open("json"))["runs"]
s = r[0]["stalls"]
print(*(s[k]["share"] for k in ("interconnect", "network", "prep", "fetch")),
      r[0]["machine"]["epoch_dollars"], r[0]["apart"]["estimated"],
      r[1]["apart"], r[1]["machine"]["epoch_dollars"], len(r[0]["advice"]))')" \
	"0.9 5.0 0.15 0.375 170.0 True None None 4"

"$tool" table --picture=bars.svg steps >out 2>err
is "bars: exit 0" $? 0
# 114 s are 450 wide
is "of each row: computing and its stalls, each where the one before ends" "$(python3 -c '
import xml.etree.ElementTree as tree
svg = "{http://www.w3.org/2000/svg}"
bars = [r for r in tree.parse("bars.svg").getroot().iter(svg + "rect") if r.find(svg + "title") is not None]
print(*(" ".join((r.get("x"), r.get("width"), r.find(svg + "title").text)) for r in bars), sep=", ")')" \
	"230.0 39.5 compute 10 s, 269.5 35.5 interconnect 9 s, 305.0 23.7 prep 6 s, \
328.7 59.2 fetch 15 s, 230.0 39.5 compute 10 s, 269.5 35.5 interconnect 9 s, \
305.0 375.0 network 95 s, 230.0 3.9 compute 1 s, 233.9 0.0 interconnect 0 s"

# refused STATUS WORDS ARGUMENT...
refused() {
	status=$1 words=$2
	shift 2
	"$tool" "$@" >out 2>err </dev/null
	is "$*: exit $status, nothing on stdout" "$? $(cat out)" "$status "
	has "it says" "$(cat err)" "$words"
}
cp steps again
printf '# plink-stalls 1\nrun m a\nt1 -1\n' >bad
refused 3 "bad:3:4: seconds of an iteration" table bad
refused 3 "again:2:1: m on p3.16xlarge is in another file already" table steps again
refused 2 "--region needs --catalogue" table --region=x steps
refused 2 "needs a file" table
refused 2 "steps is read: the output must not replace it" table -o steps steps
refused 2 "not \"tabel\"" tabel

synth() {
	"$tool" synth --link=slow=0s,10Gbit --link=fast=1ms,1000Gbit \
		vgg11=11,531000000 resnet50=54,94400000 "$@"
}
is "bytes decide on a slow link, layers on a fast one" \
	"$(synth | sed -n 's/^  \([a-z0-9]*\) *\([0-9.]* [a-z]*\)$/\1 \2/p' | xargs)" \
	"vgg11 425 ms resnet50 75.5 ms vgg11 15.2 ms resnet50 54.8 ms"
has "where they are equal" "$(synth)" "vgg11 and resnet50 are equal at 81.22791Gbit/s"
is "the same as JSON" "$(synth --json | python3 -c 'import json, sys
l = json.load(sys.stdin)["links"]
print(l[0]["crossovers"][0]["bytes_per_s"], round(l[1]["crossovers"][0]["bytes_per_s"]))')" \
	"None 10153488372"
refused 2 "--link or --fit is wanted" synth a=1,1
refused 2 "--link wants NAME=LATENCY,RATE" synth --link=x=1,2 a=1,1
refused 2 "a model is NAME=LAYERS,BYTES" synth --link=x=1us,10Gbit a=0,1
refused 3 "at least two runs" synth --fit=steps a=1,1

# Predicted: .3 s of computing, then 100 MB by 8 GPUs: 175 MB over each, at 1 and .5 GB/s
cat >p.json <<END
{"plink-profile": 1, "model": "m", "layers": [{"name": "l", "bytes": 100000000}],
 "instances": [
  {"name": "p3.16xlarge", "ranks": 8, "batches": [256], "forward_s": [0.1],
   "backward_s": [0.2], "finish": [1]},
  {"name": "p3.8xlarge", "ranks": 4, "batches": [128], "forward_s": [0.1],
   "backward_s": [0.2], "finish": [1]}]}
END
sed -e 's/^t1 .*/t1 0.3/; s/^t2 .*/t2 0.5/; s/^t5 [0-9]*/t5 0.6/' steps >was
"$tool" predict --profile=p.json --inside=8Gbit --between=4Gbit was >out 2>err
is "predict: exit 0" $? 0
is "predicted beside measured, and the errors" "$(tail -n 5 out | tr -s ' ')" \
	"t1 300 ms 300 ms +0.0 %
t2 500 ms 475 ms -5.0 %
t5 600 ms 650 ms +8.3 %
interconnect +66.7 % +58.3 % -8.3 pp
network +20.0 % +36.8 % +16.8 pp"
is "the other model is not of this profile" "$(grep -c ' on ' out)" 1
is "the same as JSON; without --between there is no t5" \
	"$("$tool" predict --json --profile=p.json --inside=8Gbit was | python3 -c 'import json, sys
r, = json.load(sys.stdin)["runs"]
print(r["model"], round(r["t2"]["predicted"], 9), r["t5"], r["network"]["predicted"])')" \
	"m 0.475 {'measured': 0.6, 'predicted': None} None"
sed 's/"ranks": [48]/"ranks": 1/; s/\[256\]/[32]/; s/\[128\]/[32]/' p.json >one.json
is "a profile of one GPU does as well" \
	"$("$tool" predict --profile=one.json --inside=8Gbit --between=4Gbit was)" "$(cat out)"
sed 's/"model": "m"/"model": "n"/' p.json >n.json
sed 's/p3.8xlarge/other/' p.json >no.json
sed 's/256/128/' p.json >small.json
refused 2 "takes --profile and one file" predict was
refused 3 "was has no run of the model n, which is that of n.json" predict \
	--profile=n.json was
refused 3 'm on p3.16xlarge: no instance "p3.8xlarge"' predict --profile=no.json \
	--between=4Gbit was
refused 3 "256 samples are more than" predict --profile=small.json was

sed -n '1,12p' steps >first
"$tool" what-if --model-json=MODEL.json -o out first 2>err
is "what-if of measured steps: exit 0" $? 0
has "the rate of memory is a guess that is told" "$(cat err)" "--memory"
is "0, 5, ... 100 %" "$(grep -c '%  ' out)" 21
is "nothing in memory: what t3 read" "$(sed -n 2p out | xargs)" "0 % 6.4 6.4 fetch"
has "the share that is enough" "$(tail -n 1 out)" "memory for 37.5 % of the data"
"$tool" what-if -o again MODEL.json && cmp out again
is "the MODEL.json that was written says the same" $? 0
is "as JSON" "$("$tool" what-if --json MODEL.json | python3 -c 'import json, sys
j = json.load(sys.stdin)
print(round(j["cache_wanted"], 3), len(j["shares"]), j["shares"][20]["bound"])')" \
	"0.375 21 prep"
is "with a storage ten times as fast nothing is wanted" \
	"$("$tool" what-if -q --disk=50000 MODEL.json | tail -n 1)" \
	"storage is fast enough without memory"
# 1000 samples of 1 MiB, 100 of them in a second
cat >unet.yaml <<END
model:
  name: unet
dataset:
  num_files_train: 500
  num_samples_per_file: 2
  record_length_bytes: 1048576
  record_length_bytes_stdev: 7
reader:
  batch_size: 10
train:
  computation_time: 0.1
END
"$tool" what-if --disk=50 --memory=1000000 unet.yaml >out 2>err
is "a workload of MLPerf Storage: exit 0" $? 0
is "storage gives half of what is trained" "$(sed -n 2p out | xargs) $(tail -n 1 out)" \
	"0 % 50.0 50.0 fetch memory for 50.0 % of the data (0.4883 GiB) is enough"
sed 's/batch_size: 10/batch_size: x/' unet.yaml >text.yaml
grep -v computation unet.yaml >none.yaml
refused 2 "give --disk" what-if unet.yaml
refused 3 'text.yaml:9:3: a number above 0 must stand behind it' what-if --disk=1 text.yaml
refused 3 'none.yaml:1:1: this workload has no "computation_time:"' what-if --disk=1 none.yaml
echo '{"DISK_THR": 1}' >bad
printf "# plink-stalls 1\nrun a a\nrun b b\n" >two
refused 3 "bad:1:1: \"SPEED_INGESTION\"" what-if bad
refused 3 "two:3:1: a second run" what-if two
refused 2 "takes one file" what-if

printf '# plink-stalls 1\nrun m x\303\251\351y\nbatch 32\nsamples 32\nt1 1\n' >odd
has "JSON of names that are no UTF-8" "$("$tool" table --json odd)" \
	"$(printf '"instance": "x\303\251?y"')"

# Two steps of 100 us on a GPU: the loop waits for 20 us, a collective runs for 40 us,
# for 10 of them beside a kernel; 32000 bytes in a step.
python3 - trace <<'END'
import json, sys
def x(cat, name, ts, dur, **args):
    return {"ph": "X", "cat": cat, "name": name, "ts": ts, "dur": dur, "args": args}
events = []
for i in (0, 1):
    t = 1000 + 100 * i
    events += [
        x("user_annotation", "ProfilerStep#%d" % i, t, 100),
        x("user_annotation", "enumerate(DataLoader)#_Next", t, 25),
        x("cpu_op", "record_param_comms", t + 40, 1, dtype="Float",
          **{"Collective name": "allreduce", "In msg nelems": 8000}),
        x("kernel", "gemm", t + 20, 30),
        x("kernel", "ncclDevKernel_AllReduce", t + 40, 40)]
json.dump({"distributedInfo": {"world_size": 4}, "traceEvents": events}, open(sys.argv[1], "w"))
END
"$tool" stats trace >out 2>err
is "stats: exit 0" $? 0
has "compute" "$(cat out)" "compute       50 us   50.0 %"
sed 's/"traceEvents": \[/&{"ph": "X", "name": "a"b", "x": inf}, /; s/ncclDev/ncclSymkDev/' trace >odd
is "a damaged event is left out; kernels of NCCL by newer names" \
	"$("$tool" stats odd 2>err | cmp - out && cat err)" \
	"plink-stalls: odd:1:56: an event is left out: its end was not found"
has "exchange, where nothing else runs" "$(cat out)" "exchange      30 us   30.0 %"
has "data, where no kernel runs" "$(cat out)" "data          20 us   20.0 %"
has "a quarter of it is hidden" "$(cat out)" "0.25 of the collectives' time is hidden"
# statistics RANKS CALLS BYTES: of 4 processes
statistics() {
	printf '%s\n' "# plink-stats 1" "# ranks $1" "collective kind ranks size_min size_max \
calls bytes processes seconds_mean" "allreduce blocking $1 16384 32767 $2 $3 4 0.001" >stats
}
statistics 4 400 12800000
has "with statistics: the job's steps" "$("$tool" stats --stats=stats trace)" \
	"the job: 100 steps; a process is in all-reduces for 10 us of each"
statistics 8 400 12800000
refused 3 "stats is of 8 ranks, the trace of 4" stats --stats=stats trace
statistics 4 4 128000
refused 3 "less than the 2 steps of the trace alone" stats --stats=stats trace
echo '{"traceEvents": []}' >bad
refused 3 "bad:1:1: there are neither kernels nor operators" stats bad
refused 2 "stats takes one trace" stats

done_testing
