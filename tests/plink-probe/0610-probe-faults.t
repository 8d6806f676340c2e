#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0610-probe-faults.t - agents that die, hang, lie or never come; interruption
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
probe=$builddir/plink-probe
cp "$builddir/plink-agent" "$tmp/agent"

# The launcher: host NAME runs $tmp/as-NAME where there is one, else the agent.
cat >"$tmp/launch" <<EOF
#!/bin/sh
if [ -x "$tmp/as-\$1" ]; then
	exec "$tmp/as-\$1" "\$2"
fi
exec sh -c "\$2"
EOF
chmod +x "$tmp/launch"

# as NAME: what that host does, from stdin; \$1 is the agent's command
as() {
	{ echo '#!/bin/sh' && cat; } >"$tmp/as-$1"
	chmod +x "$tmp/as-$1"
}

# relay NAME WHAT: that host's agent gets its lines through a loop, which does
# WHAT when round number $n comes
relay() {
	as "$1" <<EOF
exec 9<&0
mkfifo "$tmp/fifo"
"$tmp/agent" --iface=lo <"$tmp/fifo" &
pid=\$!
exec 3>"$tmp/fifo"
rm "$tmp/fifo"
n=0
while read -r line <&9; do
	case \$line in
	round*)
		n=\$((n + 1))
		$2
		;;
	esac
	echo "\$line" >&3
done
EOF
}

run() {
	"$probe" --bandwidth=no --launch="$tmp/launch %h" --agent="$tmp/agent" --iface=lo \
		--probes=100 "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# wrong HOST: cells that are missing though it has no part in them, or are
# there though it has
wrong() {
	awk -v lost="$1" '/^# layer/ { exit } /^#/ { next }
		{ name[++r] = $1; for (i = 2; i <= NF; i++) c[r, i - 1] = $i }
		END { for (i = 1; i <= r; i++) for (j = 1; j <= r; j++) {
			if (i == j) continue
			gone = name[i] == lost || name[j] == lost
			if ((c[i, j] == "nan") != gone) bad++
		} print bad + 0 }' "$tmp/out"
}

left() {
	running "$tmp/agent"
}

printf 'a\nb\nc\nd\nx\n' >"$tmp/hosts"

# check WHAT REASON [OPTION]: x is lost for that reason, the rest is measured
check() {
	run ${3-} "$tmp/hosts"
	is "$1: exit 1" "$rc" 1
	is "$1: all but its cells are measured" "$(wrong x)" 0
	has "$1: a cell says why" "$(grep '^# cell [abcd] x' "$tmp/out")" "$2"
	has "$1: so does stderr" "$(cat "$tmp/err")" "$2"
	has "$1: one host lost" "$(cat "$tmp/err")" "1 of 5 hosts lost"
}

as x <<'EOF'
echo "ssh: connect to host x port 22: Connection refused" >&2
exit 255
EOF
check "no connection" \
	"x: its agent ended with status 255: ssh: connect to host x port 22"
is "no connection: said of the host, once" \
	"$(sed -n 's/ its agent.*//p' "$tmp/err")" \
	"plink-probe: missing: 8 ways from and to x:"

as x <<'EOF'
exec sh -c 'kill -9 $$'
EOF
check "a launcher that is killed" "x: its agent was ended by signal 9"

as x <<'EOF'
echo "plink-agent 1 9.9"
cat >/dev/null
EOF
check "another version" "x: its plink-agent 9.9 speaks protocol 1, this plink"

as x <<'EOF'
exec yes welcome
EOF
check "a banner without end" "x: no plink-agent in its first 1000 lines"

as x <<'EOF'
echo "plink-agent 4 0.1"
printf 'node \033[31mred\nrm -rf\033[2J\n'
cat >/dev/null
EOF
check "nonsense" 'x: its agent said "rm -rf?[2J"'
is "no control character comes through" \
	"$(tr -d '\011\012\040-\176' <"$tmp/err" | wc -c)" 0

as x <<'EOF'
echo "plink-agent 4 0.1"
echo "node x"
echo "ready"
cat >/dev/null
EOF
check "no address" "x: its agent's greeting is not understood"

as x <<'EOF'
printf 'plink-agent 4 0.1\nnode x\naddr lo 127.0.0.1/8\nready\nbound 0 9\n'
cat >/dev/null
EOF
check "an answer out of turn" "x: its agent answered out of turn"

as x <<'EOF'
printf 'plink-agent 4 0.1\nnode x\naddr lo 127.0.0.1/8\nready\n'
read -r run
echo 'bound 0 9'
read -r settings
read -r costs
echo 'cost 0 0 0 0 0 0'
read -r round
echo 'result 60000 0 0 41 40 40 0 0 0 1 1 1 1 1 0 1'
cat >/dev/null
EOF
check "a result that nobody asked for" \
	"x: its agent answered for another round"

as x <<'EOF'
printf 'plink-agent 4 0.1\nnode x\naddr lo 127.0.0.1/8\nready\n'
read -r run
echo 'bound 0 9'
while read -r line; do
	[ "$line" != ping ] || echo pong
	[ "$line" != costs ] || echo 'cost 0 0 0 0 0 0'
done
EOF
check "an agent that takes rounds and tells no result" \
	"x: its agent did not finish a round in time" --probes=10

as x <<'EOF'
printf 'plink-agent 4 0.1\nnode x\naddr lo 127.0.0.1/8\nready\npong\n'
cat >/dev/null
EOF
check "an answer to what was not asked" "x: its agent answered out of turn"

as x <<'EOF'
sleep 60
EOF
run --start-time=3 "$tmp/hosts"
is "a launcher that hangs: exit 1" "$rc" 1
has "a launcher that hangs: why" "$(cat "$tmp/err")" \
	"x: its agent did not start in time"
is "a launcher that hangs: the rest is measured" "$(wrong x)" 0

as x <<EOF
trap '' TERM HUP INT
echo \$\$ >"$tmp/pid"
while :; do
	sleep 1
done
EOF
run --start-time=3 "$tmp/hosts"
ok "what ignores SIGTERM is ended all the same" \
	sh -c "! kill -0 $(cat "$tmp/pid") 2>/dev/null"

relay x "[ \$n = 2 ] && kill -9 \$pid && exit 9"
run "$tmp/hosts"
is "an agent that dies in mid-run: exit 1" "$rc" 1
is "of its four pairs one is measured, both ways" \
	"$(grep -c '^# cell.*x: its agent ended' "$tmp/out")" 6
has "and all others are" "$(cat "$tmp/err")" "14 pairs measured, 6 missing"

# A host that stands still for most of a second: the pair it was in lost probes, and
# is measured again when all others are done.
# Where a machine is so busy that all pairs lose probes, none stands out: up to five runs.
relay x "[ \$n = 2 ] && { sleep 0.1; kill -STOP \$pid; sleep 0.8
		kill -CONT \$pid; } &"
for _ in 1 2 3 4 5; do
	run --probes=10 --gap=40000 "$tmp/hosts"
	! grep -q 'looked disturbed' "$tmp/err" || break
done
is "a host that stood still: exit 0" "$rc" 0
# on a busy machine others may have suffered, too
ok "the pair that suffered most was measured again" \
	grep -q ' [1-9][0-9]* pairs looked disturbed and were measured again' \
	"$tmp/err"
ok "which the matrix says" grep -Eq '^# again (.* )?pairs=[1-9]' "$tmp/out"

# banners, carriage returns and chatter do no harm
as x <<'EOF'
echo "**** Welcome to x ****"
echo
head -c 3000 /dev/zero | tr '\0' z
printf '\nplink-agent\r\n'
echo "chatter on stderr" >&2
exec sh -c "$1"
EOF
run -v "$tmp/hosts"
is "banners before the greeting: exit 0" "$rc" 0
has "-v shows what a launcher says" "$(cat "$tmp/err")" \
	"x: chatter on stderr"

# nor do words of farewell; the agent's own last word is held back until they are out
as x <<'EOF'
sh -c "$1" | while read -r line; do
	case $line in
	bye*) printf 'bye bye\nx closed.\n' ;;
	esac
	echo "$line"
done
EOF
run "$tmp/hosts"
is "a farewell: exit 0" "$rc" 0
has "a farewell: no host is lost" "$(cat "$tmp/err")" "0 of 5 hosts lost"

# what is no text, and a line that does not end before the greeting
as x <<'EOF'
printf 'caf\351 \0\0 \377\200\033[2J\nplink-ag'
sleep 0.2
printf 'ent 3\0\nplink-agent'
printf 'caf\351 \0 \377 on stderr\n' >&2
exec sh -c "$1"
EOF
run -v "$tmp/hosts"
is "banners that are no text: exit 0" "$rc" 0
has "what they say is tamed" "$(cat "$tmp/err")" "x: caf? "

# only one host answers: there is nothing to measure, and all is missing
for h in b c d x; do
	as "$h" <<'EOF'
echo "no route to host" >&2
exit 1
EOF
done
run "$tmp/hosts"
is "one host of five: exit 1" "$rc" 1
has "one host of five: no pair" "$(cat "$tmp/err")" \
	"0 pairs measured, 20 missing, 4 of 5"
rm -f "$tmp"/as-*

# interrupted: what was measured is written
seq -f 'h%g' 9 >"$tmp/hosts"
for sig in INT TERM; do
	rm -f "$tmp/third" "$tmp/part"
	relay h1 "[ \$n = 3 ] && : >\"$tmp/third\""
	"$probe" --bandwidth=no --launch="$tmp/launch %h" --agent="$tmp/agent" \
		--iface=lo --probes=200 -o "$tmp/part" "$tmp/hosts" \
		2>"$tmp/err" &
	pid=$!
	while [ ! -e "$tmp/third" ] && kill -0 $pid 2>/dev/null; do
		sleep 0.05
	done
	kill -s $sig $pid
	wait $pid
	is "SIG$sig: exit 1" "$?" 1
	has "SIG$sig: that is said" "$(cat "$tmp/err")" "interrupted"
	n=$(awk '/^# layer/ { exit } /^#/ { next }
		{ for (i = 2; i <= NF; i++) if ($i ~ /^[1-9]/) n++ } END { print n }' \
		"$tmp/part")
	ok "SIG$sig: a part is in the file ($n pairs)" \
		test "$n" -ge 4 -a "$n" -lt 72
	ok "SIG$sig: cells say why they are missing" \
		grep -q '^# cell.*interrupted before it was measured' "$tmp/part"
done

# what an interrupted run lacks is measured later
rm -f "$tmp"/as-*
sed -n 's/^plink-probe: to measure what is missing: //p' "$tmp/err" >"$tmp/next"
is "an incomplete run says how to go on" "$(cat "$tmp/next")" \
	"$probe --bandwidth=no '--launch=$tmp/launch %h' --agent=$tmp/agent --iface=lo \
--probes=200 -o $tmp/part --resume=$tmp/part $tmp/hosts"
has "or to order by what there is" "$(cat "$tmp/err")" \
	": $builddir/plink-order --matrix=$tmp/part --missing=estimate $tmp/hosts"
sh "$tmp/next" 2>"$tmp/err"
is "resumed: exit 0" "$?" 0
has "resumed: only the rest is measured" "$(cat "$tmp/err")" \
	"$((72 - n)) pairs measured, 0 missing"

# killed outright: agents see the end of their input
rm -f "$tmp/part"
"$probe" --bandwidth=no --launch="$tmp/launch %h" --agent="$tmp/agent" --iface=lo \
	--probes=100000 -o "$tmp/part" "$tmp/hosts" 2>"$tmp/err" &
pid=$!
while [ "$(left)" -lt 9 ] && kill -0 $pid 2>/dev/null; do
	sleep 0.05
done
is "nine agents at work" "$(left)" 9
kill -s KILL $pid
wait $pid
k=0
while [ "$(left)" -gt 0 ] && [ $((k += 1)) -lt 600 ]; do
	sleep 0.05
done
is "SIGKILL: no agent outlives it" "$(left)" 0
ok "SIGKILL: no output that is none" test ! -e "$tmp/part"

is "no agent is left" "$(left)" 0

done_testing
