#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0658-probe-hostile.t - packets that no agent sends, at a host of a run, IPv4 and IPv6
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/testbed.sh"
python3 -c '' 2>/dev/null || skip_all "no python3 here"
cleanup() {
	touch "$tmp/stop"
	"$testbed" down --prefix="$prefix" >/dev/null 2>&1
}

"$testbed" matrix --racks=2x4 --intra-us=1000 --inter-us=3000 --seed=7 \
	>"$tmp/truth" 2>/dev/null
awk '/^[^#]/ { print $1 }' "$tmp/truth" >"$tmp/hosts"
ok "a testbed of 8 comes up" testbed_up --matrix="$tmp/truth"

# Sees all probes and replies that come to its host or leave it, and for each sends to
# the host's end of that flow what is below in attack(). In the end: packets sent, by
# sort; replies that were seen, and how many of them were seen more than once. What is
# its own it knows by the hop limit.
cat >"$tmp/attack.py" <<'END_PY'
import os, select, socket, struct, sys
where, family = sys.argv[1], int(sys.argv[2])
MINE, VERSION = 77, int(sys.argv[3])
see = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
see.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
inet = socket.AF_INET if family == 4 else socket.AF_INET6
raw = socket.socket(inet, socket.SOCK_RAW, socket.IPPROTO_RAW)
raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
sent, replies, twice = {}, set(), 0

def total(data):
    data += b"\0" * (len(data) % 2)
    n = sum(struct.unpack(">%dH" % (len(data) // 2), data))
    while n >> 16:
        n = (n & 0xffff) + (n >> 16)
    return n ^ 0xffff or 0xffff

def ip(protocol, src, dst, body, fragment=0, name=0):
    if family == 4:
        return struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(body), name,
                           fragment, MINE, protocol, 0, src, dst) + body
    if name:
        body = struct.pack(">BBHI", protocol, 0, fragment, name) + body
        protocol = 44
    return struct.pack(">IHBB16s16s", 6 << 28, len(body), protocol, MINE,
                       src, dst) + body

def pseudo(protocol, src, dst, n):
    return src + dst + struct.pack(">II", n, protocol)

def udp(src, sport, dst, dport, body):
    head = struct.pack(">HHH", sport, dport, 8 + len(body))
    zero = head + b"\0\0" + body
    return head + struct.pack(">H", total(
        pseudo(17, src, dst, len(zero)) + zero)) + body

def send(sort, packet, dst):
    to = socket.inet_ntop(inet, dst)
    try:
        raw.sendto(packet, (to, 0) if family == 4 else (to, 0, 0, 0))
        sent[sort] = sent.get(sort, 0) + 1
    except OSError:
        pass  # no room now, or this kernel sends no such packet

def error(us, ours, peer, theirs, data):
    """The peer's host says that nobody listens at the peer's port."""
    quoted = ip(17, us, peer, udp(us, ours, peer, theirs, data))
    if family == 4:
        body = struct.pack(">BBHI", 3, 3, 0, 0) + quoted
        body = body[:2] + struct.pack(">H", total(body)) + body[4:]
        return ip(1, peer, us, body)
    body = struct.pack(">BBHI", 1, 4, 0, 0) + quoted
    check = total(pseudo(58, peer, us, len(body)) + body)
    return ip(58, peer, us, body[:2] + struct.pack(">H", check) + body[4:])

def attack(us, ours, peer, theirs, data, k):
    all_hosts = b"\xff" * 4 if family == 4 else \
        socket.inet_pton(inet, "ff02::1")
    def one(sort, src, sport, body):
        send(sort, ip(17, src, us, udp(src, sport, us, ours, body)), us)
    one("again", peer, theirs, data)
    one("itself", us, ours, data)
    one("port 0", peer, 0, data)
    one("everybody", all_hosts, theirs, data)
    one("empty", peer, theirs, b"")
    one("short", peer, theirs, data[:-1])
    one("long", peer, theirs, data + b"\0")
    if k % 16 == 0:
        one("huge", peer, theirs, data + b"\0" * 65000)
    whole = udp(peer, theirs, us, ours, data)
    name = 1 + k % 65535
    send("part 1", ip(17, peer, us, whole[:24], 0x2000 if family == 4 else 1,
                      name), us)
    if k % 2:
        send("part 2", ip(17, peer, us, whole[24:], 3 if family == 4 else 24,
                          name), us)
    send("error", error(us, ours, peer, theirs, data), us)

def parse(data):
    """src, sport, dst, dport, payload, hop limit"""
    if family == 4 and len(data) == 60 and data[0] == 0x45 and data[9] == 17:
        return (data[12:16], *struct.unpack(">H", data[20:22]), data[16:20],
                *struct.unpack(">H", data[22:24]), data[28:], data[8])
    if family == 6 and len(data) == 80 and data[0] >> 4 == 6 and data[6] == 17:
        return (data[8:24], *struct.unpack(">H", data[40:42]), data[24:40],
                *struct.unpack(">H", data[42:44]), data[48:], data[7])
    return None

open(where + "/ready", "w").close()
k, over = 0, False
while True:
    over = over or os.path.exists(where + "/stop")
    if not select.select([see], [], [], 0.05)[0]:
        if over:
            break
        continue
    data, at = see.recvfrom(70000)
    out = at[2] == socket.PACKET_OUTGOING
    seen = parse(data)
    if not seen or at[2] > 0 and not out or out and at[0] == "lo":
        continue
    src, sport, dst, dport, probe, hops = seen
    if hops == MINE or probe[0] != VERSION:
        continue
    if probe[1] == 2:
        key = (src, sport, dst, dport, probe[2:8])
        twice += key in replies
        replies.add(key)
    if over:
        continue
    k += 1
    # both ends are here where all goes by lo
    if out or at[0] == "lo":
        attack(src, sport, dst, dport, probe, k)
    if not out:
        attack(dst, dport, src, sport, probe, k)
with open(where + "/done.part", "w") as f:
    print(sum(sent.values()), len(replies), twice, len(sent), file=f)
print(sent, file=sys.stderr)
os.rename(where + "/done.part", where + "/done")
END_PY

version=$(awk '$2 == "PL_PACKET_VERSION" { print $3 }' \
	"${srcdir:-$(dirname "$0")/..}/probes/protocol/packet.h")
host=$(sed -n 2p "$tmp/hosts")
there() {
	as_root "$host" "$@"
}

# start FAMILY, and finish: $sent $replies $twice $sorts
start() {
	rm -f "$tmp/ready" "$tmp/stop" "$tmp/done"
	# ahead of other processes, so that it answers before a flow has ended
	there nice -n -10 python3 "$tmp/attack.py" "$tmp" "$1" "$version" 2>"$tmp/attack.err" &
	pid=$!
	while [ ! -e "$tmp/ready" ] && kill -0 $pid 2>/dev/null; do
		sleep 0.05
	done
	ok "$host is under attack, IPv$1" test -e "$tmp/ready"
}
finish() {
	touch "$tmp/stop"
	wait $pid
	sed 's/^/# /' "$tmp/attack.err"
	read -r sent replies twice sorts <"$tmp/done"
	ok "hundreds of packets were sent" test "${sent:-0}" -ge 300
	ok "of nearly all sorts" test "${sorts:-0}" -ge 9
	ok "requests were answered" test "${replies:-0}" -ge 50
	is "and nothing twice" "$twice" 0
}

start 4
$as_user "$builddir/plink-probe" --bandwidth=no --launch="$testbed rsh --prefix=$prefix %h" \
	--agent="$builddir/plink-agent" --probes=40 \
	"$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
is "the run: exit 0" "$?" 0
has "all is measured" "$(cat "$tmp/err")" "56 pairs measured, 0 missing"
ok "what was refused is said" grep -q '[1-9][0-9]* packets refused' "$tmp/err"
finish
is "nothing listens any more" "$(there cat /proc/net/udp /proc/net/tcp |
	grep -c '^ *[0-9]')" 0

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
	} print n + 0, bad + 0 }' "$tmp/applied" "$tmp/out")" "56 0"

# Three agents on one host, which has IPv6 of its own.
if ! there grep -q '00000000000000000000000000000001' /proc/net/if_inet6; then
	skip "IPv6" "none here"
	done_testing
	exit
fi
start 6
printf 'a\nb\nc\n' >"$tmp/three"
"$testbed" exec --prefix=$prefix "$host" -- \
	"$builddir/plink-probe" --bandwidth=no --launch="sh -c" --agent="$builddir/plink-agent" \
	--iface=::1/128 --probes=40 "$tmp/three" >"$tmp/out" 2>"$tmp/err"
is "IPv6, the run: exit 0" "$?" 0
has "all is measured" "$(cat "$tmp/err")" "6 pairs measured, 0 missing"
finish
is "nothing listens any more" "$(there cat /proc/net/udp6 /proc/net/tcp6 |
	grep -c '^ *[0-9]')" 0

done_testing
