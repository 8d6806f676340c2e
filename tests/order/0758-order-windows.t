#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0758-order-windows.t - plink-order: connections that pass so much in a round trip
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

order=$builddir/plink-order
cd "$tmp" || exit 99

# run ARGS: reduce-scatters of LightGBM; by hops where as many hosts are chosen as
# there are
run() {
	"$order" $choose --impl=lightgbm --collective=reduce-scatter "$@" >out 2>err
	rc=$?
}
key() {
	sed -n "s/^  \"$1\": \(.*[^,]\),*\$/\1/p" out
}

# two hosts, 10 ms there and back: of 230000 bytes each sends half, a window
choose=--choose=2
printf '# plink-matrix 1\n# quantity one-way\n# unit us\n' >one-way
printf 'a 0 4000\nb 6000 0\n' >>one-way
printf '# plink-matrix 1\n# quantity rtt\n# unit us\n' >rtt
printf 'a 0 10000\nb 10000 0\n' >>rtt
run --matrix=one-way --size=230000 --json
is "one-way times: the dearer one and a round trip" \
	"$(key cost) $(key window)" "16000 115000"
has "which is said" "$(cat err)" \
	"LightGBM's sockets are taken to pass 115000 bytes in a round trip"
run --matrix=rtt --size=230000 --json
is "round trips: as they are" "$(key cost)" 20000
run --matrix=one-way --size=8 --json
is "few bytes: next to nothing" "$(key cost | cut -d. -f1)" 6000
cp one-way slow
printf '# layer p50 bandwidth bytes-per-s\na 0 1e6\nb 1e6 0\n' >>slow
run --matrix=slow --size=230000 --json
is "a link that is slower counts" "$(key cost)" 121000
run --matrix=one-way --json
is "without a size: as for 8 MiB" "$(key window) $(key taken_at)" \
	"115000 8388608"
ok "with its windows" awk 'BEGIN { exit !('"$(key cost)"' > 300000) }'
run --matrix=one-way --algorithm=recursive-halving --json
is "of one that is named: latency alone" "$(key cost) $(key window)" "6000 "
"$order" --impl=openmpi --matrix=one-way --size=230000 --json >out 2>err
is "of others: nothing of that" "$(key window)$(grep -c LightGBM err)" 0

# racks of four: halving begins with the rank N / 2 on, and with half of it all
awk 'BEGIN {
	print "# plink-matrix 1\n# quantity one-way\n# unit us"
	for (i = 0; i < 16; i++) {
		printf "h%d", i
		for (j = 0; j < 16; j++)
			printf " %d", i == j ? 0 : int(i / 4) == int(j / 4) ? \
				500 : 5000
		print ""
	}
}' >racks
choose=
run --matrix=racks --size=4 --format=names
mv out small
run --matrix=racks --size=3400k --format=names
mv out large
run --matrix=racks --size=3400k --cost-of=small
small=$(cat out)
run --matrix=racks --size=3400k --cost-of=large
ok "large histograms have an order of their own" \
	awk "BEGIN { exit !($(cat out) < $small / 2) }"
awk '{ rack[NR - 1] = int(substr($1, 2) / 4) }
	END { for (i = 0; i < 8; i++) n += rack[i] == rack[i + 8]; print n }' \
	large >near
is "whose halves are exchanged within racks" "$(cat near)" 8
# predicted ORDER: milliseconds in that order
predicted() {
	run --matrix=racks --size=3400k --predict --algorithm=default "$1"
	awk '$1 == "3400k" { print $4 }' out
}
ok "which the predictor says, too" awk \
	"BEGIN { exit !($(predicted large) < $(predicted small) / 2) }"

done_testing
