#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0860-predict.t - bench/predict: kept measurements judged, and a small cluster
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# the MPI library's own leaks are not plink's; nor is the order of preloads
ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
PLINK_BUILD=$builddir
export ASAN_OPTIONS PLINK_BUILD
predict=$srcdir/bench/predict
judge=$builddir/bench/judge-predictions

for bad in --racks=4 --racks=4x4x4 --blocks=1 --seed= --eager=a --turns=two --sizes= \
	--nonsense extra; do
	"$predict" $bad >/dev/null 2>&1
	is "$bad: usage" $? 2
done
for bad in --eager=-1 --eager=fast --nonsense; do
	"$judge" "$bad" a b >/dev/null 2>&1
	is "judge $bad: usage" $? 2
done

# 16 machines; 32: 0862. Of the largest sizes, which take longest, about half of the
# orders that were drawn.
measured=$srcdir/bench/data/predict
all=$tmp/measured
for network in 4x4-uplink-200 4x4-uplink-0; do
	mkdir -p "$all/$network"
	cp "$measured/$network/matrix" "$measured/$network/network" "$all/$network"
	awk '$1 != "time" || $4 < 1048576 || $2 !~ ($4 < 8388608 ? "-0[34]" : "-0[234]")' \
		"$measured/$network/results" >"$all/$network/results"
done
. "$srcdir/tests/predict/kept.sh"
judge_kept 4x4-uplink-200 4x4-uplink-0

# measurements turned upside down are not foreseen; rings of the sizes that are looked at
mkdir "$tmp/wrong"
cp -R "$all/4x4-uplink-0" "$tmp/wrong/"
chmod -R u+w "$tmp/wrong"
sed -e 's/ best / was-best /; s/ worst / best /; s/ was-best / worst /' \
	"$all/4x4-uplink-0/results" | awk '
	$1 == "time" && ($3 != 4 || $4 > 262144) { next }
	$1 == "order" {
		if ($2 == "best") $2 = "worst"
		else if ($2 == "worst") $2 = "best" }
	{ print }' >"$tmp/wrong/4x4-uplink-0/results"
out=$("$predict" --from="$tmp/wrong")
is "best and worst exchanged: no ring is good" \
	"$(echo "$out" | grep -cE '^ring +(2048|65536|262144) .* good$')" 0

echo 'time given 4 2048 1' >"$tmp/results"
"$judge" "$all/4x4-uplink-0/matrix" "$tmp/results" >/dev/null 2>"$tmp/err"
is "times of an order that is not there: bad input" $? 3
has "the place is named" "$(cat "$tmp/err")" "results:1"

if ! why=$("$builddir/plink-testbed" check 2>&1); then
	skip "a small cluster" "$why"
	done_testing
	exit
fi
if ! [ -x "$builddir/bench/allreduce" ] || ! command -v mpirun >/dev/null; then
	skip "a small cluster" "no Open MPI"
	done_testing
	exit
fi

prefix=t$$
out=$("$predict" --racks=2x2 --intra-us=200 --inter-us=3000 --sizes=1k --large= \
	--algorithms=4 --nic= --uplink=100M --probe --eager=0,512 --iterations=2 --random=1 \
	--graded=0 --keep="$tmp/kept" --prefix=$prefix 2>&1)
is "a small cluster: done" $? 0
is "a small cluster: both limits judged" \
	"$(echo "$out" | grep -c '^ring  *1024  *4 ')" 2
is "a small cluster: what was measured is kept" \
	"$(grep -c '^time ' "$tmp/kept/2x2-nic-none-uplink-100M-probed/results")" 4
is "and judges the same" "$("$predict" --from="$tmp/kept" | grep '^ring')" \
	"$(echo "$out" | grep '^ring')"
"$builddir/plink-testbed" status --prefix="$prefix" >/dev/null 2>"$tmp/err"
is "a small cluster: nothing left" $? 1

done_testing
