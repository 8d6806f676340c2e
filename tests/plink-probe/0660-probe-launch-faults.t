#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0660-probe-launch-faults.t - launchers that flood, close or hang; a coordinator
# that is stopped, or interrupted while agents start
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
probe=$builddir/plink-probe
cp "$builddir/plink-agent" "$tmp/agent"
printf 'a\nb\nc\nx\n' >"$tmp/hosts"
cat >"$tmp/launch" <<EOF
#!/bin/sh
[ "\$1" != x ] || exec "$tmp/x" "\$2"
exec sh -c "\$2"
EOF
chmod +x "$tmp/launch"

# x: what that host's launcher does, from stdin
x() {
	{ echo '#!/bin/sh' && cat; } >"$tmp/x"
	chmod +x "$tmp/x"
}
run() {
	"$probe" --bandwidth=no --launch="$tmp/launch %h" --agent="$tmp/agent" --iface=lo \
		--probes=20 "$@" "$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}
left() {
	running "$tmp/agent"
}

# words that never end, lines or not, on standard error: the run goes on
for flood in yes cat; do
	x <<EOF
$flood </dev/zero >&2 &
pid=\$!
sh -c "\$1"
kill \$pid
EOF
	run
	is "$flood on standard error: exit 0" "$rc" 0
	has "$flood on standard error: every pair" "$(cat "$tmp/err")" \
		"12 pairs measured, 0 missing"
done

# lost: x is lost for that reason, the others are measured
lost() {
	is "$1: exit 1" "$rc" 1
	has "$1: the rest is measured" "$(cat "$tmp/err")" \
		"6 pairs measured, 6 missing, 1 of 4 hosts lost"
	has "$1: why" "$(cat "$tmp/err")" "$2"
}
x <<'EOF'
exec cat /dev/zero
EOF
run --start-time=3
lost "output without a line" "x: its agent did not start in time"
x <<'EOF'
exec <&-
sleep 0.2
echo "no more" >&2
exit 3
EOF
run
lost "input closed" "x: its agent ended with status 3: no more"
x <<'EOF'
exec sh -c "$1" </dev/null
EOF
run
lost "input not passed on" \
	"x: its agent's input ended: does the launcher pass it on?"
x <<'EOF'
echo "last words" >&2
sleep 60
EOF
run --start-time=2
lost "a launcher that hangs" "x: its agent did not start in time: last words"

# a login that is dropped as sshd drops it beside many others (MaxStartups), and not the
# third time; what a jump host adds is no better reason
x <<EOF
echo x >>"$tmp/tries"
[ "\$(wc -l <"$tmp/tries")" -gt 2 ] || {
	echo "kex_exchange_identification: Connection closed by remote host" >&2
	echo "Connection closed by UNKNOWN port 65535" >&2
	exit 255
}
exec sh -c "\$1"
EOF
run -v
is "dropped twice: exit 0" "$rc" 0
has "dropped twice: nobody is lost" "$(cat "$tmp/err")" "0 of 4 hosts lost"
is "dropped twice: the third is the last" "$(wc -l <"$tmp/tries")" 3
has "dropped twice: told" "$(cat "$tmp/err")" \
	"an ssh server dropped logins (MaxStartups): they were repeated, at last "
ok "dropped twice: noted" grep -Eq '^# logins [1-4]$' "$tmp/out"
is "dropped twice: but not what ssh says of it" "$(grep -c ' x: ' "$tmp/err")" 0

# whatever it is, it is no crowd
x <<'EOF'
echo "x@x: Permission denied (publickey)." >&2
echo "kex_exchange_identification: Connection closed by remote host" >&2
exit 255
EOF
run
lost "refused by a jump host" \
	"x: its agent ended with status 255: x@x: Permission denied (publickey)."
has "refused by a jump host: what to do" "$(cat "$tmp/err")" \
	"plink-probe: the login is refused on x: ssh-add, if"
is "refused by a jump host: no login is noted" "$(grep -c '^# logins' "$tmp/out")" 0
x <<'EOF'
echo "kex_exchange_identification: read: Connection reset by peer" >&2
exit 255
EOF
run
lost "dropped for ever" "status 255: kex_exchange_identification: read: "
has "dropped for ever: what to do" "$(cat "$tmp/err")" \
	"the ssh server drops connections to x: raise MaxStartups"

# stopped for a while, then continued: nobody is lost
x <<'EOF'
exec sh -c "$1"
EOF
"$probe" --bandwidth=no --launch="$tmp/launch %h" --agent="$tmp/agent" --iface=lo \
	--probes=500 "$tmp/hosts" >"$tmp/out" \
	2>"$tmp/err" &
pid=$!
while [ "$(left)" -lt 4 ] && kill -0 $pid 2>/dev/null; do
	sleep 0.05
done
kill -s STOP $pid
sleep 3
kill -s CONT $pid
wait $pid
is "stopped and continued: exit 0" "$?" 0
has "stopped and continued: every pair" "$(cat "$tmp/err")" \
	"12 pairs measured, 0 missing, 0 of 4 hosts lost"

# interrupted while one host has not started: all is ended, at once; also where the
# tests themselves run under nohup, by which a tool abides
x <<EOF
echo \$\$ >"$tmp/pid"
sleep 600 &
wait
EOF
for sig in INT TERM HUP; do
	rm -f "$tmp/pid"
	env --default-signal=HUP "$probe" --bandwidth=no --launch="$tmp/launch %h" \
		--agent="$tmp/agent" --iface=lo --start-time=500 "$tmp/hosts" \
		>"$tmp/out" 2>"$tmp/err" &
	pid=$!
	while [ ! -s "$tmp/pid" ] || [ "$(left)" -lt 3 ]; do
		kill -0 $pid 2>/dev/null || break
		sleep 0.05
	done
	kill -s $sig $pid
	wait $pid
	is "SIG$sig during the start: exit 1" "$?" 1
	has "SIG$sig during the start: said" "$(cat "$tmp/err")" "interrupted"
	ok "SIG$sig during the start: the launcher is ended" \
		sh -c "! kill -0 $(cat "$tmp/pid") 2>/dev/null"
	is "SIG$sig during the start: no agent is left" "$(left)" 0
done

done_testing
