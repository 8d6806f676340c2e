#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0655-probe-security.t - strangers' packets, the key's way, and what listens
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cp "$builddir/plink-agent" "$tmp/agent"

# one agent, in its round, that knows a right packet from all others
"$builddir/bench/probe-flood" --agent="$tmp/agent" --packets=100000 \
	>"$tmp/out" 2>"$tmp/err"
is "100000 packets that nobody wants: exit 0" "$?" 0
has "none of them is answered" "$(cat "$tmp/out")" "0 replies to anything else"
for kind in random forged replayed 'cut short' 'from a stranger' \
	'of an earlier round' 'replies to nothing' 'replies once more' \
	'thrown back'; do
	ok "of them many $kind" grep -qx " *1111[12] $kind" \
		"$tmp/out"
done
# and at most the replies that came late, which in a flood may be dropped; at least all
# but the replies that came once more when there was no probing any more
ok "all of them are counted, also those for which there was no room" \
	awk '/refused/ { n += $1 + $3 } /duplicate, by/ { n += $(NF - 4) }
		END { exit !(n >= 88888 && n <= 100201) }' "$tmp/out"

ok "the agent's own result is of right replies" \
	grep -q ' 200 probes.* duplicate, by its result' "$tmp/out"

# what a flood costs an agent, measured on the program itself; a short run
"$builddir/bench/probe-flood" --seconds=0.02 >"$tmp/out" 2>"$tmp/err"
is "the same in floods of four sorts: exit 0" "$?" 0
is "at three rates" \
	"$(grep -cE ' (anybody|forged|replayed|the peer)' "$tmp/out")" 12

# A real run: what its agents are told and answer is written down.
cat >"$tmp/launch" <<END
#!/bin/sh
tee "$tmp/told.\$1" | sh -c "\$2" | tee "$tmp/said.\$1"
END
chmod +x "$tmp/launch"
printf 'a\nb\nc\n' >"$tmp/hosts"
python3 -c '' 2>/dev/null || {
	skip "a run under fire" "no python3 here"
	done_testing
	exit
}
"$builddir/plink-probe" --bandwidth=no --launch="$tmp/launch %h" --agent="$tmp/agent" \
	--iface=127.0.0.0/8 --probes=1500 -o "$tmp/matrix" \
	"$tmp/hosts" 2>"$tmp/err" &
pid=$!
while [ "$(cat "$tmp"/said.* 2>/dev/null | grep -c '^bound')" -lt 3 ] &&
	kill -0 $pid 2>/dev/null; do
	sleep 0.05
done
ports=$(sed -n "s/^bound [0-9]* //p" "$tmp"/said.*)
is "three agents, as many ports each" $(($(echo $ports | wc -w) % 3)) 0
keys=$(sed -n 's/^run [0-9a-f]* \([0-9a-f]*\) .*/\1/p' "$tmp"/told.* | sort -u)
is "the key comes on standard input, one for all" "${#keys}" 32

# Whoever can list processes sees no key. (The run stands still meanwhile.)
kill -STOP $pid
cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n' \
	>"$tmp/seen"
ok "arguments of agents can be seen" grep -qF "$tmp/agent" "$tmp/seen"
is "the key cannot" "$(grep -cF "$keys" "$tmp/seen")" 0

# Nor does a core file.
cores=
for p in $pid $(grep -lsF "$tmp/agent" /proc/[0-9]*/cmdline |
	sed 's/[^0-9]//g'); do
	soft=$(awk '/^Max core/ { print $5 }' "/proc/$p/limits" 2>/dev/null)
	cores=$cores${soft:+ $soft} # of what is still there
done
ok "three agents, plink-probe and launchers leave no core file" \
	sh -c "echo '$cores' | grep -qxE '( [01]){4,}'"
kill -CONT $pid

answered=$(python3 - $ports <<'END'
import os, socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 0))
s.setblocking(False)
to = [("127.0.0.1", int(p)) for p in sys.argv[1:]]
n = 0
for k in range(30000):
    try:
        s.sendto((b"\2\1" + os.urandom(30))[:k % 34], to[k % len(to)])
    except OSError:
        pass  # an agent that has ended
    try:
        while s.recvfrom(99):
            n += 1
    except OSError:
        pass
print(n)
END
)
is "a stranger is not answered" "$answered" 0
wait $pid
is "under fire: exit 0" "$?" 0
has "under fire: every pair" "$(cat "$tmp/err")" "6 pairs measured, 0 missing"
ok "what was refused is said" grep -q '[1-9][0-9]* packets refused' "$tmp/err"
for port in $ports; do
	hex=$(printf ':%04X ' "$port")
	ok "nothing listens on port $port any more" \
		sh -c "! grep -q '0100007F$hex' /proc/net/udp"
done

done_testing
