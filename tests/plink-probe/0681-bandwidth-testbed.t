#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0681-bandwidth-testbed.t - rates of cards, alone, and of uplinks, together
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/testbed.sh"

# Two racks of two; a card has 80 Mbit/s, 10 MB/s, and so has an uplink.
"$testbed" matrix --racks=2x2 --intra-us=200 --inter-us=1000 --shuffle \
	--seed=3 >"$tmp/truth" 2>/dev/null
awk '/^[^#]/ { print $1 }' "$tmp/truth" >"$tmp/hosts"
ok "a testbed comes up" testbed_up --matrix="$tmp/truth" --nic=80M --uplink=80M

run() {
	$as_user "$builddir/plink-probe" --launch="$testbed rsh --prefix=$prefix %h" \
		--agent="$builddir/plink-agent" --probes=4 "$@" \
		>"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# means: of a layer's cells in a rack and across, and the greatest
means() {
	awk -v want="$1" '$2 == "rack" { rack[$3] = $4 }
		/^# layer/ { l = $3; next } /^#/ { next }
		l == want { name[++r] = $1; line[r] = $0 }
		END { for (i = 1; i <= r; i++) {
			split(line[i], c, " ")
			for (j = 1; j <= r; j++) {
				if (i == j)
					continue
				at = rack[name[i]] != rack[name[j]]
				n[at]++
				sum[at] += c[j + 1]
				if (c[j + 1] > most) most = c[j + 1]
			}
		}
		printf "%.0f %.0f %.0f\n", sum[0] / n[0], sum[1] / n[1], most
	}' "$tmp/truth" "$tmp/out"
}

run --bandwidth=alone,together "$tmp/hosts"
is "both ways of measuring: exit 0" "$rc" 0
# shellcheck disable=SC2046
set -- $(means alone)
# no host sends more than its card does; headers have a part of that
ok "alone: in racks what the card gives ($1)" test "$1" -gt 7000000
ok "alone: across as well ($2)" test "$2" -gt 7000000
ok "alone: none is much faster than the card ($3)" test "$3" -lt 11000000
# shellcheck disable=SC2046
set -- $(means together)
ok "together: in racks the same ($1)" test "$1" -gt 7000000
ok "together: two flows share an uplink ($2)" test "$2" -lt 6000000
ok "together: half of it each" test "$2" -gt 3500000
ok "racks are seen by it alone" "$builddir/plink-order" --matrix="$tmp/out" \
	--size=1M

# A host that drops what others send it: its listener's answers are lost.
as_root h2 ip route add blackhole 10.0.0.0/7 >/dev/null 2>&1
dev=$(as_root h2 ip -o link show | awk -F': ' '$2 !~ /^lo/ { print $2; exit }')
as_root h2 ip route flush dev "${dev%@*}" >/dev/null 2>&1
run --bandwidth=together "$tmp/hosts"
is "a host without a route: exit 1" "$rc" 1
ok "to it: nobody answers" grep -qE \
	'^# cell h0 h2 together: (no answer to a TCP connection|0 of 1 TCP conn)' \
	"$tmp/out"
ok "from it: the system's word" grep -qE \
	'^# cell h2 h0 together: cannot connect: ' "$tmp/out"
has "only its ways are missing" "$(cat "$tmp/err")" \
	"6 ways measured by TCP, 6 missing"

# Where one packet in twenty is lost, what a flow gets with others beside is set by that:
# it is looked at again, and the rate marked.
cleanup
printf 'h0\nh1\n' >"$tmp/two"
ok "a testbed that loses packets comes up" testbed_up --matrix="$tmp/truth" \
	--nic=80M --uplink=80M --loss=0.05
run --bandwidth=together "$tmp/two"
is "losses: exit 0" "$rc" 0
ok "losses: a way is marked, with the reason" grep -qE \
	'^# cell h[01] h[01] together: not reliable: [123] looks gave [0-9]+ to [0-9]+ bytes per second, [0-9]+ segments sent again' \
	"$tmp/out"
ok "losses: the summary counts it" grep -qE \
	'2 ways measured by TCP, 0 missing, [12] not settled' "$tmp/err"

done_testing
