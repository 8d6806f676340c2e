#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1074-mpi-callers.t - what LightGBM and Horovod call, with ranks that follow a plan
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

lightgbm=$builddir/tests/shim-mpi/lightgbm
horovod=$builddir/tests/shim-mpi/horovod

# where SLOTS 'NUMBER...': "rank host" by that order
where() {
	where_rank=0
	for where_host in $2; do
		for _ in $(seq "$1"); do
			echo "$where_rank h$where_host"
			where_rank=$((where_rank + 1))
		done
	done
}

# rows FILE: of statistics, all but the times
rows() {
	sed '/^#/d' "$1" | cut -d' ' -f1-8
}

# ranks, ranks of a host, order: a power of two, and pairs beyond it
for row in '4 2 1 0' '5 1 3 0 4 1 2' '6 3 1 0'; do
	n=${row%% *}
	slots=$(echo "$row" | cut -d' ' -f2)
	order=$(echo "$row" | cut -d' ' -f3-)
	plan "$slots" "$order" >"$tmp/plan"
	mpi "$n" -x LD_PRELOAD="$preload" -x PLINK_MPI_MODE=off \
		-x PLINK_STATS="$tmp/off" "$as" "$slots" "$lightgbm" >"$tmp/bare"
	is "lightgbm, $n ranks: it ends well without a plan" $? 0
	shim "$n" -x PLINK_STATS="$tmp/on" "$as" "$slots" "$lightgbm" \
		>"$tmp/out" 2>"$tmp/err"
	is "lightgbm, $n ranks: and with one, and nothing is said" \
		"$? $(cat "$tmp/err")" "0 "
	relay "lightgbm, $n ranks" "$tmp/out"
	is "lightgbm, $n ranks: as many checks as without" \
		"$(grep -c '^ok' "$tmp/out")" "$(grep -c '^ok' "$tmp/bare")"
	is "lightgbm, $n ranks: the ranks know of the hosts by the plan" \
		"$(grep ' h[0-9]' "$tmp/out")" "$(where "$slots" "$order")"
	is "lightgbm, $n ranks: as many messages and bytes as without" \
		"$(rows "$tmp/on")" "$(rows "$tmp/off")"
	has "lightgbm, $n ranks: all are counted" "$(rows "$tmp/on")" \
		"send nonblocking $n"
done

# in shadow mode ranks are as launched: all is as without
# shadow PROGRAM: five ranks of as many hosts
shadow() {
	plan 1 '3 0 4 1 2' >"$tmp/plan"
	mpi 5 "$as" 1 "$1" >"$tmp/bare"
	PLINK_MPI_MODE=shadow shim 5 "$as" 1 "$1" >"$tmp/out" 2>"$tmp/err"
	is "${1##*/}, shadow mode: it ends well, and nothing is said" \
		"$? $(cat "$tmp/err")" "0 "
	has "${1##*/}, shadow mode: something is checked" "$(cat "$tmp/out")" \
		"ok "
	is "${1##*/}, shadow mode: all is as without" "$(cat "$tmp/out")" \
		"$(cat "$tmp/bare")"
}
shadow "$lightgbm"
shadow "$horovod"

for row in '4 2 1 0' '5 1 3 0 4 1 2'; do
	n=${row%% *}
	slots=$(echo "$row" | cut -d' ' -f2)
	order=$(echo "$row" | cut -d' ' -f3-)
	plan "$slots" "$order" >"$tmp/plan"
	mpi "$n" "$as" "$slots" "$horovod" >"$tmp/bare"
	is "horovod, $n ranks: it ends well without" $? 0
	shim "$n" "$as" "$slots" "$horovod" >"$tmp/out" 2>"$tmp/err"
	is "horovod, $n ranks: and with a plan, and nothing is said" \
		"$? $(cat "$tmp/err")" "0 "
	relay "horovod, $n ranks" "$tmp/out"
	is "horovod, $n ranks: as many checks as without" \
		"$(grep -c '^ok' "$tmp/out")" "$(grep -c '^ok' "$tmp/bare")"
	# this is one machine, whatever PLINK_HOST says
	is "horovod, $n ranks: the ranks are where the plan says" \
		"$(sed -n 's/^\([0-9]*\) \1 0 h/\1 h/p' "$tmp/out")" \
		"$(where "$slots" "$order")"
done

done_testing
