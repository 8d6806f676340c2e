#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1435-doctor-testbed.t - plink-doctor on emulated machines, of which two are
# not let through to one another
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/testbed.sh"
doctor=$builddir/plink-doctor

"$testbed" matrix --racks=2x2 --intra-us=500 --inter-us=2000 --seed=3 \
	>"$tmp/truth" 2>/dev/null
awk '/^[^#]/ { print $1 }' "$tmp/truth" >"$tmp/hosts"
mkfifo "$tmp/end"
ok "four machines come up" testbed_up --matrix="$tmp/truth"

ports=
run() {
	# shellcheck disable=SC2086
	$as_user "$doctor" $ports --launch="$testbed rsh --prefix=$prefix %h" \
		--agent="$builddir/plink-agent" --time=60 "$tmp/hosts" \
		>"$tmp/out" 2>"$tmp/err"
	rc=$?
}
found() {
	is "$1" "$(grep -E '^[a-z0-9 ]+: [a-z]+: ' "$tmp/out" |
		sed -E 's/^([^:]*: [a-z]+): .*/\1/' | paste -sd';')" "$2"
}

run
is "all is well: exit 0" "$rc" 0
found "all is well: nothing found" ""
has "all is well: each hears the next" "$(cat "$tmp/out")" "udp    4 of 4"
has "all is well: and is sent bytes" "$(cat "$tmp/out")" "tcp    4 of 4"

# h1 may listen at two ports, which another program has
"$testbed" exec --prefix=$prefix h1 -- python3 -c '
import socket, sys
at = [socket.create_server(("", port)) for port in (40700, 40701)]
print("there", flush=True)
sys.stdin.read()' <"$tmp/end" >"$tmp/there" 2>&1 &
exec 9>"$tmp/end"
until [ -s "$tmp/there" ]; do sleep 0.05; done
ports=--ports=40700-40701
run
exec 9>&-
wait $!
ports=
is "no flow to a host: exit 1" "$rc" 1
found "no flow to a host: which" "h1: tcp"
has "no flow to a host: why" "$(cat "$tmp/out")" "h1: tcp: TCP does not pass \
between it and h0 and h2: cannot listen at TCP ports 40700-40701: Address already in use"

# drop A B: packets from A to B go nowhere
drop() {
	to=$(as_root "$2" ip -o -4 addr show plink0 |
		awk '{ sub("/.*", "", $4); print $4 }')
	as_root "$1" ip route add blackhole "$to/32"
}
ok "h1's packets to h2 are dropped" drop h1 h2
run
is "two that do not hear one another: exit 1" "$rc" 1
found "two that do not hear one another" "h1: udp;h1: tcp"
has "two that do not hear one another: who" "$(cat "$tmp/out")" \
	"h1: udp: UDP does not pass between it and h2: "
has "two that do not hear one another: what to do" "$(cat "$tmp/out")" \
	": let UDP (all ports) through between the hosts: firewall"

ok "h3's packets to h2 are dropped, too" drop h3 h2
run
found "one that hears nobody" "h2: udp;h2: tcp"
has "one that hears nobody: who" "$(cat "$tmp/out")" "between it and h1 and h3"
has "one that hears nobody: the table" "$(cat "$tmp/out")" "udp    2 of 4"

done_testing
