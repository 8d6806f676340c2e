#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0685-bandwidth-ipv6.t - plink-probe --bandwidth between hosts of IPv6 only
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# All in a network of its own, where this shell is root.
if [ -z "$PLINK_TEST_INSIDE" ]; then
	unshare -rn ip link add br0 type bridge 2>/dev/null ||
		skip_all "no network of one's own here, or no bridge"
	PLINK_TEST_INSIDE=1 exec unshare -rn "$0"
fi
cp "$builddir/plink-agent" "$tmp/agent"
ip link add br0 type bridge
ip link set br0 up

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

k=0
for name in a b c; do
	k=$((k + 1))
	unshare -n sh -c "echo \$\$ >'$tmp/pid'; exec sleep 600" &
	while [ ! -s "$tmp/pid" ]; do
		sleep 0.05
	done
	mv "$tmp/pid" "$tmp/pid.$name"
	ip link add v$name type veth peer name eth0 netns "$(cat "$tmp/pid.$name")"
	ip link set v$name master br0 up
	at $name ip link set lo up
	at $name ip link set eth0 up
	at $name ip addr add fd00::$k/64 dev eth0 nodad
done

# what agent c says goes through $tmp/from, where that is there
cat >"$tmp/launch" <<END
#!/bin/sh
at() {
	nsenter -t "\$(cat "$tmp/pid.\$1")" -n sh -c "\$2"
}
if [ "\$1" = c ] && [ -e "$tmp/from" ]; then
	at "\$@" | sh "$tmp/from"
else
	at "\$@"
fi
END
chmod +x "$tmp/launch"
printf 'a\nb\nc\n' >"$tmp/hosts"
run() {
	"$builddir/plink-probe" --bandwidth=no --launch="$tmp/launch %h" --agent="$tmp/agent" \
		--probes=4 "$@" \
		"$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# cells LAYER: its ways by "from to", with "nan" or "is"
cells() {
	awk -v want="$1" '/^# layer/ { l = $3; next } /^#/ { next }
		l == want { name[++r] = $1; line[r] = $0 }
		END { for (i = 1; i <= r; i++) {
			split(line[i], c, " ")
			for (j = 1; j <= r; j++) if (i != j)
				printf "%s%s %s ", name[i], name[j],
					c[j + 1] == "nan" ? "nan" : "is"
		} }' "$tmp/out"
}
received() {
	at "$1" cat /proc/net/dev | sed -n 's/^ *eth0: *\([0-9]*\) .*/\1/p'
}

is "no link has an address of IPv4" "$(for name in a b c; do
	at $name ip -4 -o addr show dev eth0
done)" ""
before=$(received b)
run --bandwidth=alone,together --streams=2
after=$(received b)
is "alone and together, two connections each: exit 0" "$rc" 0
is "by these addresses" "$(sed -n 's/^# host .* addr=//p' "$tmp/out" | xargs)" \
	"fd00::1 fd00::2 fd00::3"
every="ab is ac is ba is bc is ca is cb is "
is "alone: every way" "$(cells alone)" "$every"
is "together: every way" "$(cells together)" "$every"
has "the summary says so" "$(cat "$tmp/err")" \
	"12 ways measured by TCP, 0 missing"
ok "the bytes went over the link ($((after - before)))" test \
	$((after - before)) -gt 1000000

# c's port is a wrong one, as behind a firewall
printf "sed -u 's/^\\(listening [0-9]* [0-9]*\\) .*/\\\\1 1/'\n" >"$tmp/from"
run --bandwidth=alone
is "refused: exit 1" "$rc" 1
is "only what goes there is missing" "$(cells alone)" \
	"ab is ac nan ba is bc nan ca is cb is "
ok "and says why" grep -qx \
	'# cell a c alone: cannot connect: Connection refused' "$tmp/out"

# the least MTU that there is with IPv6
rm "$tmp/from"
at b ip link set eth0 mtu 1280
run --bandwidth=together
is "the least MTU on one of them: exit 0" "$rc" 0
is "every way all the same" "$(cells together)" "$every"

done_testing
