#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0715-order-exact.t - plink-order: orders proved to be the best there are
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"

order=$builddir/plink-order

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
	sed 's/"seconds".*//; /"probe"\|"solve"\|"bound": 0/d' "$tmp/out" \
		>"$tmp/once"
	run --matrix="$tmp/points" --bound=full --json --moves=20
	sed 's/"seconds".*//; /"probe"\|"solve"\|"bound": 0/d' "$tmp/out" \
		>"$tmp/twice"
	ok "$n hosts: twice the same" cmp "$tmp/once" "$tmp/twice"
	run --matrix="$tmp/points" --bound=full --json --time=0.001
	is "$n hosts: no time" "$rc" 0
	ok "$n hosts: the bound holds" [ "$(field bound)" -le "$cost" ]
	awk '!/^#/ { print $1 }' "$tmp/points" >"$tmp/given"
	run --matrix="$tmp/points" --bound=full --cost-of="$tmp/given"
	has "$n hosts: --cost-of is held against the best there is" \
		"$(cat "$tmp/err")" "not below $cost us"
done

done_testing
