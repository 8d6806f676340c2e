#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0612-probe-extent.t - budgets, dry runs, what is missing measured later, flows
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
probe=$builddir/plink-probe
cp "$builddir/plink-agent" "$tmp/agent"
seq -f 'h%g' 8 >"$tmp/hosts"

# run ARG...: status in $rc, the rest in $tmp/out, $tmp/err
run() {
	"$probe" --bandwidth=no --launch='sh -c' --agent="$tmp/agent" --iface=lo "$@" \
		>"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# key NAME FILE: the value of a header line
key() {
	sed -n "s/^# $1 //p" "$2"
}

# first FILE: cells of the first layer as lines "from to value"
first() {
	awk '/^# layer/ { exit } /^#/ { next } { name[++r] = $1; line[r] = $0 }
		END { for (i = 1; i <= r; i++) { split(line[i], c, " ")
			for (j = 1; j <= r; j++)
				if (i != j) print name[i], name[j], c[j + 1] } }' "$1"
}

missing() {
	first "$1" | grep -c ' nan$'
}

# figure NAME: of the JSON in $tmp/out
figure() {
	tr ',{' '\n\n' <"$tmp/out" | tr -d ' ' | sed -n "s/^\"$1\"://p" | tr -d '}'
}

# what it would take; nothing is started
run --launch=false --dry-run "$tmp/hosts"
is "--dry-run: exit 0" "$rc" 0
is "--dry-run: hosts, pairs, directions" "$(cat "$tmp/out")" \
	"hosts 8
pairs 28
ways 56"

# two pairs of which one direction is there, and the others
{
	printf '# plink-matrix 1\n# quantity rtt\n# unit ns\n# statistic p10\n'
	printf '# method udp\n'
	awk '{ line = $1; for (i = 1; i <= 8; i++)
		line = line (i == NR ? " 0" : NR <= 2 && i > 4 ? " 9999" : " nan")
		print line }' "$tmp/hosts"
} >"$tmp/some"
run --launch=false --dry-run --resume="$tmp/some" "$tmp/hosts"
is "--dry-run: pairs, and directions of them" \
	"$(sed -n '/^pairs/p; /^ways/p' "$tmp/out" | tr '\n' ' ')" "pairs 28 ways 48 "

# a budget of probes: shared, never exceeded
run --max-probes=1000 --json "$tmp/hosts"
is "a small budget: exit 1" "$rc" 1
ok "a small budget: as many pairs as it lasts for, twice 8 to 11" \
	test "$(figure pairs_measured)" -ge 16 -a "$(figure pairs_measured)" -le 22
ok "a small budget: no more than that is sent" \
	test "$(figure packets_sent)" -le 1000
ok "a small budget: but most of it" test "$(figure packets_sent)" -ge 800
is "a small budget: that is said" "$(figure budget_spent)" true
has "without a file: what to do" "$(cat "$tmp/err")" "to measure only what is missing"
run --max-probes=1000 --json -o "$tmp/json" "$tmp/hosts"
has "JSON in a file: a matrix stays beside it" "$(cat "$tmp/err")" \
	"--resume=$tmp/json.part $tmp/hosts"
run --resume="$tmp/json.part" -o "$tmp/json" "$tmp/hosts"
is "which can be resumed, and is gone then" "$rc $(ls "$tmp" | grep part)" "0 "
run --max-probes=1000 -o "$tmp/part" "$tmp/hosts"
has "a small budget: the cells say why" "$(cat "$tmp/part")" \
	"the budget was spent before it was measured"
has "a small budget: so does the header" "$(key partial "$tmp/part")" \
	"ways-missing=$(missing "$tmp/part") budget spent"
# fewer than 36 replies never settle
run --max-probes=1200 --probes=10-35 --json "$tmp/hosts"
is "a budget for all, of pairs that never settle: exit 0" "$rc" 0
is "all are measured" "$(figure pairs_missing)" 0
ok "and no more is sent" test "$(figure packets_sent)" -le 1200
ok "but most of it" test "$(figure packets_sent)" -ge 1100

# what is missing is measured later, what is there stays
run --resume="$tmp/part" -o "$tmp/whole" "$tmp/hosts"
is "--resume: exit 0" "$rc" 0
is "--resume: nothing is missing" "$(missing "$tmp/whole")" 0
first "$tmp/part" | grep -v ' nan$' >"$tmp/kept"
is "--resume: what was there is there" \
	"$(first "$tmp/whole" | grep -cxFf "$tmp/kept")" \
	"$(wc -l <"$tmp/kept")"
is "--resume: marked" "$(key resumed "$tmp/whole")" \
	"ways-kept=$(wc -l <"$tmp/kept")"
is "--resume: no more partial" "$(key partial "$tmp/whole")" ""
run --resume="$tmp/part" --dry-run "$tmp/hosts"
has "--resume --dry-run: only what is missing" "$(cat "$tmp/out")" \
	"ways $(missing "$tmp/part")"
run --resume="$tmp/whole" --launch=false "$tmp/hosts"
is "--resume of a whole one starts nothing: exit 0" "$rc" 0
is "and writes it" "$(first "$tmp/out" | cksum)" "$(first "$tmp/whole" | cksum)"

# one direction alone
printf 'a\nb\n' >"$tmp/two"
cat >"$tmp/one" <<'END'
# plink-matrix 1
# quantity rtt
# unit ns
# statistic p10
# method udp
a 0 nan
b 987654321 0
# layer sent count probes
a 0 7
b 55 0
END
run --resume="$tmp/one" -o "$tmp/both" "$tmp/two"
is "one direction: exit 0" "$rc" 0
is "one direction: the other stays" "$(first "$tmp/both" | sed -n 2p)" \
	"b a 987654321"
ok "one direction: is measured" \
	test "$(first "$tmp/both" | awk '{ print $3; exit }')" -gt 0
is "one direction: also in other layers" "$(sed -n '/^# layer sent/,$p' \
	"$tmp/both" | sed -n 3p)" "b 55 0"

# an end by time, and by a signal; then the rest
run --time=500ms --probes=300 -o "$tmp/part" "$tmp/hosts"
is "half a second: exit 1" "$rc" 1
has "half a second: that is said" "$(cat "$tmp/err")" "the budget is spent"
ok "half a second: some is missing" test "$(missing "$tmp/part")" -gt 0
run --resume="$tmp/part" -o "$tmp/part" "$tmp/hosts"
is "the rest, into the same file: exit 0" "$rc" 0
is "all is there" "$(missing "$tmp/part")" 0

# a host that is lost comes back by --resume
cat >"$tmp/launch" <<EOF
#!/bin/sh
[ "\$1" != h3 ] || [ ! -e "$tmp/down" ] || exit 7
exec sh -c "\$2"
EOF
chmod +x "$tmp/launch"
: >"$tmp/down"
run --launch="$tmp/launch %h" -o "$tmp/lost" "$tmp/hosts"
is "a host is down: exit 1" "$rc" 1
is "its pairs are missing" "$(missing "$tmp/lost")" 14
rm "$tmp/down"
run --launch="$tmp/launch %h" --resume="$tmp/lost" --json "$tmp/hosts"
is "it is up again: exit 0" "$rc" 0
is "one host's pairs are as many rounds" "$(figure rounds)" 7
is "the others are kept" "$(figure pairs_kept)" 42

# what does not fit is refused
sed 's/^# method udp/# method icmp/' "$tmp/whole" >"$tmp/icmp"
sed 's/^# statistic p10/# statistic mean/' "$tmp/whole" >"$tmp/mean"
sed 's/addr=127.0.0.1/addr=127.9.9.9/' "$tmp/lost" >"$tmp/moved"
sort -r "$tmp/hosts" >"$tmp/turned"
while IFS='|' read -r want what say args; do
	eval "run $args"
	is "$what: exit $want" "$rc" "$want"
	is "$what: nothing on stdout" "$(cat "$tmp/out")" ""
	has "$what: said" "$(cat "$tmp/err")" "$say"
done <<END
3|a matrix of fewer hosts|is of 8 hosts, the list of 2|--resume="$tmp/whole" "$tmp/two"
3|hosts in another order|host 1 is "h1" in the matrix|--resume="$tmp/whole" "$tmp/turned"
3|another pace|gap-us=1000 flows=4, not gap-us=500 flows=4|--gap=500 --resume="$tmp/whole" "$tmp/hosts"
3|fewer flows|gap-us=1000 flows=4, not gap-us=1000 flows=1|--flows=1 --resume="$tmp/whole" "$tmp/hosts"
3|another method|measured by icmp, asked for is udp|--resume="$tmp/icmp" "$tmp/hosts"
3|another statistic|it has mean of rtt in ns|--resume="$tmp/mean" "$tmp/hosts"
2|streams without bandwidth|--streams is for flows of TCP|--streams=2 --dry-run "$tmp/hosts"
2|a seed without a choice|--seed is for the choice|--seed=3 --dry-run "$tmp/hosts"
2|a network too narrow|no interface or network|--iface=10.0.0.0/99 --dry-run "$tmp/hosts"
2|an interface with a slash|no interface or network|--iface=eth0/24 --dry-run "$tmp/hosts"
2|an agent of blanks|--agent wants a command|--agent=' ' --dry-run "$tmp/hosts"
2|an agent of nothing|--agent wants a command|--agent= "$tmp/hosts"
3|other addresses|was measured at 127.9.9.9 before|--resume="$tmp/moved" "$tmp/hosts"
3|no matrix|hosts:1:1: this is a host list, not a matrix|--resume="$tmp/hosts" "$tmp/hosts"
4|none at all|none|--resume="$tmp/none" "$tmp/hosts"
2|more flows than ports|--flows=3 wants as many ports, and --ports has 2|--flows=3 --ports=40000-40001 "$tmp/two"
2|no flows|--flows wants|--flows=0 "$tmp/hosts"
2|too many flows|--flows wants|--flows=17 "$tmp/hosts"
2|no time at all|--time wants|--time=0s "$tmp/hosts"
2|a time that is none|--time wants|--time=3x "$tmp/hosts"
2|no probe at all|--max-probes wants|--max-probes=0 "$tmp/hosts"
2|no packets|--pps wants|--pps=0 "$tmp/hosts"
2|a pace that is silence|silence|--pps=0.5 "$tmp/hosts"
END

# pace, flows, the second look
run --pps=200 --probes=3 "$tmp/two"
is "--pps=200: a probe and an answer every 10 ms" \
	"$(key pace "$tmp/out")" "gap-us=10000 flows=4"
has "which is said" "$(cat "$tmp/err")" "at most one per 10000 us and pair"
run --pps=200 --probes=3 --json "$tmp/two"
ok "and is in the settings" grep -Eq '"gap_us": ?10000\.0' "$tmp/out"
run --flows=1 "$tmp/two"
is "one flow: exit 0" "$rc" 0
is "one flow: no spread" "$(sed -n '/^# layer flow-spread/,/^# layer sent/p' \
	"$tmp/out" | sed -n 2p)" "a 0 0"
echo single >"$tmp/single"
low=$((20000 + $$ % 1500 * 8))
run --ports=$low-$((low + 1)) "$tmp/single"
is "two ports: exit 0" "$rc" 0
is "two ports: so many flows" "$(key pace "$tmp/out")" "gap-us=1000 flows=2"
run --ports=$low-$((low + 1)) --json "$tmp/single"
is "which JSON says, too" "$(figure flows | head -n 1)" 2
# two hosts, of four each, share five
run --ports=$low-$((low + 4)) "$tmp/two"
is "too few ports free: exit 0" "$rc" 0
is "too few ports free: who has fewer flows is noted" "$(key fewer-flows \
	"$tmp/out" | awk 'BEGIN { n = 8 } { n -= 4 - $2 } END { print n }')" 5
run --flows=16 "$tmp/two"
is "sixteen flows: exit 0" "$rc" 0
has "drift is reported" "$(cat "$tmp/err")" "drift from start to end"
has "and noted" "$(key drift "$tmp/out")" "ways=2 "
is "so is each host's way to itself" \
	"$(key self-echo-ns "$tmp/out" | grep -c '^[ab] [1-9]')" 2

done_testing
