#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0622-probe-wire.t - plink-probe: copies, packets out of turn, late replies, drift
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/testbed.sh"
. "$srcdir/tests/layer.sh"
probe=$builddir/plink-probe

"$testbed" matrix --racks=2x3 --intra-us=3000 --inter-us=6000 --seed=7 \
	>"$tmp/truth" 2>/dev/null
awk '/^[^#]/ { print $1 }' "$tmp/truth" >"$tmp/hosts"

up() {
	cleanup
	ok "a testbed comes up ($*)" testbed_up --trace=1000000 "$@"
}
run() {
	$as_user "$probe" --bandwidth=no --launch="$testbed rsh --prefix=$prefix %h" \
		--agent="$builddir/plink-agent" -o "$tmp/out" "$@" \
		"$tmp/hosts" 2>"$tmp/err"
}
trips() {
	"$testbed" trips --prefix="$prefix" "$@"
}

# sum NAME: of the layer's cells
sum() {
	layer "$1" | awk '{ s += $3 } END { print s + 0 }'
}

# One packet of ten arrives twice, one of twenty is held up for up to 10 ms while
# others overtake it, one of a hundred is lost.
up --matrix="$tmp/truth" --duplicate=0.1 --reorder=0.05 --behind-us=10000 \
	--loss=0.01 --jitter-us=100
run
is "copies, losses, packets out of turn: exit 0" "$?" 0
trips >"$tmp/trips"
layer p10 >"$tmp/p10"
is "all ways are right within 5 % or 40 us of what was applied" "$(awk '
	FILENAME == ARGV[1] { true[$1, $2] = $5; next }
	{
		t = true[$1, $2]
		slack = 0.05 * t > 40 ? 0.05 * t : 40
		off = $3 / 1000 - t
		n++
		if (!t || !(off <= slack && -off <= slack)) {
			bad++
			print "# " $0 " applied " t >"/dev/stderr"
		}
	}
	END { print n + 0, bad + 0 }' "$tmp/trips" "$tmp/p10")" "30 0"
ok "copies are counted ($(sum duplicate))" test "$(sum duplicate)" -gt 0
ok "late replies too ($(sum late))" test "$(sum late)" -gt 0
ok "and losses ($(sum lost))" test "$(sum lost)" -gt 0
made=$("$testbed" status --prefix="$prefix" |
	sed -n 's/^duplicate .*: \([0-9]*\) copies$/\1/p')
ok "no more copies than were made ($made)" test "$(sum duplicate)" -le "$made"
# the sample of a way is what was sent and not lost
layer sent >"$tmp/sent"
layer lost >"$tmp/lost"
is "of no round trip the sample has two" "$(awk '
	FILENAME == ARGV[1] { trips[$1, $2] = $3; next }
	FILENAME == ARGV[2] { lost[$1, $2] = $3; next }
	{ n++; bad += !($3 - lost[$1, $2] <= trips[$1, $2]) }
	END { print n + 0, bad + 0 }' "$tmp/trips" "$tmp/lost" "$tmp/sent")" "30 0"

# The run waits before h2 and h5 meet until the network has changed: they are not told
# to, and what it began with is measured before.
cat >"$tmp/launch" <<END
#!/bin/sh
at="$testbed rsh --prefix=$prefix"
case \$1 in
h2) peer=5 ;;
h5) peer=2 ;;
*) exec \$at "\$@" ;;
esac
while read -r line; do
	case \$line in
	round\ *\ \$peer\ *)
		: >"$tmp/waits-\$1"
		(while [ ! -e "$tmp/go" ]; do sleep 0.1; done
			echo "\$line") &
		;;
	*) echo "\$line" ;;
	esac
done | \$at "\$@"
END
chmod +x "$tmp/launch"
# drift FIELD: of the matrix's header, ways, median-percent or beyond
drift() {
	sed -n "s/^# drift .*$1=\([-0-9.]*\).*/\1/p" "$tmp/out"
}
# Has every host gone on to a second one, so that those who met first are done with,
# and does the run wait for that pair?
is_waiting() {
	[ -e "$tmp/waits-h2" ] && [ -e "$tmp/waits-h5" ] &&
		"$testbed" status --prefix="$prefix" | awk '
			pairs && $7 + $8 > 0 { met[$1]++ }
			/^from / { pairs = 1 }
			END {
				for (h in met)
					n += met[h] >= 2
				exit n != 6
			}'
}
# changed FACTOR: measures a network whose delays are so many times
# what they were before the last pair was measured; $rc, and how much was applied, in
# percent, in the middle of the ways that were measured before and after: $applied
changed() {
	awk -v factor="$1" '/^#/ { print; next } {
		printf "%s", $1
		for (i = 2; i <= NF; i++) printf " %g", factor * $i
		print "" }' "$tmp/truth" >"$tmp/after"
	rm -f "$tmp/go" "$tmp"/waits-*
	up --matrix="$tmp/truth"
	run --launch="$tmp/launch %h" &
	pid=$!
	until is_waiting || ! kill -0 $pid 2>/dev/null; do
		sleep 0.2
	done
	ok "the run waits for the last pair" kill -0 $pid
	ok "the network changes" "$testbed" change --prefix="$prefix" \
		--matrix="$tmp/after"
	: >"$tmp/go"
	wait $pid
	rc=$?
	trips --change=0 >"$tmp/trips-before"
	trips --change=1 >"$tmp/trips-after"
	applied=$(awk 'FNR == 1 { next }
		FILENAME == ARGV[1] { v[$1, $2] = $5; next }
		($1, $2) in v { print 100 * ($5 / v[$1, $2] - 1) }' \
		"$tmp/trips-before" "$tmp/trips-after" | sort -n |
		awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }')
}
# within 10 points: both values of a way may be off by some percent
told() {
	ok "the drift told is the one applied ($1 and $2 %)" awk -v told="$1" \
		-v applied="$2" 'BEGIN { off = told - applied
			exit !(told != "" && applied != "" &&
			       off <= 10 && -off <= 10) }'
	is "its sign too" "${1%%[0-9]*}" "$3"
}

changed 1.5
is "slower from the last pair on: exit 0" "$rc" 0
told "$(drift median-percent)" "$applied" ""
is "all that was looked at again has changed" "$(drift beyond)" "$(drift ways)"
has "it is said" "$(cat "$tmp/err")" "drift from start to end: +"
has "that the network is another" "$(cat "$tmp/err")" \
	"the network changed while it was measured"

changed 0.5
is "faster: exit 0" "$rc" 0
told "$(drift median-percent)" "$applied" "-"
has "it is said" "$(cat "$tmp/err")" "drift from start to end: -"
has "that the network is another" "$(cat "$tmp/err")" \
	"the network changed while it was measured"
is "the header has all ways" "$(drift beyond)" "$(drift ways)"

# the same network, as it is now, once more
run
is "no change: exit 0" "$?" 0
has "the drift is told" "$(cat "$tmp/err")" "drift from start to end: "
is "but not that the network changed" \
	"$(grep -c "the network changed" "$tmp/err")" 0
ok "and is small ($(drift median-percent) %)" awk -v told="$(drift median-percent)" \
	'BEGIN { exit !(told != "" && told < 10 && told > -10) }'

done_testing
