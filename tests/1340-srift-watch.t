#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1340-srift-watch.t - plink-srift watch over a cloud made of shell scripts
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
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
	p3.8xlarge) printf '# 8 more\niteration 0.5\n'
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
	rm -rf up log asked ids started journal progress saved beats
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
	python3 -c '
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
assert ask[1]["out"] == "p3.8xlarge" and ask[1]["up"] == "1", ask
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

done_testing
