#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1345-srift-watch-testbed.t - a real job in an emulated cluster, whose processes are killed
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/testbed.sh"
pid=
cleanup() {
	[ -z "$pid" ] || kill "$pid" 2>/dev/null
	"$testbed" down --prefix=$prefix >/dev/null 2>&1
}
cd "$tmp" || exit 99
mkdir beats pids free
probe=$builddir/plink-probe agent=$builddir/plink-agent order=$builddir/plink-order
export testbed prefix probe agent order

# The job: in an iteration every rank adds up its share of 12 samples, and the first
# rank all of these; the sum does not depend on how many there are. It is saved by
# the first rank with each iteration, in a file that all hosts see.
cat >worker.py <<'END'
import os, socket, struct, sys, threading, time

host, rank, n, total = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
master, port = sys.argv[5], int(sys.argv[6])

def beat():
    while True:
        with open("beats/" + host, "w"):
            pass
        os.utime("beats/" + host)
        time.sleep(0.1)

def read(s):
    data = b""
    while len(data) < 8:
        part = s.recv(8 - len(data))
        if not part:
            raise OSError("gone")
        data += part
    return struct.unpack("<q", data)[0]

threading.Thread(target=beat, daemon=True).start()
it, state = map(int, open("model").read().split())
if rank == 0:
    listener = socket.create_server(("", port), reuse_port=True)
with open("pids/.%s" % host, "w") as f:
    f.write(str(os.getpid()))
os.rename("pids/.%s" % host, "pids/" + host)
peers = []
if rank == 0:
    peers = [listener.accept()[0] for _ in range(n - 1)]
else:
    while True:
        try:
            peers = [socket.create_connection((master, port))]
            break
        except OSError:
            time.sleep(0.05)
try:
    while it < total:
        while rank == 0 and it == 30 and not os.path.exists("go"):
            time.sleep(0.02)
        mine = sum((it * 31 + k * k) % 1009 for k in range(rank, 12, n))
        if rank == 0:
            mine += sum(read(p) for p in peers)
            it, state = it + 1, (state * 7 + mine) % 1000003
            with open("model.new", "w") as f:
                f.write("%d %d" % (it, state))
            os.rename("model.new", "model")
            with open("progress", "a") as f:
                f.write("iteration %d\n" % it)
            for p in peers:
                p.sendall(struct.pack("<q", it))
        else:
            peers[0].sendall(struct.pack("<q", mine))
            it = read(peers[0])
        time.sleep(0.02)
except OSError:
    pass
while True:  # a rank that is done, or has lost another, still lives
    time.sleep(1)
END

# The hooks. Hosts of a type are files in free/, named TYPE.HOST.
cat >hook <<'END'
#!/bin/sh
set -eu
echo "$1 ${SRIFT_HOST-}${SRIFT_REASON:+ $SRIFT_REASON}" >>log
end() { # HOST...: its processes, by their numbers
	for host; do
		[ -f "pids/$host" ] || continue
		"$testbed" exec --prefix="$prefix" "$host" -- \
			kill -9 "$(cat "pids/$host")" 2>/dev/null || :
		rm -f "pids/$host"
	done
}
case $1 in
search)
	up=$(grep -c ' a spot' "$SRIFT_HOSTS" || :)
	echo "iteration 0.02"
	case " $SRIFT_EXCLUDED " in
	*" spot:a "*) [ "$up" = 0 ] || echo "machines $up a spot 4 1"
		echo "machines 1 b on-demand 4 2" ;;
	*) echo "machines 3 a spot 4 1" ;;
	esac ;;
launch)
	n=0
	for f in free/"$SRIFT_TYPE".*; do
		[ $n -lt "$SRIFT_COUNT" ] && [ -f "$f" ] || break
		n=$((n + 1))
		mv "$f" "up.${f##*.}"
		echo "${f##*.}"
	done ;;
start)
	n=$(wc -l <"$SRIFT_HOSTS")
	rank=0
	awk '{ print $1, "type=" $2 }' "$SRIFT_HOSTS" >hosts
	"$probe" -q --launch="$testbed rsh --prefix=$prefix %h" --agent="$agent" \
		--bandwidth -o net.matrix hosts
	"$order" -q --matrix=net.matrix --impl=gloo --format=plan hosts >job.plan
	set -- $("$order" -q --matrix=net.matrix --impl=gloo --format=names hosts)
	cp job.plan "plan.$(wc -l <log)"
	master=$1
	port=$((7000 + $(wc -l <log)))
	for host; do
		rm -f "pids/$host"
		"$testbed" exec --prefix="$prefix" "$host" -- python3 \
			worker.py "$host" $rank "$n" 100 "$master" "$port" \
			</dev/null >>"out.$host" 2>&1 &
		rank=$((rank + 1))
	done
	cp "$SRIFT_HOSTS" "hosts.$(wc -l <log)"
	for host; do
		while [ ! -f "pids/$host" ]; do sleep 0.05; done
	done ;;
checkpoint)
	end $(cut -d ' ' -f 1 "$SRIFT_HOSTS")
	echo "checkpoint $(cut -d ' ' -f 1 model)" ;;
stop)
	end "$SRIFT_HOST" ;;
esac
END
chmod +x hook
echo "0 0" >model
: >log
for f in a.h0 a.h1 a.h2 b.h3; do
	: >"free/$f"
done

"$testbed" matrix --racks=2x2 --intra-us=100 --inter-us=1000 --seed=1 \
	>matrix 2>/dev/null
ok "four hosts" testbed_up --matrix=matrix
chown -R $user .

watch() {
	$as_user "$builddir/plink-srift" watch --iterations=100 --progress=progress \
		--heartbeats=beats --silence=8 --journal=journal --json \
		--search='./hook search' --launch='./hook launch' \
		--start='./hook start' --checkpoint='./hook checkpoint' \
		--stop='./hook stop' "$@" >>out 2>>err &
	pid=$!
}

# await WHAT COMMAND...: two minutes at most
await() {
	await_what=$1
	shift
	for i in $(seq 1200); do
		if "$@" >/dev/null 2>&1; then
			pass "$await_what"
			return
		fi
		sleep 0.1
	done
	fail "$await_what"
	sed 's/^/# /' out err log
	done_testing
	exit 1
}

watch
await "three train" grep -q '"running"' out
kill -KILL $pid
wait $pid 2>/dev/null
# there it waits until it may go on
await "the watch is killed, the job goes on" grep -q '^iteration 30$' progress
watch
await "another watch goes on" grep -q '"continue"' out
is "a host's process is killed" "$("$testbed" exec --prefix=$prefix h1 -- \
	kill -9 "$(cat pids/h1)" && echo yes)" yes
: >go
wait $pid
is "the job is done: exit 0" $? 0
pid=
is "nothing is said on standard error" "$(cat err)" ""
is "the model is what it is without any fault" "$(cat model)" "$(python3 -c '
state = 0
for it in range(100):
    state = (state * 7 + sum((it * 31 + k * k) % 1009 for k in range(12))) % 1000003
print(100, state)')"
is "what was done" "$(sed '4,5d; 9,$d' log | xargs)" \
	"search launch start search launch start"
is "at once: the survivor saves, the lost host is released" \
	"$(sed -n '4,5p' log | sort | xargs)" "checkpoint h0 stop h1 lost"
is "at the end all are stopped" "$(sed '1,8d' log | sort | xargs)" \
	"stop h0 done stop h2 done stop h3 done"
is "at first on" "$(cut -d ' ' -f 1-3 hosts.3 | xargs)" \
	"h0 a spot h1 a spot h2 a spot"
is "then on the survivors and another" "$(cut -d ' ' -f 1-3 hosts.8 | xargs)" \
	"h0 a spot h2 a spot h3 b on-demand"
is "measured and ordered again, with the types" \
	"$(sed -n 's/^host [0-9]* \([^ ]*\) .*type=/\1 /p' plan.3 | xargs), $(sed -n \
		's/^host [0-9]* \([^ ]*\) .*type=/\1 /p' plan.8 | xargs)" \
	"h0 a h1 a h2 a, h0 a h2 a h3 b"
is "it was silence that told" "$(python3 -c '
import json
lost = [e for e in map(json.loads, open("out")) if e["event"] == "lost"]
assert len(lost) == 1 and lost[0]["host"] == "h1", lost
assert lost[0]["why"].startswith("silent for "), lost
assert lost[0]["iteration"] in (30, 31), lost
print("yes")')" yes
ok "down" "$testbed" down --prefix=$prefix

done_testing
