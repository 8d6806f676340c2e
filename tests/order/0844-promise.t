#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0844-promise.t - the order that plink-order writes by itself is not predicted to be
# slower than the given one, at any size, of networks whose given order is good for one
# algorithm and bad for another
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

PLINK_BUILD=$builddir
export PLINK_BUILD

# predicted HOSTS: each size and its milliseconds in that order, Open MPI's own choice
predicted() {
	"$builddir/plink-order" --matrix="$tmp/m" --nic=10G --predict --impl=openmpi \
		--algorithm=default --size=2k,64k,1M,8M --moves=1 --bound=none "$1" \
		2>/dev/null |
		awk '/^[0-9].* default / { size = $1; sub(/.*\)/, ""); print size, $1 }'
}

# check NAME: what README says, with the matrix $tmp/m in place of machines
check() {
	sed -n '/^#/!s/ .*//p' "$tmp/m" >"$tmp/hosts.txt"
	"$builddir/plink-order" --matrix="$tmp/m" --nic=10G "$tmp/hosts.txt" \
		>"$tmp/hostfile" 2>"$tmp/err"
	is "$1: done" $? 0
	predicted "$tmp/hosts.txt" >"$tmp/given"
	predicted "$tmp/hostfile" >"$tmp/found"
	for size in 2k 64k 1M 8M; do
		given=$(sed -n "s/^$size //p" "$tmp/given")
		found=$(sed -n "s/^$size //p" "$tmp/found")
		echo "# $1, $size: given $given ms, found $found ms"
		ok "$1, $size: not slower" awk "BEGIN {
			exit !($found + 0 > 0 && $found <= $given * 1.02) }"
	done
}
for order in shuffled racks turned alternating; do
	"$builddir/bench/drawn-network" --racks=2,2,2,2 --order=$order >"$tmp/m"
	check "2+2+2+2, $order"
done
for k in 5 6; do
	"$builddir/bench/drawn-network" --network=$k >"$tmp/m"
	check "network $k"
done

# networks as in one data centre, one of them with directed costs
"$srcdir/bench/kept" --networks=6 >"$tmp/kept" 2>&1
is "no order that is faster at every size is thrown away" $? 0
sed 's/^/# /' "$tmp/kept"

# the same with machines to be measured
if ! why=$("$builddir/plink-testbed" check 2>&1); then
	skip "measured machines" "$why"
	done_testing
	exit
fi
for order in shuffled racks; do
	out=$("$srcdir/bench/promise" --only=1 --racks=2,2,2,2 --order=$order \
		--mpi=openmpi --untimed --prefix=t$$ 2>"$tmp/err")
	is "measured machines, $order: nothing slower is promised" $? 0
	echo "$out" | sed 's/^/# /'
	is "measured machines, $order: a promise for each size, or the given order" \
		"$(echo "$out" | grep -cE ' 1 2\+2\+2\+2 .* ([0-9]\.[0-9]{3}[? ] .*|same)$')" 4
done

done_testing
