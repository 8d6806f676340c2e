#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1375-spot.t - plink-spot: curves, ends of jobs, intervals, fits, and bad input
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$tmp" || exit 99
spot=$builddir/plink-spot

cat >lives <<'END'
# plink-lifetimes 1
limit 24h
life K80 us-east1 3h lost
life K80 us-east1 10h lost
life K80 us-east1 24h kept
life K80 us-east1 24h lost
life P100 us-east1 2h lost
life P100 us-west1 20h kept
start K80 us-east1 1.6s 40s 34s
cold K80 us-east1 75.6s
warm K80 us-east1 14.8s
END

# value MEMBER...: of the JSON in out
value() {
	python3 -c 'import json, sys
x = json.load(open("out"))
for k in sys.argv[1:]:
    x = x[int(k) if isinstance(x, list) else k]
print(x)' "$@"
}

"$spot" curve lives >out 2>err
is "curve: exit 0, nothing said" "$? $(cat err)" "0 "
has "a type in a region" "$(cat out)" "K80 us-east1: 2 of 4 machines lost in 61 h"
has "F by an age" "$(grep '^  4 h' out)" "25.0 %"
has "stages of a launch" "$(cat out)" "provisioned after 1.6 s, staged after 40 s, up after 34 s"
"$spot" curve --json lives >out
is "as JSON" "$(value tool) $(value groups 0 curve 1 age_s) $(value groups 0 curve 1 taken)" \
	"plink-spot 36000.0 0.5"
is "the limit is no loss" "$(value groups 0 lost) $(value groups 0 limit_s)" "2 86400.0"
# a machine that is started in the morning is lost after 20 h, others after 1 to 4 h
awk 'BEGIN {
	print "# plink-lifetimes 1"
	for (i = 0; i < 96; i++) {
		h = i % 24
		print "life K80 a", (h >= 6 && h < 12 ? 20 : 1 + int(i / 24)) "h lost", h ":30"
	}
}' >hours
"$spot" curve hours >out
is "hours of start: those at which fewer are lost" "$(grep '^  start' out | tr -s ' ' | xargs)" \
	"started machines lost expected p start machines from 06 to 12: 0.47 of the losses expected"
"$spot" curve --hours=12 --json hours >out
is "halves of a day, as JSON" "$(value groups 0 hours 0 machines) $(
	value groups 0 hours 0 advised) $(value groups 0 hours 1 from)" "48 True 12"
awk '$4 == "20h" { $4 = 1 + n++ % 4 "h" } 1' hours >same
"$spot" curve same >out
has "no advice where chance explains the difference" "$(cat out)" \
	"at no hours are so few lost that chance would not explain it"
"$spot" curve --hours=5 hours 2>err
is "hours that do not divide a day: exit 2" $? 2

# expect OPTION...: a job of 100 s without losses
expect() {
	"$spot" expect --machines=2xK80@5 --steps=1000 "$@" >out 2>err
}
expect --lifetimes=lives --region=us-east1 --price=K80=36 --deadline=100s --json
is "expect: exit 0" "$? $(cat err)" "0 "
is "none is lost so soon: time and money" \
	"$(value seconds p95) $(value dollars mean) $(value in_time)" "100.0 2.0 1.0"
expect --lifetimes=lives
has "as text" "$(cat out)" "mean 100 s, p50 100 s, p95 100 s"
"$spot" expect --machines=2xK80@5 --on-demand=1xV100@4 --steps=1000 --mode=synchronous \
	--lifetimes=lives --region=us-east1 --launch=1 --join=1 >out
has "synchronous: as fast as the slowest" "$(cat out)" "1000 steps at 4 steps/s"
short="--life=100s --launch=10s --join=5s --interval=100 --save=1s --replays=500 --json"
# shellcheck disable=SC2086
expect $short
cp out first
# shellcheck disable=SC2086
expect $short
ok "the same seed, the same bytes" cmp out first
ok "losses take time" python3 -c 'import json
x = json.load(open("out"))
assert 110 < x["seconds"]["mean"] < x["seconds"]["p95"] and x["lost"] > 2
assert 110 < x["printed"]["seconds"] < x["fixed_point"]["seconds"]'
expect --life=1s --launch=10s --join=5s --interval=500 --save=1s --replays=20
is "no job ends: exit 1" "$?" 1
has "and with no interval" "$(cat err)" \
	"with any other interval between checkpoints: a machine is lost every 500 ms"
expect --life=10s --launch=0 --join=0 --interval=1000 --save=1s --replays=20 --json
is "too long an interval: exit 1" "$?" 1
has "the best one is told" "$(cat err)" \
	"the best interval between checkpoints is $(value best_interval | sed 's/\.0$//') steps"
is "no number without an end" "$(value seconds mean) $(value seconds p50)" "None None"

# refused STATUS WORDS OPTION...
refused() {
	status=$1 words=$2
	shift 2
	"$spot" "$@" >out 2>err
	is "$*: exit $status" "$? $(cat out)" "$status "
	has "it says" "$(cat err)" "$words"
}
two="--steps=1000 --machines=2xK80@5"
while IFS='|' read -r status words options; do
	# shellcheck disable=SC2086
	refused "$status" "$words" expect $options </dev/null
done <<END
2|--steps is wanted|--machines=2xK80@5 --life=1h
2|--lifetimes, --history or --life is wanted|$two
2|--life replaces the files|$two --life=1h --lifetimes=lives
2|--interval and --save go together|$two --life=1h --save=2
2|"2K80@5" is not like 4xNAME@2.5|--steps=1 --machines=2K80@5 --life=1h
2|no machine computes any step|--steps=1 --machines=2xa@0 --life=1h --launch=1 --join=1
2|--launch is wanted: no time of K80 is known|$two --life=1h
2|known in 2 regions: choose one|--steps=1 --machines=1xP100@1 --lifetimes=lives
3|no lifetime of V100 is known; known are K80 us-east1, P100 us-east1, P100 us-west1|--steps=1 --machines=1xV100@1 --lifetimes=lives
3|no lifetime of K80 in mars is known|$two --lifetimes=lives --region=mars
2|the job has no machine "V100"|$two --lifetimes=lives --price=V100=1
4|cannot open none|$two --lifetimes=none
END
{ cat lives; echo "price K80 us-east1 36 7s"; } >priced
expect --lifetimes=priced --region=us-east1
has "recorded prices" "$(cat out)" "cost       mean \$2.00, p50 \$2.00, p95 \$2.00"
"$spot" curve priced >out
has "and their mean" "$(cat out)" "price     \$36 an hour (mean of 7 s)"
printf 'instance,price,spot,region\nK80,0.45,0.135,us-east1\nV100,2.48,,us-east1\n' >prices
expect --lifetimes=lives --on-demand=1xV100@10 --catalogue=prices --json
is "prices of a catalogue: spot, and on demand" "$(value dollars mean | cut -c1-9)" \
	"$(python3 -c 'print((2 * 0.135 + 2.48) * 50 / 3600)' | cut -c1-9)"
expect --lifetimes=lives --on-demand=1xV100@10 --price=K80=36,V100=72 --json
is "prices of two types: 50 s" "$(value dollars mean)" 2.0
refused 3 "prices: no spot price of P100" expect --steps=1 --machines=1xP100@1 \
	--region=us-west1 --launch=1 --join=1 --lifetimes=lives --catalogue=prices
printf '# plink-lifetimes 1\ncold K80 a 1s\n' >none
refused 3 "none: no lifetime of a machine" curve none
printf '# plink-lifetimes 1\nlife K80 a -1s lost\n' >none
refused 3 "none:2:12: \"-1s\" is not a time" curve none
refused 3 "prices:1:1: this is a catalogue of prices, not lifetimes of machines" curve prices
cp lives kept
refused 2 "lives" curve -o lives lives
ok "nothing that is read is replaced" cmp lives kept
printf '# plink-lifetimes 1\nlife K80 a 9h kept\n' >all
expect --lifetimes=all --launch=1 --join=1
is "none was ever lost: exit 0" "$?" 0
has "and that is told" "$(cat err)" "none of 1 machines K80 was lost: they are assumed to stay"
expect --lifetimes=lives --region=us-east1 --measured=6
has "a server that bounds them" "$(cat err)" "6 steps a second are 60 % of the sum"

"$spot" checkpoint --steps=100000 --machines=2xK80@5 --life=1000s --launch=0 --join=0 \
	--save=4s --replays=100 --json >out 2>err
is "checkpoint: Young's interval" "$? $(value young steps)" \
	"0 $(python3 -c 'print(round((2 * 4 * 500) ** 0.5 * 10) * 1.0)')"
ok "the best is no worse" python3 -c 'import json
x = json.load(open("out"))
assert x["best"]["mean_s"] <= min(x["young"]["mean_s"], x["daly"]["mean_s"])'
python3 - >samples <<'END'
print("model,data,meta,index,seconds")
for k in range(40):
    d, m, i = 5 + 3 * k, 1 + k % 5, 0.01 * (k % 7)
    print("m%d,%g,%g,%g,%g" % (k, d, m, i, 0.02 * d + 0.3 * m + 3))
END
"$spot" checkpoint --samples=samples --sizes=20,2,0.01 >out 2>err
is "checkpoint: exit 0" "$? $(cat err)" "0 "
has "of data and meta, model (ii)" "$(grep -- '<- used' out)" "ii "
has "the law comes back" "$(grep -- '<- used' out)" ", 4 s"
"$spot" fit --features=data,meta --target=seconds --model=linear --at=20,2 samples >out
has "fit: the equation" "$(cat out)" "seconds = 0.02 * data +0.3 * meta +3"
has "and a value" "$(cat out)" "predicted 4"
refused 3 "samples:1:1: no column is called \"size\"" fit --features=size --target=seconds samples
refused 2 "--at has 1 values of 2 features" fit --features=data,meta --target=seconds --at=1 samples

# pictures: a curve for each group with a life, a dot for each replay and two marks
"$spot" curve --picture=curves.svg lives >out
is "curves: exit 0" "$? $(grep -c 'class="curve"' curves.svg)" "0 3"
ok "well-formed" python3 -c 'import xml.dom.minidom as d; d.parse("curves.svg")'
has "the axis of ages" "$(cat curves.svg)" \
	'<text x="277.7" y="486.0" font-size="12" text-anchor="middle">10 h<'
has "a quarter lost after 3 h, half after 10" "$(cat curves.svg)" \
	' d="M76.0 468.0H136.5V372.0H277.7V276.0H560.0V276.0"'
# shellcheck disable=SC2086
expect $short --price=K80=1 --picture=cloud.svg
is "a cloud: exit 0" "$? $(grep -c '<circle' cloud.svg)" "0 502"
ok "its marks are where the axes have those times and costs" python3 - <<'END'
import json, re
svg, out = open("cloud.svg").read(), json.load(open("out"))
marks = re.findall('<circle cx="(.*?)" cy="(.*?)" r="5"', svg)
for axis, ticks, sums in ((0, '<text x="(.*?)" y="486.0".*>([0-9]+) s<', out["seconds"]),
                          (1, '<text x="68.0" y="(.*?)".*>[$]([0-9.]+)<', out["dollars"])):
    (at0, v0), *_, (at1, v1) = [map(float, t) for t in re.findall(ticks, svg)]
    for mark, p in zip(marks, ("p50", "p95")):
        at = at0 + (sums[p] - v0) / (v1 - v0) * (at1 - at0) - 4 * axis  # a text's base line
        assert abs(float(mark[axis]) - at) < 0.2, (axis, p, mark, at)
END
refused 2 "does not end in .svg" curve --picture=curves.png lives
# shellcheck disable=SC2086
refused 3 "known cost" expect $two $short --picture=cloud.svg

# a trace: four machines, of which two are lost, and one is back 600 s later
echo '{"metadata": {"gap_seconds": 300}, "data": [4, 4, 2, 2, 3, 3]}' >trace.json
"$spot" trace --type=K80 trace.json >traced
is "trace: lives and launches" "$? $(sed '1,2d' traced | sort | uniq -c | xargs)" \
	"0 2 life K80 - 1800s kept 1 life K80 - 600s kept 2 life K80 - 600s lost 1 start K80 - 600s 0s 0s"
expect --lifetimes=traced --join=0
is "which expect reads" "$? $(cat err)" "0 "
echo '{"metadata": {"gap_seconds": 60}, "data": [1, 1, 1, 1], "prices": [0.9, 0.9, 1, 0.9]}' >prices.json
is "trace: prices" "$("$spot" trace --type=K80 --from=60s prices.json | grep ^price | xargs)" \
	"price K80 - 0.9 60s price K80 - 1 60s price K80 - 0.9 60s"
"$spot" trace --type=set --together=3 --region=a --from=300s trace.json >out
is "as one machine" "$(sed '1,2d' out)" "life set a 300s lost
life set a 600s kept
start set a 600s 0s 0s"
refused 2 "--type is wanted" trace trace.json
refused 2 "no tick of trace.json, which ends after 1800 s" trace --type=a --from=1h trace.json
refused 3 "trace.json: no machine is ever up, or not so many together" \
	trace --type=a --together=5 trace.json
for data in '[-1]' '[]' '"4"' '[1.5]'; do
	echo "{\"metadata\": {\"gap_seconds\": 300}, \"data\": $data}" >bad.json
	refused 3 "bad.json:1:" trace --type=a bad.json
done
refused 3 "lives:1:1" trace --type=a lives

# machines that are measured: a launch tells its stages just before its end
"$builddir/plink-srift" watch --iterations=1 --spot-again --stop-spent --stop-unmet \
	--search='echo iteration 1; echo machines 1 K80 spot 1 0.1' \
	--launch='for s in provisioned staged; do echo $s $SRIFT_ID; done >>said; echo $SRIFT_ID' \
	--start='echo done >>said' --stop=true --progress=said --budget=9 --time-limit=1h \
	--journal=measured >out 2>&1
is "watch: stages are events before the machine is up" "$? $(awk '{ print $3 }' out | xargs)" \
	"0 begin plan provisioned staged up running done stopped end"
"$spot" curve --history=measured --json >out
ok "curve: they make up the launch" python3 -c 'import json
g = json.load(open("out"))["groups"][0]
s = g["stages"]
assert [s[k]["n"] for k in ("provisioned", "staged", "up")] == [1, 1, 1], s
assert abs(sum(s[k]["mean_s"] for k in s) - g["launch"]["mean_s"]) < 1e-9, g'

# machines without a recorded life: what the provider says of a month
echo '{"instance_type": "K80", "pricing": {"us-east-1": {"linux": {"spot_avg": "36",
	"pct_interrupt": ">20%"}}}}' >ec2.json
expect --catalogue=ec2.json --launch=1 --join=1 --json
is "AWS' ranges: exit 0" "$? $(value lost)" "0 0.0"
has "it is told" "$(cat err)" "as the provider takes away some 25 % in a month"
expect --catalogue=prices --launch=1 --join=1
is "none: exit 3" $? 3
has "no life" "$(cat err)" "no lifetime of K80 is known; known are none"

# Table IV of the paper is of sizes as they are: rows far apart do not help each other
ok "support vectors of unscaled sizes repeat the rows near them only" python3 - "$spot" <<'END'
import json, subprocess, sys
with open("far", "w") as out:
    print("x,y", file=out)
    for k in range(50):
        print("%d,%g" % (100 * (k % 10), k % 10), file=out)
def at(*options):
    done = subprocess.run([sys.argv[1], "fit", "--features=x", "--target=y", "--model=rbf",
                           "--at=850", "--json", *options, "far"],
                          check=True, capture_output=True)
    model = json.loads(done.stdout)["models"][0]
    return model["mae"], model["predicted"]
scaled, unscaled = at(), at("--unscaled")
assert scaled[0] < 0.5 and abs(scaled[1] - 8.5) < 0.5, scaled
assert unscaled[0] < 0.5 and abs(unscaled[1] - 8.5) > 2, unscaled
END
# jobs on a provider that is made up; how many are in time is not judged here
"$srcdir/bench/rehearsals" --jobs=3 --hours=0.1 --time-scale=200 >out 2>err
ok "rehearsals run to their end" test $? -le 1
has "each of them" "$(tail -n 1 out)" "3 of 3 jobs ended"
done_testing
