#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0710-order-rules.t - plink-order: pins, gains, missing cells, costs, threads
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

. "$srcdir/tests/thesis.sh"
data=$srcdir/tests/data/order
PATH=$tmp/bin:$PATH
mkdir "$tmp/bin"
printf '#!/bin/sh\necho "mpirun (Open MPI) 4.1.4"\n' >"$tmp/bin/mpirun"
chmod +x "$tmp/bin/mpirun"

# run ARGS: status in $rc, output in $tmp/out, messages in $tmp/err
run() {
	"$order" "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}
out() {
	tr '\n' ' ' <"$tmp/out"
}

# 20 hosts in 5 racks, taken in turns: 8 within, 80 across
awk 'BEGIN {
	print "# plink-matrix 1\n# quantity rtt\n# unit ms"
	for (i = 0; i < 20; i++) {
		printf "h%d", i
		for (j = 0; j < 20; j++)
			printf " %s", i == j ? 0 : i % 5 == j % 5 ? 8 : 80
		print ""
	}
}' >"$tmp/racks"

run --matrix="$tmp/racks"
is "planted racks: done" $rc 0
has "planted racks: the best order, proved" "$(cat "$tmp/err")" \
	"best possible: 520 ms, gap 0 %: no order is cheaper"
is "every host once" "$(sort "$tmp/out" | uniq | wc -l)" 20
is "the first host stays first" "$(head -n 1 "$tmp/out")" h0
cp "$tmp/out" "$tmp/found"

for t in 1 2 3 8; do
	run --matrix="$tmp/racks" --threads=$t
	ok "--threads=$t: the same bytes" cmp "$tmp/found" "$tmp/out"
done
run --matrix="$tmp/racks" --seed=2
is "another seed: another order perhaps, no other cost" \
	"$("$order" --matrix="$tmp/racks" --cost-of="$tmp/out" 2>/dev/null)" 520
run --matrix="$tmp/racks" --moves=0
is "no moves: no harm" $rc 0
run --matrix="$tmp/racks" --time=0.05 --bound=none
is "--time ends" $rc 0
run --matrix="$tmp/racks" --time=1000
is "--time ends as soon as the order is proved best" $rc 0
is "--time finds it, too" \
	"$("$order" --matrix="$tmp/racks" --cost-of="$tmp/out" 2>/dev/null)" 520

run --matrix="$tmp/racks" --pin=h7
is "--pin: this host first" "$(head -n 1 "$tmp/out")" h7
is "--pin costs nothing" \
	"$("$order" --matrix="$tmp/racks" --cost-of="$tmp/out" 2>/dev/null)" 520
run --matrix="$tmp/racks" --pin=h20
is "--pin of a stranger: bad input" "$rc $(out)" "3 "

# the found order given: nothing to gain
run --matrix="$tmp/racks" "$tmp/found"
ok "the best order given: kept" cmp "$tmp/found" "$tmp/out"
has "and that is said" "$(cat "$tmp/err")" "the order is the given one"

# fractions add up differently from another start or the other way round: that
# is no gain, and no reason to move anybody
awk 'BEGIN {
	print "# plink-matrix 1\n# quantity rtt\n# unit ms\n# symmetrize max"
	for (i = 0; i < 40; i++) {
		printf "h%d", i
		for (j = 0; j < 40; j++)
			printf " %s", i == j ? 0 : 1 + (i * j * 7919 % 1009) / 997
		print ""
	}
}' >"$tmp/fractions"
run --matrix="$tmp/fractions"
cp "$tmp/out" "$tmp/best"
moved=
for turn in $(seq 0 39); do
	{ tail -n +$((turn + 1)) "$tmp/best"; head -n "$turn" "$tmp/best"; } |
		tac >"$tmp/turned"
	run --matrix="$tmp/fractions" --bound=none --moves=500 "$tmp/turned"
	cmp -s "$tmp/turned" "$tmp/out" || moved="$moved $turn"
done
is "the found order, turned and reversed: kept" "$moved" ""

run --matrix="$tmp/racks" --min-gain=99
is "--min-gain not reached: given order" "$(head -n 3 "$tmp/out" |
	tr '\n' ' ')" "h0 h1 h2 "
has "and that is said" "$(cat "$tmp/err")" "only 67.50 % could be gained"
run --matrix="$tmp/racks" --min-gain=67
ok "--min-gain reached: found order" cmp "$tmp/found" "$tmp/out"

run --matrix="$tmp/racks" --bound=none --json
has "--bound=none: none told" "$(cat "$tmp/out")" '"bound": null'
has "nor a gap" "$(cat "$tmp/out")" '"gap": null'
run --matrix="$tmp/racks" --bound=full --json
has "--bound=full" "$(cat "$tmp/out")" '"bound": 520'

# a subset, in the order of HOSTS
printf 'h3\nh0\nh8\nh5\nh13\n' >"$tmp/five"
run --matrix="$tmp/racks" "$tmp/five"
is "a subset: its racks together" "$(out)" "h3 h13 h8 h5 h0 "
has "its pairs counted" "$(cat "$tmp/err")" "5 hosts, 5 ranks; pairs: 20 mea"
printf 'h3\nh99\n' >"$tmp/strange"
run --matrix="$tmp/racks" "$tmp/strange"
is "a host not in the matrix: bad input" "$rc $(out)" "3 "
has "and it is named" "$(cat "$tmp/err")" 'host "h99" is not in the matrix'
run --matrix="$tmp/racks" - <"$tmp/five"
is "the list from standard input" "$(out)" "h3 h13 h8 h5 h0 "
run --matrix=- "$tmp/five" <"$tmp/racks"
is "the matrix from standard input" "$(out)" "h3 h13 h8 h5 h0 "

printf 'h3 22\nh3 23\nh8\n' >"$tmp/ports"
run --matrix="$tmp/racks" "$tmp/ports"
has "ports: said not to be in a host file" "$(cat "$tmp/err")" \
	"the ports of 2 hosts are not in the output"

# one host, two hosts
echo h4 >"$tmp/one"
run --matrix="$tmp/racks" "$tmp/one"
is "one host" "$rc $(out)" "0 h4 "
printf 'h4\nh3\n' >"$tmp/two"
run --matrix="$tmp/racks" "$tmp/two"
is "two hosts" "$rc $(out)" "0 h4 h3 "
has "two hosts: there and back" "$(cat "$tmp/err")" "given 160 ms"

# directed costs: 0 1 2 3 is dear one way and cheap the other
cat >"$tmp/directed" <<'END'
# plink-matrix 1
# quantity one-way
# unit us
w 0 9 5 1
x 1 0 9 5
y 5 1 0 9
z 9 5 1 0
END
run --matrix="$tmp/directed"
is "directed: turned round" "$(out)" "w z y x "
run --matrix="$tmp/directed" --symmetrize=max
has "--symmetrize=max: both ways cost the dearer" "$(cat "$tmp/err")" \
	"found 28 us"
run --matrix="$tmp/directed" --symmetrize=mean
has "--symmetrize=mean" "$(cat "$tmp/err")" "found 20 us"

# missing cells: c is not reached by anybody, a and e not from one another
cat >"$tmp/holes" <<'END'
# plink-matrix 1
# quantity rtt
# unit us
# symmetrize max
a 0 10 nan 30 nan
b 10 0 nan 11 30
c nan nan 0 nan nan
d 30 11 nan 0 12
e nan 30 nan 12 0
# cell a c no reply within 5 s
END
run --matrix="$tmp/holes"
is "missing cells: refused, nothing on stdout" "$rc $(out)" "1 "
has "the host is named, with the reason" "$(cat "$tmp/err")" \
	"c: 8 of 8 cells missing: no reply within 5 s"
has "and how much is missing" "$(cat "$tmp/err")" "10 of 20 cells are missing"
run --matrix="$tmp/holes" --missing=refuse
is "--missing=refuse is the default" $rc 1
run --matrix="$tmp/holes" --missing=worst
is "--missing=worst: an order of all" "$rc $(sort "$tmp/out" | tr '\n' ' ')" \
	"0 a b c d e "
has "what was taken for what is said" "$(cat "$tmp/err")" \
	"10 missing cells got the highest cost measured, 30 us"
sed 's/^c nan nan/c nan 12/' "$tmp/holes" >"$tmp/linked"
run --matrix="$tmp/linked" --missing=estimate --json
is "--missing=estimate: an order of all, what is estimated is counted" \
	"$rc $(python3 -c 'import json, sys
j = json.load(open(sys.argv[1])); print(*sorted(j["order"]), j["pairs_missing"])
' "$tmp/out")" "0 a b c d e 9"
has "and that is said" "$(cat "$tmp/err")" \
	"8 missing cells estimated from the others, by an embedding"
run --matrix="$tmp/holes" --missing=estimate
is "a host of which nothing is known: refused" "$rc $(out)" "1 "
has "and named" "$(cat "$tmp/err")" "a and c: no measured pairs link them"
run --matrix="$tmp/holes" --missing=drop-host
is "--missing=drop-host: the fewest left out" "$rc $(out)" "0 a b d "
has "c is said to be left out" "$(cat "$tmp/err")" "host c left out"
has "e as well" "$(cat "$tmp/err")" "host e left out"
run --matrix="$tmp/holes" --missing=drop-host --pin=e
is "a pinned host cannot be dropped" "$rc $(out)" "3 "
run --matrix="$tmp/holes" --missing=drop-host --not-first=c,a
is "a dropped host is not first, either" "$rc $(out)" "0 b d a "
sed 's/^a 0 10 nan 30 nan/a 0 10 nan 30 40/' "$tmp/holes" >"$tmp/half"
printf 'a\nb\nd\ne\n' >"$tmp/abde"
run --matrix="$tmp/half" "$tmp/abde"
is "one direction is enough for max" $rc 0
run --matrix="$tmp/half" --symmetrize=none "$tmp/abde"
is "but not for directed costs" $rc 1

# prices of other orders
printf 'h0\nh5\nh0\nh5\n' >"$tmp/mixed"
printf 'h0 slots=2\nh5 slots=2\n' >"$tmp/pair"
run --matrix="$tmp/racks" --cost-of="$tmp/mixed" "$tmp/pair"
is "--cost-of: ranks in turns pay each hop" "$rc $(out)" "0 32 "
has "compared with the given order" "$(cat "$tmp/err")" "(100.00 % more)"
run --matrix="$tmp/racks" --cost-of="$tmp/mixed" --json "$tmp/pair"
is "which is no order of hosts: not told in JSON" "$rc $(out)" "3 "
# a walk that comes by the same host twice avoids the dear hop, a ring cannot
printf '0 1 1\n1 0 100\n1 100 0\n' >"$tmp/dear"
printf '%s\n' 1 2 1 3 >"$tmp/walk"
run --matrix="$tmp/dear" --cost-of="$tmp/walk"
is "--cost-of: a walk" "$rc $(out)" "0 4 "
has "--cost-of: a walk is no order" "$(cat "$tmp/err")" "no bound is known"
is "--cost-of: a walk is not called the best order" \
	"$(grep -c 'best possible' "$tmp/err")" 0
run --matrix="$tmp/dear" --cost-of="$tmp/walk" --hosts-format=seq "$tmp/walk"
has "--cost-of: ranks one by one, it is one" "$(cat "$tmp/err")" \
	"best possible: 4 ns, gap 0 %"
run --matrix="$tmp/dear" --json --hosts-format=seq "$tmp/walk"
has "pairs are of hosts, not of ranks" "$(cat "$tmp/out")" \
	'"pairs_measured": 6,'
run --matrix="$tmp/racks" --cost-of="$tmp/found" --json
has "--cost-of in JSON: cost" "$(cat "$tmp/out")" '"cost": 520'
has "--cost-of in JSON: order" "$(tr -d ' \n' <"$tmp/out")" \
	"\"order\":[\"h0\",\"$(sed -n 2p "$tmp/found")\""
run --matrix="$tmp/racks" --cost-of="$tmp/five"
is "--cost-of: a host missing there" "$rc $(out)" "3 "
run --matrix="$tmp/racks" --cost-of="$tmp/found" "$tmp/five"
is "--cost-of: a host too many there" "$rc $(out)" "3 "

# interrupted: best so far, said, exit 1
"$order" --matrix="$tmp/racks" --bound=none --time=1000 >"$tmp/out" 2>"$tmp/err" &
pid=$!
catches $pid
sleep 1
kill -INT $pid 2>/dev/null || kill -TERM $pid
wait $pid
rc=$?
# a shell that ignores SIGINT for background jobs leaves it ignored
if [ $rc != 1 ]; then
	"$order" --matrix="$tmp/racks" --bound=none --time=1000 >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	catches $pid
	sleep 1
	kill -TERM $pid
	wait $pid
	rc=$?
fi
is "interrupted: exit 1" $rc 1
is "interrupted: the best so far is written" "$(sort -u "$tmp/out" | wc -l)" 20
has "interrupted: said to be that" "$(cat "$tmp/err")" \
	"interrupted: this is the best order so far"

# ... and while there is nothing yet
mkfifo "$tmp/silent"
exec 3<>"$tmp/silent"
"$order" --matrix=- <"$tmp/silent" >"$tmp/out" 2>"$tmp/err" 3>&- &
pid=$!
catches $pid
sleep 1
kill -TERM $pid
wait $pid
is "interrupted while reading: exit 1" $? 1
has "interrupted while reading: said" "$(cat "$tmp/err")" \
	"interrupted, reading stdin"
exec 3>&-

done_testing
