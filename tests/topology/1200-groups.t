#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1200-groups.t - plink-groups: racks, groups, estimates, truth; wrong usage
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
groups=$builddir/plink-groups
cd "$tmp" || exit 99

# make FILE ARG...: a matrix of the testbed, and FILE.truth with its racks
make_matrix() {
	make_file=$1
	shift
	"$builddir/plink-testbed" matrix "$@" >"$make_file" 2>/dev/null
	awk '$2 == "rack" { print $3, "r" $4 }' "$make_file" \
		>"$make_file.truth"
}

# hosts of each line, to be compared with those of the truth
members() {
	sed -n 's/^[a-z]* [0-9]*: .*: //p' | sort
}
racks_of() {
	awk '{ all[$2] = all[$2] " " $1 }
		END { for (r in all) print substr(all[r], 2) }' "$1" | sort
}

for seed in 1 2 3; do
	make_matrix m --racks=4x8 --intra-us=50 --inter-us=1000 --noise=0.3 \
		--shuffle --seed=$seed
	"$groups" m >out 2>err
	is "racks of a noisy matrix, seed $seed: all right" \
		"$? $(members <out) $(cat err)" "0 $(racks_of m.truth) "
	"$groups" --groups=4 --truth=m.truth m >out
	is "four groups are the racks" "$? $(members <out)" \
		"0 $(racks_of m.truth)"
	is "PAIA 1 before and after" "$(grep -c 'PAIA.*: 1.0000 of 5376 ' out)" 2
done

"$groups" --groups m >out
is "the root of 32 is 6: groups of 5 and 6" \
	"$(awk '{ print $3 }' out | sort | uniq -c | tr -s ' \n' ' ')" " 4 5 2 6 "
"$groups" --groups=5 --elasticity=2 m >out
ok "elasticity 2: 3 to 13 hosts in 5 groups" awk '
	$3 < 3 || $3 > 13 { bad = 1 } END { exit bad || NR != 5 }' out
"$groups" --groups m >a && "$groups" --groups m >b
ok "same seed, same bytes" cmp a b

"$groups" --groups=4 --truth=m.truth --json m >json
is "JSON says the same" "$(python3 -c '
import json
j = json.load(open("json"))
assert j["kind"] == "groups" and j["unit"] == "us" and j["n"] == 32
assert j["embedding"]["alpha"] == 1 and j["embedding"]["heights"] is True
assert j["paia"]["embedded"]["score"] == 1 == j["paia"]["measured"]["score"]
assert all(g["inner"] < 70 and g["outer"] > 700 for g in j["groups"])
print("\n".join(sorted(" ".join(g["hosts"]) for g in j["groups"])))')" \
	"$(racks_of m.truth)"
"$groups" --json m >json
is "no embedding, no truth: null" "$(python3 -c '
import json
j = json.load(open("json"))
print(j["kind"], j["embedding"], j["paia"])')" "racks None None"

# half of the cells away; what they were is estimated
awk '!/^#/ && NF == 33 {
	for (i = 2; i <= 33; i++)
		if ((NR * NR * 31 + i * i * 17 + NR * i * 13) % 101 < 50 &&
			$i != 0) $i = "nan" } { print }' \
	m >holes
"$groups" --format=matrix holes >filled
is "a matrix with a layer of estimates" \
	"$? $(grep -c '^# layer estimate one-way us$' filled)" "0 1"
is "what is missing stays missing" \
	"$(awk '/^# layer/ { exit } { print }' filled | grep -o nan | wc -l)" \
	"$(grep -o nan holes | wc -l)"
is "nothing is missing in the estimates" \
	"$(awk 'on { print } /^# layer/ { on = 1 }' filled | grep -c nan)" 0
"$groups" --format=matrix --denoise holes >denoised
is "denoised: nothing is missing first, all that was measured is kept" \
	"$(awk '/^# layer/ { exit } { print }' denoised | grep -c nan) $(
		awk 'on { print } /^# layer measured/ { on = 1 }' denoised |
			grep -o nan | wc -l)" \
	"0 $(grep -o nan holes | wc -l)"
ok "and the file says so" grep -q '^# method denoised by plink-groups' denoised
"$groups" --format=matrix --denoise=0 holes >kept
ok "share 0: what was measured is left as it was" python3 -c '
def first(name):
    rows = []
    for line in open(name):
        if line.startswith("# layer"): break
        if not line.startswith("#"): rows += line.split()[1:]
    return rows
a, b = first("holes"), first("kept")
assert all(x == y or x == "nan" for x, y in zip(a, b)) and "nan" not in b'
"$groups" --groups=4 holes >out
is "groups in spite of holes" "$(members <out)" "$(racks_of m.truth)"
"$groups" --format=matrix --denoise denoised >again
is "denoised twice: no layer twice" "$(grep -c '^# layer' again)" 1

# rates: the inverse is the distance
sed 's/^# quantity.*/# quantity bandwidth/; s/^# unit.*/# unit bytes-per-s/' m |
	awk '!/^#/ { for (i = 2; i <= NF; i++) if ($i) $i = 1e9 / $i } { print }' \
		>rates
"$groups" --groups=4 --truth=m.truth rates >out
is "bandwidths: the same groups" "$(members <out)" "$(racks_of m.truth)"
is "PAIA 1" "$(grep -c 'PAIA.*: 1.0000' out)" 2

printf '0 1 2\n1 0 2\n2 2 0\n' | "$groups" --unit=us - >out 2>err
is "a matrix of numbers alone, on standard input" "$(cat out)" \
	"group 1: 3 hosts, inner 2 us, outer -: 1 2 3"
has "which tell no racks" "$(cat err)" "too few measurements to tell racks: all "
echo 'h0 somewhere' >one.truth
"$groups" --truth=one.truth m >out 2>err
is "a truth of one host: nothing to judge, exit 0" \
	"$? $(grep -c 'no triplets' out) $(cat err)" \
	"0 2 plink-groups: one.truth: 31 of 32 hosts are not in it"

# refuses STATUS TEXT ARG...
refuses() {
	refuses_status=$1 refuses_text=$2
	shift 2
	"$groups" "$@" >out 2>err
	is "$*: exit $refuses_status, nothing on stdout" "$? $(cat out)" \
		"$refuses_status "
	has "$*: why" "$(cat err)" "$refuses_text"
}
refuses 2 "exactly one matrix is needed"
refuses 2 "exactly one matrix is needed" m m
refuses 2 "unknown option" --what m
refuses 2 "--groups wants a whole number" --groups=0 m
refuses 2 "cannot make 33 groups of 32 hosts" --groups=33 m
refuses 2 "--elasticity wants a number from 1 to 2" --groups --elasticity=3 m
refuses 2 "--elasticity needs --groups" --elasticity=2 m
refuses 2 "by eighths" --groups --alpha=1.3 m
refuses 2 "by eighths" --alpha=1.3 m
refuses 2 "--alpha wants" --groups --alpha=nan m
refuses 2 "--heights=maybe: not one of no, yes" --heights=maybe m
refuses 2 "--weights=x: not one of equal, relative" --weights=x m
refuses 2 "--dimensions wants" --dimensions=33 m
refuses 2 "--format=xml: not one of text, json" --format=xml m
refuses 2 "--denoise needs" --denoise m
refuses 2 "--format=matrix cannot be combined" --format=matrix --groups m
refuses 4 "none.matrix" none.matrix
refuses 4 "none.truth" --truth=none.truth m
sed '/^#/!{s/ [0-9.]*$/ nan/;}' m | awk '!/^#/ && ++row == 32 {
	for (i = 2; i <= 33; i++) $i = i == 33 ? 0 : "nan" } { print }' >apart
refuses 3 "h0 and h31: no measured pairs link them" --groups apart
"$groups" apart >out
is "racks of what is not linked can be told" \
	"$? $(tr -s ' ' '\n' <out | grep -c '^h[0-9]')" "0 32"
"$groups" --json apart >json 2>err
has "how much is missing is said" "$(cat err)" "62 of 992 ways are missing"
has "so is whom nothing is known of" "$(cat err)" \
	"h31 has no measurement: its location is not known"
is "both in JSON" "$(python3 -c '
import json
j = json.load(open("json"))
print(j["ways_missing"], j["hosts_unknown"])')" "62 1"
sed '2i # sampled ways-left-out=62 by hand' apart >sampled
"$groups" sampled >out 2>err
is "what was not wanted is not missing" "$(grep -c missing err)" 0
"$groups" m >out 2>err
is "nothing missing: nothing said" "$(cat err)" ""
printf '0 1\n1 x\n' >broken
refuses 3 "broken:2:" broken

done_testing
