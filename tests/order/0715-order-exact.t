#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0715-order-exact.t - plink-order: orders proved to be the best there are
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

. "$srcdir/tests/thesis.sh"

# run OPTION...: plink-order into $tmp/out and $tmp/err; its status is $rc
run() {
	rc=0
	"$order" "$@" >"$tmp/out" 2>"$tmp/err" || rc=$?
}

# field NAME: of the JSON in $tmp/out
field() {
	sed -n "s/^  \"$1\": \(.*[^,]\),*\$/\1/p" "$tmp/out"
}

# points N: hosts in a square, at whole distances
points() {
	awk -v n="$1" 'BEGIN {
		print "# plink-matrix 1\n# quantity rtt\n# unit us"
		for (i = 0; i < n; i++) {
			x[i] = i * 613 % 1009
			y[i] = i * i * 7919 % 1013
		}
		for (i = 0; i < n; i++) {
			printf "h%d", i
			for (j = 0; j < n; j++) {
				d = (x[i] - x[j]) ^ 2 + (y[i] - y[j]) ^ 2
				printf " %d", int(sqrt(d) + 0.5)
			}
			print ""
		}
	}'
}

for n in 18 45; do
	points $n >"$tmp/points"
	run --matrix="$tmp/points" --bound=fast --json
	fast=$(field bound)
	cost=$(field cost)
	is "$n hosts: an ascent proves nothing" "$(field exact)" false
	run --matrix="$tmp/points" --bound=full --json
	if grep -q "not built with GLPK" "$tmp/err" && [ $n -gt 20 ]; then
		ok "$n hosts: the ascent's bound" [ "$(field bound)" -ge "$fast" ]
		skip "$n hosts: proved" "not built with GLPK"
		continue
	fi
	is "$n hosts: the same cost" "$(field cost)" "$cost"
	is "$n hosts: proved" "$(field exact)" true
	is "$n hosts: the bound is the cost" "$(field bound)" "$cost"
	has "$n hosts: and that is said" "$(cat "$tmp/err")" "no order is cheaper"
	run --matrix="$tmp/points" --bound=full --json --moves=20
	is "$n hosts: from few moves, too" "$(field cost) $(field exact)" \
		"$cost true"
	sed '/"seconds"/,/}/d' "$tmp/out" >"$tmp/once"
	run --matrix="$tmp/points" --bound=full --json --moves=20
	sed '/"seconds"/,/}/d' "$tmp/out" >"$tmp/twice"
	ok "$n hosts: twice the same" cmp "$tmp/once" "$tmp/twice"
	run --matrix="$tmp/points" --bound=full --json --time=0.001
	is "$n hosts: no time" "$rc" 0
	ok "$n hosts: the bound holds" [ "$(field bound)" -le "$cost" ]
	awk '!/^#/ { print $1 }' "$tmp/points" >"$tmp/given"
	run --matrix="$tmp/points" --bound=full --cost-of="$tmp/given"
	has "$n hosts: --cost-of is held against the best there is" \
		"$(cat "$tmp/err")" "not below $cost us"
done

# the thesis' two stages, and questions for orders cheaper than the search's
points 9 >"$tmp/points"
for algorithm in ring halving-doubling double-binary-tree; do
	for method in exact thesis; do
		what="$algorithm, $method"
		run --matrix="$tmp/points" --algorithm=$algorithm \
			--method=$method --json --moves=5000
		is "$what: exit 0" $rc 0
		has "$what: told in JSON" "$(cat "$tmp/out")" \
			"\"method\": \"$method\""
		field order >"$tmp/order"
		cost=$(field cost)
		if grep -q "not built with Z3" "$tmp/err"; then
			skip "$what: proved" "not built with Z3"
			continue
		fi
		is "$what: proved" "$(field exact)" true
		[ $method = thesis ] || first=$cost
		is "$what: the same cost by both" "$cost" "$first"
		sed '/"seconds"/,/}/d' "$tmp/out" >"$tmp/once"
		run --matrix="$tmp/points" --algorithm=$algorithm \
			--method=$method --json --moves=5000
		sed '/"seconds"/,/}/d' "$tmp/out" >"$tmp/twice"
		ok "$what: twice the same" cmp "$tmp/once" "$tmp/twice"
	done
done

# few hosts: Z3 follows the search unasked, and says what it proved of hops
points 10 >"$tmp/points"
for algorithm in halving-doubling double-binary-tree; do
	run --matrix="$tmp/points" --algorithm=$algorithm --method=exact --json
	cost=$(field cost)
	run --matrix="$tmp/points" --algorithm=$algorithm --json -v
	is "$algorithm of 10: the optimum" "$(field cost)" "$cost"
	if grep -q "^plink-order: Z3: " "$tmp/err"; then
		is "$algorithm of 10: proved" "$(field exact)" true
		has "$algorithm of 10: of hops" "$(cat "$tmp/err")" \
			"no order's hops cost less"
	else
		skip "$algorithm of 10: proved" "not built with Z3"
	fi
	sed '/"seconds"/,/}/d' "$tmp/out" >"$tmp/once"
	run --matrix="$tmp/points" --algorithm=$algorithm --json
	sed '/"seconds"/,/}/d' "$tmp/out" >"$tmp/twice"
	ok "$algorithm of 10: twice the same" cmp "$tmp/once" "$tmp/twice"
	is "$algorithm of 10: silent unless it helps" "$(grep -c " 0 answers" "$tmp/err")" 0
done

# judged by times: what Z3 did is told of hops alone
run --matrix="$tmp/points" --impl=openmpi --method=exact --json
is "judged by times: exit 0" $rc 0
if grep -q "not built with Z3" "$tmp/err"; then
	skip "told of hops" "not built with Z3"
else
	has "told of hops" "$(cat "$tmp/err")" "for an order whose hops cost less"
fi

# more hosts than it is asked about at once: never dearer, and it ends in time
points 40 >"$tmp/points"
for algorithm in ring halving-doubling; do
	run --matrix="$tmp/points" --algorithm=$algorithm --method=thesis \
		--moves=20000 --json
	ok "$algorithm of 40: cheaper" [ "$(field cost)" -lt "$(field cost_given)" ]
	run --matrix="$tmp/points" --algorithm=$algorithm --method=thesis \
		--time=0.2 --json
	is "$algorithm of 40: by the clock" $rc 0
	ok "$algorithm of 40: its bound holds" \
		[ "$(field bound)" -le "$(field cost)" ]
done

# a signal ends either stage: best so far, and that is said
for moves in --time=1000 --moves=1; do
	"$order" --matrix="$tmp/points" --method=thesis --bound=none $moves \
		>"$tmp/out" 2>"$tmp/err" &
	pid=$!
	catches $pid
	sleep 0.3
	kill -INT $pid 2>/dev/null
	rc=0
	wait $pid || rc=$?
	is "$moves: an order for every host" "$(wc -l <"$tmp/out")" 40
	[ $rc = 0 ] || is "$moves: interrupted: exit 1" $rc 1
done

# hosts that differ in slots
points 4 >"$tmp/points"
printf 'h0 slots=2\nh1\nh2\nh3\n' >"$tmp/hosts"
run --matrix="$tmp/points" --algorithm=halving-doubling --method=thesis \
	--bound=none --moves=100 "$tmp/hosts"
is "slots that differ: exit 0" $rc 0
run --matrix="$tmp/points" --method=thesis --predict
is "--predict with it: usage" $rc 2
run --matrix="$tmp/points" --method=magic
is "no such method: usage" $rc 2

done_testing
