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

# rates that change on a schedule
cat >"$tmp/schedule" <<END
# seconds since it began, and what changes
0 card h1 5Mbit -
0.2 uplink 1 - 6Mbit

0.4 card h1 7Mbit 8Mbit
END
begun=$(date +%s%N)
ok "schedule" tb schedule "$tmp/schedule"
ok "each at its time" test $(($(date +%s%N) - begun)) -ge 400000000
is "what the last line for a link says holds, the rest stays" "$(status '[
	(h["card_out_bps"] / 1e6, h["card_in_bps"] / 1e6) for h in s["hosts"][:2]] +
	[(g["out_bps"] / 1e6, g["in_bps"] / 1e6) for g in s["groups"][:2]] +
	[s["changes"]]')" \
	"[(20.0, 20.0), (7.0, 8.0), (30.0, 30.0), (30.0, 6.0), 6]"
echo "0 matrix $tmp/m" >"$tmp/schedule"
ok "a matrix at its time" tb schedule "$tmp/schedule"
is "all that it says holds" "$(status '[g["in_bps"] / 1e6 for g in s["groups"]]')" \
	"[40.0, 40.0, 40.0, 40.0, 10.0, 10.0]"
# bad PLACE PART LINE: the second line of a schedule
bad() {
	printf '0 card h1 9Mbit 9Mbit\n%s\n' "$3" >"$tmp/schedule"
	tb schedule "$tmp/schedule" >"$tmp/out" 2>"$tmp/err"
	is "\"$3\": exit status" "$? $(cat "$tmp/out")" "3 "
	has "its place, and why" "$(cat "$tmp/err")" "$tmp/schedule:2:$1: $2"
}
bad 1 "seconds are wanted" "nan card h1 1Mbit -"
bad 1 "seconds are wanted" "-1 card h1 1Mbit -"
bad 3 "card, uplink or matrix is wanted" "1 loss 0.1"
bad 8 'the testbed has no host "h9"' "1 card h9 1Mbit -"
bad 10 'the testbed has no group "6"' "1 uplink 6 1Mbit -"
bad 17 "a rate as 200Mbit is wanted" "1 card h1 1Mbit fast"
bad 19 "this word is not known" "1 card h1 1Mbit - 5"
bad 10 "a matrix of 9 hosts" "1 matrix $tmp/ways"
printf '2 card h1 9Mbit -\n1 card h1 9Mbit -\n' >"$tmp/schedule"
tb schedule "$tmp/schedule" 2>"$tmp/err"
has "a line that is too early" "$(cat "$tmp/err")" ":2:1: 1 s is earlier"
is "nothing has changed" "$(status 's["changes"]')" 7

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
