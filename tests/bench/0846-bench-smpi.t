#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0846-bench-smpi.t - bench/smpi: what it draws, what SimGrid replays, what it refuses
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

PLINK_BUILD=$builddir
export PLINK_BUILD
smpi=$srcdir/bench/smpi

drawn() {
	"$builddir/bench/drawn-network" --lan --network=6 --hosts=10 --near=20 --far=40 "$@"
}
drawn >"$tmp/without"
drawn --costs --uplinks=2 >"$tmp/with"
is "uplinks of half of 7 and of 3 cards of 1 Gbit/s" "$(grep '^# uplink' "$tmp/with")" \
	"# uplink 0 3.5Gbit 3.5Gbit
# uplink 1 1.5Gbit 1.5Gbit"
is "a round trip contains what the probe's packets cost the two hosts" "$(awk '
	BEGIN { row = 0 }
	/^# message/ { split($9, word, "="); us[n++] = word[2] / 1000 }
	/^#/ { next }
	FNR == NR || !n { for (j = 2; j <= NF; j++) bare[$1, j] = $j; next }
	{ for (j = 2; j <= NF; j++) {
		off = $j - bare[$1, j] - (j - 2 == row ? 0 : us[row] + us[j - 2])
		if (off > .11 || off < -.11) print $1, j, off
	} row++ }' "$tmp/without" "$tmp/with")" ""

"$builddir/bench/smpi-traces" --ranks=3 --algorithm=recursive-doubling --size=2048 --to="$tmp/rank"
is "the folded rank sends its buffer, waits for the sum" "$(grep -v compute "$tmp/rank0")" \
	"0 init
0 isend 1 0 2048
0 wait 0 1 0
0 irecv 1 2 2048
0 wait 1 0 2
0 finalize"

"$smpi" --what 2>"$tmp/err"
is "an option that is none" "$? $(cat "$tmp/err")" "2 smpi: what is --what?; see smpi --help"
mkdir "$tmp/bin"
ln -s "$(command -v dirname)" "$tmp/bin"
PATH=$tmp/bin "$smpi" 2>"$tmp/err"
is "without SimGrid" "$? $(cat "$tmp/err")" \
	"4 smpi: there is no SimGrid: install libsimgrid-dev"
if command -v smpirun >"$tmp/err"; then
	ok "a ring of 2 KiB takes what is predicted" \
		"$smpi" --networks=1 --algorithms=ring --sizes=2k
else
	skip "a ring of 2 KiB" "no SimGrid"
fi
done_testing
