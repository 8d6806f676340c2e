#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1380-batch.t - plink-batch: noise from logs, a choice from points, a search
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$tmp" || exit 99

batch() {
	"$builddir/plink-batch" "$@" >out 2>err
}

# log WORKERS BATCH SECONDS SLOPE: 30 iterations, whose noise scale is 24 samples for
# 8 workers and a batch of 64; the loss is 9 + SLOPE * iteration
log() {
	awk -v k="$1" -v b="$2" -v s="$3" -v slope="$4" 'BEGIN {
		print "# plink-norms 1\nworkers " k "\nbatch " b
		for (i = 0; i < 30; i++)
			printf "step %d %g %g seconds=%g loss=%g\n", i,
				2 + 48 * k / b, 2 + 48 / b, s, 9 + slope * i
	}'
}
log 8 64 0.25 -0.1 >eight.norms
log 1 8 0.25 -0.1 >one.norms
batch noise eight.norms
is "noise: exit 0" $? 0
is "its row" "$(tail -n 1 out | xargs)" "8 64 25 250 ms 2.909 0.3636 24 eight.norms"
batch noise one.norms
is "one worker: exit 0" $? 0
has "not defined, and said" "$(cat err)" "one worker: the noise between workers"
is "nor shown" "$(tail -n 1 out | xargs)" "1 8 25 250 ms - - - one.norms"
log 8 64 0.25 0.1 >rises.norms
batch noise rises.norms
is "a loss that rises: exit 1" $? 1
has "and said" "$(cat err)" "the loss rises, from 9."
log 8 64 0.25 0 | awk '/^step/ { $NF = "loss=" 9 + n++ * 7 % 10 + 0.02 * n } 1' >flat.norms
batch noise flat.norms
is "one that goes up and down, and up in the mean, does not" \
	"$? $(grep -c rises err)" "0 0"
sed '7s/step 3 [0-9.]*/step 3 nan/' eight.norms >nan.norms
batch noise nan.norms
is "no numbers: exit 1" $? 1
has "by line" "$(cat err)" "nan.norms:7:8: the gradients of this iteration are not finite"
batch noise --points --samples=1000 --weight=1 eight.norms
is "as points" "$(cat out)" "# plink-batch 1
samples 1000
point 8 64 0.25 noise=0.36363636363636365 scale=24"
awk '/^step/ { $3 *= NR % 2 ? 1.9 : 0.1 } 1' eight.norms >wild.norms
batch noise --points --samples=1000 wild.norms
has "noise that is not stable" "$(cat err)" \
	"wild.norms: the noise is not stable: its standard error is "
cp out wild
batch model wild
has "as points, too" "$(cat out)" "noise that is not stable: of 1 of 1 points"

grep -v '^batch' eight.norms >none.norms
batch noise none.norms
is "a log without a batch has no noise scale" "$? $(tail -n 1 out | xargs)" \
	"0 8 - 25 250 ms 2.909 0.3636 - none.norms"
has "and that is told" "$(cat err)" "the log has no batch"
batch noise --points none.norms
is "nor is it a point: exit 3" $? 3
has "the remedy" "$(cat err)" 'none.norms: a point needs a batch: add a line "batch N"'

# points: seconds = 0.1 + b / 100 + K / 50, epochs = 10 (1 + B / 1000), memory
# 1e9 + 1e7 b
awk 'BEGIN {
	print "# plink-batch 1\nsamples 50000\nrate sqrt"
	for (k = 2; k <= 16; k *= 2)
		for (b = 64; b <= 1024; b *= 4)
			print "point", k, b, 0.1 + b / k / 100 + k / 50, \
				"epochs=" 10 * (1 + b / 1000), \
				"memory=" 1e9 + 1e7 * b / k
}' >points
batch model --price=0.13402 --workers=2,8,20 --batches=64,256,512 points
is "model: exit 0" $? 0
has "the law of seconds" "$(cat out)" \
	"K workers of b samples: 0.1 + 0.01 b + 0.02 K; at 12 points off by 0.0 %"
has "the law of epochs" "$(cat out)" "B samples: 10 + 0.01 B; at 12 points"
has "the rule of the learning rate" "$(cat out)" "learning rate: sqrt"
is "the cheapest: 12.56 epochs of 50000 / 256 iterations of 1.42 s" \
	"$(grep cheapest out | xargs)" \
	"2 256 1.42 s* 12.56* 2453 3483 s 0.2680 0.2594 cheapest"
has "20 workers were not measured" "$(grep ' fastest' out)" "20       512    756 ms "
has "the choice and why" "$(cat out)" \
	"choice: 2 workers, batch 256: of 9 choices it costs least"
batch model --json --corners --memory=1600MiB --workers=2,4,8 points
is "--json: choices, of the corners' laws, within the memory" \
	"$(python3 -c '
import json
j = json.load(open("out"))
near = lambda x, y: abs(x - y) < 1e-6
assert j["step"]["points"] == 4 and j["step"]["error"]["points"] == 12
assert j["step"]["error"]["most"] < 1e-5
assert [round(t, 5) for t in j["step"]["terms"]] == [0.1, 0.01, 0.02]
assert j["too_large"] == 4, j["too_large"]  # 67 samples a worker
assert len(j["cells"]) == 5
c = j["choice"]
assert (c["workers"], c["batch"]) == (2, 64) and c == j["cheapest"]
print("right")' 2>&1)" right
batch model --price=0.13402 --workers=2,8,20 --batches=64,256,512 --picture=all.svg points
is "a picture: all choices, those of the front twice; the measured ones are filled" \
	"$(python3 -c '
import xml.etree.ElementTree as tree
svg = "{http://www.w3.org/2000/svg}"
root = tree.parse("all.svg").getroot()
points = [(c.find(svg + "title").text, c.get("fill")) for c in root.iter(svg + "circle")]
front = sum(l[:1] == " " for l in open("out"))
assert len(points) == 9 + front, (points, front)
filled = {name for name, fill in points if fill != "#fff"}
path, = [l.get("d") for l in root.iter(svg + "path") if l.get("fill") == "none"]
at = ["%s %s" % (c.get("cx"), c.get("cy")) for c in root.iter(svg + "circle")]
assert path == "M" + "L".join(at[9:]) and set(at[9:]) < set(at[:9]), (path, at)
assert path == "M156.8 289.6L219.9 385.0L568.8 439.3", path
assert filled == {"%d workers, batch %d" % (k, b) for k in (2, 8) for b in (64, 256)}, filled
names = [t.text for t in root.iter(svg + "text")]
assert "cheapest: 2 workers, batch 256" in names and "20" in names, names
print("right")' 2>&1)" right
batch model --picture=all.png points
is "which is an SVG: exit 2" $? 2
batch noise --picture=all.svg eight.norms
is "of choices: exit 2" $? 2
batch model --memory=1600MiB points
has "what the memory takes, and the least workers" "$(cat out)" \
	"1600M take 67 samples, batches of 1024 at least 16 workers"
batch model --objective=time --time-limit=1 points
is "no choice within the limit: exit 1" $? 1
has "and said" "$(cat out)" "no choice is within the limits"
# the noise alone: epochs are relative
printf '# plink-batch 1\nsamples 9\npoint 2 64 1 noise=.6 scale=64\npoint 2 256 1 noise=.35
point 4 64 1 noise=.6\n' >noise
batch model --epoch-law=noise noise
has "noise = a + b / sqrt(B)" "$(cat out)" "noise: 0.1 + 4 / sqrt(B)"
has "relative, and said" "$(cat out)" "no point has epochs"
batch model --batches=64,128 noise
has "by the noise scale" "$(cat out)" "B samples: 1 + 0.01562 B"
batch model --budget=1 noise
is "relative epochs have no cost: exit 3" $? 3

# refuses STATUS TEXT WORD...
refuses() {
	refuses_status=$1 refuses_text=$2
	shift 2
	batch "$@"
	is "exit $refuses_status: plink-batch $*" "$? $(cat out)" "$refuses_status "
	has "and why" "$(cat err)" "$refuses_text"
}
bad() {
	printf '# plink-batch 1\nsamples 50000\n%s\n' "$1" >bad
}
refuses 2 'noise, model or run is wanted first, not ""'
refuses 2 "a file is needed" model
refuses 2 "ascending" model --workers=4,2 points
refuses 2 "--points needs the verb noise" model --points points
refuses 2 "run needs --state" run --workers=2 --batches=4 --samples=9 true
refuses 2 "--full needs the verb run" model --full points
refuses 2 "run needs a command" run --state=s --workers=2 --batches=4 --samples=9
refuses 2 "must not replace it" model -o points points
refuses 3 "memory= at two numbers" model --memory=1G noise
refuses 3 "none is left" noise --warmup=30 eight.norms
printf '# plink-batch 1\npoint 2 4 1 epochs=1\n' >bare
refuses 3 "give --samples" model bare
bad 'point 2 64 0'
refuses 3 "bad:3:12: seconds of an iteration, above 0" model bad
bad 'point 2 64 1 noise=0'
refuses 3 "bad:3:20: noise must be a number" model bad
bad 'point 2 64 1 epochs=2 epochs=3'
refuses 3 "bad:3:23: epochs is given twice" model bad
bad 'rate cubic'
refuses 3 "bad:3:6: fixed, linear or sqrt" model bad
bad 'rate linear'
refuses 3 "bad:3:6: the other points have the rule sqrt" model points bad
bad 'point 2 64 1'
refuses 3 "nothing can be predicted" model bad

# a search: the job writes its log and goes on until it is ended
cat >job <<'END'
#!/bin/sh
echo "$PLINK_BATCH_WORKERS $PLINK_BATCH_SAMPLES $PLINK_BATCH_RATE" >>jobs
[ "$PLINK_BATCH_SAMPLES" -lt "${FAIL:-1000000}" ] || exit 7
[ "$(wc -l <jobs)" -lt "${FAULT:-1000000}" ] || exit 7
awk -v k="$PLINK_BATCH_WORKERS" -v b="$PLINK_BATCH_SAMPLES" -v rises="${RISE:-1000000}" \
	-v nan="${NAN:-1000000}" -v n="${STEPS:-26}" 'BEGIN {
	print "# plink-norms 1\nworkers " k "\nbatch " b
	for (i = 0; i < n; i++)
		printf "step %d %s %g seconds=%g loss=%g\n", i,
			(b >= nan ? "'"${WORD:-nan}"'" : 2 + 2000 * k / b), 2 + 2000 / b, 0.1 + b / k / 100 + k / 50,
			(b >= rises ? i : -i * b / (1 + b / 4096))
}' >"$PLINK_BATCH_NORMS"
exec sleep 60
END
chmod +x job
search() {
	batch run --workers=2,4,8 --batches=64,256,512,1024 --samples=50000 \
		--rate=linear --state=state "$@" -- ./job
}
search --price=1
is "run: exit 0" $? 0
is "jobs at the extremes, with their learning rates" "$(cat jobs)" "2 64 1
2 1024 16
8 64 1
8 1024 16
2 64 1"
has "the last one to compare losses, for which its log is too short" "$(cat err)" \
	"2 workers, batch 64, once more: to compare its losses with those of batch 1024"
has "so the noise tells" "$(cat err)" \
	"costs in epochs: the smaller batch has had too few samples; the noise is used instead"
has "a choice" "$(cat out)" "choice: 2 workers, batch 256: of 12 choices it costs least"
has "what the search took" "$(cat err)" "the search took"
is "no log is left" "$(ls state*)" state
rm jobs
search --objective=time
is "again: no job runs" "$? $(cat jobs 2>/dev/null)" "0 "
has "from what is known" "$(cat out)" "choice: 8 workers"
grep -v 'point 8' state >some
mv some state
search -q
is "with half of it: the other jobs run" "$(cat jobs)" "8 64 1
8 1024 16"
rm state jobs
STEPS=600 search
has "epochs by the losses, which tell 1 + B / 4096" "$(cat out)" \
	"B samples: 0.9846 + 0.0002404 B (from the losses of two jobs)"
has "said" "$(cat err)" "batch 1024 takes 1.23 times the epochs of batch 64"
has "kept" "$(cat state)" " relative=1 "
rm state jobs
FAULT=5 STEPS=600 search
is "a comparison that fails is said, and no more" \
	"$? $(grep -c 'the job with the smaller batch failed' err) $(ls state*)" "0 1 state"
rm state jobs
search --full
is "--full: all choices are measured" "$? $(wc -l <jobs) $(grep -c ^point state)" "0 13 12"
rm state jobs
# a job with a checkpoint: each goes on from the one before, the last one to the end
cat >steps <<'END'
#!/bin/sh
done=$(cat checkpoint 2>/dev/null || echo 0)
trap 'echo $((done + 26)) >checkpoint; kill $!; exit 143' TERM
[ -n "$PLINK_BATCH_NORMS" ] || {
	echo "$PLINK_BATCH_WORKERS $PLINK_BATCH_SAMPLES $PLINK_BATCH_RATE from $done"
	grep -o 'choice: 2 workers, batch 256' out
	exit "$1"
}
./job &
wait $!
END
chmod +x steps
trained() {
	batch run --workers=2,4,8 --batches=64,256,512,1024 --samples=50000 --rate=linear \
		--state=state --finish -- ./steps "$1"
}
trained 0
is "--finish trains with the choice, which is told, from the work of five jobs" \
	"$? $(grep -A2 'training begins' err | tail -n 2)" "0 2 256 4 from 130
choice: 2 workers, batch 256"
trained 3
is "a training that fails: exit 1" "$? $(tail -n 1 err)" \
	"1 plink-batch: the training ended with status 3"
rm state jobs
FAIL=1024 search
is "a job that fails: exit 0" $? 0
is "the next smaller batch is tried" "$(xargs <jobs)" \
	"2 64 1 2 1024 16 2 512 8 8 64 1 8 1024 16 8 512 8 2 64 1"
has "it is kept" "$(cat state)" "failed 8 1024"
has "and as many samples a worker are no choice" "$(cat out)" "5 choices are too large"
rm state jobs
RISE=512 search
is "a loss that rises rules out larger batches with all workers" "$(xargs <jobs)" \
	"2 64 1 2 1024 16 2 512 8 2 256 4 8 64 1 8 256 4 2 64 1"
rm state jobs
NAN=1024 search
is "so do gradients that are not finite" "$? $(xargs <jobs)" \
	"0 2 64 1 2 1024 16 2 512 8 8 64 1 8 512 8 2 64 1"
has "by line" "$(cat err)" "state.norms:4: the gradients of this iteration are not finite"
rm state jobs
NAN=1024 WORD=much search
is "a log that is none ends the search, and rules out nothing" \
	"$? $(grep -c diverged state)" "3 0"
has "by line" "$(cat err)" "state.norms:4:8: the square of a norm must stand here"
rm state jobs
FAIL=1 search
is "a job that never works: exit 1" $? 1
rm state jobs
printf '# plink-batch 1\nrate linear\npoint 2 64 1 spent=3600\n' >state
search --price=2 --search-budget=4
is "no budget is left: exit 1, no job" "$? $(cat jobs 2>/dev/null)" "1 "
has "said" "$(cat err)" "the search was stopped; the same command continues"
rm -f state
printf '# plink-batch 1\nrate linear\npoint 2 64 1 noise=.5 scale=1 spent=3600\n' >state
search --price=2 --search-budget=4
is "what is known is told" "$? $(tail -n 1 out)" \
	"1 choice: 2 workers, batch 64: of 1 choices it costs least"
rm -f state
printf '#!/bin/sh\necho >started\nexec sleep 60\n' >hangs
chmod +x hangs
"$builddir/plink-batch" run --workers=2 --batches=8,16 --samples=9 --state=state \
	-- ./hangs >out 2>err &
pid=$!
while [ ! -e started ]; do sleep 0.1; done
kill -TERM $pid
wait $pid
is "stopped: exit 1" $? 1
has "the state tells" "$(cat state)" "stopped 2 8"
batch run --workers=2 --batches=8,16 --samples=9 --state=state --job-limit=0.2 -- ./hangs
is "a job that hangs, ended by its limit: exit 1" $? 1
has "is one that failed" "$(cat state)" "failed 2 8"
batch run --workers=2 --batches=8,16 --samples=9 --state=new -- ./none
is "no such command: exit 4" $? 4

done_testing
