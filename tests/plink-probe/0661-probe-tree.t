#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0661-probe-tree.t - agents started by relays, good and bad, and runs that are cut short
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
probe=$builddir/plink-probe
hosts='a1 a2 a3 b1 b2 b3 c1 c2 c3'
PATH=$tmp/path:$PATH
mkdir "$tmp/path"

# The launcher: writes down who calls it, says a word on both outputs, and does what
# the script as-HOST of the run does, if there is one. The host is $HOST then.
cat >"$tmp/path/hop" <<'EOF'
#!/bin/sh
echo "${HOST:-head} $1" >>"$RUN/log"
HOST=$1
export HOST
printf 'plink-agent is welcome\n\n** maintenance at noon **'
echo "chatter of $1" >&2
[ ! -x "$RUN/as-$1" ] || exec "$RUN/as-$1" "$2"
exec sh -c "$2"
EOF
chmod +x "$tmp/path/hop"

# scene NAME: a folder for a run, and its own agent; of the one last named are as, left
scene() {
	RUN=$tmp/$1
	export RUN
	mkdir "$RUN"
	cp "$builddir/plink-agent" "$RUN/agent"
	echo "$hosts" | tr ' ' '\n' >"$RUN/hosts"
}

# as HOST: what that host does, from stdin; $1 is its command
as() {
	{ echo '#!/bin/sh' && cat; } >"$RUN/as-$1"
	chmod +x "$RUN/as-$1"
}

# as_relay HOST: it writes down who it is
as_relay() {
	as "$1" <<'EOF'
echo $$ >"$RUN/relay-$HOST"
exec $1
EOF
}

# at_round K: does what stdin says when c2 is about to take its K-th round, so in the
# middle of a run, whatever the machine does besides
at_round() {
	{ echo '#!/bin/sh' && cat; } >"$RUN/then"
	chmod +x "$RUN/then"
	as c2 <<EOF
n=0
while read -r line; do
	case \$line in round*) [ \$((n += 1)) != $1 ] || "\$RUN/then" ;; esac
	echo "\$line"
done | sh -c "\$1"
EOF
}

# run ARG...: becomes plink-probe, whose number is in $RUN/head
run() {
	exec sh -c 'echo $$ >"$RUN/head"; exec "$@"' sh "$probe" \
		--launch="hop %h" --agent="$RUN/agent" --iface=lo --probes=5 \
		--silence=20 --drift=0 --again=0 "$@" "$RUN/hosts" \
		>"$RUN/out" 2>"$RUN/err"
}

# left: how many agents of the run there are
left() {
	running "$RUN/agent"
}

# Once the head has ended, an agent whose relay was killed ends by itself.
none_left() {
	i=0
	while none_n=$(left) && [ "$none_n" -gt 0 ] && [ $((i += 1)) -lt 600 ]; do
		sleep 0.1
	done
	is "$1: nothing is left" "$none_n" 0
}

# said WHAT TEXT...: does the run say each of these?
said() {
	said_what=$1
	said_err=$(cat "$RUN/err")
	shift
	for said_text in "$@"; do
		has "$said_what: $said_text" "$said_err" "$said_text"
	done
}

# Long ones first, all at a time: a relay that is killed or stopped in a run, ...
for sig in KILL STOP; do
	scene $sig
	as_relay b1
	at_round 1 <<EOF
kill -s $sig "\$(cat "\$RUN/relay-b1")"
EOF
	(run --tree=3) &
	eval "$sig=\$!"
done
# ... a run that is interrupted, ...
scene INT
at_round 3 <<'EOF'
kill -s INT "$(cat "$RUN/head")"
sleep 60
EOF
(run --tree=3) &
INT=$!
# ... or killed outright, ...
scene killed
at_round 1 <<'EOF'
kill -s KILL "$(cat "$RUN/head")"
EOF
(run --tree=3) &
killed=$!
# ... and a launcher that hangs, behind a relay
scene hang
as a3 <<'EOF'
exec sleep 600
EOF
(run --tree=5 --start-time=10) &
hang=$!

# where two hosts of a group cannot be its relay the others of it have none
scene given-up
for host in a1 a2; do
	as $host <<'EOF'
echo "no route" >&2
exit 255
EOF
done
(run --tree=5)
is "a group without a relay: exit 1" "$?" 1
said "a group without a relay" "42 pairs measured, 30 missing, 2 of 9 hosts lost" \
	"a2: its relay ended with status 255: no route"
is "a group without a relay: who starts whom" "$(sort "$RUN/log" | tr '\n' ';')" \
	"b3 c1;b3 c2;b3 c3;head a1;head a2;head a3;head b1;head b2;head b3;"
none_left "a group without a relay"

# all is well; in the middle of it, what the head has open
for how in tree plain; do
	scene $how
	as_relay a1
	at_round 1 <<'EOF'
ls "/proc/$(cat "$RUN/head")/fd" | wc -l >"$RUN/open"
awk '/^Max core/ { print $5 }' "/proc/$(cat "$RUN/relay-a1")/limits" \
	>"$RUN/cores"
EOF
	[ $how = plain ] || set -- --tree=3
	(run -v "$@")
	is "$how: exit 0" "$?" 0
	said "$how" "72 pairs measured, 0 missing, 0 of 9 hosts lost"
	is "$how: each host's errors by its name" \
		"$(sed -n 's/^plink-probe: \(..\): chatter of /\1 /p' "$RUN/err" |
			sort | tr '\n' ' ')" \
		"$(for h in $hosts; do printf '%s ' "$h $h"; done)"
	none_left "$how"
	set --
done
is "a tree: who starts whom" "$(sort "$tmp/tree/log" | tr '\n' ,)" \
	"a1 a2,a1 a3,b1 b2,b1 b3,c1 c2,c1 c3,head a1,head b1,head c1,"
ok "a tree: fewer descriptors: $(cat "$tmp/tree/open"), not $(cat "$tmp/plain/open")" \
	test $(($(cat "$tmp/tree/open") + 3 * 6)) -le "$(cat "$tmp/plain/open")"
ok "a tree: a relay leaves no core file" grep -qx '[01]' "$tmp/tree/cores"
form() {
	sed -n '/^# created/d; /^# cell/d; /^# rack/d; s/^\(# self-echo-ns [^ ]*\).*/\1/; /^#/p
		s/^\([^ ]*\) .*/\1/p' "$1"
}
is "a tree: a matrix of the same form" "$(form "$tmp/tree/out")" \
	"$(form "$tmp/plain/out")"

# a relay that cannot start: the next host is it, and only that host is lost
scene failover
as a1 <<'EOF'
echo "no way" >&2
exit 3
EOF
as b1 <<'EOF'
printf '\nplink-agent 77 9.9\nrelay\n'
exec cat
EOF
as b2 <<'EOF'
kill -s KILL $$
EOF
as c3 <<'EOF'
printf '\nplink-agent 77 9.9\n'
exec cat
EOF
(run --tree=3)
is "bad relays: exit 1" "$?" 1
said "bad relays" "20 pairs measured, 52 missing, 4 of 9 hosts lost" \
	"a1: its relay ended with status 3: no way" \
	"b1: its plink-agent 9.9 speaks protocol 77, this plink" \
	"b2: its relay was ended by signal 9" \
	"c3: its plink-agent 9.9 speaks protocol 77, this plink"
has "bad relays: by way of whom" "$(grep 'c3: its' "$RUN/err")" \
	"(by way of c1)"
is "bad relays: who comes in their place" "$(sort "$RUN/log" | tr '\n' ,)" \
	"a2 a3,c1 c2,c1 c3,head a1,head a2,head b1,head b2,head b3,head c1,"
none_left "bad relays"

# relays that have no launcher start nobody but themselves
scene no-launcher
as a1 <<'EOF'
PATH=${PATH#*:} exec sh -c "$1"
EOF
as b1 <<'EOF'
exec echo "no greeting, this"
EOF
as c1 <<'EOF'
$1 </dev/null
head -c 8 >"$RUN/asked"
echo "no frame, this"
exec sleep 600
EOF
(run --tree=3)
is "a relay without the launcher: exit 1" "$?" 1
said "a relay without the launcher" \
	"6 pairs measured, 66 missing, 6 of 9 hosts lost" \
	"c1: its relay sent an invalid frame" \
	"c2: its relay sent an invalid frame (by way of c1)" \
	"a2: cannot start hop (--launch sets the command that reaches hosts): No such file" \
	"b1: its relay ended with status 0"
has "a relay without the launcher: by way of whom" \
	"$(grep 'a2: cannot' "$RUN/err")" "(by way of a1)"
none_left "a relay without the launcher"

# no relay at all
scene none
for h in $hosts; do
	as "$h" </dev/null
done
(run --tree=3)
is "nobody is a relay: exit 4" "$?" 4
is "nobody is a relay: each was tried from here" \
	"$(cut -d ' ' -f 1 "$RUN/log" | sort | uniq -c | tr -d ' ')" 9head

# interrupted while one behind a relay has not started
scene start
as b3 <<'EOF'
echo $$ >"$RUN/b3"
exec sleep 600
EOF
(run --tree=3 --start-time=500) &
pid=$!
while [ ! -s "$RUN/b3" ] && kill -0 $pid 2>/dev/null; do
	sleep 0.05
done
kill -s INT "$(cat "$RUN/head")"
wait $pid
is "interrupted during the start: exit 1" "$?" 1
said "interrupted during the start" interrupted
i=0
while kill -0 "$(cat "$RUN/b3")" 2>/dev/null && [ $((i += 1)) -lt 600 ]; do
	sleep 0.1
done
ok "interrupted during the start: the launcher behind is ended" \
	sh -c "! kill -0 $(cat "$RUN/b3") 2>/dev/null"
none_left "interrupted during the start"

# few hosts
all=$hosts
for k in '' =2 =4096; do
	for n in 1 2 5; do
		hosts=$(echo "$all" | cut -d ' ' -f "-$n")
		scene "few$k-$n"
		(run "--tree$k")
		is "$n hosts, --tree$k: exit 0" "$?" 0
		said "$n hosts, --tree$k" "$((n * (n - 1))) pairs measured, 0 missing"
	done
done
for k in 0 1 4097 5000 -3 x '' 2.5; do
	(run "--tree=$k")
	is "--tree=$k: exit 2" "$?" 2
done
"$probe" --tree --method=fping "$RUN/hosts" >/dev/null 2>"$RUN/err"
is "--tree with fping: exit 2" "$?" 2
said "--tree with fping" "cannot be used with fping"

hosts='a1 a2 a3'
scene bandwidth
(run --tree=3 --bandwidth=alone --flow-bytes=32M)
is "bandwidth: exit 0" "$?" 0
said "bandwidth" "6 ways measured by TCP, 0 missing"

# words that never end, behind a relay and on it, keep nobody from answering
scene flood
for h in a1 a2; do
	as $h <<'EOF'
cat /dev/zero >&2 &
pid=$!
sh -c "$1"
kill $pid
EOF
done
(run --tree=3)
is "floods: exit 0" "$?" 0
said "floods" "6 pairs measured, 0 missing"
none_left "floods"

# the agent is sent to the relay, and on from there
hosts='a1 a2 a3 b1'
scene push
mkdir "$RUN/run"
XDG_RUNTIME_DIR=$RUN/run
export XDG_RUNTIME_DIR
(exec "$probe" --launch="hop %h" --push="$RUN/agent" --iface=lo --probes=5 \
	--silence=20 --tree=3 "$RUN/hosts" >"$RUN/out" 2>"$RUN/err")
rc=$?
if grep -q "needs shared libraries" "$RUN/err"; then
	is "no static agent here (sanitizers): exit 3" "$rc" 3
else
	is "pushed: exit 0" "$rc" 0
	said "pushed" "12 pairs measured, 0 missing"
	is "pushed: who starts whom" "$(sort "$RUN/log" | tr '\n' ,)" \
		"a1 a2,a1 a3,head a1,head b1,"
	is "pushed: no file is left" "$(find "$RUN/run" -type f | wc -l)" 0
fi

# the long ones
# cells: how many there are, but for those of a host with itself
cells() {
	awk '/^# layer/ { exit } /^#/ { next }
		{ for (i = 2; i <= NF; i++) if ($i != "nan") n++ }
		END { print n - 9 }' "$RUN/out"
}
RUN=$tmp/INT
wait $INT
is "interrupted in a run: exit 1" "$?" 1
said "interrupted in a run" interrupted
ok "interrupted in a run: what there was is kept ($(cells) cells)" \
	test "$(cells)" -ge 1 -a "$(cells)" -lt 72
none_left "interrupted in a run"

RUN=$tmp/killed
wait $killed 2>/dev/null
none_left "the head killed"

# others: cells between hosts other than b1 to b3
others() {
	awk '/^# layer/ { exit } /^[ac]/ { for (i = 2; i <= NF; i++)
		if ((i < 5 || i > 7) && $i != "nan") n++ }
		END { print n - 6 }' "$RUN/out"
}
for sig in KILL STOP; do
	RUN=$tmp/$sig
	eval "wait \$$sig"
	is "SIG$sig to a relay: exit 1" "$?" 1
	said "SIG$sig to a relay" "3 of 9 hosts lost"
	is "SIG$sig to a relay: all else is measured" "$(others)" 30
	why="its relay was ended by signal 9"
	[ $sig = KILL ] || why="its agent has not answered for 10 s"
	said "SIG$sig to a relay" "b1: $why" "b2: $why" "b3: $why"
	is "SIG$sig to a relay: by way of whom" \
		"$(grep -c 'b[23]: its .*(by way of b1)' "$RUN/err")" 2
	none_left "SIG$sig to a relay"
done

RUN=$tmp/hang
wait $hang
is "a launcher that hangs: exit 1" "$?" 1
said "a launcher that hangs" "56 pairs measured, 16 missing, 1 of 9 hosts lost" \
	"a3: its agent did not start in time: chatter of a3 (by way of a1)"
none_left "a launcher that hangs"

done_testing
