#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1312-srift-job.t - plink-srift predict --job: a step of a job's own calls
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$tmp" || exit 99
srift=$builddir/plink-srift order=$builddir/plink-order

# 32 samples of a machine: 100 ms and 200 ms
cat >p.json <<'END'
{"plink-profile": 1, "model": "m", "layers": [{"name": "a", "bytes": 4}],
 "instances": [{"name": "i", "ranks": 2, "batches": [32, 64],
  "forward_s": [0.1, 0.2], "backward_s": [0.2, 0.4], "finish": [1]}]}
END
# four hosts of two racks, in turns
awk 'BEGIN {
	print "# plink-matrix 1\n# quantity rtt\n# unit us"
	for (i = 0; i < 4; i++)
		print "# card h" i " 1Gbit 1Gbit"
	for (i = 0; i < 4; i++) {
		printf "h%d", i
		for (j = 0; j < 4; j++)
			printf " %d", i == j ? 0 : i % 2 == j % 2 ? 100 : 2000
		print ""
	}
}' >net
predict() {
	"$srift" predict --profile=p.json --machines=4xi@32 --matrix=net "$@"
}
# value KEY...: of the JSON in out
value() {
	python3 -c 'import json, sys
x = json.load(open("out"))
for k in sys.argv[1:]:
    x = x[int(k) if isinstance(x, list) else k]
print("%.9g" % x)' "$@"
}

# HSDP: shards within pairs of hosts, copies across
cat >hsdp <<'END'
# plink-job 1
ranks 8
library gloo
mesh shard=4 copy=2
kind gather allgather 64KiB calls=4 along=shard
kind scatter reduce-scatter 256KiB calls=2 exposed=0.5 along=shard
kind copies allreduce 64KiB calls=2 along=copy
END
"$order" -q --matrix=net --job=hsdp --format=plan >plan
"$order" -q --matrix=net --job=hsdp --json >order
predict --job=hsdp --plan=plan --json >out 2>err
is "a job of shards: exit 0" "$? $(cat err)" "0 "
is "each kind, in both orders, as plink-order predicts it; computing; their sum" \
	"$(python3 -c '
import json
j, o = json.load(open("out")), json.load(open("order"))
near = lambda a, b: abs(a - b) < 1e-9
o = o["job"] if "job" in o else o
kinds = [k for k in (o.get("kinds") or o["job"]["kinds"])]
for mine, theirs in zip(j["step"]["kinds"], kinds, strict=True):
    assert mine["name"] == theirs["name"]
    assert near(mine["s"], theirs["predicted"]["found"]), (mine, theirs)
    assert near(mine["given_s"], theirs["predicted"]["given"]), (mine, theirs)
s = j["step"]
assert near(s["calls_s"], sum(k["s"] for k in s["kinds"]))
assert near(j["iteration_s"], 0.3 + s["calls_s"]) and s["bubble_s"] == 0
assert j["given"]["iteration_s"] > j["iteration_s"]
print("right")' 2>&1)" right
predict --job=hsdp --plan=plan >text
has "a line for each kind" "$(cat text)" "reduce-scatter of 256k in 2 groups, 50 % of it exposed"
has "what the order saves" "$(cat text)" "the order saves"

# FSDP in the order of the matrix: what --cost-of says of it
printf '%s\n' '# plink-job 1' 'ranks 8' 'library gloo' 'mesh shard=8' \
	'kind gather allgather 64KiB calls=4 along=shard' \
	'kind scatter reduce-scatter 256KiB calls=2 along=shard' >fsdp
printf 'h%d slots=2\n' 0 1 2 3 >hosts
"$order" -q --matrix=net --job=fsdp --cost-of=hosts hosts >cost
predict --job=fsdp --json >out
is "a step as one program" "$(value step calls_s)" "$(awk '{ printf "%.9g", $1 }' cost)"
is "nothing is given beside it" "$(grep -c '"given": null' out)" 1

# three stages and nine microbatches idle for 2 / 9 of 300 ms
printf '%s\n' '# plink-job 1' 'ranks 8' 'library gloo' \
	'kind stages pipeline 1KiB microbatches=9' 'group 0 2 4' \
	'kind long pipeline 1KiB microbatches=24' 'group 1 3 5 7' >pipe
predict --job=pipe --json >out
is "the bubble of a pipeline" "$(value step stages) $(value step microbatches) $(
	value step bubble_s)" "3 9 0.0666666667"
ok "it is part of the step" python3 -c '
import json
j = json.load(open("out"))
assert abs(j["iteration_s"] - 0.3 - j["step"]["bubble_s"] - j["step"]["calls_s"]) < 1e-9'
predict --job=pipe >text
has "and told" "$(cat text)" "bubble     66.7 ms: 3 stages, 9 microbatches"
sed 's/=9/&  vpp=2/; s/=24/& vpp=4/' pipe >interleaved
predict --job=interleaved >text
has "that of an interleaved one" "$(cat text)" \
	"bubble     33.3 ms: 3 stages, 9 microbatches, 2 parts of the model at each stage"
predict --job=pipe >text
sed 's/ microbatches=/ forward=1s backward=1s&/' pipe >busy
predict --job=busy >out
is "computing is the profile's, whatever the job says" "$(sed 's/busy/pipe/' out)" \
	"$(cat text)"

# refuses STATUS TEXT ARG...
refuses() {
	status=$1 words=$2
	shift 2
	"$srift" predict --profile=p.json "$@" >out 2>err
	is "$*: exit $status" "$? $(cat out)" "$status "
	has "it says" "$(cat err)" "$words"
}
refuses 2 "--job needs --matrix" --machines=4xi@32 --job=fsdp
refuses 2 "--job has calls of its own" --machines=4xi@32 --job=fsdp --matrix=net --buckets
refuses 2 "--job takes one --plan" --machines=4xi@32 --job=fsdp --matrix=net \
	--plan=plan --plan=plan
refuses 2 "8 ranks on 4 hosts of the matrix, the choice 4 ranks on 2 machines" \
	--machines=2xi@32 --job=fsdp --matrix=net
printf '# plink-job 1\nranks 8\nkinds\n' >wrong
refuses 3 "wrong:3:1" --machines=4xi@32 --job=wrong --matrix=net
sed 's/ 2000 100 2000$/ nan 100 2000/' net >holes
refuses 3 "holes: 1 pairs of these hosts were not measured" --machines=4xi@32 \
	--job=fsdp --matrix=holes
done_testing
