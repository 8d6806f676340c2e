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
python=/usr/bin/python3
. "$srcdir/tests/python/warm.sh"
PLINK_PYTHON=$python
export PLINK_PYTHON
cleanup() {
	"$testbed" down --prefix="$prefix" >/dev/null 2>&1
}

# How long it all takes, and how good it is, is not judged here: the machine may do
# anything else.
"$bench" --racks=2x2 --cpu=0.3 --models=128x8 --sizes="2 4" --samples=8 --steps=2 \
	--launches=1 --repeat=8 --prefix="$prefix" --keep="$tmp/kept" >"$tmp/out" 2>"$tmp/err"
rc=$?
grep -q "shares of a processor" "$tmp/err" && skip_all "$(cat "$tmp/err")"
ok "it runs to its end: exit $rc, $(tail -n 1 "$tmp/err")" test "$rc" -le 1
# the machines of a rack stand side by side in the found order, not in the given one
apart() {
	awk 'BEGIN { last = "none" }
		$2 == "rack" { rack[$3] = $4; next } /^#/ { next } FNR == NR { next }
		{ n += rack[$1] != last; last = rack[$1] } END { print n }' \
		"$tmp/kept/truth" "$tmp/kept/$1"
}
is "the given order goes from rack to rack" "$(apart given)" 4
ok "the found one less often" test "$(apart names.4)" -lt 4
is "two machines are of one rack" "$(apart names.2)" 1
is "the profile has the model's gradients, layers as they become ready" \
	"$(/usr/bin/python3 -c '
import json, sys
p = json.load(open(sys.argv[1]))
i = p["instances"][0]
assert len(p["layers"]) == 10 and i["batches"] == [8] and i["name"] == "cpu-0.3"
assert sum(l["bytes"] for l in p["layers"]) == 4 * (224 + 128 * 128 + 128
    + 2 * (128 * 128 + 128) + 1280 + 10)
assert i["finish"][8] < i["finish"][6] < i["finish"][0]
print("right")' "$tmp/kept/profile")" right
is "iterations are predicted and measured, for each number of machines" \
	"$(sed -nE 's/^ +([0-9]+) machines, ([a-z]+)  predicted +[0-9.]+ ms  measured +[0-9.]+ ms .*/\1 \2/p' \
		"$tmp/out" | xargs)" "2 found 4 found 4 given"
# two flows share an uplink in the given order, none does in the found one
ok "those of the given order are longer" awk '/ 4 machines, found / { found = $5 }
	/ 4 machines, given / { given = $5 }
	END { exit !(found > 0 && given > found) }' "$tmp/out"
ok "the mean error is told" grep -q "^MAPE .* in 3 cells" "$tmp/out"
ok "no cluster is left" test -z "$("$testbed" status --prefix="$prefix" 2>/dev/null)"

for arg in --racks=4 --models=128 --models= --steps=0 --cpu= --cpu=5 "--sizes=4 2" \
	--sizes=16 --what --what=none; do
	"$bench" "$arg" >"$tmp/out" 2>"$tmp/err"
	is "$arg: exit 2, nothing on stdout" "$? $(cat "$tmp/out")" "2 "
done

done_testing
