#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0620-probe-testbed.t - plink-probe over an emulated network: racks, loss, faults
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/testbed.sh"
. "$srcdir/tests/layer.sh"
probe=$builddir/plink-probe

"$testbed" matrix --racks=2x3 --intra-us=1000 --inter-us=8000 --shuffle \
	--seed=7 >"$tmp/truth" 2>/dev/null
awk '/^[^#]/ { print $1 }' "$tmp/truth" >"$tmp/hosts"

up() {
	ok "a testbed comes up ($*)" testbed_up --matrix="$tmp/truth" "$@"
}

run() {
	$as_user "$probe" --bandwidth=no --launch="$testbed rsh --prefix=$prefix %h" \
		--agent="$builddir/plink-agent" "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# What the emulator applied at least, both ways, in ns: lines "from to ns". It
# takes off the hand-over time of its start, and a packet may have come sooner.
applied() {
	"$testbed" status --prefix="$prefix" | awk '
		/^hand-over / { early = $(NF - 1) }
		table { v[$1, $2] = $4 - early } /^from / { table = 1 }
		END { for (k in v) { split(k, a, SUBSEP)
			print a[1], a[2], (v[k] + v[a[2], a[1]]) * 1000 } }'
}

# No round trip can be shorter than the delays; and one in a rack is not longer
# than half of one across, 2 against 16 ms, unless all is wrong.
up
run "$tmp/hosts"
is "six hosts: exit 0" "$rc" 0
applied >"$tmp/applied"
layer min >"$tmp/min"
is "no round trip is shorter than what was applied" "$(awk '
	NR == FNR { least[$1, $2] = $3; next }
	$3 < least[$1, $2] - 1000 { bad++ } END { print bad + 0 }' \
	"$tmp/applied" "$tmp/min")" 0
layer p10 >"$tmp/p10"
is "racks are told apart without a mistake" "$(awk '
	NR == FNR { if ($2 == "rack") rack[$3] = $4; next }
	(rack[$1] == rack[$2]) != ($3 < 8e6) { bad++ }
	END { print bad + 0 }' \
	"$tmp/truth" "$tmp/p10")" 0
ok "hosts have their node names and addresses" \
	grep -qE '^# host h0 node=h0 addr=[0-9.]+$' "$tmp/out"

# a host that drops all probes: reached by the launcher, not by the network
as_root h2 ip link show >"$tmp/links" 2>&1
dev=$(awk -F': ' '/^[0-9]/ && $2 !~ /^lo/ { print $2; exit }' "$tmp/links")
as_root h2 ip route add blackhole 10.0.0.0/7 >/dev/null 2>&1
as_root h2 ip route flush dev "${dev%@*}" >/dev/null 2>&1
run "$tmp/hosts"
is "a host without a route: exit 1" "$rc" 1
has "only its pairs are missing" "$(cat "$tmp/err")" \
	"20 pairs measured, 10 missing, 0 of 6 hosts lost"
ok "from it: the system's word" \
	grep -qE '^# cell h2 h0 cannot send: ' "$tmp/out"
ok "to it: the silence" \
	grep -qx '# cell h0 h2 no reply within 5 s' "$tmp/out"
cleanup

up --loss=0.1
run "$tmp/hosts"
is "one packet of ten lost: exit 0" "$rc" 0
layer lost >"$tmp/lost"
layer sent >"$tmp/sent"
# 1 - 0.9^2 = 19 % of some 1500 probes: far from none and from half
ok "losses are counted and made up for" awk '
	NR == FNR { lost += $3; next } { sent += $3; if ($3 < 40) few++ }
	END { exit !(lost > 0.05 * sent && lost < 0.5 * sent && !few) }' \
	"$tmp/lost" "$tmp/sent"
layer p10 >"$tmp/p10"
is "and do no harm to the racks" "$(awk '
	NR == FNR { if ($2 == "rack") rack[$3] = $4; next }
	(rack[$1] == rack[$2]) != ($3 < 8e6) { bad++ } END { print bad + 0 }' \
	"$tmp/truth" "$tmp/p10")" 0
cleanup

# one of five lost, and each way 0.3 ms longer or shorter by chance
up --loss=0.2 --jitter-us=300
run "$tmp/hosts"
is "one packet of five lost, jitter: exit 0" "$rc" 0
layer p10 >"$tmp/p10"
is "racks are told apart all the same" "$(awk '
	NR == FNR { if ($2 == "rack") rack[$3] = $4; next }
	(rack[$1] == rack[$2]) != ($3 < 8e6) { bad++ } END { print bad + 0 }' \
	"$tmp/truth" "$tmp/p10")" 0
cleanup

done_testing
