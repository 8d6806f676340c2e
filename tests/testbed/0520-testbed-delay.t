#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0520-testbed-delay.t - packets take the time, and the losses, asked for
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

testbed=$builddir/plink-testbed
why=$("$testbed" check 2>&1) || skip_all "no emulated cluster here: $why"
command -v ping >/dev/null || skip_all "no ping here"
command -v python3 >/dev/null || skip_all "no python3 here"

prefix=t$$d
cleanup() {
	"$testbed" down --prefix=$prefix 2>/dev/null
}
tb() {
	tb_verb=$1
	shift
	timeout 600 "$testbed" "$tb_verb" --prefix=$prefix "$@"
}
# up OPTION...: a fresh testbed on the matrix in $tmp/m
up() {
	tb down 2>/dev/null
	ok "up $*" tb up --matrix="$tmp/m" "$@"
}
# status EXPRESSION: its value; s is the status, pair("h0", "h1") one pair
status() {
	tb status --json >"$tmp/json"
	python3 - "$tmp/json" "$1" <<-'EOF'
		import json, sys
		s = json.load(open(sys.argv[1]))
		def pair(a, b):
		    return next(p for p in s["pairs"]
		                if p["from"] == a and p["to"] == b)
		print(eval("(" + sys.argv[2] + ")"))
	EOF
}
# ping_min FROM TO COUNT: shortest round trip, us
ping_min() {
	tb exec "$1" -- ping -n -q -i 0.02 -c "$3" "$2" |
		awk -F'[ /]' '/^rtt/ { printf "%d\n", $7 * 1000 }'
}

# both ways differ, one pair has no path
cat >"$tmp/m" <<'EOF'
# plink-matrix 1
# quantity one-way
# unit ms
# statistic value
h0 0 5 20 nan
h1 10 0 20 20
h2 20 20 0 1.5
h3 20 20 2.5 0
EOF
tb up --matrix="$tmp/m" 2>"$tmp/err"
has "up tells of pairs without a path" "$(cat "$tmp/err")" "1 pairs"
# a packet handed over faster than those at the start is early by that much
early=$(status 'int(2 * s["compensation_us"]) + 1')
for pair in "h0 h1 15000" "h1 h2 40000" "h2 h3 4000"; do
	set -- $pair
	rtt=$(ping_min "$1" "$2" 20)
	ok "$1 $2: no round trip under $3 us (shortest: $rtt us)" \
		test "$rtt" -ge $(($3 - early))
done
is "asked, as the matrix has it" \
	"$(status '[pair("h0","h1")["asked_us"], pair("h1","h0")["asked_us"],
	pair("h0","h3")["asked_us"]]')" "[5000.0, 10000.0, None]"
is "applied is never less than asked" \
	"$(status 'min(p["min_us"] - p["asked_us"] for p in s["pairs"]
	if p["packets"]) >= 0')" True
is "nor much more, at best" \
	"$(status 'max(p["min_us"] - p["asked_us"] for p in s["pairs"]
	if p["packets"]) < 2000')" True
is "min, mean and max are in order" \
	"$(status 'all(p["min_us"] <= p["mean_us"] <= p["max_us"]
	for p in s["pairs"] if p["packets"])')" True
is "packets are counted" "$(status 'pair("h1","h2")["packets"] >= 20')" True
is "the histogram holds them all" \
	"$(status 's["packets"] == sum(b["packets"] for b in s["lateness"])
	== sum(p["packets"] for p in s["pairs"]) > 0')" True
is "no path: nothing comes through" \
	"$(tb exec h0 -- ping -n -q -i 0.02 -c 5 -W 1 h3 >/dev/null; echo $?)" 1
is "and it is counted" "$(status '[pair("h0","h3")["packets"],
	pair("h0","h3")["lost"] >= 5]')" "[0, True]"
tb exec h0 -- ping -n -q -c 1 -W 1 10.77.99.99 >/dev/null
is "nobody's address is counted" "$(status 's["unroutable"] > 0')" True
has "status in words" "$(tb status)" "h0 h1 5000.0"

# trips FIELD: of those of h1 to h2
trips() {
	tb trips 2>"$tmp/err" | awk -v i="$1" '$1 == "h1" && $2 == "h2" {
		print $i }'
}
tb trips >"$tmp/out" 2>"$tmp/err"
is "no trace: usage" "$? $(cat "$tmp/out")" "2 "
has "no trace: what is missing" "$(cat "$tmp/err")" "not started with --trace"
up --trace=42
tb exec h1 -- ping -n -q -i 0.02 -c 20 h2 >/dev/null
is "a trace: as many round trips as pings" "$(trips 3)" 20
ok "which took what was asked for, and not much more" awk '
	$1 == "h1" && $2 == "h2" && $4 >= 40000 && $5 >= $4 && $6 >= $5 &&
	$5 < 80000 { good = 1 } END { exit !good }' <<-END
	$(tb trips)
END
tb exec h0 -- ping -n -q -i 0.02 -c 5 h2 >/dev/null
is "too many packets: nothing is told" "$(trips 3)" ""
has "too many packets: said" "$(cat "$tmp/err")" "--trace kept 42"

# a hundred datagrams, half of them lost by chance
"$testbed" matrix --racks=2x2 --intra-us=500 --inter-us=500 >"$tmp/m" 2>/dev/null
up --loss=0.5 --seed=3
tb exec h0 -- ping -n -q -i 0.002 -c 400 -W 1 h1 >/dev/null
is "loss takes about its share" \
	"$(status '0.4 < pair("h0","h1")["lost"] / 400 < 0.6')" True
has "status tells of it" "$(tb status)" "loss 0.5"

# jitter only ever adds, and keeps the order
up --jitter-us=5000
cat >"$tmp/order.py" <<'EOF'
import socket, sys, time
n = 300
if sys.argv[1] == "receive":
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind(("", 4000))
    s.settimeout(20)
    print("ready", flush=True)
    got = [int(s.recv(100)) for _ in range(n)]
    print("in order" if got == list(range(n)) else got)
else:
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for i in range(n):
        s.sendto(b"%d" % i, ("h1", 4000))
        time.sleep(0.001)
EOF
tb exec h1 -- python3 "$tmp/order.py" receive >"$tmp/order" &
while ! grep -q ready "$tmp/order"; do sleep 0.1; done
tb exec h0 -- python3 "$tmp/order.py" send
wait $!
is "a pair's packets stay in order" "$(tail -n 1 "$tmp/order")" "in order"
is "jitter adds" "$(status 'pair("h0","h1")["min_us"] >= 500
	and pair("h0","h1")["max_us"] > 2500')" True

# rates: so many bytes take at least so long
cat >"$tmp/bulk.py" <<'EOF'
import socket, sys, time
if sys.argv[1] == "receive":
    s = socket.create_server(("", 4000))
    print("ready", flush=True)
    c, _ = s.accept()
    n, start = 0, time.monotonic()
    while True:
        d = c.recv(1 << 20)
        if not d:
            break
        n += len(d)
    print(n, int(n * 8 / (time.monotonic() - start) / 1e6))
else:
    c = socket.create_connection((sys.argv[2], 4000))
    c.sendall(bytes(2500000))
EOF
# bulk FROM TO: bytes that arrived, Mbit/s
bulk() {
	: >"$tmp/bulk" # here: a shell in the background may come too late
	tb exec "$2" -- python3 "$tmp/bulk.py" receive >>"$tmp/bulk" &
	while ! grep -q ready "$tmp/bulk"; do sleep 0.1; done
	tb exec "$1" -- python3 "$tmp/bulk.py" send "$2"
	wait $!
	tail -n 1 "$tmp/bulk"
}
up --nic=50Mbit
set -- $(bulk h0 h1)
is "nic: all bytes arrive" "$1" 2500000
ok "nic: no faster than its rate ($2 Mbit/s of 50)" test "$2" -le 50
up --uplink=20Mbit
set -- $(bulk h0 h2)
is "uplink: all bytes arrive" "$1" 2500000
ok "uplink: no faster than its rate between racks ($2 Mbit/s of 20)" \
	test "$2" -le 20
set -- $(bulk h0 h1)
ok "uplink: faster than that within a rack ($2 Mbit/s)" test "$2" -gt 20
has "status tells of it" "$(tb status)" "uplink 20 Mbit/s"

# What stands in line at a card holds no place at the uplink behind it: 2 MB in
# one go keep h0's card busy for 1.6 s, and half of the uplink is left to h1.
up --nic=10Mbit --uplink=20Mbit
tb exec h0 -- python3 -c 'import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(2000): s.sendto(bytes(1000), ("h2", 9))'
rtt=$(ping_min h1 h3 5)
ok "a line at one card is not one at the uplink ($rtt us)" \
	test "$rtt" -lt 800000

done_testing
