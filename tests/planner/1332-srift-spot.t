#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1332-srift-spot.t - plink-srift recommend --spot-history: choices with losses
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cp "$srcdir/tests/data/srift/shufflenet.json" "$tmp" || exit 99
cd "$tmp" || exit 99
printf 'DP:\nallreduce,: 1000\n' >busbw.yaml
cat >prices.csv <<'END'
instance,spot,spot_available,price
p3.8xlarge,3.68,4,12.24
g3.8xlarge,0.69,8,2.28
g4dn.8xlarge,0.72,8,2.176
END

# recommend ARG...: a job of 378 s at the least on spot machines, without losses
recommend() {
	"$builddir/plink-srift" recommend --profile=shufflenet.json --busbw=busbw.yaml \
		--catalogue=prices.csv --batch=6144 --iterations=1000 "$@"
}
# lives LIFE...: of all types, each ends so
lives() {
	echo "# plink-lifetimes 1"
	for type in p3.8xlarge g3.8xlarge g4dn.8xlarge; do
		printf "life $type - %s\n" "$@"
		echo "start $type - 2s 40s 30s"
		echo "cold $type - 20s"
	done
}

lives '24h kept' >kept
for objective in cost time; do
	recommend --objective=$objective >without
	recommend --objective=$objective --spot-history=kept --save=10s >out 2>err
	is "no losses, by $objective: exit 0" "$?" 0
	sed '/^losses/,$d' out >rest
	ok "what is recommended is the same, byte for byte" cmp rest without
	has "it is the first of the table" "$(sed -n '/^losses/{n;n;p;}' out)" "<- recommended"
done
cp shufflenet.json before.json
sed 's/"plink-profile": 1,/"plink-profile": 2, "numbers": [{"name": "checkpoint_s", "value": 10}],/' \
	before.json >shufflenet.json
recommend --objective=$objective --spot-history=kept >again 2>/dev/null
ok "the seconds of a checkpoint are those of the profile" cmp out again
cp before.json shufflenet.json
has "that none was lost is told" "$(cat err)" "none of 1 machines g3.8xlarge was lost"
is "on demand stands beside, without spot machines" "$(sed '1,/^losses/d' out |
	awk '$0 ~ /x/ && / 0  [0-9]+x/ { n++ } END { print(n > 0) }')" 1

# machines are lost every 40 minutes or so, one of 20 every 2
lives '5m lost' '10m lost' '20m lost' '40m lost' '2h lost' >lost
recommend --spot-history=lost --save=2s --json >json
ok "losses take time and cost money; on demand there are none" python3 - <<'END'
import json
j = json.load(open("json"))
rows = j["losses"]["choices"]
best = rows[j["losses"]["recommended"]]
assert best["mean_cost"] == min(r["mean_cost"] for r in rows)
assert best["machines"] == j["choice"]["machines"]
for r in rows:
    spot = sum(m["spot"] for m in r["machines"])
    if spot:
        assert r["interval"] > 0 and r["mean_s"] > r["job_s"]
    else:
        assert r["interval"] == r["lost"] == 0
        assert abs(r["quantile_s"] - r["job_s"]) < 1e-9 * r["job_s"]
        assert abs(r["mean_cost"] - r["job_cost"]) < 1e-9 * r["job_cost"]
    assert r["quantile_s"] >= r["mean_s"] * (1 - 1e-12)
assert any(sum(m["spot"] for m in r["machines"]) == 0 for r in rows)
END

# The same replays as those of plink-spot: eight machines, alike, that wait.
recommend --spot-history=lost --save=2s --market=spot --batch=2048 \
	--exclude=p3.8xlarge,g4dn.8xlarge --json >json
python3 - >words <<'END'
import json
row = json.load(open("json"))["losses"]["choices"][0]
rate = 1 / row["iteration_s"]
assert [m["count"] for m in row["machines"]] == [8]
print("--machines=8xg3.8xlarge@%.17g --measured=%.17g --interval=%d" %
      (rate, rate, row["interval"]))
END
# shellcheck disable=SC2046
"$builddir/plink-spot" expect --lifetimes=lost --price=g3.8xlarge=0.69 --save=2s \
	--steps=1000 --replays=1000 --json $(cat words) >expected 2>err
ok "plink-spot expects the same time and cost" python3 - <<'END'
import json
row = json.load(open("json"))["losses"]["choices"][0]
e = json.load(open("expected"))
for got, want in ((row["mean_s"], e["seconds"]["mean"]),
                  (row["quantile_s"], e["seconds"]["p95"]),
                  (row["mean_cost"], e["dollars"]["mean"]),
                  (row["quantile_cost"], e["dollars"]["p95"]),
                  (row["lost"], e["lost"])):
    assert abs(got - want) <= 1e-9 * want, (got, want)
assert row["lost"] > 0
END

# Lives of minutes: jobs on spot machines take long or do not end.
lives '30s lost' '2m lost' '5m lost' '10m lost' '20m lost' >short
recommend --spot-history=short --save=2s --time-limit=7m >out 2>err
is "a limit that spot machines miss: exit 0" "$?" 0
has "machines on demand are recommended" "$(sed -n 's/^ *[0-9]* x //p' out | head -n 1)" "on demand, "
has "a mean within it does not help" "$(grep " 4  48xp3" out)" "misses a limit"
has "nor does what does not end" "$(sed -n '/^losses/{n;n;p;}' out)" "does not always end"
has "no proof is claimed" "$(cat out)" "proof      none: the best with losses of the choices below"
recommend --spot-history=short --save=2s --market=spot --time-limit=7m >out 2>err
is "spot machines only: exit 1, no answer" "$? $(cat out)" "1 "
has "why" "$(cat err)" "none keeps the limits in 95 % of the replays"

# Recorded prices replace those of the catalogue; types without lives are no spot.
{ cat kept; echo "price g3.8xlarge - 0.5 3h"; echo "price g3.8xlarge - 0.3 1h"; } |
	grep -v p3 >priced
recommend --spot-history=priced --save=10s --confidence=0.9 >out 2>err
has "the mean of the recorded prices" "$(cat out)" "x g3.8xlarge: spot, \$0.45 an hour"
has "another quantile" "$(cat out)" "losses     mean and 90 % of 1000 replays"
has "a type without lives" "$(cat err)" "no lifetime of p3.8xlarge is recorded"
is "is not rented as a spot machine" "$(grep -c "p3.8xlarge: spot" out)" 0

# Regions: cheap where machines are lost soon, dearer where they stay
cp prices.csv one.csv
{ sed '1s/$/,region/; 2,$s/$/,east/' one.csv; sed '1d; s/0.69/0.7/; s/$/,west/' one.csv; } >prices.csv
{ sed 's/ - / east /' short; grep -v '^#' kept | sed 's/ - / west /'; } >regions
recommend --region=any --market=spot --save=2s --spot-history=regions --json >out 2>err
is "the region in which losses cost least: exit 0" "$? $(python3 -c 'import json
print(json.load(open("out"))["region"])')" "0 west"
has "each region's cost" "$(cat err)" "region east: "
recommend --region=any >out 2>err
has "without losses" "$(cat out)" "region     east, the best of 2"
recommend --region=any --time-limit=1s >out 2>err
is "none: exit 1" $? 1
has "no region has one" "$(cat err)" "none of 2 regions has a choice"
mv one.csv prices.csv

# refused STATUS TEXT OPTION...
refused() {
	status=$1 text=$2
	shift 2
	recommend "$@" >out 2>err
	is "$*: exit $status, nothing on stdout" "$? $(cat out)" "$status "
	has "$*: why" "$(cat err)" "$text"
}
refused 2 "--spot-history and --save go together" --spot-history=kept
refused 2 "--spot-history and --save go together" --save=1s
refused 2 "--eager or --spot-history: not both" --eager --spot-history=kept --save=1s
refused 2 "--confidence wants" --spot-history=kept --save=1s --confidence=1
refused 3 "prices.csv:1:1: this is a catalogue of prices, not lifetimes" \
	--spot-history=prices.csv --save=1s
grep -v '^cold g3' kept >warm
refused 3 "no cold start of g3.8xlarge is recorded" --spot-history=warm --save=1s
sed 's/^life g3.8xlarge -/life g3.8xlarge east/' kept | cat kept - >two
refused 2 "lifetimes of g3.8xlarge are known in 2 regions" --spot-history=two --save=1s

# A watched job: after a loss, the search weighs another spot machine against one on
# demand.
cat >launch <<'END'
#!/bin/sh
n=0
while [ $n -lt "$SRIFT_COUNT" ]; do
	n=$((n + 1))
	echo "$SRIFT_KIND.$SRIFT_ID.$n"
done
END
chmod +x launch
# watch LIVES: loses its first machine, then is done; the numbers of machines found
watch() {
	rm -f progress
	"$builddir/plink-srift" watch --profile=shufflenet.json --busbw=busbw.yaml \
		--catalogue=prices.csv --batch=6144 --iterations=1000 --progress=progress \
		--launch=./launch --start=true --stop=true --spot-history="$1" --save=2s \
		--json --journal="journal.$1" >events 2>err &
	pid=$!
	for n in 1 2; do
		for i in $(seq 600); do
			[ "$(grep -c '"running"' events)" -ge $n ] && break
			kill -0 "$pid" 2>/dev/null || break
			sleep 0.05
		done
		lost=$(sed -n 's/.*"host":"\([^"]*\)".*"type".*/\1/p' events | head -n 1)
		[ $n = 2 ] || echo "lost $lost" >>progress
	done
	echo done >>progress
	wait "$pid"
}
watch kept
is "watch with lives: exit 0" "$? $(grep -c plan events)" "0 2"
ok "a lost spot machine is replaced by one of its type, at the model's end" python3 - <<'END'
import json
plans = [e for e in map(json.loads, open("events")) if e["event"] == "plan"]
assert plans[0]["machines"] == plans[1]["machines"], plans
assert all(m["kind"] == "spot" for m in plans[1]["machines"]), plans
for p in plans:
    assert p["finish_s"] <= p["mean_s"] * (1 + 1e-9) <= p["quantile_s"] * (1 + 1e-8), p
END
"$builddir/plink-spot" curve journal.kept >out
has "its journal stands for lifetimes" "$(cat out)" " -: 1 of "
watch short
is "where lives are short: exit 0" $? 0
ok "machines are taken on demand" python3 - <<'END'
import json
plans = [e for e in map(json.loads, open("events")) if e["event"] == "plan"]
assert all(m["kind"] == "on-demand" for p in plans for m in p["machines"]), plans
END
done_testing
