#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0757-order-ties.t - plink-order: what a library takes by itself, and orders whose
# slowest hop costs the same
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

order=$builddir/plink-order
cd "$tmp" || exit 99

# by hops: so are as many hosts chosen as there are, where no times are predicted
run() {
	"$order" --choose="$n" "$@" >out 2>err
	rc=$?
}
n=16
# key NAME: of the JSON in out
key() {
	sed -n "s/^  \"$1\": \(.*[^,]\),*\$/\1/p" out
}

# four racks of four, dealt out in turns: 500 within, 5000 across
awk 'BEGIN {
	print "# plink-matrix 1\n# quantity one-way\n# unit us"
	for (i = 0; i < 16; i++) {
		printf "h%d", i
		for (j = 0; j < 16; j++)
			printf " %d", i == j ? 0 : i % 4 == j % 4 ? 500 : 5000
		print ""
	}
}' >racks

# what nobody asked for: the library's own choice
run --matrix=racks --impl=gloo --json
is "Gloo: what gloo::allreduce() takes" \
	"$(key algorithm) $(key taken) $(key taken_at) $(key size)" \
	'"default" "segmented-ring" 8388608 null'
is "no order has a cheaper slowest hop" \
	"$(key cost_given) $(key cost) $(key gap) $(key exact)" \
	"300000 300000 0 true"
is "of those the one of the least sum" "$(key hops_given) $(key hops)" \
	"80000 26000"
has "which is said" "$(cat err)" "of orders that cost the same, by the sum of \
hops: given 80000 us, found 26000 us"
has "and for what it is" "$(cat err)" "no --size: the order is for large calls"
cp out all
for threads in 1 3; do
	run --matrix=racks --impl=gloo --json --threads=$threads
	ok "the same with $threads threads" \
		sh -c 'for f in all out; do
			sed "/^  \"threads/d; /^  \"seconds/,/}/d" $f >$f.cut
		done; cmp all.cut out.cut'
done
run --matrix=racks --impl=gloo --json --pin=h5
is "another host first costs nothing" "$(key cost) $(key hops)" "300000 26000"
is "and it is first" "$(sed -n '/"order"/{n;s/[ ",]//g;p;}' out)" h5
run --matrix=racks --impl=gloo --json --min-gain=1
is "--min-gain is of the cost" "$(key hops)" ""
has "the given order, then" "$(cat err)" "the given one, unchanged"
run --matrix=racks --impl=gloo --json --choose=8
is "eight of them" "$(key cost) $(key hops)" "140000 13000"
awk '!/^#/ { print $1 " slots=2" }' racks >pairs
run --matrix=racks --impl=gloo --json pairs
is "two ranks a host" "$(key cost) $(key hops)" "620000 26000"
"$order" --matrix=racks --impl=gloo --json >out 2>err
is "no order is faster: the given one is kept, and has no other's hops" \
	"$(key cost) $(key hops)" "300000 "
run --matrix=racks --impl=gloo --format=names
cp out found
run --matrix=racks --impl=gloo --cost-of=found --json
is "what it costs, asked for" "$(key cost) $(key hops)" "300000 "
run --matrix=racks --impl=gloo --plan=plan
has "the plan says for what" "$(cat plan)" "order allreduce default gloo 0- "

# fewer elements than segments: time round the ring counts, and is told as it is
run --matrix=racks --impl=gloo --json --size=4
is "one element" "$(key cost_given) $(key cost) $(key exact)" "90000 36000 true"
run --matrix=racks --impl=gloo --json --size=16
is "four elements" "$(key cost_given) $(key cost) $(key exact)" \
	"100000 46000 true"
run --matrix=racks --impl=gloo --json --size=4 pairs
is "one element, two ranks a host" \
	"$(key cost_given) $(key cost) $(key exact)" "90000 36000 true"
run --matrix=racks --impl=gloo --json --size=64
is "sixteen elements: half of the blocks set the pace" \
	"$(key cost_given) $(key cost) $(key hops)" "160000 160000 26000"
# gain ALGORITHM SIZE: what the predictor, which knows nothing of that, says
gain() {
	"$order" --matrix=racks --impl=gloo --algorithm="$1" --size="$2" \
		--predict 2>/dev/null | awk '$2 == "'"$1"'" { print $5 }'
}
ok "the predictor sees the same for one element" \
	awk 'BEGIN { exit !('"$(gain segmented-ring 4)"' > 50) }'
ok "and for four" \
	awk 'BEGIN { exit !('"$(gain segmented-ring 16)"' > 45) }'
ok "and next to nothing for 1 KiB" \
	awk 'BEGIN { exit !('"$(gain segmented-ring 1k)"' < 5) }'

# against all rings of 7 hosts: the least slowest hop, then the least sum
least() {
	awk '!/^#/ { for (j = 2; j <= NF; j++) c[n + 0, j - 2] = $j; n++ }
	function go(at, k, max, sum, h, x) {
		if (k == n) {
			x = c[at, 0]
			max = max > x ? max : x
			sum += x
			if (best == "" || max < best || max == best && sum < s) {
				best = max
				s = sum
			}
			return
		}
		for (h = 1; h < n; h++)
			if (!used[h]) {
				used[h] = 1
				x = c[at, h]
				go(h, k + 1, max > x ? max : x, sum + x)
				used[h] = 0
			}
	}
	END { go(0, 1, 0, 0); print 24 * best, s }' "$1"
}
n=7
for seed in 1 2 3 4 5 6; do
	awk -v seed=$seed 'BEGIN {
		srand(seed)
		print "# plink-matrix 1\n# quantity rtt\n# unit us"
		for (i = 0; i < 7; i++)
			for (j = 0; j < i; j++)
				c[i, j] = c[j, i] = int(1 + 6 * rand())
		for (i = 0; i < 7; i++) {
			printf "h%d", i
			for (j = 0; j < 7; j++)
				printf " %d", c[i, j]
			print ""
		}
	}' >random
	run --matrix=random --impl=gloo --json
	is "against all rings, $seed" "$(key cost) $(key hops)" "$(least random)"
done

# other libraries
n=16
run --matrix=racks --impl=openmpi --collective=broadcast --json
is "Open MPI: any collective" "$rc $(key algorithm)" '0 "default"'
has "for which size" "$(cat err)" "no --size: the order is for 8M; by size the \
library takes knomial from 4"
run --matrix=racks --impl=openmpi --size=16k --json
is "with a size what it takes for that" \
	"$(key algorithm) $(key taken) $(key taken_at)" '"default" "rabenseifner" '
is "which is all that is said of sizes" "$(grep -c 'no --size' err)" 0
run --matrix=racks --impl=openmpi --collective=reduce-scatter --json
has "reduce-scatters in equal blocks" "$(cat err)" "recursive-halving from 64"
run --matrix=racks --impl=openmpi --collective=barrier --json
is "a barrier has no size" "$rc $(key taken_at) $(grep -c 'no --size' err)" \
	"0  0"
run --matrix=racks --impl=lightgbm --collective=allgather --json
is "all-gathers by what they make" "$(key taken_at)" 524288
run --matrix=racks --impl=gloo --collective=reduce-scatter --json
is "the first where there is no rule and no ring" "$(key algorithm)" \
	'"halving"'
run --matrix=racks --json --impl=thesis
is "the thesis' ring, as ever" "$(key impl) $(key algorithm) $(key cost)" \
	'"thesis" "ring" 26000'
run --matrix=racks --impl=thesis --collective=broadcast
is "which has no broadcasts" $rc 2

done_testing
