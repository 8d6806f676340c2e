#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0618-probe-addresses.t - hosts of several addresses, of IPv6 only, of one and the
# same, with a small MTU; a host whose link or agent comes back
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# All in a network of its own, where this shell is root.
if [ -z "$PLINK_TEST_INSIDE" ]; then
	unshare -rn ip link add type veth 2>/dev/null ||
		skip_all "no network of one's own here"
	unshare -rn ip link add br0 type bridge 2>/dev/null ||
		skip_all "no bridge here"
	PLINK_TEST_INSIDE=1 exec unshare -rn "$0"
fi
cp "$builddir/plink-agent" "$tmp/agent"
ip link add br0 type bridge
ip link set br0 up
ip link set lo up

cleanup() {
	for name in a b c; do
		kill "$(cat "$tmp/pid.$name" 2>/dev/null)" 2>/dev/null
	done
}

# at NAME COMMAND...: on that machine
at() {
	at_pid=$(cat "$tmp/pid.$1")
	shift
	nsenter -t "$at_pid" -n "$@"
}

for name in a b c; do
	unshare -n sh -c "echo \$\$ >'$tmp/pid'; exec sleep 600" &
	while [ ! -s "$tmp/pid" ]; do
		sleep 0.05
	done
	mv "$tmp/pid" "$tmp/pid.$name"
	ip link add v$name type veth peer name eth0 netns "$(cat "$tmp/pid.$name")"
	ip link set v$name master br0 up
	at $name ip link set lo up
	at $name ip link set eth0 up
done

# addresses NAME ADDRESS...: it has these and no others but of its links
addresses() {
	name=$1
	shift
	at "$name" ip addr flush dev eth0
	for address; do
		case $address in
		*:*) at "$name" ip addr add "$address" dev eth0 nodad ;;
		*) at "$name" ip addr add "$address" dev eth0 ;;
		esac
	done
}

# the name "twin" leads to a, by another of its addresses as it were
cat >"$tmp/launch" <<END
#!/bin/sh
name=\$1
[ "\$1" != twin ] || name=a
echo \$\$ >"$tmp/at.\$1"
exec nsenter -t "\$(cat "$tmp/pid.\$name")" -n sh -c "\$2"
END
chmod +x "$tmp/launch"
printf 'a\nb\nc\n' >"$tmp/hosts"
run() {
	"$builddir/plink-probe" --bandwidth=no --launch="$tmp/launch %h" --agent="$tmp/agent" \
		"$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}
measured_at() {
	sed -n 's/^# host .* addr=//p' "$tmp/out" | xargs
}

addresses a fd00::1/64
addresses b fd00::2/64
addresses c fd00::3/64
run --probes=40 "$tmp/hosts"
is "IPv6 only: exit 0" "$rc" 0
is "IPv6 only: at those addresses" "$(measured_at)" "fd00::1 fd00::2 fd00::3"

addresses a 10.1.0.1/24 10.2.0.1/24 fd00::1/64
addresses b 10.2.0.2/24 10.1.0.2/24 fd00::2/64
addresses c fd00::3/64 10.2.0.3/24 10.3.0.3/24
run --probes=40 "$tmp/hosts"
is "several addresses: exit 0" "$rc" 0
is "several addresses: of the network that all are in" "$(measured_at)" \
	"10.2.0.1 10.2.0.2 10.2.0.3"
run --probes=40 --iface=fd00::/64 "$tmp/hosts"
is "several addresses: of that which is named" "$rc $(measured_at)" \
	"0 fd00::1 fd00::2 fd00::3"
run --probes=40 --iface=10.3.0.0/24 "$tmp/hosts"
is "a network that only one is in: exit 1" "$rc" 1
has "a network that only one is in: why" "$(cat "$tmp/err")" \
	'a: its agent: no address on or in "10.3.0.0/24"'

printf 'a\nb\ntwin\n' >"$tmp/twins"
run --probes=40 "$tmp/twins"
is "two names of one machine: exit 2" "$rc" 2
has "two names of one machine: both named" "$(cat "$tmp/err")" "twin"

# what a probe takes, 60 bytes, IPv4 lets through on any link
at c ip link set eth0 mtu 68
addresses c 10.2.0.3/24
run --probes=40 "$tmp/hosts"
is "an MTU of 68: exit 0" "$rc" 0
has "an MTU of 68: every pair" "$(cat "$tmp/err")" "6 pairs measured, 0 missing"
at c ip link set eth0 mtu 1500

# start: a run, and waits until c has sent a hundred probes or answers
sent() {
	awk '$1 == "vc:" { print $3 }' /proc/net/dev
}
start() {
	run --probes=800 "$tmp/hosts" &
	pid=$!
	before=$(sent)
	while [ "$(sent)" -lt $((before + 100)) ] && kill -0 "$pid" 2>/dev/null; do
		sleep 0.05
	done
}
start
ip link set vc down
sleep 1
ip link set vc up
wait $pid
has "a link that was down for a second: every pair" "$(cat "$tmp/err")" \
	"6 pairs measured, 0 missing, 0 of 3 hosts lost"
ok "a link that was down for a second: it lost probes" \
	grep -q '; [1-9][0-9]* lost' "$tmp/err"

start
kill -s KILL -- "-$(cat "$tmp/at.c")" # the launcher leads its own group
wait $pid
has "an agent that is killed: its pairs are missing" "$(cat "$tmp/err")" \
	"2 pairs measured, 4 missing, 1 of 3 hosts lost"
mv "$tmp/out" "$tmp/part"
run --probes=40 --resume="$tmp/part" "$tmp/hosts"
is "and back for another run: exit 0" "$rc" 0
has "which measures them" "$(cat "$tmp/err")" "4 pairs measured, 0 missing"

done_testing
