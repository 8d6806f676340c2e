#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0617-probe-alive.t - launchers that outlive their agents; who stands still for a while
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
for k in 1 2 3; do
	cp "$builddir/plink-agent" "$tmp/agent$k"
done

# The launcher: host NAME runs $tmp/as-NAME where there is one, else the agent.
cat >"$tmp/launch" <<EOF
#!/bin/sh
[ ! -x "$tmp/as-\$1" ] || exec "$tmp/as-\$1" "\$2"
exec sh -c "\$2"
EOF
chmod +x "$tmp/launch"

# as NAME: what that host does, from stdin; \$1 is the agent's command
as() {
	{ echo '#!/bin/sh' && cat; } >"$tmp/as-$1"
	chmod +x "$tmp/as-$1"
}

# relay NAME WORD WHAT: that host's agent gets its lines through a loop, which does
# WHAT before a line that begins so; where that makes $tmp/dead-NAME, the launcher
# stays until it is told to end
relay() {
	as "$1" <<EOF
exec 9<&0
mkfifo "$tmp/fifo-$1"
sh -c "exec \$1" <"$tmp/fifo-$1" &
pid=\$!
exec 3>"$tmp/fifo-$1"
n=0
while read -r line <&9; do
	case \$line in
	$2*)
		n=\$((n + 1))
		$3
		;;
	esac
	echo "\$line" >>"$tmp/lines-$1"
	echo "\$line" >&3
done
exec 3>&-
[ -e "$tmp/dead-$1" ] || exit
trap ': >"$tmp/ended-$1"' EXIT
trap exit TERM
sleep 600 &
wait
EOF
}

run() {
	exec "$builddir/plink-probe" --bandwidth=no --launch="$tmp/launch %h" --iface=lo "$@"
}
agents() {
	running "$tmp/agent$1"
}

# In the middle of a round: m's agent is killed when it has been told to probe, of
# which its launcher takes no notice. b stands still for a second and a half.
relay m round 'kill -s STOP $pid
		echo "$line" >&3
		: >"'"$tmp"'/dead-m"
		kill -s KILL $pid
		break'
relay b round '[ $n = 1 ] && {
			kill -s STOP $pid
			sleep 1.5
			kill -s CONT $pid
		} &'
printf 'a\nb\nc\nm\n' >"$tmp/hosts1"
(run --agent="$tmp/agent1" "$tmp/hosts1" >"$tmp/out1" \
	2>"$tmp/err1") &
mid=$!

# Between rounds: i has nothing to do while two others, who are made up, measure one
# another until its launcher has been ended. Its agent is killed when it is asked
# whether it is there.
for h in f g; do
	as $h <<EOF
printf 'plink-agent 4 0.1\nnode x\naddr lo 127.0.0.1/8\nready\n'
while read -r word round peer rest; do
	case \$word in
	run) echo 'bound 0 9' ;;
	costs) echo 'cost 0 0 0 0 0 0' ;;
	round) is="\$round \$peer" ;;
	ping)
		echo pong
		[ ! -e "$tmp/ended-i" ] || [ -z "\$is" ] || {
			echo "result \$is 0 41 40 40 0 0 0 1 1 1 1 1 0 1"
			is=
		}
		;;
	end) echo 'bye 0 0' ;;
	esac
done
EOF
done
relay i ping ': >"'"$tmp"'/dead-i"
		kill -s KILL $pid
		break'
printf 'f\ng\ni\n' >"$tmp/hosts2"
(run --agent="$tmp/agent1" "$tmp/hosts2" >"$tmp/out2" 2>"$tmp/err2") &
between=$!

# Agents of some patience in a round without end; and the same where the coordinator
# stands still and is never to be continued.
printf 'a1\na2\na3\n' >"$tmp/hosts3"
(run --agent="$tmp/agent2 --patience=10" --probes=100000 --gap=10000 \
	"$tmp/hosts3" >"$tmp/out3" 2>"$tmp/err3") &
long=$!
relay u round 'echo $PPID >"'"$tmp"'/gone"
		kill -s STOP $PPID'
printf 't\nu\n' >"$tmp/hosts4"
(run --agent="$tmp/agent3 --patience=10" --probes=100000 --gap=10000 \
	"$tmp/hosts4" >"$tmp/out4" 2>"$tmp/err4") &
gone=$!

wait $mid
is "killed in a round: exit 1" "$?" 1
has "why" "$(cat "$tmp/err1")" "m: its agent has not answered for 10 s"
has "all else is measured; who stood still is not lost" "$(cat "$tmp/err1")" \
	"6 pairs measured, 6 missing, 1 of 4 hosts lost"
has "cells say why" "$(grep '^# cell m [abc]' "$tmp/out1")" \
	"m: its agent has not answered"
ok "its launcher was ended" test -e "$tmp/ended-m"

wait $between
is "killed between rounds: exit 1" "$?" 1
has "between rounds: why" "$(cat "$tmp/err2")" \
	"i: its agent has not answered for 10 s"
has "between rounds: the others' pair is measured" "$(cat "$tmp/err2")" \
	"2 pairs measured, 4 missing, 1 of 3 hosts lost"
is "it was not in any" "$(cut -d ' ' -f 1 "$tmp/lines-i" | tr '\n' ' ')" \
	"run settings costs "

is "who is asked stays, longer than without a word" "$(agents 2)" 3
kill -s INT $long
wait $long
is "until all is ended" "$?" 1

is "the coordinator that stands still does so" "$(cat "$tmp/gone")" "$gone"
k=0
while [ "$(agents 3)" -gt 0 ] && [ $((k += 1)) -lt 600 ]; do
	sleep 0.1
done
is "its agents end" "$(agents 3)" 0
kill -s KILL $gone
wait $gone 2>/dev/null
is "no agent is left" "$(agents '')" 0

done_testing
