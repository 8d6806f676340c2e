#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0687-bandwidth-few.t - few flows tell the cards and uplinks of an emulated cluster
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/testbed.sh"

# Four racks of three; a card and two uplinks are unlike the others.
"$testbed" matrix --racks=4x3 --intra-us=200 --inter-us=2000 --shuffle \
	--seed=3 2>/dev/null >"$tmp/racks"
awk '$2 == "rack" { rack[$4] = rack[$4] " " $3 }
	/^[^#]/ && !done++ {
		for (r = 0; r < 4; r++) {
			n = split(rack[r], host, " ")
			for (i = 1; i <= n; i++)
				print "# card", host[i],
					r == 1 && i == 1 ? "40M 40M" : "80M 80M"
		}
		print "# uplink 0 60M 60M"
		print "# uplink 1 70M 50M"
		print "# uplink 2 50M 70M"
		print "# uplink 3 60M 60M"
	}
	{ print }' "$tmp/racks" >"$tmp/truth"
awk '/^[^#]/ { print $1 }' "$tmp/truth" >"$tmp/hosts"
ok "a testbed comes up" testbed_up --matrix="$tmp/truth"

run() {
	$as_user "$builddir/plink-probe" --bandwidth=no --launch="$testbed rsh --prefix=$prefix %h" \
		--agent="$builddir/plink-agent" "$@" \
		>"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# rates: of the matrix on stdin, in Mbit/s, cards by host and uplinks by a host of the
# rack, so that racks may have other numbers
rates() {
	awk 'function mbit(s) {
			return s ~ /k/ ? s / 1000 : s ~ /G/ ? s * 1000 : s + 0
		}
		$2 == "rack" && (!($4 in first) || $3 < first[$4]) { first[$4] = $3 }
		$2 == "card" { print "card", $3, mbit($4), mbit($5) }
		$2 == "uplink" { up[$3] = mbit($4) " " mbit($5) }
		END { for (r in up) print "uplink", first[r], up[r] }' | sort
}

# off WHAT: how many rates of these lines are more than 15 per cent off
off() {
	rates <"$tmp/out" | grep "$1" >"$tmp/found"
	rates <"$tmp/truth" | awk 'NR == FNR { told[$1, $2]; next }
		($1, $2) in told' "$tmp/found" - >"$tmp/planted"
	paste -d ' ' "$tmp/planted" "$tmp/found" | awk '
		function off(a, b) { return b > 0 && (b < 0.85 * a || b > 1.15 * a) }
		$1 " " $2 != $5 " " $6 || off($3, $7) || off($4, $8) {
			n++
			print "# " $0 >"/dev/stderr"
		}
		END { print n + 0 }'
}

run --bandwidth "$tmp/hosts"
is "few flows: exit 0" "$rc" 0
# on a busy machine a link may not show, or not as it is
ok "cards and uplinks that are told are as planted, but for two of 32" \
	test "$(off .)" -le 2
ok "all cards, and six of eight ways of uplinks at least" awk \
	'$1 == "card" { n += ($3 > 0) + ($4 > 0) }
	$1 == "uplink" { m += ($3 > 0) + ($4 > 0) }
	END { exit !(n == 24 && m >= 6) }' "$tmp/found"
is "of twelve cards and four uplinks" "$(grep -cE '^# (card|uplink) ' \
	"$tmp/out")" 16
has "what they tell is said" "$(cat "$tmp/err")" \
	"plink-probe: 4 racks of 3 hosts; cards "
is "no layer of all pairs" "$(grep -c '^# layer.*bandwidth' "$tmp/out")" 0
cp "$tmp/out" "$tmp/whole"
run --bandwidth --resume="$tmp/whole" --launch=false "$tmp/hosts"
is "--resume: nothing is started, exit 0" "$rc" 0
is "--resume: rates are kept" "$(grep -E '^# (rack|card|uplink) ' "$tmp/out")" \
	"$(grep -E '^# (rack|card|uplink) ' "$tmp/whole")"

# what a flow gets by itself has a say in costs, without a layer of it
cost() {
	"$builddir/plink-order" --matrix="$1" --size=8M --impl=lightgbm \
		2>&1 >"$tmp/order"
}
sed -E '/^# (card|uplink) /d' "$tmp/whole" >"$tmp/plain"
ok "plink-order takes them for costs" test "$(cost "$tmp/whole")" != \
	"$(cost "$tmp/plain")"

# all pairs take long: those of two racks, with the card and the uplinks unlike others
awk '$2 == "rack" && ($4 == 1 || $4 == 2) { print $3 }' "$tmp/truth" >"$tmp/some"
run --bandwidth=alone,together "$tmp/some"
is "all pairs: exit 0" "$rc" 0
is "all pairs: six cards, as planted" \
	"$(grep -c '^# card ' "$tmp/out") $(off card)" "6 0"
ok "all pairs: uplinks, too" grep -qE "^# uplink " "$tmp/out"
# as older versions left it, read by what predicts
sed -E '/^# (rack|card|uplink) /d' "$tmp/out" >"$tmp/old"
"$builddir/plink-order" --matrix="$tmp/old" --size=1M --predict \
	>"$tmp/order" 2>"$tmp/err"
is "plink-order: exit 0" "$?" 0
has "plink-order: infers them" "$(cat "$tmp/err")" \
	"plink-order: inferred from the bandwidths: 2 racks of 3 hosts; cards "

run "$tmp/hosts"
is "without --bandwidth racks are told, no rates" "$(grep -cE '^# rack ' \
	"$tmp/out") $(grep -cE '^# (card|uplink) ' "$tmp/out")" "12 0"

done_testing
