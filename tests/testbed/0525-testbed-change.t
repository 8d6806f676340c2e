#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0525-testbed-change.t - copies, packets that overtake, delays that change
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

testbed=$builddir/plink-testbed
why=$("$testbed" check 2>&1) || skip_all "no emulated cluster here: $why"
command -v ping >/dev/null || skip_all "no ping here"
command -v python3 >/dev/null || skip_all "no python3 here"

prefix=t$$w
cleanup() {
	"$testbed" down --prefix=$prefix 2>/dev/null
}
tb() {
	tb_verb=$1
	shift
	timeout 600 "$testbed" "$tb_verb" --prefix=$prefix "$@"
}
up() {
	tb down 2>/dev/null
	ok "up $*" tb up --matrix="$tmp/m" "$@"
}
# status EXPRESSION: its value; s is the status, pair("h0", "h1") one pair
status() {
	tb status --json >"$tmp/json"
	python3 - "$tmp/json" "$1" <<-'END_PY'
		import json, sys
		s = json.load(open(sys.argv[1]))
		def pair(a, b):
		    return next(p for p in s["pairs"]
		                if p["from"] == a and p["to"] == b)
		print(eval("(" + sys.argv[2] + ")"))
	END_PY
}

# 300 datagrams from h0 to h1, and what arrives until the last packet of three that
# cannot be missed: the numbers, in a line
cat >"$tmp/flow.py" <<'END_PY'
import socket, sys, time
n = 300
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
if sys.argv[1] == "receive":
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    s.bind(("", 4000))
    s.settimeout(60)
    print("ready", flush=True)
    got = []
    while True:
        k = int(s.recv(100))
        if k == n:
            break
        got.append(k)
    print(*got)
else:
    for i in range(n):
        s.sendto(b"%d" % i, ("h1", 4000))
        if i % 10 == 9:
            time.sleep(0.005)
    time.sleep(0.3)
    for i in range(12):
        s.sendto(b"%d" % n, ("h1", 4000))
        time.sleep(0.02)
END_PY
flow() {
	tb exec h1 -- python3 "$tmp/flow.py" receive >"$tmp/got" &
	while ! grep -qs ready "$tmp/got" && kill -0 $! 2>/dev/null; do
		sleep 0.05
	done
	tb exec h0 -- python3 "$tmp/flow.py" send
	wait $!
}
# got EXPRESSION: of the numbers v
got() {
	tail -n 1 "$tmp/got" | python3 -c "v = [int(x) for x in input().split()]
print($1)"
}

"$testbed" matrix --racks=2x2 --intra-us=1000 --inter-us=3000 --seed=7 \
	>"$tmp/m" 2>/dev/null
up --duplicate=0.3 --behind-us=5000 --seed=3
has "status has its share" "$(tb status)" "duplicate 0.3, up to 5000 us behind"
flow
is "every datagram arrives" "$(got 'len(set(v))')" 300
ok "a share of them twice ($(got 'len(v) - len(set(v))'))" \
	test "$(got '50 < len(v) - len(set(v)) < 130')" = True
is "and none three times" "$(got 'max(v.count(x) for x in set(v)) < 3')" True
is "those that are no copy are in order" \
	"$(got 'sorted(set(v), key=v.index) == sorted(set(v))')" True
ok "copies are counted, and as packets too" test "$(status \
	'pair("h0","h1")["duplicated"] >= 50 and s["duplicated"] ==
	sum(p["duplicated"] for p in s["pairs"]) and s["packets"] ==
	sum(b["packets"] for b in s["lateness"])')" = True

up --duplicate=0.3 --loss=0.2 --reorder=0.2 --behind-us=20000
flow
is "with losses: what is lost has no copy" \
	"$(got '150 < len(set(v)) < 300 and max(v.count(x) for x in v) == 2')" True
is "packets held up are overtaken" "$(got 'sum(x < max(v[:i + 1])
	for i, x in enumerate(v) if x not in v[:i]) > 10')" True
is "and counted" "$(status 's["reordered"] > 10 and s["reordered"] ==
	sum(p["reordered"] for p in s["pairs"])')" True
has "status has that share too" "$(tb status)" "reorder 0.2, up to 20000 us behind"

# the delays change; one way is cut off, and comes back
ping_min() {
	tb exec "$1" -- ping -n -q -i 0.02 -c "$3" "$2" |
		awk -F'[ /]' '/^rtt/ { printf "%d\n", $7 * 1000 }'
}
up --trace=100000
is "nothing has changed" "$(status '[s["changes"], s["changed_s"]]')" "[0, None]"
early=$(status 'int(2 * s["compensation_us"]) + 1')
ping_min h0 h1 5 >/dev/null
sed 's/1000/20000/g; s/3000/30000/g; s/^\(h3 .*\) 20000 0$/\1 nan 0/' "$tmp/m" \
	>"$tmp/slow"
tb change --matrix="$tmp/slow" 2>"$tmp/err"
is "change: exit 0" "$?" 0
has "it says so" "$(cat "$tmp/err")" "delays of 4 hosts have changed"
has "and tells of a pair without a path" "$(cat "$tmp/err")" "1 pairs have no value"
is "asked, as the matrix has it" "$(status '[pair("h0","h1")["asked_us"],
	pair("h0","h2")["asked_us"], pair("h3","h2")["asked_us"], s["changes"]]')" \
	"[20000.0, 30000.0, None, 1]"
is "what was applied before is not told as applied now" "$(status '[
	pair("h0","h1")["min_us"], pair("h0","h1")["timed"],
	pair("h0","h1")["packets"] >= 5]')" "[None, 0, True]"
rtt=$(ping_min h0 h1 4)
ok "packets take the new time ($rtt us)" test "$rtt" -ge $((40000 - early))
is "which is told" "$(status 'pair("h0","h1")["min_us"] >= 20000
	and pair("h0","h1")["timed"] >= 4')" True
has "in words too" "$(tb status)" "delays changed 1 times"
is "the way that is gone is gone" "$(tb exec h2 -- \
	ping -n -q -i 0.02 -c 3 -W 1 h3 >/dev/null; echo $?)" 1
# trips CHANGE: of h0 to h1, how many and whether they took at least so long
trips() {
	tb trips --change="$1" | awk -v least="$2" '$1 == "h0" && $2 == "h1" {
		print $3, ($4 >= low) }'
}
is "round trips before the change" "$(trips 0 2000)" "5 1"
is "and after it" "$(trips 1 40000)" "4 1"
is "those are what is told without a number" "$(tb trips)" \
	"$(tb trips --change=1)"
tb trips --change=2 >"$tmp/out" 2>"$tmp/err"
is "one that never was: refused" "$? $(cat "$tmp/out")" "3 "
has "and why" "$(cat "$tmp/err")" "have changed 1 times"

tb change --matrix="$tmp/m" 2>/dev/null
rtt=$(ping_min h2 h3 5)
ok "the way is back ($rtt us)" test "${rtt:-0}" -ge $((2000 - early))
is "as it was" "$(status 's["changes"] == 2 and
	pair("h3","h2")["asked_us"] == 1000.0')" True

# what is refused changes nothing
refused() {
	want=$1 part=$2
	sed "$3" "$tmp/m" >"$tmp/bad"
	tb change --matrix="$tmp/bad" >"$tmp/out" 2>"$tmp/err"
	is "$part: exit status" "$? $(cat "$tmp/out")" "$want "
	has "$part: said" "$(cat "$tmp/err")" "$part"
}
refused 3 "the testbed has 4" '/h3/d; /^h/s/ [0-9]*$//'
refused 3 'host 3 of the matrix is "x2", of the testbed "h2"' 's/h2/x2/'
refused 3 '"h1" is in rack 0 and stays there' 's/rack h1 0/rack h1 1/'
refused 3 "negative" 's/3000/-3/'
refused 3 "not within 0..60 s" 's/3000/99e9/'
refused 3 "says no delays" 's/one-way/bandwidth/; s/unit us/unit bytes-per-s/'
refused 3 "" d
is "and nothing has changed" "$(status 's["changes"]')" 2

# the daemon is dead and nobody has cleared up
read -r daemon _ <"/run/plink-testbed/$prefix/daemon"
kill -KILL "$daemon"
while kill -0 "$daemon" 2>/dev/null; do sleep 0.05; done
tb change --matrix="$tmp/m" >"$tmp/out" 2>"$tmp/err"
is "a dead daemon: exit 1" "$?" 1

done_testing
