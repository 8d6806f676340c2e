#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1340-srift-watch.t - plink-srift watch over a cloud made of shell scripts
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$tmp" || exit 99
srift=$builddir/plink-srift

# The cloud: machines are files in up/; what was done is in log.
cat >cloud <<'END'
#!/bin/sh
# cloud VERB: a hook of plink-srift watch
set -eu
echo "$1 ${SRIFT_HOST-} ${SRIFT_TYPE-} ${SRIFT_COUNT-} ${SRIFT_REASON-}" |
	tr -s ' ' | sed 's/ $//' >>log
echo "$SRIFT_ID $1" >>ids
case $1 in
search)
	echo "$SRIFT_REMAINING left=$SRIFT_LEFT as-is=$SRIFT_LEFT_AS_IS" \
		"dollars=$SRIFT_BUDGET_LEFT out=$SRIFT_EXCLUDED" \
		"up=$(wc -l <"$SRIFT_HOSTS")" >>asked
	case $SRIFT_EXCLUDED in
	"") printf 'iteration 0.38\nmachines 2 p3.8xlarge spot 512 3.68\n' ;;
	spot:p3.8xlarge) printf '# 8 more\niteration 0.5\n'
		printf 'machines 1 p3.8xlarge spot 512 3.68\n'
		printf 'machines 8 g3.8xlarge spot 64 0.69\n' ;;
	*) echo none "nothing is left" ;;
	esac ;;
launch)
	n=0
	while [ $n -lt "$SRIFT_COUNT" ]; do
		n=$((n + 1))
		host=${SRIFT_TYPE%%.*}-$n
		: >"up/$host"
		echo "$host"
	done ;;
start)
	cp "$SRIFT_HOSTS" starting
	mv starting started ;;
checkpoint)
	echo saving
	echo "checkpoint $(cat saved)" ;;
stop)
	rm -f "up/$SRIFT_HOST" ;;
esac
END
chmod +x cloud

# begin: a cloud without machines
begin() {
	rm -rf up log asked ids started journal progress saved beats out
	mkdir up
	: >log
	echo 0 >saved
}

# watch OPTION...: in the background, its number in $pid
watch() {
	"$srift" watch --iterations=400 --batch=1024 --progress=progress \
		--search='./cloud search' --launch='./cloud launch' \
		--start='./cloud start' --checkpoint='./cloud checkpoint' \
		--stop='./cloud stop' "$@" >out 2>err &
	pid=$!
}

# await WHAT COMMAND...: until the command succeeds, a minute at most
await() {
	await_what=$1
	shift
	for i in $(seq 1200); do
		if "$@" >/dev/null 2>&1; then
			pass "$await_what"
			return
		fi
		sleep 0.05
	done
	fail "$await_what"
	sed 's/^/# /' out err log
	done_testing
	exit 1
}

# ended STATUS
ended() {
	wait "$pid"
	is "exit $1" $? "$1"
	pid=
}

cleanup() {
	[ -z "${pid-}" ] || kill "$pid" 2>/dev/null
}

# events NAME...: of the JSON lines in out, what these members are
events() {
	python3 -IS -c '
import json, sys
for line in open("out"):
    e = json.loads(line)
    print(*(e.get(k) for k in sys.argv[1:] if k in e))' "$@"
}

# Figure 8 in time scaled down: the cloud takes a machine when 200 iterations are done
begin
watch --json --journal=journal --time-scale=50 --time-limit=1e6
await "two machines train" test -f started
await "the watch knows" grep -q '"running"' out
echo 200 >saved
rm started up/p3-1
printf 'iteration 200\nlost p3-1\n' >>progress
await "eight more do" test -f started
await "the watch knows" grep -q '"running".*"count":9' out
echo 'iteration 400' >>progress
ended 0
is "nothing on standard error" "$(cat err)" ""
is "what was done" "$(sed '4,5d; 9,$d' log)" "search
launch p3.8xlarge 2
start
search
launch g3.8xlarge 8
start"
is "meanwhile: the survivor saves, the lost machine's disk is released" \
	"$(sed -n '4,5p' log | sort)" "checkpoint p3-2 p3.8xlarge
stop p3-1 p3.8xlarge lost"
is "at the end all are stopped" "$(sed -n '9,$p' log | sort)" "$(
	for i in 1 2 3 4 5 6 7 8; do echo "stop g3-$i g3.8xlarge done"; done
	echo "stop p3-2 p3.8xlarge done")"
is "none is left" "$(ls up)" ""
is "machines by rank, the survivor first" "$(sed 2q started)" \
	"p3-2 p3.8xlarge spot 512
g3-1 g3.8xlarge spot 64"
is "every act has its own number" "$(cut -d ' ' -f 1 ids | sort | uniq -d)" ""
# the survivor's save and the lost one's stop go on at once
is "the events" "$(events event | sed '8,9d' | tr '\n' ' ')" \
	"begin plan up up running progress lost plan $(
	)up up up up up up up up running progress done $(
	)stopped stopped stopped stopped stopped stopped stopped stopped stopped end "
is "saved and stopped, whichever is first" \
	"$(events event | sed -n '8,9p' | sort | tr '\n' ' ')" "saved stopped "
# what is left: limit - now - 150 when asked, N - n and the excluded type
is "budgets are what the paper's are made of" "$(python3 -c '
import json
ask = [dict(p.split("=") for p in l.split()[1:]) for l in open("asked")]
n = [int(l.split()[0]) for l in open("asked")]
assert n == [400, 200], n
assert ask[1]["out"] == "spot:p3.8xlarge" and ask[1]["up"] == "1", ask
for a in ask:
    assert a["dollars"] == ""
    assert abs(float(a["as-is"]) - float(a["left"]) - 150) < 1e-6, a
ev = [json.loads(l) for l in open("out")]
lost = [e for e in ev if e["event"] == "lost"][0]
assert abs(lost["left_s"] - (1e6 - lost["at_s"] - 5 - 150)) < 1e-4, lost
plans = [e for e in ev if e["event"] == "plan"]
assert lost["at_s"] <= 1e6 - 150 - float(ask[1]["left"]) + 1e-4
assert plans[1]["left_s"] <= float(ask[1]["left"]) + 1e-4
for p, rest in zip(plans, (400 * 0.38, 200 * 0.5)):
    start = 1e6 - 150 - p["left_s"]
    assert abs(p["finish_s"] - (start + 150 + rest)) < 1e-4, p
assert [m["count"] for m in plans[1]["machines"]] == [1, 8]
assert ev[-1]["iteration"] == 400 and ev[-1]["dollars"] > 0
print("yes")')" yes
dollars=$(events dollars | tail -n 1)
watch --json --journal=journal --time-scale=50
ended 0
is "a job that is done stays done" "$(events event)" "continue"
is "and costs no more" "$(events dollars)" "$dollars"
is "with no history a launch is assumed to take 150 s" \
	"$(grep -c '"launch_s":150.0,"launch_origin":"assumed","launches":0' journal)" 2
mv journal history

# What launches took in that job is expected of the next, unless the time is given
for given in "" --launch-time=7; do
	begin
	watch --json --journal=journal --history=history $given
	await "another job trains" grep -q '"running"' out
	echo done >progress
	ended 0
	is "its plan: where the time of a launch is from" "$(python3 -c '
import json
def launch(name):
    ev = [json.loads(l) for l in open(name)]
    asked = [e["at_s"] for e in ev if e["event"] == "plan"]
    up = [e["at_s"] for e in ev if e["event"] == "up"]
    return [up[0] - asked[0], up[2] - asked[1]]
plan = [json.loads(l) for l in open("out") if "\"plan\"" in l][0]
mean = sum(launch("history")) / 2
near = abs(plan["launch_s"] - mean) < 0.01 * mean
print(near, plan["launch_origin"], plan["launches"])')" \
		"$([ "$given" ] && echo False given 0 || echo True measured 2)"
done
begin
watch --history=none
ended 4
has "a history that is not there" "$(cat err)" "none"

# Ended and begun again: the job runs on, and no machine is forgotten or counted anew
begin
watch --json --journal=journal
await "it trains" grep -q '"running"' out
kill -TERM $pid
ended 1
is "what is left is told" "$(events event count saves_s | tail -n 1)" "left 2"
has "and how to go on" "$(cat err)" \
	"the job is left as it is, 2 machines running; go on with --journal=journal"
is "machines stay" "$(ls up | xargs)" "p3-1 p3-2"
printf '{"journal": 1, "at_s": 7, "ev' >>journal
: >log
printf 'iteration 200\nlost p3-2\n' >progress
echo 150 >saved
watch --json --journal=journal
await "another watch goes on where it was" grep -q '"running".*"count":9' out
has "a line that was cut off is told" "$(cat err)" \
	"plink-srift: journal: its last line is cut off and is ignored"
is "it begins no job anew" "$(grep -c p3 log) $(sed -n '/search/,$p' log | xargs)" \
	"2 search launch g3.8xlarge 8 start"
has "less was saved than was done: that is still to do" "$(cat asked)" \
	"250 left="
"$srift" watch --iterations=400 --progress=progress --search=: --launch=: \
	--start=: --journal=journal >out2 2>err2
is "one watch at a time: exit 1" "$? $(cat out2)" "1 "
has "it says so" "$(cat err2)" "journal: another watch has it"
kill -KILL $pid
wait $pid 2>/dev/null
is "killed: the journal can be read" "$(tail -n 1 journal | python3 -c '
import json, sys
e = json.loads(sys.stdin.read())
print(e["event"], sum(n["state"] == 0 for n in e["state"]["nodes"]))')" "running 9"
: >log
echo done >>progress
watch --json --journal=journal
ended 0
is "and the rest is done" "$(grep -c '^stop .* done$' log) $(ls up | wc -l)" "9 0"
"$srift" watch --iterations=300 --progress=progress --search=: --launch=: \
	--start=: --journal=journal >out 2>err
is "another job's journal: exit 2" "$?" 2
has "it says so" "$(cat err)" "journal is the journal of a job of 400 iterations"
sed '$s/"phase":6/"phase":66/' journal >journal2
"$srift" watch --iterations=400 --progress=progress --search=: --launch=: \
	--start=: --journal=journal2 >out 2>err
is "a journal that is none: exit 3" "$?" 3
has "with the place" "$(cat err)" "plink-srift: journal2:$(wc -l <journal2):"
printf 'not a journal' >own
"$srift" watch --iterations=400 --progress=progress --search=: --launch=: \
	--start=: --journal=own >out 2>err
is "a file of somebody else without a line end: exit 3, as it was" "$? $(cat own)" \
	"3 not a journal"
(ulimit -Sn 123 && exec "$srift" watch --iterations=400 --progress=progress \
	--search='ulimit -Sn >limit; echo none' --launch=: --start=: >out 2>err)
is "hooks have the caller's limit of open files" "$(cat limit)" 123

# A watch that is ended while a hook runs waits for it; a launch is not left half-way
begin
watch --json --journal=journal --launch='echo $SRIFT_ID >>asked-as; ./cloud launch
	while [ ! -f go ]; do sleep 0.05; done'
await "a launch is under way" test -f up/p3-2
kill -INT $pid
await "it is waited for" grep -q "1 hook is running" err
: >go
ended 1
is "its machines are in the journal" "$(events event | xargs) $(events count |
	tail -n 1)" "begin plan up up left 2"
rm go

# Killed in a launch: done again under the same number, and no machine comes twice
begin
watch --json --journal=journal --launch='echo $SRIFT_ID >>again; ./cloud launch
	while [ ! -f go ]; do sleep 0.05; done'
await "a launch is under way" test -f up/p3-2
kill -KILL $pid
wait $pid 2>/dev/null
: >go
watch --json --journal=journal --launch='echo $SRIFT_ID >>again; ./cloud launch'
await "the next watch has the machines" grep -q '"running".*"count":2' out
is "it asked for the same launch" "$(wc -l <again) $(sort -u again | wc -l)" "2 1"
echo done >progress
ended 0
rm -f go again

# No machines: what runs is left, and a later watch with another limit asks again
begin
echo 'iteration 200' >progress
watch --json --journal=journal --search='
	[ -f more ] && exec ./cloud search
	[ -z "$SRIFT_EXCLUDED" ] && exec ./cloud search
	echo none 7 s too slow'
await "it trains" grep -q '"running"' out
echo 'lost p3-1' >>progress
ended 1
is "which limit binds is told" "$(events event why count | tail -n 1)" \
	"none 7 s too slow 1"
is "what ran out and why" "$(events excluded | tail -n 1 | sed 's/[0-9][0-9.]*}/X}/')" \
	"[{'type': 'p3.8xlarge', 'spot': True, 'lost': True, 'at_s': X}]"
is "the survivor is left" "$(ls up)" p3-2
has "and named" "$(cat err)" "1 machine is left running, at \$3.68 an hour: p3-2"
: >more
watch --json --journal=journal --search='./cloud search'
await "another watch asks again" grep -q '"running".*"count":9' out
echo done >>progress
ended 0
begin
watch --json --stop-unmet --start='exit 3'
ended 1
is "a start that fails, and all is stopped" "$(events event | xargs) $(ls up)" \
	"begin plan up up failed stopping stopped stopped end "

# Hooks that fail, hang, or say nonsense
begin
watch --json --launch='echo p3-1; echo "p3-2; rm -rf up"; exit 1' --search='
	[ -z "$SRIFT_EXCLUDED" ] && exec ./cloud search
	echo none'
ended 1
is "a name that is none is refused, the machine before it kept" \
	"$(events event | xargs)" "begin plan up short none"
begin
watch --json --launch='sleep 600' --launch-limit=0.1 --search='
	[ -z "$SRIFT_EXCLUDED" ] && exec ./cloud search
	echo none'
ended 1
has "a launch that hangs is ended" "$(events why)" \
	"0 of 2 machines have come: it took too long"
for answer in 'iteration 1' 'machines 1 a spot 1 1' 'iteration 1
machines 1 $(date) spot 1 1' nonsense; do
	begin
	watch --json --search="echo '$answer'"
	ended 1
	has "an answer that begins \"${answer%%[!a-z0-9 ]*}\" is none" "$(events event why)" "none search:"
done
begin
watch --json
await "it trains" grep -q '"running"' out
printf 'iteration 5\n\nloss 0.3\niteration 6\nlost $(touch hacked)\nlost ../up\n' \
	>>progress
printf 'lost nobody\niteration 4\ndone\n' >>progress
ended 0
is "lines that are none are told with their places, and passed over" \
	"$(cut -d : -f 2-4 err)" " progress:3:1
 progress:5:6
 progress:6:6"
is "the others count" "$(events event iteration | sed -n '/run/,/done/p' | xargs)" \
	"running 0 progress 5 unknown 6 back 4 done 4"
is "and nothing of them is run" "$(ls hacked 2>&1 | grep -c 'No such')" 1

# Progress by standard input and by a named pipe
begin
mkfifo pipe
"$srift" watch --iterations=5 --progress=- --search='./cloud search' \
	--launch='./cloud launch' --start='./cloud start' --json <pipe >out 2>err &
pid=$!
exec 5>pipe
await "it trains" grep -q '"running"' out
echo 'iteration 5' >&5
ended 0
exec 5>&-
is "without a stop hook machines stay, and are told" \
	"$(events event count | tail -n 1) $(ls up | xargs)" "end 2 p3-1 p3-2"
has "by name" "$(cat err)" "2 machines are left running, at \$7.36 an hour: p3-1, p3-2"

# The paper's choices (5.4): machines are found as plink-srift recommend does it
cp "$srcdir/tests/data/srift/figure8.json" "$srcdir/tests/data/srift/table4.csv" .
printf 'DP:\nallreduce,: 1000\n' >busbw.yaml
seek() {
	"$srift" watch --iterations=400 --progress=progress --json \
		--launch='./cloud launch' --start='./cloud start' \
		--checkpoint='./cloud checkpoint' --stop='./cloud stop' \
		--profile=figure8.json --catalogue=table4.csv \
		--busbw busbw.yaml "$@" >out 2>err &
	pid=$!
}
# plans: how long each is to take, and its machines. It counts from when it was made, or
# from a second after the loss, which the search may have.
plans() {
	python3 -c '
import json
ready = 0
for e in map(json.loads, open("out")):
    if e["event"] == "lost":
        ready = e["at_s"] + 1
    if e["event"] == "plan":
        print(round(e["finish_s"] - max(e["at_s"], ready), 3), *("%dx%s@%d" % (
            m["count"], m["type"], m["batch"]) for m in e["machines"]))'
}
begin
echo 200 >saved
seek --batch=1024 --time-limit=500
await "two train" grep -q '"running".*"count":2' out
printf 'iteration 200\nlost p3-2\n' >progress
await "nine do" grep -q '"running".*"count":9' out
echo 'iteration 400' >>progress
ended 0
is "2 p3.8xlarge, 302 s; then 8 g3.8xlarge beside the one that is left" "$(plans)" \
	"302.0 2xp3.8xlarge@512
250.0 1xp3.8xlarge@512 8xg3.8xlarge@64"
begin
echo 200 >saved
seek --batch=512 --objective=time
await "two train" grep -q '"running".*"count":2' out
printf 'iteration 200\nlost p3-2\n' >progress
await "one does" grep -q '"running".*"count":1,\|"running".*"count":1}' out
echo 'iteration 400' >>progress
ended 0
is "who is left is soon enough: nothing is launched" "$(plans) $(grep -c launch log)" \
	"246.0 2xp3.8xlarge@256
76.0 1xp3.8xlarge@512 1"
sed 's/spot_available/&,price/; s/^p3.*/&,4/; s/8$/&,/' table4.csv >both.csv
for limit in 4+4 2; do # of each kind; of both together
	begin
	echo 200 >saved
	seek --batch=1024 --catalogue=both.csv --available=p3.8xlarge=$limit
	await "two train" grep -q '"running".*"count":2' out
	printf 'iteration 200\nlost p3-1\n' >progress
	await "p3.8xlarge on demand is not lost with spot ($limit)" \
		sh -c '[ $(grep -c :.running out) = 2 ]'
	is "one of each kind" "$(events machines | grep -o "spot\|on-demand" | tail -n 2 |
		xargs)" "spot on-demand"
	echo 'iteration 400' >>progress
	ended 0
done
begin
seek --batch=1024 --time-limit=240
ended 1
has "too short a time: which limit binds, and by how much" "$(events why)" \
	"the time limit binds: the fastest choice takes"
is "nothing is launched" "$(cat log)" ""
seek --batch=1024 --time-limit=500 --budget=0.5
ended 1
has "0.31 dollars for iterating and 0.31 while launching are more than 0.50" \
	"$(events why)" "the budget binds"
seek --batch=1024 --time-limit=500 --budget=0.62
await "but not more than 0.62" grep -q '"running".*"count":2' out
echo done >progress
ended 0
# a market that changes between a search and the machines' start: the price found counts
# for what was found, the next search reads the catalogue again
begin
sed 's/^p3.*/p3.8xlarge,3.68,4/; /^g3/d' table4.csv >market.csv
seek --batch=1024 --time-limit=1000 --catalogue=market.csv --launch='
	echo "$SRIFT_COUNT $SRIFT_TYPE $SRIFT_PRICE" >>priced
	cp table4.csv market.csv && sed -i s/0.69/0.5/ market.csv
	case $SRIFT_TYPE in p3*) ./cloud launch | head -n 1 ;; *) ./cloud launch ;; esac'
await "it trains" grep -q '"running"' out
echo done >>progress
ended 0
is "one of two has come at the old price; a type that is new, at its price" \
	"$(cat priced)" "2 p3.8xlarge 3.68
8 g3.8xlarge 0.5"
seek --batch=1024 --profile=none.json
ended 4
has "a file that is not there" "$(cat err)" "none.json"
seek --batch=1024 --stops=x
ended 2
has "an option that is none" "$(cat err)" "unknown option"
seek
ended 2
has "no batch" "$(cat err)" "--batch is wanted"
seek --batch=1024 --search=./cloud
ended 2
has "two ways to search" "$(cat err)" "with --search, --profile=figure8.json is"

# What recommend makes of the first job's journal
recommend() {
	"$srift" recommend --profile=figure8.json --catalogue=table4.csv \
		--busbw=busbw.yaml --batch=1024 --iterations=400 "$@"
}
has "recommend: a launch by default" "$(recommend)" \
	"launch     150 s (assumed), before the iterations"
recommend --history=history --history=history >out
has "recommend: launches of the journals" "$(cat out)" "(mean of 4 launches), before"
has "recommend: and losses, of each kind" "$(cat out)" \
	"history    p3.8xlarge spot: up after"
has "recommend: how many" "$(cat out)" ", 2 of 4 lost in "
recommend --history=history --json >out
is "recommend: as JSON" "$(python3 -c '
import json
j = json.load(open("out"))
p3, g3 = j["history"]["machines"]
both = (p3["launch_s"] + g3["launch_s"]) / 2
assert abs(j["launch_s"] - both) < 1e-9 and j["launches"] == 2, j
assert p3["life_s"] == p3["held_s"] > 0 and g3["life_s"] is None
assert j["history"]["save_s"] > 0 and j["history"]["saves"] == 1
print(j["launch_origin"], p3["machines"], p3["lost"], g3["machines"], g3["lost"])')" \
	"measured 2 1 8 0"
is "plink-spot curve: the same lives" "$("$builddir/plink-spot" curve --json --history=history |
	python3 -c 'import json, sys
g = json.load(sys.stdin)["groups"][0]
print(g["type"], g["region"], g["machines"], g["lost"], g["launch"]["n"])')" "p3.8xlarge - 2 1 1"
sed 's/.*/my diary/' history >diary
recommend --history=diary >out 2>err
is "recommend: another file is no history: exit 3" "$? $(cat out)" "3 "
has "with the place" "$(cat err)" "diary:1:1: this is no journal"

# refuses PART OPTION...: usage
refuses() {
	refuses_part=$1
	shift
	"$srift" watch "$@" >out 2>err
	is "$*: exit 2" "$? $(cat out)" "2 "
	has "$*: why" "$(cat err)" "$refuses_part"
}
hooks='--search=: --launch=: --start=: --progress=p'
refuses "--iterations is wanted"
refuses "--launch is wanted" --iterations=1
refuses "--search is wanted, or --profile" --iterations=1 --launch=: --start=: \
	--progress=p
refuses "--progress is wanted" --iterations=1 --search=: --launch=: --start=:
refuses "--iterations wants" --iterations=0 $hooks
refuses "--time-limit wants a time from" --iterations=1 $hooks --time-limit=-5
refuses "--time-limit wants" --iterations=1 $hooks --time-limit=nan
refuses "--budget wants" --iterations=1 $hooks --budget=0
refuses "--stop is empty" --iterations=1 $hooks --stop=
refuses "--stop-unmet wants --stop" --iterations=1 $hooks --stop-unmet
refuses "options only" --iterations=1 $hooks extra
refuses "unknown option" --iterations=1 $hooks --stops=x
refuses "regular file" --iterations=1 $hooks --journal=/dev/null
# the example of --help, its hooks in two lines each
"$srift" --help | sed -n '/^  plink-srift watch/,/^$/p' >example.sh
mkdir example
cp figure8.json example/resnet18.json
cp table4.csv example/prices.csv
cp busbw.yaml example/all_reduce_perf.txt
printf '#!/bin/sh\nseq -f node-%%g "$SRIFT_COUNT"\n' >example/launch
printf '#!/bin/sh\n{ echo iteration 10000; echo done; } >>job.log\n' >example/start
chmod +x example/launch example/start
(cd example && PATH="$builddir:$PATH" sh -e ../example.sh) >out 2>err
is "the example of --help runs a job to its end" "$?" 0
has "and says so" "$(cat out err)" "10000"
has "watch --help" "$("$srift" watch --help)" "Usage: plink-srift watch --iterations"

done_testing
