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
	"$probe" --launch="$tmp/launch %h" --agent="$tmp/agent" --iface=lo \
		--probes=4 --flow-bytes=8M --bandwidth=together "$@" \
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

# flowing: TCP connections of our own agents with data on its way
flowing() {
	for exe in /proc/[0-9]*/exe; do
		[ "$(readlink "$exe" 2>/dev/null)" != "$tmp/agent" ] ||
			ls -l "${exe%exe}fd" 2>/dev/null
	done | sed -n 's/.*socket:\[\([0-9]*\)]$/\1/p' >"$tmp/sockets"
	awk 'NR == FNR { own[$1]; next }
		($10 in own) && $4 == "01" && $5 !~ /^0*:0*$/' \
		"$tmp/sockets" /proc/net/tcp
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
	" to x: together: cannot connect: Connection refused"
has "refused: no host is lost for it" "$(cat "$tmp/err")" "0 of 3 hosts lost"
rm "$tmp/from"

# x never gets to know that it should connect
through to '/^send/d'
run --silence=1 "$tmp/hosts"
is "unanswered: exit 1" "$rc" 1
has "unanswered: what it sends is missing" "$(cells)" "xa nan xb nan"
ok "unanswered: the cell says why" grep -qx \
	'# cell x a together: 0 of 1 connections within 1 s' "$tmp/out"

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
run --bandwidth=alone,together --budget=1s --flow-time=30 --flow-bytes=100G "$tmp/hosts" \
	--silence=1
is "a second's budget: exit 1" "$rc" 1
has "a second's budget: the cells say why" "$(cat "$tmp/out")" \
	"together: the budget was spent before it was measured"
has "a second's budget: that is said" "$(cat "$tmp/err")" \
	"0 of 3 hosts lost, the budget is spent"

# an end by a signal in the middle of a flow
"$probe" --launch="$tmp/launch %h" --agent="$tmp/agent" --iface=lo \
	--probes=4 --bandwidth=together --flow-time=60 --flow-bytes=1000G \
	-o "$tmp/part" "$tmp/hosts" 2>"$tmp/err" &
pid=$!
until [ -n "$(flowing)" ] || ! kill -0 $pid 2>/dev/null; do
	sleep 0.05
done
kill -INT $pid
wait $pid
is "interrupted: exit 1" "$?" 1
has "interrupted: what there is was written" "$(cat "$tmp/part")" \
	"# cell a b together: interrupted before it was measured"
run --resume="$tmp/part" --flow-time=60 --flow-bytes=1000G --budget=1s \
	"$tmp/hosts"
has "and can be resumed" "$(cat "$tmp/err")" "6 pairs kept from before"

is "no agent is left" "$(left)" 0

done_testing
