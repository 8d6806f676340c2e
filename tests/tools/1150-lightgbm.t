#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1150-lightgbm.t - bench/lightgbm: its data, its options, what is predicted; and, where LIGHTGBM and
# LIGHTGBM_MPI name LightGBM's programs, a small cluster
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

PLINK_BUILD=$builddir
export PLINK_BUILD
bench=$srcdir/bench/lightgbm
data=$builddir/bench/lightgbm-data

"$data" --rows=2000 --features=5 --values=7 --part=3 --seed=9 >"$tmp/data"
is "data: as many rows" "$(wc -l <"$tmp/data")" 2000
is "data: as many columns in each" "$(awk '{ print NF }' "$tmp/data" | uniq)" 6
is "data: labels" "$(cut -f1 "$tmp/data" | sort -u | xargs)" "0 1"
is "data: values, each as often, more or less" "$(cut -f2- "$tmp/data" |
	tr '\t' '\n' | sort -n | uniq -c |
	awk '{ print $2 ($1 > 1200 && $1 < 1700 ? "" : "?") }' | xargs)" \
	"1 2 3 4 5 6 7"
# a label that one can learn: neighbours far apart make it 1
is "data: labels follow the features" "$(awk '
	function apart(a, b) { return a > b ? a - b : b - a }
	{
		sum = 0
		for (i = 2; i <= 6; i++)
			sum += apart($i, $(i < 6 ? i + 1 : 2))
		far = sum > 5 * 7 / 3
		n[far]++
		ones[far] += $1
	}
	END { print (ones[1] / n[1] > 0.8 && ones[0] / n[0] < 0.2) }
	' "$tmp/data")" 1
"$data" --rows=2000 --features=5 --values=7 --part=3 --seed=9 >"$tmp/again"
ok "data: the same again" cmp "$tmp/data" "$tmp/again"
for other in --part=4 --seed=8; do
	"$data" --rows=2000 --features=5 --values=7 --part=3 --seed=9 $other \
		>"$tmp/again"
	is "data: $other: other rows" \
		"$(cmp -s "$tmp/data" "$tmp/again" && echo same)" ""
done
for bad in --rows=0 --features=0 --values=1 --seed=-1 --nonsense extra; do
	"$data" $bad >/dev/null 2>&1
	is "data: $bad: usage" $? 2
done
"$data" >/dev/full 2>"$tmp/err"
is "data: nowhere to write" $? 4

for bad in '' --nonsense extra --racks=4 --racks=4x --racks=0x4 --launches=0 \
	--features= --iterations=1 --learner=serial --seed=-1 --size= \
	--lightgbm=lightgbm --lightgbm=/nonexistent/lightgbm; do
	case $bad in
	'' | --lightgbm*) "$bench" $bad >/dev/null 2>"$tmp/err" ;;
	*) "$bench" --lightgbm=/bin/true $bad >/dev/null 2>"$tmp/err" ;;
	esac
	is "${bad:-no program}: usage" "$? $(grep -c 'see lightgbm --help' "$tmp/err")" \
		"2 1"
done

# two hosts 5 ms apart exchange 2 MB, in pieces of what a socket's buffer holds:
# some 18 round trips
cat >"$tmp/matrix" <<'END'
# plink-matrix 1
# quantity one-way
# unit us
a 0 5000
b 5000 0
END
is "predicted: large messages wait for windows" "$("$builddir/plink-order" \
	--matrix="$tmp/matrix" --impl=lightgbm --collective=reduce-scatter \
	--algorithm=default --size=4M --predict 2>/dev/null |
	awk '$1 == "4M" { print ($4 > 150 && $4 < 250), $(NF - 2) }')" "1 tcp"

why=$("$builddir/plink-testbed" check 2>&1) || {
	skip "a small cluster" "$why"
	done_testing
	exit
}
prefix=t$$
"$bench" --lightgbm=/bin/false --racks=1x2 --rows=9 --prefix=$prefix \
	>"$tmp/out" 2>"$tmp/err"
is "a program that fails: status" $? 4
has "a program that fails: said" "$(cat "$tmp/err")" "LightGBM failed: given, status 1"
"$bench" --lightgbm=/bin/true --racks=1x2 --rows=9 --prefix=$prefix \
	>"$tmp/out" 2>"$tmp/err"
is "a program that does not learn: status" $? 4
has "a program that does not learn: said" "$(cat "$tmp/err")" \
	"rank 0 does not run on h0: given"

if [ "${LIGHTGBM-}${LIGHTGBM_MPI-}" ]; then
	out=$("$bench" ${LIGHTGBM:+--lightgbm="$LIGHTGBM"} \
		${LIGHTGBM_MPI:+--lightgbm-mpi="$LIGHTGBM_MPI"} --racks=2x2 \
		--intra-us=100 --inter-us=2000 --launches=1 --iterations=3 \
		--features=6 --bins=15 --prefix=$prefix --keep="$tmp/kept" 2>&1)
	is "LightGBM on a small cluster: done" $? 0
	has "LightGBM on a small cluster: models" "$out" \
		"each rank wrote the same model in all launches: yes"
	has "LightGBM on a small cluster: of all ranks" "$out" \
		"models that differ, of all ranks: 1"
	is "LightGBM on a small cluster: trees of the leaves asked for" \
		"$(sed -n 's/^num_leaves=//p' "$tmp"/kept/ranks/*/0/model.txt |
			sort -u)" 15
fi
"$builddir/plink-testbed" status --prefix="$prefix" >/dev/null 2>&1
is "nothing left" $? 1

done_testing
