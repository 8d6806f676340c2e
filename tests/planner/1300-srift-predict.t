#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1300-srift-predict.t - plink-srift predict: seconds, costs, timeline; wrong usage
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
data=$srcdir/tests/data/srift
cp "$data/three-layers.json" "$tmp/p.json"
cp "$data/all-reduce-8.txt" "$tmp/t8"
cd "$tmp" || exit 99

# predict ARG...: of eight g3, without chance
predict() {
	"$builddir/plink-srift" predict --profile=p.json --busbw=t8 "$@"
}

# 64 samples: 0.073 s and 0.146 s. 1 GB/s of 1.75 times the bytes: head from 0.0146
# for 0.028 s, body from 0.073 for 0.014, conv from 0.146 for 0.007
predict --machines=8xg3.8xlarge@64 >out 2>err
is "eight machines: exit 0, nothing on stderr" "$? $(cat err)" "0 "
has "the iteration" "$(cat out)" \
	"iteration  226 ms, of which 7 ms wait for the exchange; 2265.49 samples/s"
has "its passes" "$(cat out)" "backward   146 ms"
has "its exchange" "$(cat out)" "exchange   153 ms"
"$builddir/plink-srift" predict --profile=p.json --machines=8xg3.8xlarge@64 \
	--rated=8Gbit >rated
is "a rated bandwidth gives the same, and says what it is" \
	"$(diff out rated | cut -c 1-52 | tail -n 1) $(diff out rated | grep -c '^[<>]')" \
	"> network    a rough start: all-reduces at the rated 1"
predict --machines=8xg3.8xlarge --batch=512 >again
ok "a batch of all is split" cmp out again

predict --machines=8xg3.8xlarge@64 --price=g3.8xlarge=0.69 --iterations=1000 \
	--json --trace=trace.json >json
is "JSON says the same, and the cost" "$(python3 -c '
import json
j = json.load(open("json"))
assert list(j)[:3] == ["tool", "format", "version"]
assert abs(j["iteration_s"] - 0.226) < 1e-9
t = j["forward_s"] + max(j["backward_s"], j["exchange_s"])
assert abs(j["iteration_s"] - t) < 1e-9
assert j["ranks"] == 8 and j["batch"] == 512 and j["bytes"] == 28000000
assert j["machines"][0]["count"] == 8 and abs(j["slowness"] - 1) < 1e-9
c = j["cost"]
assert abs(c["per_hour"] - 5.52) < 1e-9 and abs(c["job_s"] - 226) < 1e-6
assert abs(c["job"] - 5.52 * 226 / 3600) < 1e-9
assert abs(c["iteration"] * 1000 - c["job"]) < 1e-9
print("right")')" right
is "the timeline ends with the iteration" "$(python3 -c '
import json
e = [e for e in json.load(open("trace.json"))["traceEvents"] if e["ph"] == "X"]
assert len(e) == 8, len(e)
print(round(max(x["ts"] + x["dur"] for x in e), 3))')" 226000.0

# cap 0.5 GB/s: 0.0146 + 0.049 * 2 < 0.146, but conv takes 0.014
predict --machines=8xg3.8xlarge@64 --cap=4Gbit >out
has "a cap" "$(cat out)" "iteration  233 ms"
# buckets of 20 MB: head and body together when body is ready, conv alone
predict --machines=8xg3.8xlarge@64 --buckets=20000000,20000000 >out
has "buckets" "$(cat out)" "exchange   153 ms from the beginning of the \
backward pass: 2 all-reduces"
predict --machines=8xg3.8xlarge@64 --straggler=0.036 --draws=100000 >out
is "stragglers: 5.12 % more for eight machines, within 0.2 %" "$(awk '
	$1 == "forward" { print($2 > 73 * 1.0491 && $2 < 73 * 1.0533) }' out)" 1
predict --machines=2xp3.8xlarge@64 --seed=3 >a
predict --machines=2xp3.8xlarge@64 --seed=3 >b
ok "same seed, same bytes" cmp a b
has "two machines of four ranks" "$(cat a)" "2 machines, 8 ranks"
predict --machines=4xg3.8xlarge@64,1xp3.8xlarge@64 >out
has "mixed machines" "$(cat out)" "4 x g3.8xlarge"
"$builddir/plink-srift" predict --profile=p.json --machines=1xg3.8xlarge@64 >out
has "one machine needs no network" "$(cat out)" "iteration  219 ms, of which 0 s"

printf 'DP:\nallreduce,: null\nTP:\nallreduce,: 1\n' >busbw.yaml
"$builddir/plink-srift" predict --profile=p.json --busbw=busbw.yaml \
	--section=TP --machines=8xg3.8xlarge@64 >out
has "SimAI's table" "$(cat out)" "iteration  226 ms"

# refuses STATUS TEXT ARG...
refuses() {
	refuses_status=$1 refuses_text=$2
	shift 2
	predict "$@" >out 2>err
	is "$*: exit $refuses_status, nothing on stdout" "$? $(cat out)" \
		"$refuses_status "
	has "$*: why" "$(cat err)" "$refuses_text"
}
refuses 2 "--machines is wanted"
refuses 2 "options only" --machines=8xg3.8xlarge@64 x
refuses 2 "unknown option" --what
refuses 2 "known for 8 ranks, not for 4" --machines=4xg3.8xlarge@64
refuses 2 "more than the 128" --machines=8xg3.8xlarge@129
refuses 2 'no instance "g5"' --machines=8xg5@64
refuses 2 "cannot be split evenly over 3" --machines=3xg3.8xlarge --batch=64
refuses 2 "is not like NAME=0.72" --machines=8xg3.8xlarge@64 \
	--price=g3.8xlarge=-0.69
refuses 2 "no hourly price is given for g3" --machines=8xg3.8xlarge@64 --price=p3=1
refuses 2 "--draws wants" --draws=0
refuses 2 "--straggler wants" --straggler=2
refuses 2 "--buckets wants" --buckets=1M
refuses 2 "--cap wants bits per second" --cap=fast
refuses 2 "--trace wants a file" --machines=8xg3.8xlarge@64 --trace=-
refuses 3 "busbw.yaml:2:1: no bandwidth" --machines=8xg3.8xlarge@64 \
	--busbw=busbw.yaml
refuses 3 "8 ranks are given twice" --machines=8xg3.8xlarge@64 --busbw=t8
refuses 4 "none.json" --profile=none.json --machines=8xg3.8xlarge@64
sed 's/0.094/-0.094/' p.json >broken.json
refuses 3 'broken.json:14:35: element 3 of "forward_s": -0.094 is not from' \
	--profile=broken.json --machines=8xg3.8xlarge@64
head -c 500 p.json >cut.json
refuses 3 "cut.json:" --profile=cut.json --machines=8xg3.8xlarge@64
"$builddir/plink-srift" predict --profile=p.json --machines=8xg3.8xlarge@64 \
	>out 2>err
is "no network: exit 2" $? 2
has "which is wanted" "$(cat err)" "give --busbw"
has "or does for a start" "$(cat err)" "--rated"
"$builddir/plink-srift" guess >out 2>err
is "an unknown verb: exit 2" "$? $(cat out)" "2 "

# what --help of the verb lists stands in the page
"$builddir/plink-srift" predict --help >help
is "predict --help: exit 0" $? 0
sed 's/\\-/-/g' "$builddir/man/plink-srift.1" >page
is "plink-srift(1) has every option of it" \
	"$(grep -oE -- '--[a-z][a-z-]+' help | sort -u | while read -r o; do
		grep -qF -- "$o" page || echo "$o"
	done)" ""

# the examples of the page: names of files and numbers of machines are these
ln -s p.json resnet18.json
ln -s t8 all_reduce_perf.txt
sed -i 's/p3.8xlarge/g4dn.8xlarge/' p.json
sed -i 's/"ranks": 4/"ranks": 1/' p.json
"$builddir/plink-testbed" matrix --racks=2x4 --intra-us=50 --inter-us=800 \
	--seed=1 >net.matrix 2>/dev/null
for i in 1 2 3; do
	sed -n '/^\.SH EXAMPLES/,/^\.SH BUGS/p' page |
		awk -v want=$i '/^\.nf/ { n++; next } /^\.fi/ { on = 0; next }
			n == want && !done { on = 1 } on && n == want { print }' |
		sed 's/\\e$/\\/' >example.sh
	is "example $i of the page" "$(PATH="$builddir:$PATH" sh -e example.sh \
		2>&1 | grep -c '^iteration  [1-9]')" $((i / 3 + 1))
done

done_testing
