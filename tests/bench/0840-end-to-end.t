#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0840-end-to-end.t - bench/end-to-end: small cluster, and none to be had
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# the MPI library's own leaks are not plink's; nor is the order of preloads
ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
PLINK_BUILD=$builddir
export ASAN_OPTIONS PLINK_BUILD
end_to_end=$srcdir/bench/end-to-end

# where no cluster can be made: a build whose plink-testbed refuses
mkdir "$tmp/build" "$tmp/build/bench"
ln -s "$builddir/plink-order" "$tmp/build/"
ln -s "$builddir/bench/compare-orders" "$builddir/bench/planted-orders" \
	"$tmp/build/bench/"
printf '#!/bin/sh\necho "plink-testbed: no luck" >&2\nexit 4\n' \
	>"$tmp/build/plink-testbed"
chmod +x "$tmp/build/plink-testbed"
out=$(PLINK_BUILD=$tmp/build "$end_to_end" --demo 2>"$tmp/err")
is "refused: still an answer" $? 0
has "refused: says why" "$out" "no luck"
has "refused: says that it is predicted" "$out" "PREDICTED, not measured"
has "refused: predicts that the order found beats rack by rack" "$out" \
	"found/best     0.9"
has "refused: no time is given" "$out" "nothing was timed"

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
out=$("$end_to_end" --racks=2x2 --intra-us=200 --inter-us=3000 --sizes=1k \
	--launches=1 --blocks=1 --iterations=2 --random=2 --graded=1 --seed=5 --prefix=$prefix 2>&1)
is "a small cluster: done" $? 0
for part in "ratios of the least times" "found/best" "worst/best" "Spearman" \
	"time, 7 orders" "asked coll_tuned_allreduce_algorithm=4" "yield-block 10000 us" \
	"seed 5"; do
	has "a small cluster: $part" "$out" "$part"
done
"$builddir/plink-testbed" status --prefix="$prefix" >/dev/null 2>"$tmp/err"
is "a small cluster: nothing left" $? 1

done_testing
