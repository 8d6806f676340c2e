#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1360-srift-sweep.t - plink-srift sweep: its rows are what predict says
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
data=$srcdir/tests/data/srift
cp "$data/table4.csv" "$data/all-reduce-8.txt" "$data/three-layers.json" "$tmp/"
cd "$tmp" || exit 99
printf 'DP:\nallreduce,: 2\n' >busbw.yaml
echo "instance,price,available
g3.8xlarge,1.5,32
p3.8xlarge,9,4" >prices.csv

sweep() {
	"$builddir/plink-srift" sweep --profile=three-layers.json --catalogue=prices.csv "$@" \
		>out 2>err
}

sweep --busbw=busbw.yaml --batch=64 --buckets --csv=rows.csv
is "exit 0" "$?" 0
has "what there is not is left out" "$(cat err)" \
	"weak scaling: 1 number of machines left out, the first 64: there are 32"
is "rows of both scalings" "$(cut -d, -f1,2 rows.csv | uniq -c | xargs)" \
	"1 scaling,instance 3 weak,p3.8xlarge 6 weak,g3.8xlarge 3 strong,p3.8xlarge 6 strong,g3.8xlarge"
tail -n +2 rows.csv | while IFS=, read -r scaling name n ranks samples s rest; do
	"$builddir/plink-srift" predict --profile=three-layers.json --buckets \
		--machines="${n}x$name" --batch="$samples" --busbw=busbw.yaml --json |
		python3 -c 'import json, sys
print(abs(json.load(sys.stdin)["iteration_s"] - float(sys.argv[1])) < 1e-12)' "$s"
done >same 2>&1
is "predict says the same of each" "$(sort same | uniq -c | xargs)" "18 True"
python3 - >checked <<'END'
import csv
for r in csv.DictReader(open("rows.csv")):
    rate, n = float(r["samples"]) / float(r["iteration_s"]), int(r["machines"])
    price = {"g3.8xlarge": 1.5, "p3.8xlarge": 9}[r["instance"]]
    assert abs(rate / float(r["samples_per_s"]) - 1) < 1e-9, r
    assert abs(float(r["dollars_per_hour"]) - price * n) < 1e-9, r
    assert abs(rate * 3600 / price / n / float(r["samples_per_dollar"]) - 1) < 1e-9, r
    if n == 1:
        first = rate
    elif r["scaling"] == "weak":
        assert abs(float(r["efficiency"]) - rate / n / first) < 1e-9, r
print("right")
END
is "rates, dollars, efficiency" "$(cat checked)" right
is "the longest bar is the fastest" \
	"$(awk '/#/ { n = gsub(/#/, ""); if (n > most) { most = n } } END { print most }' out)" 30

sweep --busbw=all-reduce-8.txt --machines=1,4,8 --json
is "as JSON" "$(python3 -c 'import json
print([r["ranks"] for r in json.load(open("out"))["rows"]])')" "[1, 8]"
has "unknown numbers of ranks are told" "$(cat err)" "the first 4: bandwidths are known for 8 ranks"
sweep --busbw=all-reduce-8.txt --machines=3
is "nothing can be predicted: exit 1" "$?" 1
sweep --busbw=busbw.yaml --csv=-
is "--csv=- without --output: exit 2" "$?" 2
cp three-layers.json kept
sweep --busbw=busbw.yaml --csv=three-layers.json
is "--csv replaces nothing that is read: exit 2" "$?" 2
ok "it is as it was" cmp kept three-layers.json
sed 's/1.5/0/' prices.csv >free.csv
"$builddir/plink-srift" sweep --profile=three-layers.json --catalogue=free.csv \
	--busbw=busbw.yaml --machines=1 --json >out
is "for nothing, a dollar gives no number" "$(python3 -c 'import json
print([r["samples_per_dollar"] for r in json.load(open("out"))["rows"]][-1])')" None
sweep --busbw=busbw.yaml --iterations=3
is "--iterations: exit 2" "$?" 2
done_testing
