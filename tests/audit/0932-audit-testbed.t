#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0932-audit-testbed.t - plink-audit captures Open MPI jobs in an emulated cluster
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
audit=$builddir/plink-audit
testbed=$builddir/plink-testbed
mpi=$builddir/tests/audit/mpi-collective

why=$("$testbed" check 2>&1) || skip_all "no emulated cluster here: $why"
[ -x "$builddir/tests/audit/make-capture" ] || skip_all "built without libpcap"
[ -x "$mpi" ] || skip_all "built without MPI"
command -v mpirun >/dev/null || skip_all "no mpirun here"
mpirun --version | grep -q '(Open MPI) 4\.1\.' ||
	skip_all "the headers that are known are of Open MPI 4.1"

prefix=a$$u
. "$srcdir/tests/openmpi.sh"
to_testbed
cleanup() {
	"$testbed" down --prefix=$prefix 2>/dev/null
}
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ASAN_OPTIONS=detect_leaks=0 # of the library
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

"$testbed" matrix --racks=2x2 --intra-us=100 --inter-us=1000 --shuffle \
	>"$tmp/m" 2>/dev/null
ok "up" "$testbed" up --matrix="$tmp/m" --prefix=$prefix
printf 'h2\nh0\nh3\nh1\n' >"$tmp/hosts"

# on_all OPTION... -- COMMAND...
on_all() {
	timeout 600 "$audit" --launch="$testbed rsh --prefix=$prefix %h" \
		--hosts="$tmp/hosts" --iface=plink0 "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# job COLLECTIVE NUMBER SIZE TIMES OPTION...: the library's algorithm of that number,
# a rank on each host of the list
job() {
	collective=$1 number=$2 size=$3 times=$4
	shift 4
	on_all --impl=openmpi --collective="$collective" --size="$size" \
		--repeat="$times" "$@" -- \
		"$testbed" exec --prefix=$prefix h0 -- \
		mpirun -np "$(wc -l <"$tmp/hosts")" \
		--hostfile "$tmp/hosts" $on_testbed \
		--mca coll_tuned_use_dynamic_rules 1 \
		--mca "coll_tuned_${collective}_algorithm" "$number" \
		"$mpi" "$collective" "$size" "$times"
}

allreduce() {
	job allreduce "$@"
}

# barrier NUMBER TIMES OPTION...
barrier() {
	barrier_n=$1 barrier_times=$2
	shift 2
	job barrier "$barrier_n" 0 "$barrier_times" "$@"
}

# says WHAT: the line of the report that begins so
says() {
	sed -n "s/^$1  *//p" "$tmp/out"
}

allreduce 4 65536 3 -w "$tmp/kept"
is "ring, 64 KiB, three times: exit 0" "$rc" 0
is "every byte" "$(says sent)" "1181424 bytes"
is "in order" "$(says order)" \
	"60 messages that wait for others: 0 sent too early"
is "match" "$(says result)" match
[ "$rc" = 0 ] || sed 's/^/# /' "$tmp/out" "$tmp/err"

# the same captures, read again; no payload is in them
"$testbed" status --prefix=$prefix >"$tmp/status"
for h in h2 h0 h3 h1; do
	"$testbed" exec --prefix=$prefix $h -- \
		sh -c "ip -o -4 addr show dev plink0" 2>/dev/null |
		awk '{ sub("/.*", "", $4); print $4 }'
done >"$tmp/addresses"
"$audit" --impl=openmpi --size=64k --repeat=3 --hosts="$tmp/addresses" \
	"$tmp"/kept.h*.pcap >"$tmp/out" 2>"$tmp/err"
is "the captures that were kept: exit 0" $? 0
is "the same bytes" "$(says sent)" "1181424 bytes"
kept=$(cat "$tmp"/kept.h*.pcap | wc -c)
ok "hold no payload: $kept bytes of 1181424" test "$kept" -lt 300000
"$audit" --impl=openmpi --size=64k --repeat=3 --hosts="$tmp/addresses" \
	--algorithm=recursive-doubling "$tmp"/kept.h*.pcap >"$tmp/out"
is "another algorithm it was not: exit 1" $? 1

allreduce 4 1048576 2
is "ring, 1 MiB: blocks beyond the eager limit: exit 0" "$rc" 0
is "every byte" "$(says sent)" "12590784 bytes"
is "match" "$(says result)" match
allreduce 3 65536 2 --algorithm=recursive-doubling
is "recursive doubling: exit 0" "$rc $(says result)" "0 match"
allreduce 3 65536 2
is "taken for a ring: exit 1" "$rc $(says result)" "1 differs"

# synchronous sends are headed and answered otherwise
barrier 2 3 --algorithm=double-ring
is "double ring, twice round four ranks, three times: exit 0" "$rc" 0
is "every byte: of each rank a send, a synchronous one and its answer" \
	"$(says sent)" "1512 bytes"
is "in order" "$(says order)" "21 messages that wait for others: 0 sent too early"
barrier 3 2 --algorithm=recursive-doubling
is "recursive doubling of four: exit 0" "$rc $(says result)" "0 match"
cp "$tmp/hosts" "$tmp/four"
sed 3q "$tmp/four" >"$tmp/hosts"
barrier 3 2 --algorithm=recursive-doubling
is "of three, one of which is let go at the end: exit 0" \
	"$rc $(says result)" "0 match"
cp "$tmp/four" "$tmp/hosts"

# jobs and captures that fail
on_all --impl=openmpi --size=0 -- sh -c 'echo loud; exit 3'
is "a command that fails: exit 1" "$rc" 1
is "its status" "$(says command)" "exit status 3"
has "what it prints goes to standard error" "$(cat "$tmp/err")" loud
on_all --impl=openmpi --iface=nowhere0 -- true
is "no such interface: exit 4" "$rc" 4
has "says where and why" "$(cat "$tmp/err")" \
	"the capture there has ended: plink-audit: cannot capture on nowhere0: No such"
is "once" "$(grep -o "No such" "$tmp/err" | wc -l)" 1
on_all --impl=openmpi --filter='tcp potr 7' -- true
is "a filter that is none: exit 4" "$rc" 4
has "is quoted" "$(cat "$tmp/err")" 'filter "tcp potr 7"'
on_all --impl=openmpi --filter='tcp) or (icmp' -- true
is "a filter that leaves its brackets: exit 4" "$rc" 4
has "is none by itself" "$(cat "$tmp/err")" 'filter "tcp) or (icmp": '
echo mine >"$tmp/early.h2.pcap"
on_all --impl=openmpi --agent=false -w "$tmp/early" -- true
is "where no capture begins, an earlier one is not replaced" \
	"$rc $(cat "$tmp/early.h2.pcap")" "4 mine"
on_all --impl=openmpi -w "$tmp/early" -- false
is "a job that fails: what was captured is kept" \
	"$rc $(head -c 4 "$tmp/early.h2.pcap" | od -An -tx1 | tr -d ' ')" "1 4d3cb2a1"
on_all --impl=openmpi --agent=false -- true
is "an agent that ends: exit 4" "$rc" 4
on_all --impl=openmpi --agent='echo hello; :' -- true
is "an agent that is none: exit 4" "$rc" 4
has "is quoted, too" "$(cat "$tmp/err")" 'expected a capture, got "hello"'
port=$(($$ % 60000 + 1)) # what tells these captures from others
on_all --impl=openmpi --filter="port 1 or port $port" -- "$tmp/no-such-command"
is "no such command: exit 4" "$rc" 4
is "no capture stays" "$(pgrep -fc "filter=.*port 1 or port $port")" 0

# stopped: the command and all captures end
"$audit" --launch="$testbed rsh --prefix=$prefix %h" --hosts="$tmp/hosts" \
	--iface=plink0 --impl=openmpi --filter="port 1 or port $port" -- \
	sh -c 'echo $$ >"$0"; exec sleep 600' "$tmp/pid" >"$tmp/out" 2>"$tmp/err" &
pid=$!
for i in $(seq 100); do
	[ -s "$tmp/pid" ] && break
	sleep 0.1
done
kill -TERM $pid
wait $pid
is "stopped: exit 1" $? 1
has "says so" "$(cat "$tmp/err")" "interrupted"
is "no output" "$(cat "$tmp/out")" ""
is "the command has ended" "$(kill -0 "$(cat "$tmp/pid")" 2>/dev/null; echo $?)" 1
is "the captures, too" "$(pgrep -fc "filter=.*port 1 or port $port")" 0

# killed: the captures end by themselves
"$audit" --launch="$testbed rsh --prefix=$prefix %h" --hosts="$tmp/hosts" \
	--iface=plink0 --impl=openmpi --filter="port 1 or port $port" -- \
	sh -c 'echo $$ >"$0"; exec sleep 600' "$tmp/pid2" >"$tmp/out" \
	2>"$tmp/err" &
pid=$!
for i in $(seq 100); do
	[ -s "$tmp/pid2" ] && break
	sleep 0.1
done
ok "captures run" pgrep -f "capture.*filter=.*port 1 or port $port"
kill -KILL $pid
wait $pid
kill "$(cat "$tmp/pid2")"
for i in $(seq 100); do
	pgrep -f "filter=.*port 1 or port $port" >"$tmp/left" || break
	sleep 0.1
done
is "none is left when the tool is killed" "$(cat "$tmp/left")" ""

# one host of four cannot be reached
timeout 300 "$audit" --hosts="$tmp/hosts" --iface=plink0 --impl=openmpi \
	--launch="sh -c '[ %h = h3 ] && { echo no way to h3 >&2; exit 255; }
		exec \"$testbed\" rsh --prefix=$prefix %h \"\$0\"'" \
	--filter="port 1 or port $port" -- true >"$tmp/out" 2>"$tmp/err"
is "a host that cannot be reached: exit 4" $? 4
has "which and why" "$(cat "$tmp/err")" \
	"h3: the capture there has ended: no way to h3"
is "the others have ended" "$(pgrep -fc "filter=.*port 1 or port $port")" 0

# captures that do not end as they should
cat >"$tmp/agent" <<-'END'
	#!/bin/sh
	how=$1
	shift
	[ "$how" != mute ] || exec sleep 600
	"$@"
	case $how in
	lossy) echo "plink-audit: 9 packets captured, 3 dropped by the kernel" >&2
		exit 1 ;;
	failed) echo "no room left" >&2
		exit 1 ;;
	deaf) exec sleep 600 >&- ;;
	stuck) echo $$ >>"${0%/*}/stuck"
		exec sleep 600 ;;
	esac
END
chmod +x "$tmp/agent"
agent() {
	agent_how=$1
	shift
	on_all --impl=openmpi --agent="exec $tmp/agent $agent_how $audit" "$@"
}
agent lossy -- sleep 0.1
is "packets that the kernel drops: judged all the same" "$(says seen)" \
	"4 captures, 0 packets, 0 streams"
agent failed -- sleep 0.1
is "a capture that fails at its end: exit 4" "$rc" 4
has "its last word" "$(cat "$tmp/err")" "no room left"
agent deaf --end-time=0.5 -- sleep 0.1
is "one that does not end: exit 4" "$rc" 4
has "is told" "$(cat "$tmp/err")" "the capture there has not ended within 0.5 s"
agent mute --start-time=0.5 -- sleep 0.1
is "one that does not begin: exit 4" "$rc" 4
has "is told" "$(cat "$tmp/err")" "no capture has begun there within 0.5 s"
"$audit" --launch="$testbed rsh --prefix=$prefix %h" --hosts="$tmp/hosts" \
	--iface=plink0 --impl=openmpi --agent="$tmp/agent stuck $audit" -- \
	true >"$tmp/out" 2>"$tmp/err" &
pid=$!
for i in $(seq 200); do
	[ "$(cat "$tmp/stuck" 2>/dev/null | wc -l)" = 4 ] && break
	sleep 0.1
done
kill -INT $pid
wait $pid
is "stopped while captures end: exit 1" $? 1
left=
for i in $(cat "$tmp/stuck"); do
	kill -0 "$i" 2>/dev/null && left="$left $i"
done
is "they are gone" "$left" ""

# a host's own name may stand for a loopback address there
cat >"$tmp/loop" <<-'END'
	127.0.1.1
END
"$testbed" exec --prefix=$prefix h0 -- sh -c "ip -o -4 addr show dev plink0" |
	awk '{ sub("/.*", "", $4); print $4 }' >"$tmp/own"
"$testbed" exec --prefix=$prefix h1 -- sh -c "ip -o -4 addr show dev plink0" |
	awk '{ sub("/.*", "", $4); print $4 }' >"$tmp/other"
cat "$tmp/other" >>"$tmp/loop"
"$testbed" exec --prefix=$prefix h0 -- "$audit" --capture --iface=plink0 \
	--hosts="$tmp/loop" -w "$tmp/own.pcap" -- python3 -c '
import socket, sys
try:
    socket.create_connection((sys.argv[1], 9), 5)
except OSError:
    pass' "$(cat "$tmp/other")" 2>"$tmp/err"
has "what it sends is captured: a call and its refusal" "$(cat "$tmp/err")" \
	" 2 packets captured"
# addresses that all hosts have are none's
for h in h0 h1 h2 h3; do
	"$testbed" exec --prefix=$prefix $h -- ip addr add 172.17.0.1/16 dev plink0
done
on_all --impl=openmpi --iface=any -- sleep 0.1
is "an address that several hosts have: no fault" "$rc $(says result)" \
	"0 match"

# by itself, until its input or its command ends
capture() {
	"$testbed" exec --prefix=$prefix h0 -- "$audit" --capture \
		--hosts="$tmp/hosts" --iface=plink0 -w "$tmp/own.pcap" "$@" \
		2>"$tmp/err"
	rc=$?
}
capture </dev/null
is "a capture until the end of input: exit 0" "$rc" 0
has "says when it begins" "$(cat "$tmp/err")" "capturing on plink0, stamps in ns"
capture -- sh -c 'ls -l /proc/self/fd >&2'
is "its command has its standard error, but no packet socket nor what belongs to it" \
	"$(grep -c ' 2 -> ' "$tmp/err") $(grep -cE 'socket:|eventfd|memfd|pcap' \
		"$tmp/err")" "1 0"
capture -- sh -c 'exit 7'
is "of a command that fails: exit 1" "$rc" 1
ok "down" "$testbed" down --prefix=$prefix

# without the right to do it
cat >"$tmp/local" <<-'END'
	127.0.0.1
END
set -- "$audit" --capture --hosts="$tmp/local" --iface=lo -w "$tmp/own.pcap"
if [ "$(id -u)" = 0 ]; then
	set -- setpriv --bounding-set=-net_raw,-net_admin --inh-caps=-all "$@"
fi
"$@" </dev/null 2>"$tmp/err"
is "without CAP_NET_RAW: exit 4" $? 4
has "says what is lacking" "$(cat "$tmp/err")" "needs the capability CAP_NET_RAW"
has "and how to give it" "$(cat "$tmp/err")" "setcap cap_net_raw+ep"

done_testing
