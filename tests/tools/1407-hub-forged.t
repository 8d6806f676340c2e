#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1407-hub-forged.t - forged messages to a hub that serves a job, and 1000 connections that
# say nothing meanwhile
#
# FORGED=1000000 sends as many in place of the 100,000, in about three minutes.
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/tools/hubs.sh"
cd "$tmp" || exit 99
echo "red the-secret-of-red" >jobs
echo the-secret-of-red >red
export SECRET=only-we-know-it
unset PLINK_HOST PLINK_HUB_MEET

hub_schedule 2 1 "schedule hub 0- chunk=8192 window=4" >schedule
set -- $(free_ports 2)
"$builddir/plink-hub" --listen=127.0.0.1:"$1" --jobs=jobs 2>err </dev/null &
hub=$!
port=$1 at=$2
cleanup() {
	kill "$hub" 2>/dev/null
}

# job CALLS: two ranks in the background
job() {
	pids=
	for r in 0 1; do
		PLINK_HOST=h$r PLINK_HUBS=127.0.0.1:$port PLINK_HUB_JOB=red \
			PLINK_HUB_SECRET=red timeout 900 "$builddir/bench/hub-time" schedule $r \
			"127.0.0.1:$at" 65536 "$1" >out$r 2>err$r </dev/null &
		pids="$pids $!"
	done
}

job 100000000
while ! [ -s out0 ]; do
	sleep 0.05
done
forged=${FORGED:-100000}
"${python:-python3}" - "$port" "$forged" >said <<'END'
import os, random, socket, struct, sys

# Each connection brings a hello that names the job, with what may be a nonce and a
# proof: 120 bytes, half of which have one bit changed in the part that can be right.
PROCESSES, EACH = 4, int(sys.argv[2]) // 4
address = ("127.0.0.1", int(sys.argv[1]))
silent = [socket.create_connection(address) for _ in range(1000)]
right = struct.pack(">II", 0x706C6832, 100) + b"red".ljust(64, b"\0")


def forge(seed):
    generator, answered, dropped = random.Random(seed), 0, 0
    for n in range(EACH):
        said = bytearray(right + generator.randbytes(48))
        if n % 2:
            said[generator.randrange(72)] ^= 1 << generator.randrange(8)
        with socket.create_connection(address) as s:
            try:
                s.sendall(said)
                answered += bool(s.recv(1))
            except ConnectionError:
                pass
            dropped += 1
    print(dropped, "dropped,", answered, "answered", flush=True)


children = []
for seed in range(PROCESSES):
    child = os.fork()
    if child == 0:
        forge(seed)
        os._exit(0)
    children.append(child)
print("exits", sum(os.waitpid(child, 0)[1] for child in children))
END
is "$forged forged messages are dropped, none is answered" "$(sort said | uniq -c | xargs)" \
	"4 $((forged / 4)) dropped, 0 answered 1 exits 0"
before=$(wc -l <out0)
while [ "$(wc -l <out0)" = "$before" ] && kill -0 "$hub"; do
	sleep 0.05
done
ok "the job goes on" test "$(wc -l <out0)" -gt "$before"
for pid in $pids; do
	pgrep -P "$pid" | xargs kill
done
wait $pids
at=$(free_ports 1)
job 5
all_end
is "the hub serves its next run" "$rc" " 0 0"
kill "$hub"
wait "$hub"
is "and ends with a signal" "$?" 0
hub=

done_testing
