#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1320-srift-train.t - plink-srift train, and predict --model; wrong usage, bad files
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
data=$srcdir/tests/data/srift
cp "$data/three-layers.json" "$tmp/p.json"
cd "$tmp" || exit 99

"$builddir/bench/srift-grid" --machines=4 --async=2 --repeats=2 >grid.csv
# a search of seconds
train() {
	"$builddir/plink-srift" train --folds=3 --trees=80 --depth=4,6 \
		--rate=0.2 --min-weight=5 --slope=1 "$@"
}
predict() {
	"$builddir/plink-srift" predict --profile=p.json "$@"
}

rc=0
train grid.csv --model=cloud.model >out 2>err || rc=$?
grep -q "configured without XGBoost" err && skip_all "no XGBoost here"
is "train: exit 0, nothing on stderr" "$rc $(cat err)" "0 "
has "how much there was, and the seed" "$(cat out)" \
	"grid.csv: 2688 rows, 4 machines; seed 1, 3 folds, XGBoost "
# noise of 10 %: no model can have less than 8 % in the mean, and of cells that it has not
# seen it has more
is "errors of both halves are told, near the noise" "$(awk '
	$1 == "withheld" && $3 > 6 && $3 < 11 { n++ } END { print n }' out)" 2
is "and of the folds: mean, least, most" "$(awk '/combinations/ {
	m = $10; lo = $(NF - 3); hi = $(NF - 1)
	n += lo <= m && m <= hi && lo > 5 && hi < 15 } END { print n }' out)" 2
train grid.csv --model=- >again 2>err
ok "same grid, same bytes, on standard output" cmp cloud.model again
has "the report is on stderr then" "$(cat err)" "withheld MAPE"
train - --seed=2 --model=other.model --json <grid.csv >json
is "JSON, another seed, standard input" "$(python3 -c '
import json
j = json.load(open("json"))
assert j["rows"] == 2688 and j["machines"] == 4 and j["seed"] == "2"
assert j["folds"] == 3 and j["mtu_bytes"] == 9000 and j["seconds"] > 0
for half in j["small"], j["large"]:
	assert 0.06 < half["mape"] < 0.11, half
	assert half["cv_mape_least"] <= half["cv_mape"] <= half["cv_mape_most"]
assert j["small"]["slope"] == 1 and j["large"]["slope"] == 0
print("right")')" right
ok "another seed, another model" sh -c '! cmp -s cloud.model other.model'

# g4dn is at 3.6 GB/s, of which one transfer gets two thirds, the cap all
sed -i 's/p3.8xlarge/g4dn.8xlarge/; s/"ranks": 4/"ranks": 1/' p.json
predict --model=cloud.model --machines=8xg4dn.8xlarge@64 --json >json
is "predict --model: a cap within 30 % of the truth" "$(python3 -c '
import json
j = json.load(open("json"))
assert 0.7 < j["cap_bytes_per_s"] / 3.6e9 < 1.3, j
assert j["ranks"] == 8 and j["exchange_s"] > 0
print("right")')" right
predict --model=cloud.model --machines=4xg3.8xlarge@64,4xg4dn.8xlarge@64 \
	--place=us-west-2 >out
has "types mixed, in one region" "$(cat out)" "8 machines, 8 ranks"
"$builddir/plink-srift" predict --profile=p.json --model=cloud.model \
	--machines=1xg4dn.8xlarge@64 >out
has "one machine" "$(cat out)" " ms, of which "

# a grid with holes: no 16 ranks, and sizes that others have
awk -F, 'NR == 1 || ($4 == "g4dn.8xlarge" && $11 != 16 && ($11 + NR) % 3)' grid.csv >holes.csv
train --folds=2 --trees=20 --depth=4 holes.csv --model=holes.model >out 2>err
is "a grid with holes: exit 0" "$? $(cat err)" "0 "
for n in 8 16 32; do
	predict --model=holes.model --machines=${n}xg4dn.8xlarge@64 --json >json.$n
done
is "what lacks is between what is there" "$(python3 -c '
import json
a, b, c = (json.load(open("json.%d" % n))["exchange_s"] for n in (8, 16, 32))
print(a < b < c)')" True

# which machines, by the model: its choice takes what predict says of it
cat >prices.csv <<'EOF'
instance,price,spot,available,spot_available,region,zone
g3.8xlarge,2.28,0.69,64,64,us-west-2,us-west-2a
g4dn.8xlarge,2.176,0.72,64,64,us-west-2,us-west-2a
EOF
recommend() {
	"$builddir/plink-srift" recommend --profile=p.json \
		--catalogue=prices.csv --model=cloud.model --iterations=100 "$@"
}
for goal in cost time; do
	recommend --place=us-west-2 --batch=2048 --straggler=0.02 \
		--objective=$goal --json >json 2>err
	is "recommend --model, by $goal: exit 0, nothing on stderr" \
		"$? $(cat err)" "0 "
	machines=$(python3 -c '
import json
print(",".join("%dx%s@%d" % (m["count"], m["instance"], m["batch"])
               for m in json.load(open("json"))["choice"]["machines"]))')
	predict --model=cloud.model --place=us-west-2 --straggler=0.02 \
		--machines="$machines" --json >predicted
	is "$goal: predict says the same of $machines" "$(python3 -c '
import json
j, p = json.load(open("json")), json.load(open("predicted"))
t = j["choice"]["iteration_s"]
# four types of 64 machines; learned to 64 ranks
assert j["ranks_not_considered"] == [[65, 256]] and not j["exact"]
assert j["bound"] == j["choice"]["job_s" if j["objective"] == "time" else "job_cost"]
assert 2 <= p["ranks"] <= 64 and p["exchange_s"] > 0
assert abs(t / p["iteration_s"] - 1) < 1e-9, (t, p)
print("right")')" right
done
recommend --place=us-west-2 --batch=2048 >placed
recommend --region=us-west-2 --batch=2048 >near
ok "the region tells the place" cmp placed near
# g4dn is at 3.6 GB/s, g3 at 1.05 of nearly the same price
has "the faster network of the same price is taken" "$(cat placed)" \
	"xg4dn.8xlarge@"
recommend --place=us-west-2 --batch=2048 --objective=time --work=60 --json >json
is "with little work: a bound, and who has it" "$(python3 -c '
import json
j = json.load(open("json"))
assert 0 < j["bound"] < j["choice"]["job_s"] and not j["exact"]
assert j["bound_by"] in ("search", "boxes")
assert j["choice_by"] in ("search", "program") and j["programs"] >= 0
print("right")')" right

# refuses STATUS TEXT COMMAND ARG...
refuses() {
	refuses_status=$1 refuses_text=$2
	shift 2
	"$@" >out 2>err
	is "$*: exit $refuses_status, nothing on stdout" "$? $(cat out)" \
		"$refuses_status "
	has "$*: why" "$(cat err)" "$refuses_text"
}
two="--model=cloud.model --machines=8xg3.8xlarge@64"
# shellcheck disable=SC2086
{
	refuses 2 "which g3.8xlarge?" predict $two
	refuses 2 "the model has no g3.8xlarge in mars" predict $two \
		--place=mars
	refuses 2 "one of --busbw, --model" predict $two --busbw=t8
	refuses 2 "which g3.8xlarge? Choose its zone" recommend --batch=64
	refuses 2 "in us-moon: it has" recommend --batch=64 --place=us-moon
	refuses 2 "--exclude=g3.8xlarge leaves it out" recommend --batch=64
}
refuses 2 "--place needs --model" predict --machines=1xg3.8xlarge@64 --place=x
refuses 2 "learned from 2 to 64 ranks, not for 65" predict \
	--model=cloud.model --machines=65xg4dn.8xlarge@64
refuses 2 "one grid of measurements" train --model=x
refuses 2 "one grid of measurements" train --model=x grid.csv grid.csv
refuses 2 "--model is wanted" train grid.csv
refuses 2 "--depth wants up to 16 whole numbers" train --depth=4,x grid.csv
refuses 2 "--depth wants" train --depth=4.5 grid.csv
refuses 2 "--rate wants" train --rate=0 grid.csv
refuses 2 "--slope wants" train --slope=-1 grid.csv
refuses 2 "--folds wants" train --folds=1 grid.csv
refuses 2 "--mtu wants" train --mtu=0 grid.csv
refuses 2 "both want standard output" train --json --model=- grid.csv
refuses 4 "none.csv" train --model=x none.csv
refuses 4 "no/x" train --model=no/x grid.csv
head -n 9 grid.csv >few.csv
refuses 3 "8 rows of at most 9000 bytes: at least 20" train --model=x few.csv
head -n 11 grid.csv | sed '11s/,10,.*/,10/' >cut.csv
refuses 3 "cut.csv:11:" train --model=x cut.csv
sed '3s/,[^,]*$//; 3s/[^,]*$/-1/' grid.csv >negative.csv
refuses 3 "negative.csv:3:" train --model=x negative.csv
printf 's/Xeon/Xeon \351/\n' >latin.sed
LC_ALL=C sed -f latin.sed grid.csv >latin.csv
refuses 3 "latin.csv:2:41: cpu: bytes that are not UTF-8 in a name" \
	train --model=x latin.csv
ok "none of these has left a model" test ! -e x

# models that are none
m8="--machines=8xg4dn.8xlarge@64"
head -c 9999 cloud.model >cut.model
refuses 3 "cut.model: the model is damaged" predict --model=cut.model $m8
sed 's/"ranks":\[2,4,/"ranks":[2,3,/' cloud.model >changed.model
refuses 3 "changed.model: the model is damaged" predict \
	--model=changed.model $m8
refuses 3 "this is a grid of measurements, not a model" predict --model=grid.csv $m8
refuses 3 "this is not a model" predict --model=/dev/null $m8
refuses 4 "none.model" predict --model=none.model $m8
sed '2s/"gpu"/"tpu"/' cloud.model | sed 1d >body
printf 'plink-srift-model 1 sha256:%s\n' "$(sha256sum <body | cut -c 1-64)" |
	cat - body >others.model
refuses 3 'others.model:2:13: "features": this model was trained on other' \
	predict --model=others.model $m8

# what --help of the verb lists stands in the page; its example runs
"$builddir/plink-srift" train --help >help
is "train --help: exit 0" $? 0
sed 's/\\-/-/g' "$builddir/man/plink-srift.1" >page
is "plink-srift(1) has every option of it" \
	"$(grep -oE -- '--[a-z][a-z-]+' help | sort -u | while read -r o; do
		grep -qF -- "$o" page || echo "$o"
	done)" ""
ln -s p.json resnet18.json
sed -n '/^\.SH EXAMPLES/,/^\.SH BUGS/p' page | awk '
	/^\.nf/ { on = 1; text = ""; next }
	/^\.fi/ { if (text ~ /srift train/) printf "%s", text; on = 0 }
	on { text = text $0 "\n" }' |
	sed 's/\\e$/\\/; s/ grid.csv/ --folds=2 --trees=20 --depth=4 grid.csv/' \
		>example.sh
is "the example of the page" "$(PATH="$builddir:$PATH" sh -e example.sh 2>&1 |
	grep -c -e '^iteration  [1-9]' -e '^cloud.model: written')" 2
sed -n '/^\.SH EXAMPLES/,/^\.SH SEE/p' "$builddir/man/plink-grid.5" |
	sed 's/\\-/-/g' | grep -v '^\.' >example.csv
refuses 3 "2 rows of at most 9000 bytes" train --model=x example.csv

done_testing
