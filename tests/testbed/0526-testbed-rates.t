#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0526-testbed-rates.t - unequal cards and uplinks, rows of racks, rates that change
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

testbed=$builddir/plink-testbed
why=$("$testbed" check 2>&1) || skip_all "no emulated cluster here: $why"
command -v python3 >/dev/null || skip_all "no python3 here"

prefix=t$$n
cleanup() {
	"$testbed" down --prefix=$prefix 2>/dev/null
}
tb() {
	tb_verb=$1
	shift
	timeout 600 "$testbed" "$tb_verb" --prefix=$prefix "$@"
}
# status EXPRESSION: its value; s is the status
status() {
	tb status --json >"$tmp/json"
	python3 -c 'import json, sys
s = json.load(open(sys.argv[1]))
print(eval("(" + sys.argv[2] + ")"))' "$tmp/json" "$1"
}

# One TCP flow with a small window, so that lines at links are short: kbit/s of what
# came, from 0.3 s after the first byte to the end
cat >"$tmp/flow.py" <<'END_PY'
import socket, sys, time
if sys.argv[1] == "receive":
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
    s.bind(("", int(sys.argv[2])))
    s.listen()
    print("ready", flush=True)
    c = s.accept()[0]
    n, first = 0, None
    while True:
        got = len(c.recv(1 << 16))
        now = time.monotonic()
        if not got:
            break
        if first is None:
            first = start = now
        if start == first and now > first + 0.3:
            start, n = now, 0
        else:
            n += got
            last = now
    print(int(n * 8 / (last - start) / 1e3))
else:
    s = socket.create_connection((sys.argv[2], int(sys.argv[3])))
    end = time.monotonic() + float(sys.argv[4])
    while time.monotonic() < end:
        s.sendall(bytes(1 << 14))
END_PY
# flows FROM,TO...: side by side; what each got is in got_1, got_2, ...
flows() {
	flow=0
	receivers=
	rm -f "$tmp"/got*
	for pair; do
		flow=$((flow + 1))
		tb exec "${pair#*,}" -- python3 "$tmp/flow.py" receive \
			$((5000 + flow)) >"$tmp/got$flow" &
		receivers="$receivers $!"
		while ! grep -qs ready "$tmp/got$flow" && kill -0 $!; do
			sleep 0.05
		done
	done
	flow=0
	for pair; do
		flow=$((flow + 1))
		tb exec "${pair%,*}" -- python3 "$tmp/flow.py" send \
			"${pair#*,}" $((5000 + flow)) 1.5 &
	done
	# shellcheck disable=SC2086
	wait $receivers
	got_1=$(sed -n 2p "$tmp/got1")
	got_2=$(sed -n 2p "$tmp/got2" 2>/dev/null)
}
# ratio WHAT A B LOW HIGH: A / B is in between
ratio() {
	ok "$1 ($2, $3 kbit/s)" awk -v a="${2:-0}" -v b="${3:-1}" -v low="$4" \
		-v high="$5" 'BEGIN { exit !(a > low * b && a < high * b) }'
}

# h0 to h3 are rack 0, h4 to h6 rack 1, h7 and h8 rack 2
"$testbed" matrix --racks=4+3+2 --intra-us=100 --inter-us=300 \
	--nic=80Mbit,20Mbit,80Mbit --uplink=40Mbit,10Mbit,80Mbit >"$tmp/m" \
	2>/dev/null
ok "unequal cards and uplinks" tb up --matrix="$tmp/m"
is "status: cards and uplinks as the matrix has them" "$(status '[
	[h["card_out_bps"] / 1e6 for h in s["hosts"]],
	[(g["out_bps"] / 1e6, g["in_bps"] / 1e6, g["within"])
		for g in s["groups"]], s["nic_bps"], s["uplink_bps"]]')" \
	"[[80.0, 20.0, 80.0, 80.0, 20.0, 80.0, 80.0, 20.0, 80.0], [(40.0, 40.0, None), (10.0, 10.0, None), (80.0, 80.0, None)], None, None]"
has "status in words: cards" "$(tb status)" \
	"card out 20Mbit, in 20Mbit: h1 h4 h7"
has "status in words: uplinks" "$(tb status)" \
	"uplink out 10Mbit, in 10Mbit: rack 1"
flows h0,h2
alone=$got_1
flows h0,h1 h2,h3
ratio "the slower of two cards sets the pace" "$got_2" "$got_1" 2 8
ratio "and no other flow's" "$got_2" "$alone" 0.5 2
flows h2,h8 h3,h5
ratio "of two racks the slower uplink sets it" "$got_1" "$got_2" 2 8

# both ways of a link apart
sed '/^# card/d; s/^# uplink 0 .*/# uplink 0 10Mbit 40Mbit/
	s/^# uplink 1 .*/# uplink 1 40Mbit 40Mbit/' "$tmp/m" >"$tmp/ways"
tb down
ok "out of a rack less than into it" tb up --matrix="$tmp/ways" --nic=80Mbit
flows h0,h5
out=$got_1
flows h6,h1
ratio "so it is" "$got_1" "$out" 2 8
has "status: --nic holds for cards without a line" "$(tb status)" \
	"nic 80 Mbit/s"

# two rows of two racks of two
"$testbed" matrix --racks=2x2x2 --intra-us=100 --inter-us=300 --far-us=500 \
	--uplink=40Mbit --row-uplink=10Mbit >"$tmp/m" 2>/dev/null
tb down
ok "rows of racks" tb up --matrix="$tmp/m" --nic=80Mbit
flows h0,h2 h4,h1
ratio "within a row the rack's uplink, across the row's" "$got_1" "$got_2" 2 8
flows h0,h4 h2,h6
ratio "racks of a row share its uplink" "$((got_1 + got_2))" 10000 0.6 1.2

# rates that change
tb change --matrix="$tmp/m" --nic=20Mbit 2>/dev/null
is "change: what no line says is the option's" \
	"$(status '[s["nic_bps"], s["changes"], s["groups"][4]["in_bps"]]')" \
	"[20000000.0, 1, 10000000.0]"
sed 's/^# uplink 4 .*/# uplink 4 - 40Mbit/; /^# uplink 5/d' "$tmp/m" >"$tmp/new"
ok "change: rates of one way of one link" tb change --matrix="$tmp/new"
is "others stay" "$(status '[(g["out_bps"] / 1e6, g["in_bps"] / 1e6)
	for g in s["groups"][4:]] + [s["nic_bps"]]')" \
	"[(10.0, 40.0), (10.0, 10.0), 20000000.0]"
sed '/^# /d' "$tmp/m" | sed '1i # plink-matrix 1\n# quantity one-way\n# unit us' \
	>"$tmp/bare"
ok "change: racks stay where the matrix has none" \
	tb change --matrix="$tmp/bare" --uplink=30Mbit
is "and the option is for them" "$(status '[g["out_bps"] / 1e6
	for g in s["groups"]]')" "[30.0, 30.0, 30.0, 30.0, 10.0, 10.0]"
sed 's/^# within 1 4/# within 1 5/' "$tmp/m" >"$tmp/bad"
tb change --matrix="$tmp/bad" 2>"$tmp/err"
is "other rows: refused" "$?" 3
has "and why" "$(cat "$tmp/err")" 'in other groups than "# within" says'

# while a flow runs: a second of each rate, what came in the second half of each
"$testbed" matrix --racks=1x2 --intra-us=100 --inter-us=100 --nic=20Mbit \
	>"$tmp/slow" 2>/dev/null
sed 's/20Mbit/80Mbit/g' "$tmp/slow" >"$tmp/fast"
tb down
ok "a slow pair" tb up --matrix="$tmp/slow"
bytes() {
	status '[p["bytes"] for p in s["pairs"] if p["from"] == "h0"][0]'
}
# rate: bytes per second at present
rate() {
	before="$(bytes) $(date +%s%N)"
	sleep 0.7
	echo "$before $(bytes) $(date +%s%N)" |
		awk '{ printf "%d\n", ($3 - $1) * 8e6 / ($4 - $2) }'
}
rm -f "$tmp"/got*
tb exec h1 -- python3 "$tmp/flow.py" receive 5001 >"$tmp/got1" 2>"$tmp/err" &
while ! grep -qs ready "$tmp/got1" && kill -0 $!; do sleep 0.05; done
tb exec h0 -- python3 "$tmp/flow.py" send h1 5001 60 2>"$tmp/err" &
while test "$(bytes)" -lt 500000; do sleep 0.05; done
slow=$(rate)
ok "it becomes fast as a flow runs" tb change --matrix="$tmp/fast"
before=$(bytes)
# what stood in line has passed
while test "$(bytes)" -lt $((before + 500000)); do sleep 0.05; done
ratio "which gets more" "$(rate)" "$slow" 1.5 8
ok "and slow again" tb change --matrix="$tmp/slow"
before=$(bytes)
while test "$(bytes)" -lt $((before + 500000)); do sleep 0.05; done
ratio "which gets as much as before" "$(rate)" "$slow" 0.5 1.5
tb down
wait

done_testing
