#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0930-audit-captures.t - plink-audit on captures made by hand
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
audit=$builddir/plink-audit
make=$builddir/tests/audit/make-capture
[ -x "$make" ] || skip_all "built without libpcap"

for i in 1 2 3 4; do echo "10.0.0.$i"; done >"$tmp/hosts"

# job NET [HOST]: a run of the pattern on stdin, as plink-audit --pattern prints it,
# with no headers: every round 10 ms, a packet 4 ms on the way; two hosts meet at
# port 2000 of the second. With HOST: what its capture has, else what one in between has.
job() {
	awk -v net="$1" -v host="${2:-0}" -v OFMT=%.0f '
	function line(at, a, b, flags, seq, bytes) {
		if (!host || a == host) printf "%.0f ", at
		else if (b == host) printf "%.0f ", at + 4000000
		else return
		if (a < b) print net a, 30000 + a, net b, 2000, flags, seq, bytes
		else print net a, 2000, net b, 30000 + b, flags, seq, bytes
	}
	/^#/ { next }
	{ a = $2 + 1; b = $3 + 1; low = a < b ? a : b; high = a < b ? b : a
	if (!((low, high) in met)) {
		met[low, high] = 1
		line(1000000, low, high, "S", 4294960000, 0)
		line(2000000, high, low, "SA", 4294960000, 0)
		seq[low, high] = seq[high, low] = 4294960001
	}
	at = 1000000000 + $1 * 10000000
	for (left = $4; left > 0; left -= n) {
		n = left < 1400 ? left : 1400
		line(at, a, b, "A", seq[a, b], n)
		at += 1000
		seq[a, b] = (seq[a, b] + n) % 4294967296
	} }' | sort -n -s
}

# audit OPTION... FILE...
audit() {
	"$audit" --hosts="$tmp/hosts" --wire=plain --size=40000 "$@" \
		>"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# says WHAT: the line of the report that begins so
says() {
	sed -n "s/^$1  *//p" "$tmp/out"
}

"$audit" --pattern --ranks=4 --size=40000 >"$tmp/pattern"
job 10.0.0. <"$tmp/pattern" >"$tmp/lines"
for kind in ethernet vlan raw sll sll2; do
	for unit in us ns; do
		"$make" $kind $unit <"$tmp/lines" >"$tmp/$kind.$unit"
		audit "$tmp/$kind.$unit"
		is "$kind in $unit: exit 0" "$rc" 0
		is "$kind in $unit: all bytes" "$(says sent)" "240000 bytes"
	done
done
is "four pairs match" "$(says pairs)" \
	"4 match, 0 short, 0 over, 0 missing, 0 extra, 0 unseen; 4 expected"
is "the order is kept" "$(says order)" \
	"20 messages that wait for others: 0 sent too early"
audit - <"$tmp/raw.ns"
is "a capture on standard input" "$rc" 0

# each host's own capture, twice and in any order
for i in 1 2 3 4; do
	job 10.0.0. $i <"$tmp/pattern" | "$make" raw ns >"$tmp/host.$i"
done
audit "$tmp"/host.[1-4] "$tmp/host.2" "$tmp/raw.us"
is "captures of all hosts, and more of them: exit 0" "$rc" 0
is "a byte counts once" "$(says sent)" "240000 bytes"
audit "$tmp"/host.[1-4]
is "each host sees what it sends and gets" "$(says order)" \
	"20 messages that wait for others: 0 sent too early"
audit "$tmp/host.2"
is "one host's capture: exit 1" "$rc" 1
is "tells of its pairs alone" "$(says pairs)" \
	"2 match, 0 short, 0 over, 0 missing, 0 extra, 2 unseen; 4 expected"
is "that is part of the answer" "$(says result)" partial

# clocks that are hours apart do not matter
job 10.0.0. 3 <"$tmp/pattern" | awk -v CONVFMT=%.0f -v OFMT=%.0f '{ $1 += 3600000000000; print }' |
	"$make" raw ns >"$tmp/host.3"
audit "$tmp"/host.[1-4]
is "clocks that are apart" "$rc $(says order)" \
	"0 20 messages that wait for others: 0 sent too early"

# sent again, out of order, not captured
awk '{ print } NR % 3 == 0 { print }' "$tmp/lines" | "$make" raw ns >"$tmp/c"
audit "$tmp/c"
is "what is sent again counts once" "$rc $(says sent)" "0 240000 bytes"
has "and is told" "$(says counted)" "bytes sent again"
awk '/ A / && NR % 5 == 0 { held = $0; next } { print }
	held != "" { $0 = held; print; held = "" }
	END { if (held != "") print held }' "$tmp/lines" |
	"$make" raw ns >"$tmp/c"
audit "$tmp/c"
is "out of order" "$rc $(says sent)" "0 240000 bytes"
awk '!(/ A / && NR % 7 == 0)' "$tmp/lines" | "$make" raw ns >"$tmp/c"
audit "$tmp/c"
is "what is not captured is known by its numbers" \
	"$rc $(says sent)" "0 240000 bytes"
has "and is told" "$(says counted)" "bytes not captured"

# a time that nobody knows is no reason to call a message early
for i in 1 2 4; do
	job 10.0.0. $i <"$tmp/pattern" | "$make" raw ns >"$tmp/host.$i"
done
job 10.0.0. 3 <"$tmp/pattern" |
	awk '$2 == "10.0.0.2" && / 200$/ && !done { done = 1; next } { print }' |
	"$make" raw ns >"$tmp/c"
audit "$tmp/host.1" "$tmp/c" "$tmp/host.4"
is "the end of a message is not captured" "$rc $(says result)" "0 match"
is "when it came is not known" "$(says order)" \
	"not checked: the time of bytes that were not captured is not known"
awk '!/^#/ { $4 += 22 } { print }' "$tmp/pattern" | job 10.0.0. |
	"$make" raw ns >"$tmp/c"
audit --tolerance=30 "$tmp/c"
is "headers that are tolerated" "$rc $(says result)" "0 match"
has "leave no place to look at" "$(says order)" "not checked: the bytes differ"

# what can be read but once; what takes too long
mkfifo "$tmp/fifo"
cat "$tmp/raw.ns" >"$tmp/fifo" &
audit "$tmp/fifo"
is "a pipe that has a name" "$rc $(says result)" "0 match"
wait
sleep 60 >"$tmp/fifo" &
writer=$!
"$audit" --hosts="$tmp/hosts" --wire=plain "$tmp/fifo" -o "$tmp/whole" \
	2>"$tmp/err" &
pid=$!
for i in $(seq 100); do # until it reads
	case $(cat /proc/$pid/wchan 2>/dev/null) in *pipe*) break ;; esac
	sleep 0.1
	[ "$i" -gt 5 ] && [ ! -s /proc/$pid/wchan ] && break
done
kill -INT $pid
wait $pid
is "stopped while it reads: exit 1" $? 1
has "says so" "$(cat "$tmp/err")" "interrupted"
is "and leaves nothing" "$(ls "$tmp" | grep -c '^whole')" 0
kill $writer

# both ends call at once
cat >"$tmp/open" <<-'END'
	1 10.0.0.1 2000 10.0.0.2 3000 S 7 0
	1 10.0.0.2 3000 10.0.0.1 2000 S 9 0
	2 10.0.0.1 2000 10.0.0.2 3000 SA 7 0
	2 10.0.0.2 3000 10.0.0.1 2000 SA 9 0
	3 10.0.0.1 2000 10.0.0.2 3000 A 8 12
	3 10.0.0.2 3000 10.0.0.1 2000 A 10 12
	4 10.0.0.1 2000 10.0.0.2 3000 A 20 12
	4 10.0.0.2 3000 10.0.0.1 2000 A 22 12
END
printf '10.0.0.1\n10.0.0.2\n' >"$tmp/pair"
"$make" raw ns <"$tmp/open" >"$tmp/c"
audit --hosts="$tmp/pair" --size=24 --ports=2000 "$tmp/c"
is "both ends call at once" "$rc $(says sent)" "0 48 bytes"
sed 4q "$tmp/open" | "$make" raw ns >"$tmp/c"
timeout 300 "$audit" --hosts="$tmp/pair" --wire=plain --repeat=1000000000 \
	"$tmp/c" >"$tmp/out"
is "nothing, a thousand million times" "$? $(says result)" "0 match"

# IPv6; ports; other hosts
for i in 1 2 3 4; do echo "fd00::$i"; done >"$tmp/hosts6"
job fd00:: <"$tmp/pattern" | "$make" sll us >"$tmp/c"
audit --hosts="$tmp/hosts6" "$tmp/c"
is "IPv6" "$rc $(says sent)" "0 240000 bytes"
{
	cat "$tmp/lines"
	echo "5 10.0.0.1 40000 10.0.0.2 22 S 7 0"
	echo "6 10.0.0.1 40000 10.0.0.2 22 A 8 999"
	echo "6 10.0.0.1 40000 10.0.0.9 2000 A 8 77"
} | "$make" raw ns >"$tmp/c"
audit "$tmp/c"
is "ssh and other hosts do not count" "$rc $(says left\ out)" \
	"0 999 bytes on other ports, 77 of other hosts"
audit --ports=1-65535 "$tmp/c"
is "with its port it would: exit 1" "$rc $(says result)" "1 differs"
audit --ports=1-65535 --not-ports=20-25 "$tmp/c"
is "that port left out again" "$rc" 0

# what does not match
audit --algorithm=halving-doubling "$tmp/raw.ns"
is "another algorithm: exit 1" "$rc" 1
is "says so" "$(says result)" differs
has "names the pairs" "$(cat "$tmp/out")" "missing  10.0.0.1 10.0.0.3"
has "both ways" "$(cat "$tmp/out")" "extra    10.0.0.4 10.0.0.1"
audit --repeat=2 "$tmp/raw.ns"
is "once is not twice" "$rc" 1
sed '$s/ [0-9]*$/ 399/' "$tmp/lines" | "$make" raw ns >"$tmp/c"
audit "$tmp/c"
is "a last packet that is too short" "$rc" 1
audit --tolerance=200 "$tmp/c"
is "within 200 bytes a message" "$rc" 0
audit --tolerance=5% "$tmp/c"
is "within 5 %" "$rc" 0
audit --tolerance=0.1% "$tmp/c"
is "not within 0.1 %" "$rc" 1

# rank 2 sends its second block before rank 1's first has come
awk '$2 == 2 && $1 == 1 { $1 = 0 } { print }' "$tmp/pattern" |
	job 10.0.0. 3 | "$make" raw ns >"$tmp/c"
audit "$tmp"/host.[124] "$tmp/c"
is "sent too early: exit 1" "$rc" 1
is "is seen" "$(says order)" \
	"20 messages that wait for others: 1 sent too early"
has "and which" "$(says first)" "2 to 3 of round 1 was sent"
has "before which" "$(says first)" "before 1 to 2 of round 0 had arrived"

# ranks that share hosts are taken together
printf '10.0.0.1 slots=2\n10.0.0.2 slots=2\n' >"$tmp/hosts2"
awk '/^#/ || int($2 / 2) != int($3 / 2) {
	if (!/^#/) { $2 = int($2 / 2); $3 = int($3 / 2) } print }' \
	"$tmp/pattern" | job 10.0.0. | "$make" raw ns >"$tmp/c"
audit --hosts="$tmp/hosts2" "$tmp/c"
is "two ranks a host" "$rc $(says sent)" "0 120000 bytes"
is "their order is not known" "$(says order)" "not checked: ranks share hosts"
cat >"$tmp/plan" <<-'END'
	# plink-plan 1
	host 0 a addr=10.0.0.3
	host 1 b addr=10.0.0.1
	host 2 c addr=10.0.0.4
	host 3 d addr=10.0.0.2
	order allreduce ring thesis 0- : 1 3 0 2
END
audit --hosts="$tmp/plan" -v "$tmp/raw.ns"
is "a plan says who is where" "$rc" 0
has "and what they are called" "$(cat "$tmp/out")" "match    a c"

# JSON
audit --json "$tmp/raw.ns"
is "JSON" "$rc $(python3 -c '
import json, sys
a = json.load(open(sys.argv[1]))
print(a["result"], a["counts"]["match"], len(a["pairs"]),
      a["pairs"][0]["sent_bytes"], a["order"]["checked"])' "$tmp/out")" \
	"0 match 4 4 60000 20"
is "which plink-job takes for a job" \
	"$("$builddir/plink-job" import "$tmp/out" 2>"$tmp/err")" "# plink-job 1
ranks 4
kind p2p traffic
send 0 1 60000 messages=6
send 1 2 60000 messages=6
send 2 3 60000 messages=6
send 3 0 60000 messages=6"

# nothing to send; too much
"$make" raw ns </dev/null >"$tmp/none"
echo 10.0.0.1 >"$tmp/one"
audit --hosts="$tmp/one" "$tmp/none"
is "one rank sends nothing" "$rc" 0
audit "$tmp/none"
is "an empty capture has seen nothing" "$rc $(says result)" "1 partial"
audit --size=0 "$tmp/raw.ns"
is "nothing was to be sent" "$rc $(says result)" "1 differs"
audit --size=9223372036854775804 "$tmp/raw.ns"
is "the largest size" "$rc $(says result)" "1 differs"
audit --size=9223372036854775804 --repeat=1000000000 --json "$tmp/raw.ns"
ok "so often that sums end" python3 -m json.tool "$tmp/out"
audit --size=9223372036854775808 "$tmp/raw.ns"
is "a larger one: exit 2" "$rc" 2

# bad input: exit status, and what is said
refused() {
	refused_what=$1 refused_rc=$2 refused_text=$3
	shift 3
	audit "$@"
	is "$refused_what: exit $refused_rc" "$rc" "$refused_rc"
	has "$refused_what: why" "$(cat "$tmp/err")" "$refused_text"
	is "$refused_what: no output" "$(cat "$tmp/out")" ""
}
head -c 1000 "$tmp/raw.ns" >"$tmp/cut"
refused "a capture that ends too early" 3 "$tmp/cut: truncated" "$tmp/cut"
head -c 10 "$tmp/raw.ns" >"$tmp/cut"
refused "one without its header" 3 "$tmp/cut:" "$tmp/cut"
# words NUMBER...: of 32 bits, little-endian
words() {
	for w; do
		for shift in 0 8 16 24; do
			printf "\\$(printf %o $((w >> shift & 255)))"
		done
	done
}
# stamped HIGH: pcapng, of a packet so many times 2^32 seconds after 1970
stamped() {
	words 0x0a0d0d0a 28 0x1a2b3c4d 1 0xffffffff 0xffffffff 28
	words 1 32 101 65535 0x00010009 0 0 32
	words 6 32 0 "$1" 0 0 0 32
}
stamped 1 >"$tmp/late"
audit "$tmp/late"
is "a packet of the year 2106: nothing wrong with that" "$rc" 1
stamped 0x40000000 >"$tmp/late"
refused "one of a time that no 64 bits hold in ns" 3 \
	"$tmp/late: a packet's time is out of range" "$tmp/late"
seq 100 >"$tmp/text"
refused "not a capture" 3 "$tmp/text: unknown file format" "$tmp/text"
echo "# nonsense" >"$tmp/text"
refused "text that is something else" 3 "$tmp/text:1:1: neither" "$tmp/text"
: >"$tmp/empty"
refused "an empty file" 3 "$tmp/empty: empty" "$tmp/empty"
refused "no such file" 4 "cannot read $tmp/nowhere" "$tmp/nowhere"
echo "no-such-host.invalid" >"$tmp/unknown"
refused "an unknown host" 3 'host "no-such-host.invalid": no address' \
	--hosts="$tmp/unknown" "$tmp/raw.ns"
printf '127.0.0.1\nlocalhost\n' >"$tmp/twice"
refused "an address of two hosts" 3 "address 127.0.0.1 belongs to two hosts" \
	--hosts="$tmp/twice" "$tmp/raw.ns"
printf 'a\n' | sed 's/a/10.0.0.1 slots=2/' >"$tmp/two"
refused "ranks that disagree" 2 "--ranks is 3, but the host list has 4" --ranks=3 \
	"$tmp/raw.ns"
refused "no such wire" 2 'no headers are known as "tin"' --wire=tin "$tmp/raw.ns"
refused "a bad list of ports" 2 "not a list of ports" --ports=9-1 "$tmp/raw.ns"
refused "a captured file and monitoring" 2 "cannot be combined" \
	"$tmp/raw.ns" "$tmp/text"
"$audit" --size=4 "$tmp/raw.ns" >"$tmp/out" 2>"$tmp/err"
is "no host list: exit 2" $? 2
has "says so" "$(cat "$tmp/err")" "--hosts is missing"
"$audit" --size=4 --hosts="$tmp/hosts" "$tmp/raw.ns" >"$tmp/out" 2>"$tmp/err"
is "whose headers?: exit 2" $? 2
has "is asked" "$(cat "$tmp/err")" "name them with --wire"

done_testing
