#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0674-probe-mpi-machines.t - plink-probe-mpi on emulated machines
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
probe=$builddir/plink-probe-mpi
[ -x "$probe" ] || skip_all "built without MPI"
. "$srcdir/tests/layer.sh"
. "$srcdir/tests/machines.sh"

"$testbed" matrix --racks=2x2 --intra-us=1000 --inter-us=8000 --shuffle \
	--seed=3 >"$tmp/m" 2>/dev/null
ok "up" testbed_up --matrix="$tmp/m" --nic=100Mbit
for i in 2 0 3 1; do
	echo "h$i"
done >"$tmp/ranks-on"

# what the MPI library itself leaks does not matter here, and ranks wait for messages
waiting="env ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 \
	LD_PRELOAD=$builddir/libplink-bench-yield.so"
on_machines 4 $waiting "$probe" --size=256k \
	--probes=30-35 -o "$tmp/out"
is "four machines: done" "$?" 0
is "hosts are the machines, in rank order" \
	"$(sed -n 's/^# host //p' "$tmp/out" | xargs)" \
	"h2 node=h2 h0 node=h0 h3 node=h3 h1 node=h1"

# What the emulator applied at least, both ways, in ns (see 0620-probe-testbed.t).
"$testbed" status --prefix=$prefix | awk '
	/^hand-over / { early = $(NF - 1) }
	table { v[$1, $2] = $4 - early } /^from / { table = 1 }
	END { for (k in v) { split(k, a, SUBSEP)
		print a[1], a[2], (v[k] + v[a[2], a[1]]) * 1000 } }' \
	>"$tmp/applied"
is "the emulator knows all pairs" "$(wc -l <"$tmp/applied")" 12
layer min >"$tmp/min"
is "no round trip is shorter than what was applied" "$(awk '
	NR == FNR { least[$1, $2] = $3; next }
	!($3 >= least[$1, $2] - 1000) { bad++ }
	END { print FNR, bad + 0 }' "$tmp/applied" "$tmp/min")" "12 0"
# by the least: processes that poll share processors here and come late
is "racks are told apart without a mistake" "$(awk '
	NR == FNR { if ($2 == "rack") rack[$3] = $4; next }
	(rack[$1] == rack[$2]) != ($3 < 8e6) { bad++ }
	END { print FNR, bad + 0 }' "$tmp/m" "$tmp/min")" "12 0"
is "fewer than 36 messages do not settle it" \
	"$(layer sent | awk '$3 == 35 { n++ } END { print NR, n }')" "12 12"
layer p10-time >"$tmp/bandwidth"
is "no bandwidth is above that of the machines" "$(awk '
	!($3 > 0 && $3 <= 12.5e6) { bad++ } END { print NR, bad + 0 }' \
	"$tmp/bandwidth")" "12 0"

# A list by addresses.
for i in 0 1 2 3; do
	echo "h$i $("$testbed" exec --prefix=$prefix h$i -- \
		ip -4 -o addr show dev plink0 | awk '{ sub("/.*", "", $4); print $4 }')"
done >"$tmp/addresses"
cut -d' ' -f2 "$tmp/addresses" >"$tmp/list"
on_machines 4 $waiting "$probe" --hosts="$tmp/list" \
	--probes=5 -o "$tmp/out"
is "hosts are called by the list's addresses" \
	"$? $(sed -n 's/^# host //p' "$tmp/out" | xargs)" \
	"0 $(while read -r h; do
		awk -v h="$h" '$1 == h { print $2, "node=" h }' "$tmp/addresses"
	done <"$tmp/ranks-on" | xargs)"
"$builddir/plink-order" --matrix="$tmp/out" "$tmp/list" >"$tmp/order" 2>"$tmp/err"
is "plink-order finds them by these" "$? $(sort "$tmp/order" | xargs)" \
	"0 $(sort "$tmp/list" | xargs)"
sed 2d "$tmp/list" >"$tmp/less"
on_machines 4 $waiting "$probe" --hosts="$tmp/less" \
	>"$tmp/out"
is "one that is not there: exit 3, nothing on stdout" "$? $(cat "$tmp/out")" "3 "
has "and that is said" "$(cat "$tmp/err")" \
	"host h1 of the job is not in $tmp/less"
ok "down" "$testbed" down --prefix=$prefix

done_testing
