#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1352-profile-numbers.t - numbers of a profile: what one tool writes, another reads
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$tmp" || exit 99
SOURCE_DATE_EPOCH=1767225600
export SOURCE_DATE_EPOCH
srift=$builddir/plink-srift spot=$builddir/plink-spot batch=$builddir/plink-batch
cp "$srcdir/tests/data/srift/three-layers.json" p.json
cp "$srcdir/tests/data/srift/all-reduce-8.txt" t8

# numbers NAME MEMBER...: of p.json
numbers() {
	python3 -c 'import json, sys
p = json.load(open("p.json"))
n = [n for n in p["numbers"] if n["name"] == sys.argv[1]]
assert len(n) == 1 and p["plink-profile"] == 2, p
print(*(n[0].get(k) for k in sys.argv[2:]))' "$@"
}
predict() {
	"$srift" predict --machines=8xg3.8xlarge@64 --busbw=t8 --profile=p.json "$@"
}
predict >plain

# a checkpoint: 1.5 s and 0.1 s a unit
awk 'BEGIN {
	print "data,meta,index,seconds"
	for (i = 1; i <= 12; i++)
		print i * i "," i "," i % 5 "," 1.5 + (i * i + i) / 10
}' >saves
"$spot" checkpoint --samples=saves --sizes=20,2,1 --profile=p.json >out 2>err
is "checkpoint: exit 0" "$? $(cat err)" "0 "
is "its seconds are in the profile, with their origin" \
	"$(numbers checkpoint_s origin with when)" \
	"fitted plink-spot checkpoint 2026-01-01T00:00:00Z"
ok "they are about right" awk "BEGIN { x = $(numbers checkpoint_s value)
	exit !(x > 3.6 && x < 3.8) }"
predict >again
ok "all else stays" cmp plain again
is "the comment, too" "$(grep -c 'made up, for tests' p.json)" 1
expect() {
	"$spot" expect --steps=1000 --life=100s --launch=10s --join=5s --replays=50 \
		"$@" >out 2>err
}
expect --machines=2xK80@5 --interval=100 --profile=p.json
cp out profile
expect --machines=2xK80@5 --interval=100 --save="$(numbers checkpoint_s value)s"
ok "expect takes them" cmp out profile
expect --machines=2xK80@5 --interval=100
is "without both: exit 2" "$? $(cat out)" "2 "
"$spot" checkpoint -q --steps=1000 --life=1h --launch=10s --join=5s --replays=20 \
	--machines=2xK80@5 --profile=p.json >out
has "and checkpoint" "$(head -n 1 out)" "a checkpoint takes 3.7"

# a step of half a second for 1e9 operations
awk 'BEGIN { print "flops,seconds"; for (i = 1; i < 10; i++) print i * 1e9 "," i / 2 }' >steps
"$spot" fit --features=flops --target=seconds --model=linear --profile=p.json \
	--instance=K80 steps >out 2>err
is "fit, of a profile without operations: exit 3" $? 3
has "what it lacks" "$(cat err)" 'p.json has no number "flops": give --at'
python3 - <<'END'
import json
p = json.load(open("p.json"))
p["numbers"].append({"name": "flops", "value": 3e9, "origin": "given"})
json.dump(p, open("p.json", "w"))
END
"$spot" fit --features=flops --target=seconds --model=linear --profile=p.json \
	--instance=K80 steps >out 2>err
is "fit: exit 0" "$? $(cat err)" "0 "
is "a step, of the type of machine" "$(numbers step_s instance value origin with |
	sed 's/ 1.49999[0-9]* / 1.5 /; s/ 1.50000[0-9]* / 1.5 /')" \
	"K80 1.5 fitted plink-spot fit"
"$spot" fit --features=flops --target=seconds --model=linear --profile=p.json \
	--instance="$(printf 'a\tb')" steps >out 2>err
is "no name of a type: exit 2" $? 2
expect --machines=2xK80 --profile=p.json
has "where it is from is told" "$(cat err)" \
	"plink-spot: K80: a step takes 1.5 s (fitted, plink-spot fit, 2026-01-01"
has "expect takes it" "$(head -n 1 out)" "1000 steps at 1.333 steps/s"
expect --machines=2xP100 --profile=p.json
is "another type: exit 2" $? 2
has "why" "$(cat err)" "the profile has no step_s of P100"

# the noise scale, of two short jobs
cat >job <<'END'
#!/bin/sh
awk -v k="$PLINK_BATCH_WORKERS" -v b="$PLINK_BATCH_SAMPLES" 'BEGIN {
	print "# plink-norms 1\nworkers " k "\nbatch " b
	for (i = 0; i < 30; i++)
		printf "step %d %g %g seconds=1\n", i, 2 + 48 * k / b, 2 + 48 / b
}' >"$PLINK_BATCH_NORMS"
END
chmod +x job
"$batch" run --workers=8 --batches=64,128 --samples=1000 --state=state \
	--profile=p.json -- ./job >out 2>err
is "run: exit 0" $? 0
is "the noise scale" "$(numbers noise_scale value origin with)" \
	"24.0 measured plink-batch run"
sed 's/ scale=[0-9.]*//' state >points
"$batch" model points >out 2>err
is "points without a noise scale" "$?" 3
"$batch" model --profile=p.json points >without 2>err
is "model takes that of the profile: exit 0" $? 0
has "which is told" "$(cat err)" "noise scale 24 of p.json (measured, plink-batch run, 2026-01-01T00:00:00Z)"
"$batch" model state >out
ok "the same choice as with the points' own" cmp out without
"$batch" noise --profile=p.json x 2>err
has "noise takes none" "$(cat err)" "--profile needs the verb model or run"

# stalls of steps that were measured before: nothing runs
cat >steps.stalls <<'END'
# plink-stalls 1
run m g3.8xlarge
script true
batch 8
gpus 4
t1 0.1
t2 0.15
t3 0.5
t4 0.2
END
stalls() {
	"$builddir/plink-stalls" run -q --hook="$srcdir/planner/stalls" --model=m \
		--machine=g3.8xlarge --profile=p.json -o steps.stalls true >out 2>err
}
cp p.json before.json
stalls
is "stalls: exit 0" "$? $(cat err)" "0 "
is "of an iteration of 32 samples" "$(python3 -c 'import json
print(*("%s %d %.2f" % (n["name"], n["batch"], n["value"])
        for n in json.load(open("p.json"))["numbers"] if n.get("instance") == "g3.8xlarge"))')" \
	"interconnect_s 32 0.05 prep_s 32 0.05 fetch_s 32 0.30"
sed -i /batch/d steps.stalls
cp before.json p.json
stalls
is "samples that are not known: exit 3" "$?" 3
has "why" "$(cat err)" "the samples of an iteration are not known"
ok "the profile is as it was" cmp p.json before.json

# waiting for data: 3.2 ms an iteration of 32 samples are 6.4 ms of 64
python3 - <<'END'
import json
p = json.load(open("p.json"))
for name, value in ("prep_s", 0.0032), ("fetch_s", 0.032), ("network_s", -1):
    p["numbers"].append({"name": name, "instance": "g3.8xlarge", "batch": 32,
                         "value": value, "origin": "measured"})
json.dump(p, open("p.json", "w"))
END
forward() {
	predict "$@" 2>err | sed -n 's/^forward  *//p' | cut -d' ' -f1,2
}
is "waiting is no part of the forward pass" "$(forward --data=storage)" "73 ms"
has "which is told" "$(cat err)" \
	"g3.8xlarge: a sample waits 1.1 ms for its data (measured)"
predict >out 2>err
is "but of the iteration, with where it is from" "$(sed -n '/^iteration/,$p' out | tr -s ' ')" \
	"iteration 232 ms, of which 7 ms wait for the exchange; 2203.1 samples/s
of which
 compute 219 ms (origin unknown)
 exchange 7 ms (simulated, measured all-reduces)
 prep 6.4 ms (measured)"
predict --json --data=storage 2>err | python3 -c 'import json, sys
j = json.load(sys.stdin)
t = {k: v["s"] for k, v in j["terms"].items()}
assert abs(sum(t.values()) - j["iteration_s"]) < 1e-12, j
assert abs(t["fetch"] - 0.064) < 1e-12 and t["interconnect"] == 0, j
assert j["terms"]["fetch"]["origin"] == "measured" and "origin" not in j["terms"]["compute"]
assert abs(j["forward_s"] - 0.073) < 1e-12, j
assert abs(j["machines"][0]["forward_s"] - 0.073) < 1e-12, j'
is "the parts add up; fetch, from storage" $? 0
predict --data=none >again 2>err
ok "none counts: as before" cmp plain again

# a cheaper machine whose storage is slow
cat >two.json <<'END'
{"plink-profile": 2, "model": "m", "layers": [{"name": "l", "bytes": 1000000}],
 "instances": [
  {"name": "slow", "batches": [64], "forward_s": [0.1], "backward_s": [0.2], "finish": [1]},
  {"name": "fast", "batches": [64], "forward_s": [0.1], "backward_s": [0.2], "finish": [1]}],
 "numbers": [{"name": "fetch_s", "instance": "slow", "batch": 32, "value": 0.9}]}
END
printf 'instance,price\nslow,1\nfast,1.5\n' >prices.csv
for where in memory storage; do
	"$srift" recommend -q --json --profile=two.json --catalogue=prices.csv --batch=64 \
		--iterations=1000 --rated=10Gbit --data=$where
done | python3 -c 'import json, sys
for line in sys.stdin.read().replace("}\n{", "}\0{").split("\0"):
    print(json.loads(line)["choice"]["machines"][0]["instance"])' >out
is "recommend takes it for data in memory only" "$(xargs <out)" "slow fast"

# recommended, and with the GPUs of one machine, whose connections were measured
printf 'instance,price\ng3.8xlarge,2.28\n' >prices.csv
"$srift" recommend --profile=p.json --busbw=t8 --catalogue=prices.csv --batch=512 \
	--iterations=10 >out 2>err
is "recommend has the parts, too" "$(sed -n '/^of which/,/^job/p' out | tr -s ' ' | head -n 4)" \
	"$(predict 2>err | sed -n '/^of which/,$p' | tr -s ' ')"
one() {
	"$srift" predict --profile=four.json --machines=1xg3.8xlarge@32 "$@" >out 2>err
}
python3 - <<'END'
import json
p = json.load(open("p.json"))
p["instances"][0]["ranks"] = 4
json.dump(p, open("four.json", "w"))
p["numbers"].append({"name": "interconnect_s", "instance": "g3.8xlarge", "batch": 32,
                     "value": 0.05, "origin": "measured", "with": "plink-stalls run"})
json.dump(p, open("five.json", "w"))
END
one
is "one machine of four GPUs, without a network: exit 2" "$? $(cat out)" "2 "
mv five.json four.json
one
has "with a measured interconnect: exit 0" "$? $(tr -s ' ' <out)" "0 three layers: 1 machine, 4 ranks"
has "it is a part" "$(tr -s ' ' <out)" " interconnect 50 ms (measured, plink-stalls run)"

# merged: one type each
python3 - <<'END'
import json
p = json.load(open("p.json"))
a, b = p["instances"]
for name, instance in ("a.json", a), ("b.json", b):
    p["instances"] = [instance]
    json.dump(p, open(name, "w"))
    p["numbers"] = [{"name": "flops", "value": 1}, {"name": "parameters", "value": 7}]
END
"$srift" merge -o all.json a.json b.json
is "merge: exit 0" $? 0
is "both types; numbers of the first, and those that it lacks" "$(python3 -c '
import json
p = json.load(open("all.json"))
n = {n["name"]: n["value"] for n in p["numbers"]}
print(p["plink-profile"], *(i["name"] for i in p["instances"]), n["flops"],
      n["parameters"], len(n))')" "2 g3.8xlarge p3.8xlarge 3000000000 7 8"
cp "$srcdir/tests/data/srift/three-layers.json" first.json
"$srift" merge first.json | "$srift" merge - >again.json
is "a profile of version 1 stays one" "$(grep -c '"plink-profile": 1,' again.json)" 1
"$srift" merge a.json a.json >out 2>err
is "a type twice: exit 3" "$? $(cat out)" "3 "
has "why" "$(cat err)" "both profiles have the instance g3.8xlarge"

# what is no number of a profile, by its place
while IFS='|' read -r at words number; do
	printf '{"plink-profile": 2, "model": "m", "numbers": [\n%s]}\n' "$number" >bad
	"$batch" model --profile=bad points >out 2>err
	is "$words: exit 3" "$? $(cat out)" "3 "
	has "its place" "$(cat err)" "plink-batch: bad:$at: "
	has "and why" "$(cat err)" "$words"
done <<'END'
2:10|"name": "flop" is no number of a profile|{"name": "flop", "value": 1}
2:1|"value": it is missing|{"name": "flops"}
2:28|"value": 0 is not from 1|{"name": "flops", "value": 0}
2:39|"what": there is no such member|{"name": "flops", "value": 1, "what": 1}
2:43|"instance": there is no such member|{"name": "flops", "value": 1, "instance": "i"}
2:1|"instance": it is missing|{"name": "step_s", "value": 1}
2:1|"batch": it is missing|{"name": "prep_s", "value": 1, "instance": "i"}
2:40|measured, fitted, simulated or given|{"name": "flops", "value": 1, "origin":"guessed"}
2:32|flops comes again|{"name": "flops", "value": 1}, {"name": "flops", "value": 2}
2:1|an object is wanted|[1]
END
done_testing
