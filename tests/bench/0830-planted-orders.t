#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0830-planted-orders.t - bench/planted-orders: the orders end-to-end compares
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

planted=$builddir/bench/planted-orders

cat >"$tmp/matrix" <<'END'
# plink-matrix 1
# quantity one-way
# unit us
# rack a 1
# rack b 0
# rack c 1
# rack d 0
# rack e 1
a 0 5 1 5 1
b 5 0 5 1 5
c 1 5 0 5 1
d 5 1 5 0 5
e 1 5 1 5 0
END

mkdir "$tmp/one" "$tmp/two"
ok "writes orders" "$planted" --random=3 --graded=2 --seed=7 \
	"$tmp/matrix" "$tmp/one"
is "what it wrote" "$(cd "$tmp/one" && echo *)" \
	"best given graded-01 graded-02 random-01 random-02 random-03 worst"
is "given: as in the matrix" "$(paste -sd' ' "$tmp/one/given")" "a b c d e"
is "best: rack by rack" "$(paste -sd' ' "$tmp/one/best")" "b d a c e"
is "worst: racks in turn" "$(paste -sd' ' "$tmp/one/worst")" "b a d c e"
for f in "$tmp"/one/random-* "$tmp"/one/graded-*; do
	is "${f##*/} has every host once" "$(sort "$f" | paste -sd' ' -)" \
		"a b c d e"
done
"$planted" --random=3 --graded=2 --seed=7 "$tmp/matrix" "$tmp/two"
ok "same seed, same orders" diff -r "$tmp/one" "$tmp/two"
"$planted" --random=3 --graded=2 --seed=8 "$tmp/matrix" "$tmp/two"
cat "$tmp"/one/random-* >"$tmp/seed-7"
cat "$tmp"/two/random-* >"$tmp/seed-8"
is "another seed, others" "$(cmp -s "$tmp/seed-7" "$tmp/seed-8" && echo same)" ""

# A hop costs 1 inside a rack and 1001 between racks: 16 hops of which K leave
# their rack cost 16 + 1000 K.
mkdir "$tmp/graded"
"$builddir/plink-testbed" matrix --racks=4x4 --intra-us=1 --inter-us=1001 \
	--shuffle --seed=3 >"$tmp/racks" 2>/dev/null
"$planted" --graded=11 --random=0 "$tmp/racks" "$tmp/graded"
cost() {
	"$builddir/plink-order" --impl=thesis --matrix="$tmp/racks" \
		--cost-of="$1" 2>/dev/null
}
is "best: once out of every rack" "$(cost "$tmp/graded/best")" 4016
is "worst: never two of a rack" "$(cost "$tmp/graded/worst")" 16016
is "graded: every number of hops between them" \
	"$(for f in "$tmp"/graded/graded-*; do cost "$f"; done | paste -sd' ' -)" \
	"5016 6016 7016 8016 9016 10016 11016 12016 13016 14016 15016"

# refused STATUS WHAT ARGUMENT...
refused() {
	refused_status=$1 refused_what=$2
	shift 2
	"$planted" "$@" >/dev/null 2>"$tmp/err"
	is "$refused_what: exit $refused_status" $? "$refused_status"
}
grep -v 'rack d' "$tmp/matrix" >"$tmp/short"
refused 3 "a host without a rack" "$tmp/short" "$tmp/one"
has "a host without a rack: names it" "$(cat "$tmp/err")" "host d"
sed 's/rack d 0/rack x 0/' "$tmp/matrix" >"$tmp/stranger"
refused 3 "a rack for a stranger" "$tmp/stranger" "$tmp/one"
sed 's/rack d 0/rack d -1/' "$tmp/matrix" >"$tmp/negative"
refused 3 "a negative rack" "$tmp/negative" "$tmp/one"
refused 4 "no such folder" "$tmp/matrix" "$tmp/none"
refused 2 "too many random orders" --random=100 "$tmp/matrix" "$tmp/one"
refused 2 "no folder named" "$tmp/matrix"

done_testing
