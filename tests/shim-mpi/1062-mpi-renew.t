#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1062-mpi-renew.t - in shadow mode the job takes another order while it runs, when the
# network has changed
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"
. "$srcdir/tests/machines.sh"

. "$srcdir/tests/shim-mpi/renew.sh"

PATH=$builddir:$path
# Six machines in two racks; then the delays are those of other racks: h0 h3 h1, h4 h2 h5.
"$testbed" matrix --racks=2x3 --intra-us=100 --inter-us=3000 2>/dev/null >"$tmp/before"
awk 'BEGIN { split("0 3 1 4 2 5", to) }
	!/^h/ { print; next }
	{ for (j = 0; j < 6; j++) cell[n + 0, j] = $(j + 2); n++ }
	END { for (i = 0; i < 6; i++) {
		printf "h%d", i
		for (j = 0; j < 6; j++)
			printf " %s", cell[to[i + 1], to[j + 1]]
		print "" } }' "$tmp/before" >"$tmp/after"
"$testbed" up --matrix="$tmp/before" --prefix=$prefix
is "six machines are up" $? 0
seq -f 'h%g' 0 5 >"$tmp/ranks-on"
"$builddir/plink-order" -q --matrix="$tmp/before" --algorithm=ring --plan="$tmp/plan" \
	-o /dev/null
# job: until $tmp/stop is there; to out and err
job() {
	rm -f "$tmp/stop"
	on_machines 6 -x LD_PRELOAD="$preload" -x PLINK_PLAN="$tmp/plan" \
		-x PLINK_MPI_MODE=shadow -x PLINK_VERBOSE -x PLINK_REORDER=2s -x PATH \
		--mca coll_tuned_use_dynamic_rules 1 \
		--mca coll_tuned_allreduce_algorithm 4 "$renewed" 100 "$tmp/stop" \
		>"$tmp/out"
}

# said WORDS: waits until the job says them
said() {
	for _ in $(seq 90); do
		! grep -q "$1" "$tmp/err" 2>/dev/null || break
		sleep 1
	done
	sleep 2
	touch "$tmp/stop"
	wait $job
}

: >"$tmp/err"
job &
job=$!
sleep 5
"$testbed" change --matrix="$tmp/after" --prefix=$prefix
is "the network changes" $? 0
said "and is taken"
has "on machines: no result is wrong" "$(cat "$tmp/out")" "0 wrong"
is "the order that is taken has each rack together" \
	"$(sed -n 's/.* and is taken://p' "$tmp/err" | tail -n 1 | tr -d ' h' |
		sed 'y/024135/000111/' | grep -cE '^(000111|111000|011100|100011|001110|110001)$')" 1

# An order that was predicted to be faster and is not: plink-order is no longer the real one.
"$testbed" change --matrix="$tmp/before" --prefix=$prefix
printf '#!/bin/sh\ncat >/dev/null\nprintf "h%%s\\n" 0 3 1 4 2 5\n' >"$tmp/fake/plink-order"
PATH=$tmp/fake:$path
: >"$tmp/err"
job &
job=$!
said "taken again"
has "an order that makes the job slower: no result is wrong" "$(cat "$tmp/out")" "0 wrong"
has "it is given up" "$(cat "$tmp/err")" \
	"the job was faster in the order before, which is taken again: h0 h1 h2 h3 h4 h5"
"$testbed" down --prefix=$prefix

done_testing
