#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0600-probe.t - plink-probe with all agents on this machine
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
probe=$builddir/plink-probe

# agents that can be told from all others on this machine
cp "$builddir/plink-agent" "$tmp/agent"

# run ARG...: status in $rc, matrix in $tmp/out, the rest in $tmp/err
run() {
	"$probe" --bandwidth=no --launch='sh -c' --agent="$tmp/agent" --iface=lo "$@" \
		>"$tmp/out" 2>"$tmp/err"
	rc=$?
}

left() {
	running "$tmp/agent"
}

# cells N: how many of layer 0's cells are numbers above 0, not on the diagonal
cells() {
	awk '/^# layer/ { exit } /^#/ { next }
		{ r++; for (i = 2; i <= NF; i++)
			if (i != r + 1 && $i + 0 > 0 && $i != "nan") n++ }
		END { print n + 0 }' "$1"
}

for n in 1 2 3 8; do
	seq -f 'h%g' "$n" >"$tmp/hosts"
	run "$tmp/hosts"
	is "$n hosts: exit 0" "$rc" 0
	is "$n hosts: every pair in both directions" "$(cells "$tmp/out")" \
		"$((n * n - n))"
	has "$n hosts: the summary says so" "$(cat "$tmp/err")" \
		"$((n * n - n)) pairs measured, 0 missing, 0 of $n hosts lost"
done
for key in 'quantity rtt' 'unit ns' 'statistic p10' 'method udp' \
	'symmetrize max'; do
	ok "the header says $key" grep -qx "# $key" "$tmp/out"
done
for layer in 'min rtt ns' 'p50 rtt ns' 'p90 rtt ns' 'p99 rtt ns' \
	'raw-p10 rtt ns' 'sent count probes' 'lost count probes' 'late count probes' \
	'duplicate count probes'; do
	ok "there is a layer $layer" grep -qx "# layer $layer" "$tmp/out"
done
ok "hosts have node and address" \
	grep -qx "# host h3 node=$(uname -n) addr=127.0.0.1" "$tmp/out"
is "percentiles ascend in every cell" "$(awk '
	/^# layer/ { l = $3; next } /^#/ { next }
	{ for (i = 2; i <= NF; i++) v[l == "" ? "p10" : l, $1, i] = $i }
	END { for (k in v) { split(k, a, SUBSEP); if (a[1] == "min") {
		s = SUBSEP a[2] SUBSEP a[3]
		if (v["min" s] > v["p10" s] || v["p10" s] > v["p50" s] ||
		    v["p50" s] > v["p90" s] || v["p90" s] > v["p99" s]) bad++
	} } print bad + 0 }' "$tmp/out")" 0

is "the raw value is never less, and mostly more" "$(awk '
	/^# layer/ { l = $3; next } /^#/ { next }
	l == "" || l == "raw-p10" { for (i = 2; i <= NF; i++) v[l, $1, i] = $i }
	END { for (k in v) { split(k, a, SUBSEP); if (a[1] == "" && v[k] > 0) {
		raw = v["raw-p10", a[2], a[3]]
		less += raw < v[k]
		more += raw > v[k]
	} } print less + 0, (more >= 28) }' "$tmp/out")" "0 1"

# a host that comes again is probed once
printf 'a\nb\na\n' >"$tmp/hosts"
run --hosts-format=seq "$tmp/hosts"
is "a seq file: exit 0" "$rc" 0
is "a seq file: two hosts" "$(cells "$tmp/out")" 2
run - <"$tmp/hosts"
is "the same as a list is refused" "$rc" 3
has "with its place" "$(cat "$tmp/err")" "stdin:3:1:"

# fixed probes, ports
printf 'a\nb\nc\n' >"$tmp/hosts"
run --probes=7 "$tmp/hosts"
is "so many probes as asked" "$(sed -n '/layer sent/,/layer lost/p' \
	"$tmp/out" | grep -v '^#' | tr '\n' ' ')" "a 0 7 7 b 7 0 7 c 7 7 0 "
run --ports=1-1 "$tmp/hosts"
# or, where port 1 is not for everyone, too many by one more
ok "one port for three agents is not enough" test "$rc" = 1 -o "$rc" = 4
has "that is said" "$(cat "$tmp/err")" "cannot bind to 127.0.0.1, ports 1-1"

# files
run -o "$tmp/matrix" "$tmp/hosts"
is "-o: exit 0" "$rc" 0
is "-o: nothing on stdout" "$(cat "$tmp/out")" ""
is "-o: the matrix is in the file" "$(cells "$tmp/matrix")" 6
run -o "$tmp/none/matrix" "$tmp/hosts"
is "a folder that is not there" "$rc" 4

# more agents than the soft limit of descriptors allows for
seq -f 'h%g' 20 >"$tmp/twenty"
(ulimit -Sn 32 && "$probe" --bandwidth=no --launch='sh -c' --agent="$tmp/agent" --iface=lo \
	--probes=2 "$tmp/twenty" >"$tmp/out" 2>"$tmp/err")
is "20 hosts, 32 descriptors: exit 0" "$?" 0

# IPv6
if "$tmp/agent" --iface=::1 </dev/null >/dev/null 2>&1; then
	run --iface=::1 "$tmp/hosts"
	is "IPv6: exit 0" "$rc" 0
	ok "IPv6: that is the address" grep -q 'addr=::1$' "$tmp/out"
else
	skip "IPv6: exit 0" "no ::1 here"
fi

# JSON
run --json --iface=127.0.0.0/8 "$tmp/hosts"
is "--json: exit 0" "$rc" 0
if command -v python3 >/dev/null 2>&1; then
	is "--json: figures are there" "$(python3 -c '
import json, sys
j = json.load(open(sys.argv[1]))
p = j["layers"]["p10"]["cells"]
print(j["format"], j["n"], j["statistic"], [h["name"] for h in j["hosts"]],
      all((p[a][b] > 0) == (a != b) for a in range(3) for b in range(3)),
      j["run"]["pairs_measured"], j["settings"]["iface"],
      j["asked"])' "$tmp/out")" \
		"1 3 p10 ['a', 'b', 'c'] True 6 127.0.0.0/8 \
{'bandwidth': 'no', 'launch': 'sh -c', 'agent': '$tmp/agent', 'iface': '127.0.0.0/8'}"
else
	skip "--json: figures are there" "no python3 here"
fi

# all that a matrix notes in its header is in JSON, too
"$probe" --bandwidth=no --launch='sh -c' --agent="$tmp/agent" --iface=lo "$tmp/hosts" \
	-o "$tmp/noted" 2>"$tmp/err"
has "three pairs tell no racks" "$(cat "$tmp/err")" "too few measurements to tell racks"
run --json --resume="$tmp/noted" --iface=lo "$tmp/hosts"
headers() {
	python3 -c '
import json, sys
h = json.load(open(sys.argv[1]))["headers"]
for key in h:
    for value in h[key]:
        if key != "tcp": # whatever this machine has
            print(key, value)' "$tmp/out"
}
is "--json: pace and what was kept are in the headers" "$(headers)" \
	"pace gap-us=1000 flows=4
resumed ways-kept=6"
run --json "$tmp/hosts"
is "--json: so is each host's way to itself" \
	"$(headers | grep -c '^self-echo-ns [abc] [1-9]')" 3
tr -d '\n' <"$tmp/out" >"$tmp/line"
ok "--json: and what has drifted" \
	grep -q '"headers": {.*"drift": \[      "ways=2 ' "$tmp/line"

# what was written by others need not be UTF-8
{
	sed '/^# cell/d' "$tmp/noted"
	printf '# cell a b caf\351\n'
} >"$tmp/latin"
run --json --resume="$tmp/latin" "$tmp/hosts"
is "--json: a note in Latin-1: exit 0" "$rc" 0
has "--json: it is tamed" "$(tr -d ' \n' <"$tmp/out")" \
	'"notes":[{"src":"a","dst":"b","why":"caf?"}]'

# the agent beside plink-probe is the default one
"$probe" --bandwidth=no --launch='sh -c' --iface=lo -v "$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
is "no --agent: exit 0" "$?" 0
has "no --agent: the one beside it" "$(cat "$tmp/err")" \
	"$(cd "$builddir" && pwd -P)/plink-agent"
(
	cd "$tmp" && cp "$builddir/plink-probe" alone &&
		PATH=$builddir:$PATH ./alone --launch='sh -c' --iface=lo hosts
) >"$tmp/out" 2>"$tmp/err"
is "none beside it: the one in PATH" "$?" 0

# usage and input: status, and nothing on stdout
while IFS='|' read -r want what args; do
	# shellcheck disable=SC2086
	eval "run $args"
	is "$what: exit $want" "$rc" "$want"
	is "$what: nothing on stdout" "$(cat "$tmp/out")" ""
	ok "$what: a word on stderr" test -s "$tmp/err"
done <<END
2|no hosts|
2|two lists|"$tmp/hosts" "$tmp/hosts"
2|no such option|--no-such "$tmp/hosts"
2|probes of nothing|--probes=0 "$tmp/hosts"
2|probes the wrong way|--probes=9-8 "$tmp/hosts"
2|ports that are none|--ports=0-7 "$tmp/hosts"
2|a negative precision|--precision=-1 "$tmp/hosts"
2|a gap that is none|--gap=x "$tmp/hosts"
2|an infinite time|--time=inf "$tmp/hosts"
2|no time at all|--start-time=0 "$tmp/hosts"
2|a form that is none|--hosts-format=tree "$tmp/hosts"
2|an empty template|--launch= "$tmp/hosts"
2|an open quote|--launch="sh '-c" "$tmp/hosts"
2|a percent sign|--launch='sh %x' "$tmp/hosts"
2|an interface with a shell in it|--iface='lo;reboot' "$tmp/hosts"
4|a list that is not there|"$tmp/none"
3|an empty list|/dev/null
4|a launcher that is not there|--launch=/no/such/launcher "$tmp/hosts"
4|a launcher that fails|--launch=false "$tmp/hosts"
4|an agent that is not there|--agent=/no/such/agent "$tmp/hosts"
4|an interface that is not there|--iface=nosuch0 "$tmp/hosts"
END

# one machine, three hosts, no interface named
"$probe" --bandwidth=no --launch='sh -c' --agent="$tmp/agent" "$tmp/hosts" >"$tmp/out" \
	2>"$tmp/err"
rc=$?
ok "one address for all is refused" test "$rc" = 2 -o "$rc" = 4
if [ "$rc" = 2 ]; then
	has "the remedy is named" "$(cat "$tmp/err")" "--iface"
else
	skip "the remedy is named" "no address but loopback here"
fi

# the examples of the manual that need no other machine
sed -n '/^\.SH EXAMPLES/,$p' "$builddir/man/plink-probe.1" |
	sed -n '/^seq/s/\\-/-/gp' >"$tmp/example"
ok "plink-probe(1) has an example to try" test -s "$tmp/example"
PATH=$builddir:$PATH sh "$tmp/example" >"$tmp/out" 2>"$tmp/err"
is "it works" "$?" 0
is "and measures four hosts" "$(cells "$tmp/out")" 12
has "plink-agent(1)'s example shows an offer" \
	"$("$builddir/plink-agent" --iface=lo </dev/null)" "addr lo 127.0.0.1/8"

is "no agent is left" "$(left)" 0

done_testing
