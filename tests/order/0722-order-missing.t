#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0722-order-missing.t - who is at fault for missing cells, and is left out
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
order=$builddir/plink-order
cd "$tmp" || exit 99

# holes HOSTS "A B" ...: a matrix in which these pairs are missing, both ways
holes() {
	n=$1
	shift
	awk -v n="$n" -v pairs="$*" 'BEGIN {
		k = split(pairs, p, " ")
		for (i = 1; i < k; i += 2)
			gap[p[i], p[i + 1]] = gap[p[i + 1], p[i]] = 1
		print "# plink-matrix 1\n# quantity rtt\n# unit us"
		for (i = 0; i < n; i++) {
			printf "h%d", i
			for (j = 0; j < n; j++)
				printf " %s", i == j ? 0 : \
					(i, j) in gap ? "nan" : 10 + (i * j) % 7
			print ""
		}
	}' >matrix
}

# run ARG...: status in $rc, hosts in $left, the rest in err
run() {
	"$order" --matrix=matrix --format=names --moves=1000 "$@" >out 2>err
	rc=$?
	left=$(sort -V out | tr '\n' ' ')
}

# a host that few reach: it alone is named
holes 40 "$(seq -f '17 %g' 0 2 39)"
sed -i 's/^# unit us$/&\n# cell h0 h17 no reply within 5 s/' matrix
run
is "a host that few reach: refused" "$rc" 1
has "it is named, with the reason" "$(cat err)" \
	"h17: 40 of 78 cells missing: no reply within 5 s"
is "and nobody else is" "$(grep -c 'cells missing' err)" 1
has "what may be the cause" "$(cat err)" "a firewall may stop UDP between the hosts"
has "the others are counted" "$(cat err)" \
	"20 other hosts lack only cells from and to this one"
# a note begins with the host that was lost; another may come first, or tell of a value
sed -i 's/^# cell h0 h17 .*/# cell h1 h17 few replies\n# cell h0 h17 late\n# cell h17 h2 h17: gone/' matrix
run
has "it is named once, with what is noted of itself" "$(cat err)" \
	"plink-order: h17: 40 of 78 cells missing: gone"
run --missing=drop-host
is "--missing=drop-host: without it" "$rc $(wc -l <out) $(grep -cx h17 out)" \
	"0 39 0"
is "which is said once" "$(grep 'left out' err)" "plink-order: host h17 left out"

# of a pair the host that was lost, not the later one
holes 7 "1 5"
sed -i 's/^# unit us$/&\n# cell h1 h5 h1: its agent has not answered for 10 s/' matrix
run --missing=drop-host
is "a host is lost before its last pair: without it" "$rc $(grep 'missing: \|left out' err)" \
	"0 plink-order: h1: 2 of 12 cells missing: its agent has not answered for 10 s
plink-order: host h1 left out"

# taking who misses most first would take h0, and then three more
holes 7 "0 1 0 2 0 3 1 4 2 5 3 6"
run --missing=drop-host
is "the fewest, not those that miss most" "$rc $left" "0 h0 h4 h5 h6 "
has "of those, how many others there are" "$(cat err)" \
	"4 other hosts lack only cells from and to these"
! grep -q 'fewer' err
is "proven" $? 0

# a ring of holes takes more than half of it
holes 9 "0 1 1 2 2 3 3 4 4 5 5 6 6 0"
run --missing=drop-host
is "a ring of seven holes: four go" "$rc $(wc -l <out)" "0 5"
is "and the others are there" "$(grep -cx 'h[78]' out)" 2

# one way missing, no symmetry: the pair is
holes 3 "1 2"
sed -i 's/^h2.*/h2 10 11 0/' matrix
run --missing=drop-host
is "one way missing: the later one goes" "$rc $left" "0 h0 h1 "

# so many that no search finds all that could be: said
awk 'BEGIN {
	n = 400
	srand(7)
	print "# plink-matrix 1\n# quantity rtt\n# unit us\n# symmetrize max"
	for (i = 0; i < n; i++) {
		printf "h%d", i
		for (j = 0; j < n; j++)
			printf(" %s", i == j ? 0 : i < j ? "nan" : \
				rand() < 0.3 ? "nan" : 9)
		print ""
	}
}' >matrix
run --missing=drop-host
is "holes everywhere: some are left" "$rc" 0
has "not proven to be the fewest: said" "$(grep fewer err)" \
	"fewer were not found, but "
is "20 are named, the others counted" "$(grep -c 'cells missing' err)" 20

done_testing
