#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0619-probe-cut-off.t - a host that drops off the network, behind connections that do
# not notice
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/testbed.sh"
command -v python3 >/dev/null || skip_all "no python3 here"
cp "$builddir/plink-agent" "$tmp/agent"

# A launcher over TCP, and what takes its commands, with the command's input and output
# relayed as sshd does it. Before a line that begins with the word CUT the host's link
# goes down.
cat >"$tmp/client" <<'EOF'
import os, socket, sys, threading, time
for n in range(600):
    try:
        c = socket.create_connection((sys.argv[1], 2222))
        break
    except OSError:
        time.sleep(0.1)
c.sendall(sys.argv[2].encode() + b'\0')

def answers():
    while (b := c.recv(4096)):
        os.write(1, b)
    os._exit(0)

threading.Thread(target=answers).start()
while (b := os.read(0, 4096)):
    c.sendall(b)
c.shutdown(socket.SHUT_WR)
EOF
cat >"$tmp/server" <<'EOF'
import socket, subprocess, sys, threading
s = socket.create_server(('', 2222))
c, _ = s.accept()
command = b''
while not command.endswith(b'\0'):
    command += c.recv(1)
p = subprocess.Popen(['sh', '-c', b'exec ' + command[:-1]], user=sys.argv[2],
                     stdin=subprocess.PIPE, stdout=subprocess.PIPE)

def answers():
    while (b := p.stdout.read1(4096)):
        c.sendall(b)
    c.shutdown(socket.SHUT_WR)

threading.Thread(target=answers, daemon=True).start()
for line in c.makefile('rb'):
    if line.startswith(sys.argv[1].encode()):
        subprocess.run(['ip', 'link', 'set', 'plink0', 'down'], check=True)
    p.stdin.write(line)
    p.stdin.flush()
p.stdin.close()
p.wait()
EOF

ok "a matrix" sh -c "'$testbed' matrix --racks=2x2 --intra-us=100 \
	--inter-us=1000 --seed=1 >'$tmp/truth' 2>/dev/null"
ok "a testbed comes up" testbed_up --matrix="$tmp/truth"
awk '/^[^#]/ { print $1 }' "$tmp/truth" >"$tmp/names"
for h in $(cat "$tmp/names"); do
	"$testbed" exec --prefix="$prefix" "$h" -- ip -4 -o addr show plink0 |
		sed 's/.*inet \([0-9.]*\).*/\1/' >>"$tmp/hosts"
	cut=never
	[ "$h" != h2 ] || cut=round
	as_root "$h" python3 "$tmp/server" $cut $user >"$tmp/server-$h" 2>&1 &
done
off=$(sed -n 3p "$tmp/hosts")
"$testbed" exec --prefix="$prefix" h0 -- "$builddir/plink-probe" \
	--launch="python3 $tmp/client %h" --agent="$tmp/agent --patience=10" \
	"$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
is "a host that drops off: exit 1" "$?" 1
has "it is lost" "$(cat "$tmp/err")" \
	"$off: its agent has not answered for 10 s"
has "all others are measured" "$(cat "$tmp/err")" \
	"6 pairs measured, 6 missing, 1 of 4 hosts lost"

left() {
	running "$tmp/agent"
}
k=0
while [ "$(left)" -gt 0 ] && [ $((k += 1)) -lt 600 ]; do
	sleep 0.1
done
is "its agent ends, of which nobody could tell it" "$(left)" 0
has "and says why" "$(cat "$tmp/server-h2")" \
	"plink-agent: no word from the coordinator for 10 s"
cleanup

done_testing
