#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0657-probe-replay.t - a whole run, one of whose hosts is flooded with its own packets
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/testbed.sh"
python3 -c '' 2>/dev/null || skip_all "no python3 here"
cleanup() {
	touch "$tmp/stop"
	"$testbed" down --prefix="$prefix" >/dev/null 2>&1
}

"$testbed" matrix --racks=2x2 --intra-us=1000 --inter-us=3000 --seed=7 \
	>"$tmp/truth" 2>/dev/null
awk '/^[^#]/ { print $1 }' "$tmp/truth" >"$tmp/hosts"
ok "a testbed comes up" testbed_up --matrix="$tmp/truth"

# Sees all that comes to its host and leaves it. Whatever comes it sends to the host
# again, by the sender's address: ten times as it is, ten times with another tag, and
# ten times as the next one would be, with the tag of this one. In the end: packets
# sent, and replies that left the host more than once.
cat >"$tmp/attack.py" <<'END_PY'
import fcntl, os, select, socket, struct, sys
see = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)

def has_address(name):
    try:
        fcntl.ioctl(raw, 0x8915, struct.pack("256s", name.encode()))
        return True
    except OSError:
        return False

nics = [name for k, name in socket.if_nameindex() if name != "lo"]
# what is sent again goes by lo
see.bind(([name for name in nics if has_address(name)][0], 3))
see.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
replies, sent, twice, stop = set(), 0, 0, sys.argv[1] + "/stop"

def again(ip, probe):
    global sent
    udp = ip[20:24] + struct.pack(">HH", 8 + len(probe), 0)  # no checksum
    try:
        raw.sendto(ip[:20] + udp + probe, (socket.inet_ntoa(ip[16:20]), 0))
        sent += 1
    except OSError:
        pass  # no room now

open(sys.argv[1] + "/ready", "w").close()
while True:
    if not select.select([see], [], [], 0.05)[0]:
        if os.path.exists(stop):
            break  # and all that was seen has been sent again
        continue
    ip, where = see.recvfrom(2048)
    probe = ip[28:]
    if len(ip) != 60 or ip[0] != 0x45 or ip[9] != 17:
        continue
    if where[2] == socket.PACKET_OUTGOING:
        if probe[1] == 2:
            key = ip[16:20] + probe[2:8]
            twice += key in replies
            replies.add(key)
        continue
    seq = struct.unpack(">I", probe[4:8])[0] + 1
    for k in range(10):
        again(ip, probe)
        again(ip, probe[:-1] + bytes([probe[-1] ^ (k + 1)]))
        again(ip, probe[:4] + struct.pack(">I", seq) + probe[8:])
with open(sys.argv[1] + "/done.part", "w") as f:
    f.write("%d %d %d\n" % (sent, len(replies), twice))
os.rename(sys.argv[1] + "/done.part", sys.argv[1] + "/done")
END_PY
host=$(sed -n 2p "$tmp/hosts")

as_root "$host" python3 "$tmp/attack.py" "$tmp" 2>"$tmp/attack.err" &
pid=$!
while [ ! -e "$tmp/ready" ] && kill -0 $pid 2>/dev/null; do
	sleep 0.05
done
ok "$host is under attack" test -e "$tmp/ready"

$as_user "$builddir/plink-probe" --bandwidth=no --launch="$testbed rsh --prefix=$prefix %h" \
	--agent="$builddir/plink-agent" --probes=100 \
	"$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
is "the run: exit 0" "$?" 0
has "all is measured" "$(cat "$tmp/err")" "12 pairs measured, 0 missing"
ok "what was refused is said" grep -q '[1-9][0-9]* packets refused' "$tmp/err"

touch "$tmp/stop"
wait $pid
read -r sent replies twice <"$tmp/done"
echo "# $sent sent, $replies replies"
ok "a thousand packets were sent" test "${sent:-0}" -ge 1000
ok "$host has answered its peers" test "${replies:-0}" -ge 20
is "and nothing twice" "$twice" 0

# A reply that is believed and is none would come too soon.
"$testbed" status --prefix="$prefix" | awk '
	/^hand-over / { early = $(NF - 1) }
	table { v[$1, $2] = $4 - early } /^from / { table = 1 }
	END { for (k in v) { split(k, a, SUBSEP)
		print a[1], a[2], (v[k] + v[a[2], a[1]]) * 1000 } }' \
	>"$tmp/applied"
is "no round trip is shorter than what was applied" "$(awk '
	FILENAME == ARGV[1] { least[$1, $2] = $3; next }
	/^# layer/ { l = $3 } /^#/ { next }
	l == "min" { name[++r] = $1; line[r] = $0 }
	END { for (i = 1; i <= r; i++) {
		split(line[i], c, " ")
		for (j = 1; j <= r; j++)
			if (i != j) {
				n++
				bad += !(c[j + 1] >= \
					least[name[i], name[j]] - 1000)
			}
	} print n + 0, bad + 0 }' "$tmp/applied" "$tmp/out")" "12 0"

done_testing
