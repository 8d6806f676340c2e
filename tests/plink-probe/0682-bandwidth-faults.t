#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0682-bandwidth-faults.t - flows refused, unanswered, cut; agents that die or lie
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
probe=$builddir/plink-probe
cp "$builddir/plink-agent" "$tmp/agent"

# Host x's lines go through $tmp/to and $tmp/from, where they are there.
cat >"$tmp/launch" <<END
#!/bin/sh
if [ "\$1" = x ] && [ -e "$tmp/to" ]; then
	sh "$tmp/to" | sh -c "\$2"
elif [ "\$1" = x ] && [ -e "$tmp/from" ]; then
	sh -c "\$2" | sh "$tmp/from"
else
	exec sh -c "\$2"
fi
END
chmod +x "$tmp/launch"
printf 'a\nb\nx\n' >"$tmp/hosts"

# through to|from SCRIPT: what x is told, or says, goes through sed
through() {
	printf "sed -u '%s'\n" "$2" >"$tmp/$1"
}

run() {
	"$probe" --bandwidth=no --launch="$tmp/launch %h" --agent="$tmp/agent" --iface=lo \
		--probes=4 --bandwidth=together "$@" \
		>"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# cells: of the layer, by "from to", "nan" or "is"
cells() {
	awk '/^# layer/ { l = $3; next } /^#/ { next }
		l == "together" { name[++r] = $1; line[r] = $0 }
		END { for (i = 1; i <= r; i++) {
			split(line[i], c, " ")
			for (j = 1; j <= r; j++) if (i != j)
				printf "%s%s %s ", name[i], name[j],
					c[j + 1] == "nan" ? "nan" : "is"
		} }' "$tmp/out"
}

left() {
	running "$tmp/agent"
}

# a firewall that refuses: x listens at another port than others are told
through from 's/^\(listening [0-9]* [0-9]*\) .*/\1 1/'
run "$tmp/hosts"
is "refused: exit 1" "$rc" 1
is "refused: only what goes to it is missing" "$(cells)" \
	"ab is ax nan ba is bx nan xa is xb is "
ok "refused: the cell says so" grep -qx \
	'# cell a x together: cannot connect: Connection refused' "$tmp/out"
has "refused: so does stderr" "$(cat "$tmp/err")" \
	" to x and 1 more way: together: cannot connect: Connection refused"
has "refused: no host is lost for it" "$(cat "$tmp/err")" "0 of 3 hosts lost"
# few flows have no cells: why they failed is noted all the same
run --bandwidth=few "$tmp/hosts"
is "few flows refused: exit 1" "$rc" 1
is "few flows refused: said once, with an example" \
	"$(sed -n 's/^plink-probe: missing: flow from [ab] //p' "$tmp/err")" \
	"to x and 1 more: cannot connect: Connection refused"
is "few flows refused: the matrix says which" \
	"$(grep ' few: ' "$tmp/out" | sort | cut -d' ' -f2-5 | xargs)" \
	"cell a x few: cell b x few:"
cp "$tmp/out" "$tmp/part"
"$builddir/plink-order" --matrix="$tmp/part" >"$tmp/order" 2>"$tmp/err"
has "few flows refused: plink-order says it" "$(cat "$tmp/err")" \
	" to x and 1 more: cannot connect: Connection refused"
run --bandwidth=few --resume="$tmp/part" "$tmp/hosts"
has "few flows refused: and again, if they are tried again" "$(cat "$tmp/err")" \
	" to x and 1 more: cannot connect: Connection refused"
rm "$tmp/from"
run --bandwidth=few --resume="$tmp/part" "$tmp/hosts"
is "few flows, resumed: exit 0" "$rc" 0
is "few flows, resumed: all rates, no word of what failed" \
	"$(grep -c '^# card' "$tmp/out") $(grep -c ' few: ' "$tmp/out")" "3 0"

# x has no agent at first: without it the cards of two are known
through from 1q
run --bandwidth=few "$tmp/hosts"
is "few flows of two: their cards" "$rc $(grep -c '^# card' "$tmp/out")" "1 2"
rm "$tmp/from"
mv "$tmp/out" "$tmp/part"
run --bandwidth=few --resume="$tmp/part" "$tmp/hosts"
is "few flows of two, resumed with the third: all cards" \
	"$rc $(grep -c '^# card' "$tmp/out")" "0 3"

# x never gets to know that it should connect
through to '/^send/d'
run "$tmp/hosts"
is "unanswered: exit 1" "$rc" 1
has "unanswered: what it sends is missing" "$(cells)" "xa nan xb nan"
ok "unanswered: the cell says why" grep -qx \
	'# cell x a together: 0 of 1 TCP connections came within 5 s' "$tmp/out"

# an agent of before there were flows
through to 's/^receive/recieve/'
run "$tmp/hosts"
is "an old agent: exit 1" "$rc" 1
is "an old agent: the others are measured" "$(cells)" \
	"ab is ax nan ba is bx nan xa nan xb nan "
ok "an old agent: the cell says what it said" grep -q \
	'^# cell a x together: x: its agent: not a command$' "$tmp/out"
is "an old agent: round trips stay" "$(awk '/^# layer/ { exit } /^#/ { next }
	/nan/ { n++ } END { print n + 0 }' "$tmp/out")" 0

# x dies when its first flow is let go; what it sends may be measured before
cat >"$tmp/to" <<'END'
while read -r line; do
	case $line in
	go*) exit ;;
	esac
	echo "$line"
done
END
run "$tmp/hosts"
is "an agent that dies: exit 1" "$rc" 1
is "an agent that dies: the others are measured" \
	"$(cells | sed 's/x[ab] [a-z]* //g')" "ab is ax nan ba is bx nan "
ok "an agent that dies: the cells say so" grep -q \
	"^# cell [ab] x together: x: its agent's input ended" "$tmp/out"

# x lies: of a round that is not, of another peer, twice
rm "$tmp/to"
while IFS='|' read -r what how; do
	through from "$how"
	run "$tmp/hosts"
	is "$what: exit 1" "$rc" 1
	has "$what: it is lost for it" "$(cat "$tmp/err")" \
		"x: its agent answered out of turn"
	has "$what: the others are measured" "$(cells)" "ab is"
done <<'END'
another round|s/^listening [0-9]*/listening 65535/
another peer|s/^\(joined [0-9]*\) ./\1 7/
said twice|s/^\(listening .*\)/\1\n\1/
too soon|s/^joined \(.*\)/flowed \1 0 9 9 9 1 0/
END
through from 's/^flowed/floated/'
run "$tmp/hosts"
has "nonsense: it is lost for it" "$(cat "$tmp/err")" \
	'x: its agent said "floated'
rm "$tmp/from"

# an end by time, and the rest of it later
run --bandwidth=alone,together --time=200ms "$tmp/hosts"
is "a budget of 200 ms: exit 1" "$rc" 1
has "a budget of 200 ms: the cells say why" "$(cat "$tmp/out")" \
	"together: the budget was spent before it was measured"
has "a budget of 200 ms: that is said" "$(cat "$tmp/err")" \
	"0 of 3 hosts lost, the budget is spent"

# an end by a signal in the middle of a flow, which x is not told to begin
cat >"$tmp/to" <<END
while read -r line; do
	case \$line in
	go*) : >"$tmp/held" ;;
	*) echo "\$line" ;;
	esac
done
END
"$probe" --bandwidth=no --launch="$tmp/launch %h" --agent="$tmp/agent" --iface=lo \
	--probes=4 --bandwidth=together -o "$tmp/part" "$tmp/hosts" 2>"$tmp/err" &
pid=$!
until [ -e "$tmp/held" ] || ! kill -0 $pid 2>/dev/null; do
	sleep 0.05
done
kill -INT $pid
wait $pid
is "interrupted: exit 1" "$?" 1
has "interrupted: what there is was written" "$(cat "$tmp/part")" \
	" x together: interrupted before it was measured"
rm "$tmp/to"
run --resume="$tmp/part" "$tmp/hosts"
has "and can be resumed" "$(cat "$tmp/err")" "6 pairs kept from before"

is "no agent is left" "$(left)" 0

done_testing
