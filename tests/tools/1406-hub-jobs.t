#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1406-hub-jobs.t - several jobs with parameters on the same hubs, and who is refused there
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/tools/hubs.sh"
cd "$tmp" || exit 99
cat >jobs <<END
red	the-secret-of-red
blue	the-secret-of-blue
END
for job in red blue; do
	awk -v job=$job '$1 == job { print $2 }' jobs >$job
done
export SECRET=only-we-know-it
unset PLINK_HOST PLINK_HUB_MEET

hub_schedule 2 "2 1" "connections 2\nschedule hubs 4096- chunk=8192 window=4" >schedule
set -- $(free_ports 2)
hubs=127.0.0.1:$1,127.0.0.1:$2
for at in "$1" "$2"; do
	"$builddir/plink-hub" --listen=127.0.0.1:"$at" --jobs=jobs \
		--timeout=20 2>"err.$at" </dev/null &
	eval "hub_$at=$!"
done
port=$1 hub=$(eval "echo \$hub_$1") hub9=$(eval "echo \$hub_$2")

cleanup() {
	kill "$hub" "$hub9" 2>/dev/null
}

# job NAME [CALLS [KINDS]]: two ranks in the background; ends NAME: their exit
# statuses to $rc. Those that call on and on leave processors to others.
job() {
	at=$(free_ports 1)
	nice=
	[ "${2:-5}" -le 1000 ] || nice="nice -n 10"
	rm -f "$1.out0"
	for r in 0 1; do
		PLINK_HOST=h$r PLINK_HUBS=$hubs PLINK_HUB_JOB=$1 PLINK_HUB_SECRET=$1 \
			timeout 240 $nice "$builddir/bench/hub-time" schedule $r "127.0.0.1:$at" \
			65536 "${2:-5}" "${3:-allreduce,sum,sgd,momentum,adam}" \
			>"$1.out$r" 2>"$1.err$r" </dev/null &
		eval "$1_$r=$!"
	done
}
ends() {
	rc=
	for r in 0 1; do
		eval "wait \$$1_$r"
		rc="$rc $?"
	done
}
# runs NAME: until it has ended calls, or has failed
runs() {
	while ! [ -s "$1.out0" ] && eval "kill -0 \$$1_0" 2>/dev/null; do
		sleep 0.05
	done
}

job red
job blue
ends blue
is "two jobs at once, with the same keys" "$rc" " 0 0"
ends red
is "and the other" "$rc" " 0 0"
is "each has called five times five" "$(wc -l <blue.out0) $(wc -l <red.out0)" "25 25"
has "hubs say what they did" "$(cat "err.$port")" 'job "red": 44 calls, '

# strangers, while a job runs: some know something, 1000 say nothing, and 3000 what they
# make up
job red 100000000 sgd
runs red
"${python:-python3}" - "$port" the-secret-of-red >said <<'END'
import hashlib, random, socket, struct, sys

random.seed(1)
port, secret = int(sys.argv[1]), sys.argv[2].encode()


def connect():
    s = socket.create_connection(("127.0.0.1", port))
    s.settimeout(10)
    return s


def prove(way, secret, *what):
    return hashlib.blake2b(b"".join(what) + secret, key=way, digest_size=32).digest()


def hello(job, secret, bytes, magic=0x706C6832):
    said = struct.pack(">II", magic, bytes) + job.encode().ljust(64, b"\0")
    nonce = random.randbytes(16)
    return said + nonce + prove(
        b"plink: a job asks for a hub", secret, said, nonce, b"\0" * 16
    )


def say(what, secret=secret, body=b"", nonce=None):
    """What the hub answers to a job that proves its nonce, or another one."""
    global recorded
    with connect() as s:
        try:
            s.sendall(what)
            challenge = s.recv(48, socket.MSG_WAITALL)
            nonce = nonce or challenge[:16]
            recorded = (
                prove(b"plink: a job proves it to a hub", secret, what[:88], nonce) + body
            )
            s.sendall(recorded)
            return s.recv(1000, socket.MSG_WAITALL)[40:].split(b"\0")[0].decode()
        except ConnectionError:
            return ""


print(say(hello("green", secret, 100)), end=";")
print(say(hello("blue", secret, 100)), end=";")
print(say(hello("blue", b"the-secret-of-blue", 1 << 30)), end=";")
print(say(hello("x" * 64, secret, 100)), end=";")
print(say(hello("red", secret, 100, 0)), end=";")
blue = b"the-secret-of-blue"
asks = hello("blue", blue, 12)
print(say(asks, blue, struct.pack(">III", 0, 1000, 0)))
# the same bytes once more
with connect() as s:
    s.sendall(asks)
    challenge = s.recv(48, socket.MSG_WAITALL)
    s.sendall(recorded)
    try:
        print(len(challenge), "and", len(s.recv(1000, socket.MSG_WAITALL)), "bytes")
    except ConnectionError:
        print(len(challenge), "and 0 bytes")
print("[%s]" % say(hello("blue", blue, 12), blue, bytes(12), bytes(16)))
print("[%s]" % say(hello("red", secret, 12), secret, bytes(12), bytes(16)))
text = b"# plink-schedule 1\nhost 0 h0\n"
body = struct.pack(">II", 0, 1) + bytes(48) + text
print(say(hello("blue", blue, len(body)), blue, body))
# a rank 0 that proves it, and leaves
with connect() as s:
    asks = hello("red", secret, 12)
    s.sendall(asks)
    nonce = s.recv(48, socket.MSG_WAITALL)[:16]
    s.sendall(prove(b"plink: a job proves it to a hub", secret, asks[:88], nonce))
silent = [connect() for _ in range(1000)]
for n in range(3000):
    with connect() as s:
        try:
            s.sendall(random.randbytes(random.randrange(1, 400)))
        except ConnectionError:
            pass
END
is "who does not show the secret gets no answer" "$(head -n 1 said)" \
	";;;;;1000 processes: not so many come"
is "what was recorded proves nothing later, nor does another nonce" "$(sed -n 2,4p said)" \
	"48 and 0 bytes
[]
[]"
has "who proves it is told what is wrong" "$(sed 1,4d said)" "no schedule in this file"
err=$(cat "err.$port")
for why in 'no job "green"' 'job "blue": another secret' \
	'job "blue": no schedules have 1073741824 bytes' '"xxx' \
	"no job, or one of another version" 'job "blue": no proof of this nonce'; do
	has "and the hub says why: $why" "$err" "refused 127.0.0.1: $why"
done
job blue
ends blue
is "another job comes" "$rc" " 0 0"
sleep 3
is "who has left, or recorded it, ends no run" "$(grep -c anew "err.$port")" 0

# the run of red that is here is stopped, as if its machine had vanished, and comes anew
first="$red_0 $red_1"
mkdir again
cp red schedule again
pkill -STOP -P "$red_0"
cd again || exit 99
job red 100000000 sgd
runs red
is "a job that comes anew is served" "$(sort -u red.err?)" ""
cd ..
for pid in $first; do
	pkill -CONT -P "$pid"
	wait "$pid"
done
is "its last run is told so" "$(grep -l 'hub h[89]: this job has come anew' red.err? | xargs)" \
	"red.err0 red.err1"
is "and the hub says who came" "$(grep anew "err.$port")" \
	'plink-hub: job "red" comes anew, from 127.0.0.1: its last run ends'
mv again/red.* .

# the hub of one job dies, and the other job goes on
job blue 100000000 sgd
runs blue
pgrep -P "$hub" | tail -n 1 | xargs kill -KILL
ends blue
is "a hub dies: both ranks fail, with its name" "$rc $(grep -l 'hub h8' blue.err? | xargs)" \
	" 4 4 blue.err0 blue.err1"
ok "another job on the same hub goes on" kill -0 "$red_0"
kill "$hub"
wait "$hub"
is "a signal ends the hub" "$?" 0
ends red
is "and its jobs" "$rc $(grep -l 'hub h8' red.err? | xargs)" " 4 4 red.err0 red.err1"
kill "$hub9"
wait "$hub9"
hub='' hub9=''

# a hub that knows the secret and ends before it answers; and then comes again
hub_schedule 1 1 "schedule hub 0- chunk=8192 window=4" >alone
set -- $(free_ports 2)
"${python:-python3}" - "$1" "$builddir/plink-hub" >said 2>err <<'END' &
import hashlib, os, socket, sys

with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as listener:
    for n in range(3):
        with listener.accept()[0] as s:
            said = s.recv(120, socket.MSG_WAITALL)
            nonce = os.urandom(16)
            s.sendall(nonce + hashlib.blake2b(
                said[:88] + nonce + b"the-secret-of-red",
                key=b"plink: a hub asks the job to prove it", digest_size=32).digest())
            print(len(s.recv(32, socket.MSG_WAITALL)), flush=True)
os.execv(sys.argv[2], [sys.argv[2], "--listen=127.0.0.1:" + sys.argv[1], "--jobs=jobs"])
END
hub=$!
PLINK_HOST=h0 PLINK_HUBS=127.0.0.1:$1 PLINK_HUB_JOB=red PLINK_HUB_SECRET=red timeout 60 \
	"$builddir/lib/example-allreduce" alone 0 "127.0.0.1:$2" 1000 >out 2>err0
is "rank 0 asks a hub again" "$? $(xargs <said)" "0 32 32 32"
kill "$hub"
wait "$hub"
hub=''
hub_schedule 1 "2 1" "schedule hub 0- chunk=8192 window=4" >two
PLINK_HOST=h0 PLINK_HUBS=127.0.0.1:1,127.0.0.1:1 PLINK_HUB_JOB=red PLINK_HUB_SECRET=red \
	timeout 60 "$builddir/lib/example-allreduce" two 0 "127.0.0.1:$2" 1000 2>err
has "a hub twice is refused" "$? $(cat err)" "127.0.0.1:1 stands here twice"

"$builddir/plink-hub" --listen=127.0.0.1:1 2>err
is "without a file of jobs: exit 2" "$? $(cat err)" \
	"2 plink-hub: --jobs is wanted; see plink-hub --help"
"$builddir/plink-hub" --listen=127.0.0.1:1 --jobs=nowhere 2>err
is "or one that is not there: exit 4" "$? $(cat err)" \
	"4 plink-hub: cannot open nowhere: No such file or directory"

done_testing
