#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0750-order-algorithms.t - plink-order: every algorithm, sizes, slots, pins
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

order=$builddir/plink-order
cd "$tmp" || exit 99
PATH=$tmp/bin:$PATH
mkdir bin
printf '#!/bin/sh\necho "mpirun (Open MPI) 4.1.4"\n' >bin/mpirun
chmod +x bin/mpirun

# run ARGS: status in $rc, output in out, messages in err; of the thesis, but for a
# later --impl
run() {
	"$order" --impl=thesis "$@" >out 2>err
	rc=$?
}
# key NAME: a number of the JSON in out
key() {
	sed -n "s/^  \"$1\": \(.*[^,]\),*\$/\1/p" out
}

# racks N: N hosts in racks of 4, dealt out in turns: 8 within, 80 across
racks() {
	awk -v n="$1" 'BEGIN {
		print "# plink-matrix 1\n# quantity rtt\n# unit us"
		k = int((n + 3) / 4)
		for (i = 0; i < n; i++) {
			printf "h%d", i
			for (j = 0; j < n; j++)
				printf " %d", i == j ? 0 : i % k == j % k ? 8 : 80
			print ""
		}
	}'
}
for n in 1 2 7 16; do
	racks $n >racks$n
done

# the list
"$order" --list-algorithms >list 2>err
is "--list-algorithms: done" $? 0
is "--list-algorithms: silent on stderr" "$(cat err)" ""
for a in "allreduce thesis ring" "allreduce thesis halving-doubling" \
	"allreduce openmpi default"; do
	ok "--list-algorithms has $a" \
		grep -qE "^$(echo "$a" | sed 's/ / +/g') " list
done

if [ -c /dev/full ]; then
	"$order" --list-algorithms >/dev/full 2>err
	is "--list-algorithms: a full disk" $? 4
	has "--list-algorithms: said" "$(cat err)" "cannot write"
fi

# all of them: an order of all hosts that is not dearer than the given one, nor
# cheaper than the bound, and costs what it is said to cost; all hosts being chosen,
# hops are what counts
bad=
runs=0
mkdir all
while read -r collective impl name rest; do
	name=${name%\[:N\]}
	size=--size=64k
	[ "$collective" != barrier ] || size=--seed=1
	for n in 1 2 7 16; do
		runs=$((runs + 1))
		what="$collective $impl $name of $n"
		"$order" --matrix=racks$n --collective="$collective" --json \
			--impl="$impl" --algorithm="$name" $size --moves=500 \
			--choose=$n >all/$runs 2>err
		rc=$?
		if [ $rc = 0 ]; then
			echo $runs $n "$collective" "$impl" "$name" $size >&3
			continue
		fi
		# what a library cannot do is told and is no order
		[ $rc = 2 ] && [ ! -s all/$runs ] && [ -s err ] ||
			bad="$bad; $what: $rc"
		[ "$n" != 16 ] || [ "$name" = two-proc ] ||
			bad="$bad; $what: $rc"
	done
done <list 3>all/runs
bad=$bad$(awk '{
	file = "all/" $1
	inside = hosts = 0
	split("", seen)
	split("", value)
	while ((getline line <file) > 0) {
		if (line ~ /"order": \[/) {
			inside = 1
		} else if (line ~ /\]/) {
			inside = 0
		} else if (inside) {
			gsub(/[ ",]/, "", line)
			seen[line]++
			print line >(file ".found")
		} else if (line ~ /^  "(cost|cost_given|bound)": /) {
			split(line, part, /[ ":,]+/)
			value[part[2]] = part[3]
		}
	}
	close(file)
	close(file ".found")
	for (h in seen)
		hosts += seen[h] == 1
	cost = value["cost"]
	if (!(hosts == $2 && cost != "" && cost >= 0 &&
	    cost <= value["cost_given"] + 0 && value["bound"] <= cost + 0))
		printf "; %s %s %s of %d", $3, $4, $5, $2
	print $0, cost >"all/costs"
}' all/runs)
while read -r run n collective impl name size cost; do
	[ "$n" = 7 ] || [ "$n" = 16 ] || continue
	"$order" --matrix=racks$n --collective="$collective" --impl="$impl" \
		--algorithm="$name" $size --cost-of=all/$run.found 2>err
	echo "of $collective $impl $name of $n $cost"
done <all/costs >all/true
# a cost, then what it is of; JSON has 15 digits
bad=$bad$(awk '
	$1 != "of" { of = $1; next }
	{
		d = of - $NF
		if (of == "" || d * d > of * of * 1e-28)
			printf "; %s: not %s but %s", $0, $NF, of
		of = ""
	}' all/true)
is "every algorithm: orders are orders, costs are true" "$bad" ""
ok "$runs runs" test "$runs" -ge 60

# names go where they belong
run --matrix=racks16 --impl=thesis --algorithm=bcube:4 --plan=plan --size=4k
is "bcube:4: done" $rc 0
has "messages name it, with the size" "$(cat err)" \
	"allreduce bcube:4 (thesis), 4k: given "
has "the plan names it" "$(cat plan)" "order allreduce bcube:4 thesis 0- cost="
run --matrix=racks16 --algorithm=bcube:4 --cost-of=plan
is "the plan's order has the plan's cost" "$(cat out)" \
	"$(sed -n 's/^order.* cost=\([0-9.]*\) .*/\1/p' plan)"
run --matrix=racks16 --nic=10G --impl=openmpi --algorithm=default --size=1M --json
is "a rule: done" $rc 0
has "a rule: what it takes is said" "$(cat err)" " 1M  rabenseifner "
has "a rule: and in JSON" "$(cat out)" '"taken": "'
has "JSON has the size" "$(cat out)" '"size": 1048576,'

# racks of 4, halving-doubling: two rounds can stay within, two cannot
for i in 3 12 0 5 11 2 8 15 1 4 13 6 10 7 9 14; do
	echo h$i
done >mixed
run --matrix=racks16 --algorithm=halving-doubling --json mixed
is "halving-doubling finds the racks" "$(key cost) $(key cost_given)" "176 320"
run --matrix=racks16 --impl=openmpi --algorithm=recursive-doubling --json \
	--size=4k mixed
is "recursive doubling as well" "$(key cost)" 176

# as good as the best of all 24 orders, also with a pinned host
cat >four <<'END'
# plink-matrix 1
# quantity one-way
# unit us
a 0 9 5 7
b 2 0 8 3
c 6 4 0 1
d 9 2 6 0
END
for w in a b c d; do for x in a b c d; do for y in a b c d; do
	for z in a b c d; do
		case $w$x$y$z in
		*a*a* | *b*b* | *c*c* | *d*d*) ;;
		*) echo $w $x $y $z ;;
		esac
	done
done; done; done >orders
for a in halving-doubling double-binary-tree; do
	while read -r w x y z; do
		printf '%s\n' $w $x $y $z >one
		run --matrix=four --algorithm=$a --cost-of=one
		read -r cost <out
		echo "$w $cost"
	done <orders >costs
	best=$(sort -k2n costs | head -n 1 | cut -d' ' -f2)
	run --matrix=four --algorithm=$a --json
	is "$a: the best of all orders" "$(key cost) $(key exact)" "$best true"
	best=$(grep '^c' costs | sort -k2n | head -n 1 | cut -d' ' -f2)
	run --matrix=four --algorithm=$a --json --pin=c
	is "$a: the best of those that begin with c" "$(key cost)" "$best"
	has "$a: c stands first" "$(tr -d ' \n' <out)" '"order":["c"'
	for not in a a,b d,a,c; do
		best=$(grep "^[^$not]" costs | sort -k2n | head -n 1 |
			cut -d' ' -f2)
		run --matrix=four --algorithm=$a --json --not-first=$not
		is "$a: the best of those that do not begin with $not" \
			"$(key cost)" "$best"
		ok "$a: and it does not" sh -c \
			"tr -d ' \n' <out | grep -q '\"order\":\[\"[^$not]\"'"
	done
done
has "not first: whose proof it is" "$(cat err)" \
	"no order that --not-first allows is cheaper"
for want in 'h0 h1' 'h0,h1,h2 h3' 'h3 h0'; do
	run --matrix=racks16 --algorithm=halving-doubling --not-first=${want% *}
	is "halving-doubling: not ${want% *} first, the next one given" \
		"$(head -n 1 out)" "${want#* }"
	has "which costs nothing" "$(cat err)" "gap 0 %: no order is cheaper"
done
run --matrix=racks16 --not-first=h0
is "a ring, not h0 first: the next one given" "$rc $(head -n 1 out)" "0 h1"
run --matrix=racks16 --not-first=h0,h1 --pin=h2
is "not first, and another pinned" "$rc $(head -n 1 out)" "0 h2"
run --matrix=racks16 --not-first=h0,h16
is "not first: a stranger" "$rc $(cat err)" \
	'3 plink-order: --not-first: host "h16" is not in the list'
for left in '--not-first=h0 --pin=h0' '--not-first=h0,h1'; do
	run --matrix=racks2 $left
	is "$left: nobody is left" "$rc $(cat err)" \
		"3 plink-order: --not-first leaves no host to come first"
done
# a pin that costs nothing: the search is the same, the order turned
for a in halving-doubling bcube:4; do
	run --matrix=racks16 --algorithm=$a --format=names mixed
	sed -n 's/.*\(found .*\)/\1/p; s/.*\(moves .*\)/\1/p' err >cost
	for h in h0 h7 h15; do
		run --matrix=racks16 --algorithm=$a --format=names --pin=$h \
			mixed
		is "$a: pinned $h" "$rc $(head -n 1 out) $(sort -u out | wc -l)" \
			"0 $h 16"
		is "$a: pinned $h costs nothing" "$(sed -n \
			's/.*\(found .*\)/\1/p; s/.*\(moves .*\)/\1/p' err)" \
			"$(cat cost)"
		has "$a: pinned $h: of all orders" "$(cat err)" \
			"no order is cheaper"
	done
done
run --matrix=racks16 --algorithm=double-binary-tree --pin=h7 mixed
is "trees: pinned" "$rc $(head -n 1 out)" "0 h7"

# a pin that costs: a is the cheap root of a tree and has to leave it
cat >hub <<'END'
# plink-matrix 1
# quantity one-way
# unit us
a 0 1 1 1 1
b 1 0 9 9 9
c 1 9 0 9 9
d 1 9 9 0 9
e 1 9 9 9 0
END
run --matrix=hub --collective=broadcast --impl=openmpi --algorithm=linear \
	--size=4 --choose=5
has "the given order is the best one" "$(cat err)" "found 1 us"
run --matrix=hub --collective=broadcast --impl=openmpi --algorithm=linear \
	--size=4 --choose=5 --pin=b
is "pinned: first all the same" "$rc $(head -n 1 out)" "0 b"
has "pinned: dearer than the given order" "$(cat err)" "more)"
has "pinned: why" "$(cat err)" "that is what --pin=b costs"
has "pinned: no better order begins so" "$(cat err)" \
	"that begins with b is cheaper"

# a root: c alone sends cheaply, and stands where the root is
cat >sender <<'END'
# plink-matrix 1
# quantity rtt
# unit ms
a 0 50 50 50
b 50 0 50 50
c 1 1 0 1
d 50 50 50 0
END
for root in 0 1 2 3; do
	run --matrix=sender --collective=broadcast --impl=openmpi \
		--algorithm=linear --root=$root --format=names --plan=root.plan
	is "broadcast from rank $root: c stands there" \
		"$rc $(sed -n "$((root + 1))p" out)" "0 c"
	"$builddir/plink-audit" --pattern --collective=broadcast \
		--impl=openmpi --algorithm=linear --root=$root --ranks=4 --size=4 >sent
	is "broadcast from rank $root: all that is sent comes from there" \
		"$(awk '!/^#/ { print $2 }' sent | sort -u)" $root
	said=" root=$root"
	[ $root != 0 ] || said=
	has "broadcast from rank $root: the plan" "$(cat root.plan)" \
		"order broadcast linear openmpi 0-$said cost="
	run --matrix=sender --collective=broadcast --impl=openmpi \
		--algorithm=linear --root=$root --cost-of=root.plan --json
	is "broadcast from rank $root: the plan's cost" \
		"$(key cost) $(key root)" "1 $root"
	run --matrix=sender --collective=broadcast --predict --size=1M --nic=1000G \
		--impl=openmpi --algorithm=linear --root=$root
	given=$(awk '$1 == "1M" { print $3 }' out)
	is "broadcast from rank $root: predicted of the given order" \
		"$(awk "BEGIN { print ($given < 40) }")" $((root == 2))
done
run --matrix=sender --collective=broadcast --impl=openmpi \
	--algorithm=linear --root=2
has "a root is told" "$(cat err)" "; broadcast from rank 2 of Open MPI, "
run --matrix=sender --root=1
is "a ring has no root" "$rc $(cat err)" \
	"2 plink-order: --root: allreduce has no root; see plink-order --help"
"$builddir/plink-audit" --pattern --ranks=4 --root=1 >out 2>err
is "nor has its pattern" "$? $(cat err)" \
	"2 plink-audit: --root: allreduce has no root; see plink-audit --help"
run --matrix=sender --collective=broadcast --impl=openmpi \
	--algorithm=linear --root=4
is "a root that is no rank" "$rc $(cat err)" \
	"2 plink-order: root 4 is not one of the 4 ranks"

# slots: positions are ranks, those of a host stand together
cat >equal <<'END'
# plink-matrix 1
# quantity rtt
# unit us
a 0 10 10 10
b 10 0 10 10
c 10 10 0 10
d 10 10 10 0
END
printf 'a slots=2\nb\nc\nd\n' >uneven
run --matrix=four --impl=mpich uneven
is "MPICH's parts by host: uneven hosts are refused" "$rc $(cat err)" "2 plink-order: \
hosts have different numbers of slots: what MPICH runs on those is not known"
printf 'a slots=2\nb slots=2\nc slots=2\nd slots=2\n' >twos
run --matrix=equal --algorithm=halving-doubling twos
is "slots: a line per rank" "$rc $(wc -l <out)" "0 8"
has "slots: the first of three rounds stays within hosts" "$(cat err)" \
	"found 20 us"
printf 'a slots=3\nb\n' >uneven
run --matrix=equal --algorithm=halving-doubling uneven
has "uneven slots: both rounds cross" "$(cat err)" "found 20 us"
printf 'a\nb\na\na\n' >turns
run --matrix=equal --algorithm=halving-doubling --cost-of=turns uneven
is "ranks in turns: each pays its hops" "$rc $(cat out)" "0 20"
printf 'a\na\nb\nb\n' >pairs
run --matrix=equal --algorithm=halving-doubling --cost-of=pairs uneven
is "as many ranks elsewhere" "$rc $(cat out)" "0 10"
if grep -q '^allreduce *nccl *ring' list; then
	run --matrix=equal --impl=nccl --algorithm=ring twos
	has "nccl: a hop from host to host" "$(cat err)" "found 40 us"
	run --matrix=equal --impl=nccl --algorithm=ring uneven
	has "nccl: of uneven slots, too" "$(cat err)" "found 20 us"
fi

# bytes count where bandwidths were measured and a size is given: 10 us and half of
# 8 bytes at a byte a microsecond there, at two back
cat >band <<'END'
# plink-matrix 1
# quantity rtt
# unit us
a 0 10
b 10 0
# layer bw bandwidth bytes-per-s
a 0 1000000
b 2000000 0
END
run --matrix=band
has "no size: latency alone" "$(cat err)" "found 20 us"
run --matrix=band --size=8
has "a size: bytes as well" "$(cat err)" "allreduce ring (thesis), 8: given 26 us"
run --matrix=band --size=8 --symmetrize=max
has "the slower direction counts for both" "$(cat err)" "given 28 us"
run --matrix=band --size=8 --algorithm=halving-doubling
has "halving-doubling: one half, from the first rank to the second" "$(cat err)" \
	"given 14 us"
printf '%s\n' '# layer more bandwidth bytes-per-s' 'a 0 500000' 'b 500000 0' >>band
run --matrix=band --size=8
has "of two layers of bandwidths the first counts" "$(cat err)" "given 26 us"
sed -i '/^# layer more/,$d' band

# what losses have set, as plink-probe --bandwidth notes it
cat >lossy <<'END'
# plink-matrix 1
# quantity rtt
# unit us
a 0 10 10
b 10 0 10
c 10 10 0
# layer alone bandwidth bytes-per-s
a 0 1000 2000
b 3000 0 2000
c 3000 nan 0
# layer together bandwidth bytes-per-s
a 0 1000 2000
b 3000 0 2000
c 3000 2000 0
# cell a b alone: not reliable: 3 looks gave 10 to 1000 bytes per second
# cell b a alone: not reliable: 2 looks gave 10 to 3000 bytes per second
# cell b a alone: not reliable: noted twice
# cell c a alone: did not settle in 2 s: the later half of that
# cell c b alone: not reliable: and then lost
# cell b c together: not reliable: 3 looks gave 10 to 2000 bytes per second
# cell a c not reliable: of no layer
END
run --matrix=lossy --missing=worst
is "no size: nothing is said of bandwidths" "$rc $(grep -c reliable err)" "0 0"
run --matrix=lossy --missing=worst --size=1M
is "bandwidths that are not reliable: used" "$rc" 0
has "but said, each once" "$(cat err)" \
	"2 of 5 bandwidths (alone) are not reliable, as the matrix notes"
run --matrix=lossy --missing=worst --predict --size=1M
has "so it is of predictions" "$(cat err)" "2 of 5 bandwidths"
printf 'a\nb\nc\n' >three
run --matrix=lossy --missing=worst --size=1M --cost-of=three
has "of the cost of an order" "$(cat err)" "2 of 5 bandwidths"
printf 'a\nc\n' >two
run --matrix=lossy --size=1M two
is "those of other hosts do not count" "$rc $(grep -c reliable err)" "0 0"
run --matrix=lossy --json --size=1M --missing=worst
is "JSON: how many" "$rc $(key bandwidths_unreliable)" "0 2"
run --matrix=lossy --json --size=1M two
is "JSON: none" "$rc $(key bandwidths_unreliable)" "0 0"
run --matrix=lossy --json
is "JSON: no bandwidth counts" "$rc $(grep -c '"cost":\|bandwidths_unreliable' out)" "0 1"

sed 's/^b 2000000 0/b nan 0/' band >hole
run --matrix=hole
is "a bandwidth that is missing does no harm without a size" $rc 0
run --matrix=hole --size=8
is "with one it is refused" "$rc $(cat out)" "1 "
run --matrix=hole --size=8 --missing=worst
has "or given the lowest one" "$(cat err)" "1 missing bandwidths got"
has "which costs" "$(cat err)" "given 28 us"
run --matrix=hole --size=8 --symmetrize=max
has "or for that of the other direction" "$(cat err)" "given 28 us"

# sizes at the edges
run --matrix=racks16 --size=0
is "no bytes: an order all the same" $rc 0
run --matrix=racks16 --size=9223372036854775804
is "almost 2^63 bytes in a ring" $rc 0
run --matrix=racks16 --algorithm=halving-doubling --size=9223372036854775804
is "almost 2^63 bytes halved and doubled" $rc 0
for s in 9223372036854775808 8589934592G 1.5k -4 x ''; do
	run --matrix=racks16 --size=$s
	is "--size=$s: usage" "$rc $(cat out)" "2 "
done
run --matrix=racks16 --size=6
is "--size=6: no whole number of elements" "$rc $(cat out)" "2 "
has "--size=6: said" "$(cat err)" "not a whole number of elements"
run --matrix=racks16 --impl=openmpi --algorithm=ring --size=16G
is "more than MPI can count: usage" "$rc $(cat out)" "2 "
run --matrix=racks16 --impl=openmpi --algorithm=default --choose=16
is "a rule without a size" $rc 0
has "a rule without a size: for large ones" "$(cat err)" \
	"no --size: the order is for 8M; by size the library takes "
run --matrix=racks16 --impl=openmpi --collective=barrier \
	--algorithm=bruck --size=4
has "a barrier of some bytes: usage" "$rc $(cat err)" "no --size"
run --matrix=racks16 --algorithm=bcube:1
is "bcube:1: usage" "$rc $(cat out)" "2 "
run --matrix=racks16 --algorithm=ring:2
has "a number where none is taken: usage" "$rc $(cat err)" "takes no number"
run --matrix=racks16 --size=1k,2k
has "several sizes without predictions: usage" "$rc $(cat err)" \
	"several sizes, several collectives and --stats work only"

# segments above the eager limit wait for one another: the dearest hop rules
run --matrix=four --impl=openmpi --collective=broadcast --algorithm=pipeline \
	--size=1M --json
is "a pipeline of short segments: the way along it" "$(key cost_given)" 18
run --matrix=four --impl=openmpi --collective=broadcast --algorithm=pipeline \
	--size=1M --json --segment=128k
is "--segment: eight times the dearest hop" "$rc $(key cost_given)" "0 72"

run --matrix=racks16 --algorithm=halving-doubling --segment=4k
is "--segment where nothing is cut: usage" "$rc $(cat out)" "2 "
has "--segment where nothing is cut: said" "$(cat err)" \
	"--segment has no effect: halving-doubling (thesis) sends no segments"
run --matrix=racks16 --algorithm=two-level --segment=4k
is "--segment where chunks are cut" $rc 0

# a segment of 0 is none: the library's own default
for what in thesis/two-level gloo/segmented-ring nccl/ring \
	openmpi/segmented-ring; do
	for segment in none 0 16k; do
		set -- --impl="${what%/*}" --algorithm="${what#*/}" --size=8M
		[ $segment = none ] || set -- "$@" --segment=$segment
		"$builddir/plink-audit" --pattern --ranks=4 "$@" >sent-$segment
		"$order" --impl=thesis --matrix=racks7 --format=names \
			--bound=none --moves=500 "$@" >order-$segment 2>err
	done
	ok "$what: --segment=0 is the default" cmp sent-none sent-0
	ok "$what: and so is its order" cmp order-none order-0
	ok "$what: which 16k is not" sh -c '! cmp -s sent-none sent-16k'
done

# missing cells are dealt with before any algorithm
sed 's/^h3 80/h3 nan/' racks16 >holes
run --matrix=holes --algorithm=halving-doubling
is "missing cells: refused" "$rc $(cat out)" "1 "
run --matrix=holes --algorithm=halving-doubling --missing=drop-host --json
is "missing cells: without the host, an odd number" "$rc $(key n)" "0 15"

# the same bytes for any number of threads
run --matrix=racks16 --impl=openmpi --algorithm=rabenseifner --threads=1
cp out first
for t in 2 5; do
	run --matrix=racks16 --impl=openmpi --algorithm=rabenseifner --threads=$t
	ok "--threads=$t: the same order" cmp first out
done

done_testing
