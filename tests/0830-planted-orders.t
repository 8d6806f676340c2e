#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0830-planted-orders.t - bench/planted-orders: the orders end-to-end compares
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"

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
ok "writes orders" "$planted" --random=3 --seed=7 "$tmp/matrix" "$tmp/one"
is "what it wrote" "$(cd "$tmp/one" && echo *)" \
	"best given random-01 random-02 random-03 worst"
is "given: as in the matrix" "$(paste -sd' ' "$tmp/one/given")" "a b c d e"
is "best: rack by rack" "$(paste -sd' ' "$tmp/one/best")" "b d a c e"
is "worst: racks in turn" "$(paste -sd' ' "$tmp/one/worst")" "b a d c e"
for f in "$tmp"/one/random-*; do
	is "${f##*/} has every host once" "$(sort "$f" | paste -sd' ' -)" \
		"a b c d e"
done
"$planted" --random=3 --seed=7 "$tmp/matrix" "$tmp/two"
ok "same seed, same orders" diff -r "$tmp/one" "$tmp/two"
"$planted" --random=3 --seed=8 "$tmp/matrix" "$tmp/two"
cat "$tmp"/one/random-* >"$tmp/seed-7"
cat "$tmp"/two/random-* >"$tmp/seed-8"
is "another seed, others" "$(cmp -s "$tmp/seed-7" "$tmp/seed-8" && echo same)" ""

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
