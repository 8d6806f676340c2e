#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0680-bandwidth.t - plink-probe --bandwidth with all agents on this machine
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
probe=$builddir/plink-probe
cp "$builddir/plink-agent" "$tmp/agent"

# what agents say is written down, by host
cat >"$tmp/launch" <<END
#!/bin/sh
sh -c "\$2" | tee "$tmp/said.\$1"
END
chmod +x "$tmp/launch"

# run ARG...: status in $rc, matrix in $tmp/out, the rest in $tmp/err
run() {
	"$probe" --bandwidth=no --launch="$tmp/launch %h" --agent="$tmp/agent" --iface=lo \
		--probes=4 "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# layer NAME FILE: its cells as lines "from to bytes-per-s"
layer() {
	awk -v want="$1" '/^# layer/ { l = $3; next } /^#/ { next }
		l == want { name[++r] = $1; line[r] = $0 }
		END { for (i = 1; i <= r; i++) {
			split(line[i], c, " ")
			for (j = 1; j <= r; j++)
				if (i != j) print name[i], name[j], c[j + 1]
		} }' "$2"
}

# rates NAME FILE: how many of its cells are numbers above 0
rates() {
	layer "$1" "$2" | awk '$3 != "nan" && $3 > 0 { n++ }
		END { print n + 0 }'
}

left() {
	running "$tmp/agent"
}

# both ways of measuring, even and odd numbers of hosts, several connections
for n in 2 3 4; do
	seq -f 'h%g' "$n" >"$tmp/hosts"
	run --bandwidth=alone,together --streams=$((n - 1)) "$tmp/hosts"
	is "$n hosts: exit 0" "$rc" 0
	for how in alone together; do
		ok "$n hosts: a layer $how" grep -qx \
			"# layer $how bandwidth bytes-per-s" "$tmp/out"
		is "$n hosts: every way of it" "$(rates $how "$tmp/out")" \
			$((n * n - n))
	done
	has "$n hosts: the summary says so" "$(cat "$tmp/err")" \
		"$((2 * (n * n - n))) ways measured by TCP, 0 missing"
done
ok "the header says how" grep -qx \
	'# bandwidth method=tcp streams=3 flow-s=1 flow-bytes=268435456' \
	"$tmp/out"
ok "and that the rest is by UDP" grep -qx '# method udp' "$tmp/out"
cp "$tmp/out" "$tmp/whole"

printf 'a\nb\n' >"$tmp/two"
run --bandwidth=alone "$tmp/two"
is "alone: no other layer" "$(rates alone "$tmp/out") \
$(rates together "$tmp/out")" "2 0"
run --bandwidth=together "$tmp/two"
is "together: no other layer" "$(rates alone "$tmp/out") \
$(rates together "$tmp/out")" "0 2"
run "$tmp/two"
is "not asked for: none" "$(grep -c bandwidth "$tmp/out")" 0
# one pair alone is not slower for the other way
run --bandwidth=alone,together "$tmp/two"
is "two hosts: exit 0" "$rc" 0

# bytes are bounded, and TCP keeps to the ports
run --bandwidth=alone,together --json --ports=40700-40740 "$tmp/hosts"
is "named ports: exit 0" "$rc" 0
if python3 -c '' 2>/dev/null; then
	# on a busy machine a flow may settle, or its time end, before all are sent
	is "no flow has more" "$(python3 -c '
import json, sys
j = json.load(open(sys.argv[1]))
f = j["run"]["flows"]
print(f["measured"], f["missing"], 0 < f["bytes"] <= 24 << 28,
      j["settings"]["flow_bytes"], j["settings"]["bandwidth_together"],
      j["layers"]["alone"]["quantity"], j["layers"]["together"]["unit"])' \
		"$tmp/out")" "24 0 True 268435456 True bandwidth bytes-per-s"
else
	skip "no flow has more" "no python3 here"
fi
is "ports are of those that are named" "$(cat "$tmp"/said.h* |
	awk '/^listening/ { n++; if ($4 < 40700 || $4 > 40740) bad++ }
	END { print n, bad + 0 }')" "24 0"

# flows alone share the numbers of rounds, of which a large run would not have enough
is "three rounds of two numbers alone, three together" "$(cat "$tmp"/said.h* |
	awk '/^listening/ { if (!n++ || $2 < low) low = $2; if ($2 > high) high = $2 }
	END { print high - low + 1 }')" 12

# what is missing is measured later, what is there stays
sed '/^# layer alone/,/^# layer together/s/^h2 .*/h2 7 0 nan nan/' \
	"$tmp/whole" >"$tmp/part"
run --bandwidth=alone,together --streams=3 --resume="$tmp/part" "$tmp/hosts"
is "--resume: exit 0" "$rc" 0
is "--resume: all is there" "$(rates alone "$tmp/out") \
$(rates together "$tmp/out")" "12 12"
has "--resume: only what is missing is measured" "$(cat "$tmp/err")" \
	"0 pairs measured, 0 missing"
has "--resume: by flows, too" "$(cat "$tmp/err")" "2 ways measured by TCP"
layer alone "$tmp/part" | grep -v nan >"$tmp/kept"
is "--resume: what was there stays" \
	"$(layer alone "$tmp/out" | grep -cxFf "$tmp/kept")" 10
run --bandwidth=alone,together --resume="$tmp/whole" --streams=3 --launch=false "$tmp/hosts"
is "a whole one starts nothing: exit 0" "$rc" 0
run --resume="$tmp/whole" --launch=false "$tmp/hosts"
is "without --bandwidth its layers stay" "$(layer together "$tmp/out")" \
	"$(layer together "$tmp/whole")"
ok "and how they were measured" grep -q '^# bandwidth method=tcp streams=3' \
	"$tmp/out"
run --bandwidth=alone,together --resume="$tmp/whole" "$tmp/hosts"
is "measured otherwise: exit 3" "$rc" 3
has "both are named" "$(cat "$tmp/err")" "streams=3 flow-s=1 flow-bytes=\
268435456, not method=tcp streams=1"
sed '/^# layer alone/,$d; /^# bandwidth/d' "$tmp/whole" >"$tmp/plain"
run --bandwidth=alone,together --resume="$tmp/plain" "$tmp/hosts"
is "round trips from before, bandwidth now: exit 0" "$rc" 0
is "all ways of both" "$(rates alone "$tmp/out") \
$(rates together "$tmp/out")" "12 12"

# what it would take
run --bandwidth=alone,together --dry-run "$tmp/hosts"
# 12 alone, then three rounds of four
ok "--dry-run: flows" grep -qx "flows 24" "$tmp/out"
run --bandwidth=alone,together --dry-run --resume="$tmp/part" --streams=3 "$tmp/hosts"
ok "--dry-run --resume: only what is missing" grep -qx "flows 2" "$tmp/out"
run --dry-run "$tmp/hosts"
is "--dry-run without: no word of it" "$(grep -c flow "$tmp/out")" 0

seq -f 'h%g' 20 >"$tmp/twenty"
while IFS='|' read -r want what args; do
	# shellcheck disable=SC2086
	eval "run $args"
	is "$what: exit $want" "$rc" "$want"
	is "$what: nothing on stdout" "$(cat "$tmp/out")" ""
	ok "$what: a word on stderr" test -s "$tmp/err"
done <<END
2|a rate of packets|--bandwidth --pps=1000 "$tmp/hosts"
2|a budget of probes|--bandwidth --max-probes=100000 "$tmp/hosts"
2|pairs that are chosen|--bandwidth --sparse=8 "$tmp/twenty"
2|neither alone nor together|--bandwidth=fast "$tmp/hosts"
2|no stream|--bandwidth --streams=0 "$tmp/hosts"
2|too many streams|--bandwidth --streams=17 "$tmp/hosts"
END

# few flows of many hosts
seq -f 'h%g' 1000 >"$tmp/many"
count() {
	"$probe" --dry-run --launch='true %h' --agent=true \
		"$@" >"$tmp/out" 2>"$tmp/err"
}
count --bandwidth "$tmp/many"
is "1000 hosts: exit 0" "$?" 0
few=$(sed -n 's/^flows at most //p' "$tmp/out")
ok "1000 hosts: fewer than 100 a host ($few)" test "$few" -gt 2000 -a "$few" -lt 100000
count --bandwidth=few,alone "$tmp/many"
has "beside flows alone" "$(cat "$tmp/out")" "flows at most $((few + 999000))"
head -n 1 "$tmp/many" >"$tmp/one"
count --bandwidth "$tmp/one"
is "one host: no flows" "$(grep -c flow "$tmp/out")" 0
count --bandwidth=few,many "$tmp/many"
is "no such way: exit 2" "$?" 2
has "no such way: which there are" "$(cat "$tmp/err")" \
	'few, alone, together, alone,together or no, not "few,many"'
# few flows by default, unless flows are not to be
count "$tmp/many"
has "by default few flows" "$(cat "$tmp/out")" "flows at most $few"
for no in --bandwidth=no --pps=1000 --max-probes=9999999 --sparse=8; do
	count "$no" "$tmp/many"
	is "$no: no flows" "$? $(grep -c '^flow' "$tmp/out")" "0 0"
done

# plink-order reads it
"$builddir/plink-order" --matrix="$tmp/whole" --size=8M --impl=lightgbm \
	>"$tmp/order" 2>"$tmp/err"
is "plink-order takes it: exit 0" "$?" 0
is "four hosts" "$(wc -l <"$tmp/order")" 4
"$builddir/plink-order" --matrix="$tmp/plain" --size=8M --impl=lightgbm \
	>"$tmp/order" 2>"$tmp/err2"
ok "and it has a say in the cost" test "$(cat "$tmp/err")" != \
	"$(cat "$tmp/err2")"

is "no agent is left" "$(left)" 0

done_testing
