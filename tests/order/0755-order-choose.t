#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0755-order-choose.t - plink-order: the best of several hosts, and their order
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

. "$srcdir/tests/thesis.sh"
cd "$tmp" || exit 99
PATH=$tmp/bin:$PATH
mkdir bin
printf '#!/bin/sh\necho "mpirun (Open MPI) 4.1.4"\n' >bin/mpirun
chmod +x bin/mpirun

# run ARGS: status in $rc, output in out, messages in err
run() {
	"$order" "$@" >out 2>err
	rc=$?
}
# key NAME: a number of the JSON in out
key() {
	sed -n "s/^  \"$1\": \(.*[^,]\),*\$/\1/p" out
}
# list NAME: one of its lists
list() {
	tr -d ' \n' <out | sed "s/.*\"$1\":\[\([^]]*\)\].*/\1/; s/\"//g; s/,/ /g"
}

# 24 hosts in 6 racks of 4, dealt out in turns: 8 within, 80 across
awk 'BEGIN {
	print "# plink-matrix 1\n# quantity rtt\n# unit us"
	for (i = 0; i < 24; i++) {
		printf "h%d", i
		for (j = 0; j < 24; j++)
			printf " %d", i == j ? 0 : i % 6 == j % 6 ? 8 : 80
		print ""
	}
}' >racks

# two racks
run --matrix=racks --choose=8 --plan=plan
is "a ring of 8: done" "$rc $(sort -u out | wc -l)" "0 8"
is "of two racks" \
	"$(sed 's/h//' out | awk '{ print $1 % 6 }' | sort -u | wc -l)" 2
has "proved" "$(cat err)" \
	"best possible: 208 us, gap 0 %: no order of as many hosts is cheaper"
has "against the first 8" "$(cat err)" "given 640 us, found 208 us"
has "all pairs of all hosts are counted" "$(cat err)" \
	"24 hosts, 24 ranks; pairs: 552 measured, 0 missing"
has "the others are named" "$(cat err)" "8 chosen, 16 left out: h"
has "as many ranks are started" "$(cat err)" "-np 8 ./app"
cp out found
is "the plan is of those chosen" "$(grep -c '^host ' plan)" 8
run --matrix=racks --choose=8 --cost-of=plan
is "the plan's cost" "$rc $(cat out)" "0 208"
run --matrix=racks --choose=8 --cost-of=found --json
is "--cost-of in JSON" "$rc $(key n) $(key cost) $(key cost_given)" \
	"0 8 208 640"
is "and its order" "$(list order)" "$(tr '\n' ' ' <found | sed 's/ $//')"
run --matrix=racks --cost-of=found
is "--cost-of without --choose: hosts are missing" "$rc $(cat out)" "3 "
run --matrix=racks --choose=7 --cost-of=found
is "--cost-of of another number" "$rc $(cat err)" \
	"3 plink-order: found: 8 hosts, not 7 (--choose)"
run --matrix=racks --choose=8 --json
is "JSON: hosts in the order, and all given" \
	"$(key n) $(list hosts | wc -w)" "8 24"
is "JSON: those chosen, as given" "$(list order | tr ' ' '\n' | sort -V)" \
	"$(list chosen | tr ' ' '\n')"
is "JSON: and those left out" "$(list left_out)" "$(list hosts | tr ' ' '\n' |
	grep -vxF "$(list chosen | tr ' ' '\n')" | tr '\n' ' ' | sed 's/ $//')"
run --matrix=racks --choose=8 --algorithm=halving-doubling --json
is "halving and doubling: two racks" "$(key cost) $(key exact)" "96 true"
run --matrix=racks --choose=4 --algorithm=double-binary-tree --json
is "a tree: a rack" "$(key cost) $(key exact)" "16 true"
run --matrix=racks --choose=4 --impl=openmpi --collective=broadcast \
	--algorithm=binomial --root=3 --size=64 --json
is "a broadcast: a rack" "$rc $(key cost) $(key n)" "0 16 4"

# nothing to gain: the first stay
{
	cat found
	sed -n 's/^\(h[0-9]*\) .*/\1/p' racks | grep -vxF "$(cat found)"
} >sorted
run --matrix=racks --choose=8 sorted
ok "the best ones given first: kept" cmp found out
has "and that is said" "$(cat err)" "the order is the given one, unchanged"
run --matrix=racks --choose=8 --min-gain=70
is "--min-gain: the first ones" "$(tr '\n' ' ' <out)" \
	"h0 h1 h2 h3 h4 h5 h6 h7 "

# who has to be among them
run --matrix=racks --choose=4 --pin=h11 --format=names
is "--pin: among them, and first" "$rc $(head -n 1 out) $(sort out | tr '\n' ' ')" \
	"0 h11 h11 h17 h23 h5 "
has "--pin: proved of those with it" "$(cat err)" \
	"no order of as many hosts that begins with h11 is cheaper"
for a in ring halving-doubling double-binary-tree; do
	run --matrix=racks --choose=4 --not-first=h0,h6,h12,h18,h1,h7,h13,h19 \
		--algorithm=$a
	is "$a, --not-first: one that may" "$rc $(sed 's/h//' out |
		awk '{ print ($1 % 6 > 1) }' | sort | uniq -c | tr -d ' ')" "0 41"
done
run --matrix=racks --choose=4 --not-first=h0,h6,h12,h18 found
has "a rack may not lead: the other one does" "$(cat err)" "found 32 us"
is "and is chosen" "$(grep -cxE 'h0|h6|h12|h18' out)" 0

# as brute force: the best 3 of 5, any order
cat >five <<'END'
# plink-matrix 1
# quantity one-way
# unit us
a 0 9 5 7 3
b 2 0 8 3 6
c 6 4 0 1 9
d 9 2 6 0 4
e 5 7 2 8 0
END
for a in ring halving-doubling double-binary-tree; do
	for w in a b c d e; do for x in a b c d e; do for y in a b c d e; do
		[ $w = $x ] || [ $x = $y ] || [ $w = $y ] || {
			printf '%s\n' $w $x $y >one
			"$order" --matrix=five --algorithm=$a --choose=3 \
				--cost-of=one 2>/dev/null | sed "s/^/$w /"
		}
	done; done; done >costs
	is "$a: 60 orders" "$(wc -l <costs)" 60
	run --matrix=five --algorithm=$a --choose=3 --json
	is "$a: the best of all" "$(key cost) $(key exact)" \
		"$(sort -k2n costs | head -n 1 | cut -d' ' -f2) true"
	run --matrix=five --algorithm=$a --choose=3 --json --pin=b
	is "$a: the best of those that begin with b" "$(key cost)" \
		"$(grep ^b costs | sort -k2n | head -n 1 | cut -d' ' -f2)"
done

# all, one, two
for a in ring halving-doubling double-binary-tree bcube:2; do
	run --matrix=racks --algorithm=$a
	cp out all
	run --matrix=racks --algorithm=$a --choose=24
	ok "$a: all of them, as without" cmp all out
	run --matrix=racks --algorithm=$a --choose=1
	is "$a: one" "$rc $(cat out)" "0 h0"
	run --matrix=racks --algorithm=$a --choose=2 --json
	is "$a: two of a rack" \
		"$rc $(list order | tr 'h' ' ' | awk '{ print $1 % 6 == $2 % 6 }')" \
		"0 1"
done
run --matrix=racks --choose=1 --pin=h9
is "one, pinned" "$rc $(cat out)" "0 h9"

# slots
sed -n 's/^\(h[0-9]*\) .*/\1 slots=2/p' racks >twos
for a in ring halving-doubling; do
	run --matrix=racks --choose=4 --algorithm=$a twos
	is "$a, two slots each: 8 lines, in pairs" \
		"$rc $(wc -l <out) $(uniq -d out | wc -l)" "0 8 4"
	has "$a, two slots each: a rack" "$(cat err)" "no order of as many"
done
run --matrix=racks --choose=4 --impl=nccl --algorithm=ring twos
is "nccl: 8 lines" "$rc $(wc -l <out)" "0 8"
sed '1s/2/3/' twos >uneven
run --matrix=racks --choose=4 uneven
is "uneven slots: refused" "$rc $(cat err)" \
	"3 plink-order: --choose: hosts have different numbers of slots"

# missing cells: who misses them is left out before the best are chosen
sed 's/^h3 80/h3 nan/' racks >holes
run --matrix=holes --choose=4
is "missing cells: refused" "$rc $(cat out)" "1 "
run --matrix=holes --choose=4 --missing=drop-host --json
is "missing cells: the best of the others" \
	"$rc $(key cost) $(list hosts | wc -w)" "0 32 23"
run --matrix=holes --choose=24 --missing=drop-host
is "missing cells: too few are left" "$rc $(cat out)" "3 "

# numbers that are none
for k in 0 -1 x 1.5 ''; do
	run --matrix=racks --choose=$k
	is "--choose=$k: usage" "$rc $(cat out)" "2 "
done
run --matrix=racks --choose=25
is "more than there are" "$rc $(cat err)" \
	"3 plink-order: --choose=25: there are 24 hosts"
run --matrix=racks --choose=2 --hosts-format=seq found
has "ranks one by one: usage" "$rc $(cat err)" "--choose takes whole hosts"
run --matrix=racks --choose=2 --predict
has "predictions: usage" "$rc $(cat err)" "--choose cannot be combined with --predict"

# hosts of no order whatever: the same bytes for any number of threads
awk 'BEGIN {
	print "# plink-matrix 1\n# quantity rtt\n# unit us"
	for (i = 0; i < 30; i++) {
		printf "h%d", i
		for (j = 0; j < 30; j++)
			printf " %s", i == j ? 0 : 1 + (i * 31 + j * j * 7919) % 1009
		print ""
	}
}' >noise
head -n 18 noise | sed -n 's/^\(h[0-9]*\) .*/\1/p' >first
for a in ring double-binary-tree; do
	for t in 1 2 5; do
		run --matrix=noise --choose=15 --algorithm=$a --threads=$t \
			--moves=20000
		cp out found$t
	done
	ok "$a: --threads=2: the same bytes" cmp found1 found2
	ok "$a: --threads=5: the same bytes" cmp found1 found5
	run --matrix=noise --choose=15 --algorithm=$a --json
	chosen=$(key cost)
	run --matrix=noise --algorithm=$a --json first
	ok "$a: cheaper than the first ones in their best order" \
		test "$chosen" -lt "$(key cost)"
done
run --matrix=noise --choose=15 --moves=0 --json
is "no moves: no harm" "$rc $(list left_out | wc -w) $(($(key cost) <= \
	$(key cost_given)))" "0 15 1"
run --matrix=noise --choose=15 --time=0.2
is "--time ends" "$rc $(sort -u out | wc -l)" "0 15"

done_testing
