#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0765-order-forecast.t - plink-order: predictions and rules at the edges
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

order=$builddir/plink-order
cd "$tmp" || exit 99

# run ARGS: status in $rc, output in out, messages in err
run() {
	"$order" "$@" >out 2>err
	rc=$?
}

# of N hosts with fast cards, 500 us apart, one way
matrix() {
	awk -v n="$1" 'BEGIN {
		print "# plink-matrix 1\n# quantity one-way\n# unit us\n# tcp cubic"
		for (i = 0; i < n; i++)
			print "# card h" i, "1000G 1000G"
		for (i = 0; i < n; i++) {
			printf "h%d", i
			for (j = 0; j < n; j++)
				printf " %d", i == j ? 0 : 500
			print ""
		}
	}'
}
matrix 1 >one
matrix 3 >three

# nothing to gain: a time of 0 is not less than a time of 0
run --matrix=one --predict
is "one host: done" $rc 0
is "one host: nobody waits for anything" \
	"$(awk '!/^#/ && $NF != "-" && $NF != "for"' out)" ""
is "one host: no setting pays" "$(grep -c -e --mca out)" 0
run --matrix=three --predict --size=0
is "no bytes: done" $rc 0
is "no bytes: no setting pays" "$(grep -c -e --mca out)" 0
run --matrix=one --impl=openmpi --format=ompi-rules
is "one host: rules" $rc 0
is "one host: none of them names an algorithm" \
	"$(grep -cE '^[0-9]+ [1-9][0-9]* 0 ' out)" 0

# ranks without a block send and go on: a call still takes its way through the
# network, however many of them are under way
run --matrix=three --predict --collective=reduce-scatter --size=4 \
	--algorithm=nonoverlapping
is "fewer elements than ranks: done" $rc 0
is "fewer elements than ranks: a call takes more than a hop" \
	"$(awk '$2 == "nonoverlapping" { print ($3 > 0.5) }' out)" 1

# MPI_Reduce_scatter_block takes equal blocks only, which no power of two makes
# for three ranks
run --matrix=three --impl=openmpi --collective=reduce-scatter \
	--algorithm=block-butterfly --format=ompi-rules
is "rules for equal blocks of three ranks: done" $rc 0
ok "rules for equal blocks of three ranks: there are some" \
	grep -q '^[0-9]* [1-4] 0 0 # block-' out

# columns: the end of "given ms" is above the ends of all numbers, however long
# the names are
run --matrix=three --predict --collective=reduce-scatter --size=96k
is "long names: the columns stand" "$(awk '
	/^size/ { end = index($0, "given ms") + 7 }
	!/^#/ && !/^size/ && substr($0, end - 3, 5) !~ /^[.][0-9][0-9][0-9] $/ {
		print
	}' out)" ""

# the limit counts Open MPI's largest header
run --matrix=three --predict --algorithm=recursive-doubling --size=1048520 --json
has "a message that just goes below the limit: that limit" "$(cat out)" \
	'"eager_limit": 1048576'
run --matrix=three --predict --algorithm=recursive-doubling --size=1048524 --json
has "one that does not: the next" "$(cat out)" '"eager_limit": 2097152'

done_testing
