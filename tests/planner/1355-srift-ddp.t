#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1355-srift-ddp.t - bench/srift-ddp: a profile, a measured network, a DDP job, and
# what was predicted of it, on four emulated machines
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
testbed=$builddir/plink-testbed
prefix=t1355-$$
PLINK_BUILD=$builddir
export PLINK_BUILD
bench=$srcdir/bench/srift-ddp

why=$("$testbed" check 2>&1) || skip_all "no testbed here: $why"
/usr/bin/python3 -c 'import importlib.util as u, sys
sys.exit(not u.find_spec("torch"))' || skip_all "no torch here"
cleanup() {
	"$testbed" down --prefix="$prefix" >/dev/null 2>&1
}

for arg in --racks=4 --widths=a --steps=0 --what; do
	"$bench" "$arg" >"$tmp/out" 2>"$tmp/err"
	is "$arg: exit 2, nothing on stdout" "$? $(cat "$tmp/out")" "2 "
done

# How long it all takes is not judged here: the machine may do anything else.
"$bench" --racks=2x2 --widths=128 --steps=2 --launches=1 --repeat=8 \
	--flow-time=0.3 --prefix="$prefix" --keep="$tmp/kept" >"$tmp/out" 2>"$tmp/err"
rc=$?
ok "it runs to its end: exit $rc, $(tail -n 1 "$tmp/err")" test "$rc" -le 1
has "racks are found by what was measured" "$(cat "$tmp/out")" "measured: 2 racks"
# the machines of a rack stand side by side in the found order, not in the given one
apart() {
	awk 'BEGIN { last = "none" }
		$2 == "rack" { rack[$3] = $4; next } /^#/ { next } FNR == NR { next }
		{ n += rack[$1] != last; last = rack[$1] } END { print n }' \
		"$tmp/kept/truth" "$tmp/kept/$1"
}
is "the given order goes from rack to rack" "$(apart given)" 4
ok "the found one less often" test "$(apart found)" -lt 4
is "the profile has the model's gradients, layers as they become ready" \
	"$(/usr/bin/python3 -c '
import json, sys
p = json.load(open(sys.argv[1]))
i = p["instances"][0]
assert len(p["layers"]) == 10 and i["batches"] == [8]
assert sum(l["bytes"] for l in p["layers"]) == 4 * (224 + 128 * 128 + 128
    + 2 * (128 * 128 + 128) + 1280 + 10)
assert i["finish"][8] < i["finish"][6] < i["finish"][0]
print("right")' "$tmp/kept/profile.0")" right
# two flows share an uplink in the given order, none does in the found one
is "iterations are predicted, those of the given order longer" \
	"$(awk '/^  given\/found  predicted/ { print($3 > 1.005 && $3 < 3) }' \
		"$tmp/out")" 1
is "and the job's are told for both orders" \
	"$(grep -cE '^  (given|found)  predicted +[0-9.]+ s  measured +[0-9.]+ s' \
		"$tmp/out")" 2
ok "no cluster is left" test -z "$("$testbed" status --prefix="$prefix" 2>/dev/null)"

done_testing
