#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0500-testbed-life.t - an emulated cluster comes up, is used and leaves nothing
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

testbed=$builddir/plink-testbed
why=$("$testbed" check 2>&1) || skip_all "no emulated cluster here: $why"

one=t$$a two=t$$b
cleanup() {
	"$testbed" down --prefix=$one 2>/dev/null
	"$testbed" down --prefix=$two 2>/dev/null
}
tb() {
	tb_verb=$1
	shift
	PL_TEST_MARK=$one timeout 300 "$testbed" "$tb_verb" --prefix=$one "$@"
}
other() {
	other_verb=$1
	shift
	timeout 300 "$testbed" "$other_verb" --prefix=$two "$@"
}
state=/run/plink-testbed

# net_of PID: its network namespace, as a number
net_of() {
	readlink "/proc/$1/ns/net" 2>/dev/null
}
# members: processes of testbed one: its own and all commands in its hosts
members() {
	grep -l "PL_TEST_MARK=$one" /proc/[0-9]*/environ 2>/dev/null |
		cut -d/ -f3
}
# gone: waits until there are none
gone() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ -z "$(members)" ] && return 0
		sleep 0.5
	done
	for p in $(members); do
		tr '\0' ' ' <"/proc/$p/cmdline"
		grep -E '^(State|PPid|NSpid)' "/proc/$p/status"
	done
	return 1
}
# inits: first processes of the hosts of testbed one
inits() {
	awk '{ print $4 }' "$state/$one/hosts"
}
status_of() {
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	echo $?
}

links_before=$(ls /sys/class/net)
"$testbed" matrix --racks=2x2 --intra-us=200 --inter-us=2000 --seed=7 \
	>"$tmp/m" 2>"$tmp/err"
has "matrix tells its seed" "$(cat "$tmp/err")" "seed 7"
# whatever the caller ignores is not for the hosts to ignore
is "up" "$(trap '' PIPE HUP TERM; status_of tb up --matrix="$tmp/m")" 0
has "up tells what is up" "$(cat "$tmp/err")" "4 hosts in 2 racks"
is "up again is refused" "$(status_of tb up --matrix="$tmp/m")" 1
has "and told why" "$(cat "$tmp/err")" "is up"

# every host is a machine of its own
is "host name" "$(tb exec h2 -- hostname)" h2
is "names of all hosts" "$(tb exec h0 -- getent hosts h3 | tr -s ' \t' ' ')" \
	"10.77.0.4 h3"
nets=$(for p in $(inits); do net_of "$p"; done)
is "each in an own network" \
	"$( (echo "$nets" && net_of self) | sort -u | wc -l)" 5
is "processes of others are not seen" \
	"$(tb exec h1 -- sh -c 'cat /proc/1/comm')" plink-host
is "nor their network cards" "$(tb exec h1 -- ls /sys/class/net | xargs)" \
	"lo plink0"
is "nor their shared memory" "$(tb exec h1 -- ls /dev/shm)" ""
is "congestion control is not that of the machine" \
	"$(tb exec h2 -- cat /proc/sys/net/ipv4/tcp_congestion_control)" reno

# exec and rsh are transparent
is "exit status" "$(status_of tb exec h0 -- sh -c 'exit 7')" 7
is "command not found" "$(status_of tb exec h0 -- "$tmp/none")" 127
is "command not executable" "$(status_of tb exec h0 -- "$tmp/m")" 126
is "ends by the command's signal" \
	"$(status_of tb exec h0 -- sh -c 'kill -KILL $$')" 137
is "SIGHUP is not ignored" "$(status_of tb exec h0 -- sh -c 'kill -HUP $$')" 129
is "nor is SIGPIPE" "$(status_of tb exec h0 -- sh -c 'kill -PIPE $$; exit 0')" 141
is "standard input to its end" "$(printf 'a\nb' | tb exec h1 -- wc -c)" 3
head -c 300000 /dev/urandom >"$tmp/data"
tb exec h1 -- cat <"$tmp/data" >"$tmp/copy"
ok "a lot of it, unchanged" cmp "$tmp/data" "$tmp/copy"
is "standard error apart" \
	"$(tb exec h1 -- sh -c 'echo out; echo err >&2' 2>/dev/null)" out
is "arguments stay apart" "$(tb exec h1 -- printf '<%s>' 'a b' '' '*')" \
	"<a b><><*>"
is "rsh joins its words for a shell" "$(tb rsh h1 'x=3;' echo '$x  y')" "3 y"
is "working directory" "$(cd "$tmp" && tb exec h1 -- pwd)" "$(cd "$tmp" && pwd -P)"
is "environment" "$(PL_TEST='a
b' tb exec h1 -- sh -c 'echo "$PL_TEST"')" "a
b"
is "from host to host" "$(tb exec h0 -- "$testbed" rsh --prefix=$one h3 hostname)" h3
: >"$tmp/trap"
"$testbed" exec --prefix=$one h0 -- sh -c \
	'trap "echo got; exit 5" TERM; echo up; while :; do sleep 0.1; done' \
	>"$tmp/trap" &
pid=$!
while ! grep -q up "$tmp/trap"; do sleep 0.1; done
kill -TERM $pid
wait $pid
is "signals reach the command" "$? $(tail -n 1 "$tmp/trap")" "5 got"

# a killed exec takes its command along
"$testbed" exec --prefix=$one h2 -- sh -c 'echo $$; exec sleep 1000' >"$tmp/pid" &
pid=$!
while ! [ -s "$tmp/pid" ]; do sleep 0.1; done
inner=$(cat "$tmp/pid")
kill -KILL $pid
wait $pid 2>/dev/null
for _ in 1 2 3 4 5 6 7 8 9 10; do
	tb exec h2 -- test -d "/proc/$inner" || break
	sleep 0.2
done
is "a killed exec takes its command along" \
	"$(status_of tb exec h2 -- test -d "/proc/$inner")" 1

is "no host can take the testbed down" \
	"$(status_of tb exec h0 -- "$testbed" down --prefix=$one)" 4
has "and that is said" "$(cat "$tmp/err")" "cannot be seen from here"

# one host dies, the others live
kill -KILL "$(inits | sed -n 4p)"
for _ in 1 2 3 4 5 6 7 8 9 10; do
	tb exec h3 -- true 2>/dev/null || break
	sleep 0.2
done
is "a dead host cannot be reached" "$(status_of tb exec h3 -- true)" 4
has "and that is said" "$(cat "$tmp/err")" "cannot reach host h3"
is "the others live" "$(status_of tb exec h0 -- ping -q -c 3 -i 0.1 h1)" 0
is "packets to it are refused" "$(status_of tb exec h0 -- ping -q -c 1 -W 1 h3)" 1
is "and the others still live" "$(status_of tb exec h1 -- ping -q -c 3 -i 0.1 h2)" 0

# two testbeds do not meet; the second is an ordinary user's
"$testbed" matrix --racks=1x2 --intra-us=0 --inter-us=0 >"$tmp/m2" 2>/dev/null
is "of nobody who is known" "$(status_of other up --user=$one --matrix="$tmp/m2")" 2
is "a second testbed" "$(status_of other up --user=nobody --matrix="$tmp/m2")" 0
chmod a+x "$tmp"
# as_user COMMAND...
as_user() {
	setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups "$@"
}
who='id -un; sed -n "s/^\(CapEff\|NoNewPrivs\):.//p" /proc/self/status'
is "its user's commands are the user's" "$(as_user "$testbed" rsh --prefix=$two h1 \
	"$who" | xargs)" "nobody 0000000000000000 1"
is "root's too" "$(other rsh h1 "$who" | xargs)" "nobody 0000000000000000 1"
is "unless root says otherwise" "$(other exec --root h1 -- id -un)" root
is "which the user cannot" "$(as_user "$testbed" exec --prefix=$two --root h1 -- \
	id -un)" nobody
as_user "$testbed" exec --prefix=$one h1 -- true 2>/dev/null
is "and root's testbed is closed to the user" "$?" 4
is "has its own hosts" "$(status_of other exec h3 -- true)" 3
has "and says so" "$(cat "$tmp/err")" 'no host is named "h3"'
is "the first goes down" "$(status_of tb down)" 0
is "the second stays" "$(other exec h1 -- hostname)" h1
ok "the first's hosts are gone" gone
ok "and its directory" test ! -e "$state/$one"
is "down again finds nothing" "$(status_of tb down)" 1
is "exec neither" "$(status_of tb exec h0 -- true)" 1
is "status neither" "$(status_of tb status)" 1

# however it ends
is "up once more" "$(status_of tb up --matrix="$tmp/m")" 0
tb exec h1 -- sh -c 'setsid sleep 1000 & sleep 1000' >/dev/null 2>"$tmp/err2" &
pid=$!
sleep 0.3
ok "processes of it can be told" test "$(members | wc -l)" -ge 9
kill -KILL "$(cut -d' ' -f1 "$state/$one/daemon")"
ok "SIGKILL to the daemon ends all in the hosts" gone
wait $pid
is "exec tells that its host is gone" "$?" 4
is "status tells that the daemon is dead" "$(status_of tb status)" 1
is "up takes over" "$(status_of tb up --matrix="$tmp/m")" 0
kill -TERM "$(cut -d' ' -f1 "$state/$one/daemon")"
ok "SIGTERM ends it in order" gone
is "and leaves no directory" "$(ls "$state" | grep -x $one)" ""
is "up a last time" "$(status_of tb up --loss=1 --matrix="$tmp/m")" 0
has "a loss of all packets is said to be one" "$(cat "$tmp/err")" \
	"--loss=1 loses every packet"
kill -KILL "$(cut -d' ' -f1 "$state/$one/daemon")"
ok "killed again" gone
# as a daemon with many cards, killed, holds its lock a while longer
if command -v flock >/dev/null; then
	flock "$state/$one" sh -c "echo >'$tmp/locked'; sleep 1" &
	while [ ! -e "$tmp/locked" ]; do sleep 0.05; done
fi
is "down clears up after it" "$(status_of tb down)" 0
ok "and leaves no directory of it" test ! -e "$state/$one"
is "the second goes down" "$(status_of other down)" 0
is "no directory is left" "$(ls "$state" 2>/dev/null | grep -E "^($one|$two)$")" ""
is "no network card is left" "$(ls /sys/class/net)" "$links_before"
is "nothing is mounted outside" "$(grep -c plink-testbed /proc/self/mounts)" 0

done_testing
