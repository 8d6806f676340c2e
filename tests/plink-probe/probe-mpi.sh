# SPDX-License-Identifier: BSD-3-Clause
# probe-mpi.sh - what $probe does whichever MPI it is for; source it after
# mpi-shim/mpi.sh. $version is how that MPI's version begins.

# probes N K OPTION...: N ranks, K on a host; the matrix to $tmp/out
probes() {
	probes_n=$1
	probes_k=$2
	shift 2
	mpi "$probes_n" "$as" "$probes_k" "$probe" "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# said: lines of the tool's own, not of mpirun
said() {
	sed -n "s/^${probe##*/}: //p" "$tmp/err"
}

# layer NAME: its cells off the diagonal, a line each; p10 is the first
layer() {
	awk -v want="$1" 'BEGIN { l = "p10" } /^# layer/ { l = $3; next }
		/^#/ { next }
		l == want { r++
			for (j = 2; j <= NF; j++)
				if (j != r + 1) print $j }' "$tmp/out"
}

# count TEXT CONDITION: lines of numbers for which awk finds it true
count() {
	echo "$1" | awk "$2 { n++ } END { print n + 0 }"
}

probes 4 1
is "four hosts: done" "$rc" 0
has "what was measured is said" "$(said)" "12 pairs measured; "
has "and what has drifted, of two pairs" "$(said)" " in the median of 4 ways, "
is "and no more, but of a second look and a network that changed" \
	"$(said | grep -vc "again\|network changed")" 2
has "in as few rounds as can be" "$(said)" " in 3 rounds, "
has "the method is mpi" "$(cat "$tmp/out")" "
# method mpi
"
has "with the library" "$(cat "$tmp/out")" "
# mpi $version"
has "and the pace" "$(cat "$tmp/out")" "
# pace gap-us=0 flows=1
# bytes ping=1 transfer=0
"
is "hosts by their names, in rank order, with their nodes" \
	"$(grep '^# host' "$tmp/out" | xargs)" \
	"$(for i in 0 1 2 3; do echo "# host h$i node=$(uname -n)"; done | xargs)"
is "every way is measured" "$(count "$(layer p10)" '$1 > 0')" 12
is "with 40 to 1000 messages" \
	"$(count "$(layer sent)" '$1 >= 40 && $1 <= 1000')" 12
is "no bandwidth unasked" "$(grep -c bandwidth "$tmp/out")" 0
awk '/^#/ { next } /^h0/ { n++ }
	{ v[$1 n] = $0 } END { for (i = 0; i < 4; i++) {
	split(v["h" i 2], least); split(v["h" i 1], p10); split(v["h" i 3], p50)
	split(v["h" i 4], p90); split(v["h" i 5], p99)
	for (j = 2; j <= 5; j++)
		if (!(least[j] <= p10[j] && p10[j] <= p50[j] &&
			p50[j] <= p90[j] && p90[j] <= p99[j])) print i, j } }' \
	"$tmp/out" >"$tmp/wrong"
is "min, p10, p50, p90, p99 ascend" "$(cat "$tmp/wrong")" ""
"$builddir/plink-order" --matrix="$tmp/out" >"$tmp/order" 2>"$tmp/err"
is "plink-order takes it" "$? $(sort "$tmp/order" | xargs)" "0 h0 h1 h2 h3"
cp "$tmp/out" "$tmp/matrix"
seq -f h%g 0 3 | "$builddir/plink-probe" --resume="$tmp/matrix" - \
	>"$tmp/out" 2>"$tmp/err"
is "plink-probe does not go on with it" "$?" 3
has "and says why" "$(cat "$tmp/err")" "was measured by mpi, asked for is udp"

# How much is measured.
probes 3 1 --probes=50 --size=64k -o "$tmp/file"
is "three hosts, bandwidth, to a file: nothing on stdout" \
	"$rc $(cat "$tmp/out")" "0 "
mv "$tmp/file" "$tmp/out"
has "an odd number takes as many rounds" "$(said)" " in 3 rounds, "
has "messages of both lengths are counted" "$(said)" \
	"6 pairs measured; 600 messages"
is "so many messages as wanted" "$(layer sent | sort -u)" 50
has "the layer says what it is of" "$(cat "$tmp/out")" "
# layer p10-time bandwidth bytes-per-s
"
has "and the header how long messages were" "$(cat "$tmp/out")" "
# bytes ping=1 transfer=65536
"
is "each way has a bandwidth" "$(count "$(layer p10-time)" '$1 > 0')" 6
probes 2 1 --size=0 --probes=40
is "empty messages" \
	"$rc $(grep '^# bytes' "$tmp/out") $(layer sent | xargs)" \
	"0 # bytes ping=0 transfer=0 40 40"
probes 2 1 --probes=30-35
is "fewer than 36 do not settle: the most of them" "$rc $(layer sent | xargs)" "0 35 35"
# two ways, each 20 gaps between 21 messages with the prober's first
probes 2 1 --probes=20 --gap=3000
has "the gap is in the pace" "$(cat "$tmp/out")" "# pace gap-us=3000 flows=1"
said | sed 's/.*rounds, //; s/ s$//' >"$tmp/s"
is "and is kept" "$(awk '$1 < 0.12' "$tmp/s")" ""

# A second look.
probes 4 1 --probes=40
has "two pairs of the first round for the drift" "$(cat "$tmp/out")" "
# drift ways=4 "
is "all are there" "$(count "$(layer p10)" '$1 > 0')" 12

# Budgets, and JSON.
json() {
	python3 -c 'import json, sys
j = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$tmp/out" "$1"
}
# a way takes 20, 5 for warm-up, and would be granted 33: four fit three times
probes 5 1 --probes=20 --max-probes=400 --json
is "a budget of messages: exit 1" "$rc" 1
is "a round for which it would not do is not begun" \
	"$(json 'j["run"]["packets_sent"], j["run"]["budget_spent"]')" "(300, True)"
has "that is said" "$(said)" ", the budget is spent; "
is "so that two of five rounds are missing" \
	"$(json 'j["run"]["pairs_measured"], j["run"]["pairs_missing"]')" "(12, 8)"
is "what is missing is null" "$(json \
	'sum(r.count(None) for r in j["layers"]["p10"]["cells"])')" 8
is "with the reason" "$(json 'len(j["notes"]), j["notes"][0]["why"]')" \
	"(8, 'the budget was spent before it was measured')"
is "what was asked, how it was measured" \
	"$(json 'j["asked"], j["method"], j["settings"]["gap_us"]')" \
	"({'probes': '20', 'max-probes': '400'}, 'mpi', 0.0)"
cat >"$tmp/signalled" <<'END'
#!/bin/sh
rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
# to all, as launchers send it, and not before it is caught (bit 14)
(
	while ! grep -q '^SigCgt:.*[4-7c-f]...$' /proc/$$/status; do
		kill -0 $$ 2>/dev/null || exit
		sleep 0.1
	done
	sleep 2
	kill -TERM $$
) &
PLINK_HOST=h$rank exec "$@"
END
chmod +x "$tmp/signalled"
mpi 5 "$tmp/signalled" "$probe" --probes=900000-1000000 \
	--gap=20 -o "$tmp/a b" >"$tmp/out" 2>"$tmp/err"
ok "a signal: not done" test $? -ne 0
has "what was measured is written, and why not more" "$(cat "$tmp/a b")" \
	" interrupted
"
has "a signal: said" "$(said)" "missing, interrupted; "
has "a signal: and how to go on" "$(said)" \
	"plink-order --matrix='$tmp/a b' --missing=estimate"
probes 4 1 --time=0.000001s
is "no time at all: exit 1, nothing measured" \
	"$rc $(count "$(layer p10)" '$1 == "nan"')" "1 12"
has "which the matrix says" "$(cat "$tmp/out")" "
# partial ways-missing=12 budget spent
"
probes 4 1 --probes=1000000 \
	--time=200ms
is "time ends within a pair: it has what it has" \
	"$rc $(count "$(layer p10)" '$1 > 0')" "1 $(count "$(layer sent)" \
		'$1 > 0')"
has "the rest is missing" "$(said)" "the budget is spent"
probes 3 1 --max-probes=100000 --size=64k --probes=40
is "a budget that lasts: exit 0" "$rc" 0

# Several ranks on a host.
probes 4 2
is "two ranks on each of two hosts: done" "$rc" 0
has "said" "$(said)" "4 ranks on 2 hosts: the first of each measures"
is "a host is measured once, with its slots" \
	"$(grep '^# host' "$tmp/out" | xargs)" \
	"$(for i in 0 1; do echo "# host h$i node=$(uname -n) slots=2"; done | xargs)"
is "both ways" "$(count "$(layer p10)" '$1 > 0')" 2
probes 3 3
is "all on one host: usage, nothing on stdout" "$rc $(cat "$tmp/out")" "2 "
is "and that is said, once" "$(said)" "3 ranks, all on h0: there is nothing \
to measure; set PLINK_HOST to tell hosts of the same name apart"

# Names out of a list. On this machine they are PLINK_HOST's.
printf '%s\n' h1 spare h0 >"$tmp/list"
probes 2 1 --hosts="$tmp/list"
is "a list of more hosts: the job's, in rank order" \
	"$rc $(sed -n 's/^# host //p' "$tmp/out" | xargs)" \
	"0 h0 node=$(uname -n) h1 node=$(uname -n)"
printf '%s\n' h1 spare >"$tmp/list"
probes 2 1 --hosts="$tmp/list"
is "a host that is not in the list: exit 3" "$rc $(cat "$tmp/out")" "3 "
is "said" "$(said)" "host h0 of the job is not in $tmp/list"
"$probe" --hosts="$tmp/none" >"$tmp/out" 2>"$tmp/err"
is "no list, and no job: the job counts first" "$? $(cat "$tmp/out")" "2 "

# What is refused; by all ranks, and said by one.
probes 3 1 --size=1025M
is "--size=1025M: exit 2, nothing on stdout" "$rc $(cat "$tmp/out")" "2 "
is "said once" "$(said)" "--size wants bytes from 0 to 1G, not \"1025M\"; see \
${probe##*/} --help"
probes 3 1 -o "$tmp/no/file"
is "a file out of reach: exit 4" "$rc" 4
is "said once, before anything is measured" "$(said)" \
	"cannot write $tmp/no/file: No such file or directory"
refused() {
	refused_text=$1
	shift
	"$probe" "$@" >"$tmp/out" 2>"$tmp/err"
	is "$*: exit 2, nothing on stdout" "$? $(cat "$tmp/out")" "2 "
	has "$*: said" "$(said)" "$refused_text"
}
refused "--size wants" --size=-1
refused "--size wants" --size=
refused "--probes wants MIN-MAX" --probes=9-8
refused "--probes wants MIN-MAX" --probes=0
refused "--precision wants a percentage" --precision=101
refused "--gap wants a time" --gap=nan
refused "--time wants a time" --time=0s
refused "unexpected argument \"hosts\"" hosts
refused "unknown option --nonsense" --nonsense
cat >"$tmp/odd" <<'END'
#!/bin/sh
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != 2 ] || name='a b'
PLINK_HOST=${name:-h${OMPI_COMM_WORLD_RANK:-$PMI_RANK}} exec "$@"
END
chmod +x "$tmp/odd"
mpi 3 "$tmp/odd" "$probe" >"$tmp/out" 2>"$tmp/err"
is "a name that is none: exit 3" "$? $(cat "$tmp/out")" "3 "
has "and that is said" "$(said)" "rank 2 is on \"a b\": "

mpi 3 "$probe" --version >"$tmp/out"
is "one of three says the version" "$? $(wc -l <"$tmp/out")" "0 1"
