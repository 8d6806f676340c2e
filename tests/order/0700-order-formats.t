#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0700-order-formats.t - plink-order: every output format against golden files
# With PLINK_GOLDEN=renew (make renew-order-golden) it writes the golden files.
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

. "$srcdir/tests/thesis.sh"
data=$srcdir/tests/data/order
SOURCE_DATE_EPOCH=1790000000
export SOURCE_DATE_EPOCH
PATH=$tmp/bin:$PATH
mkdir "$tmp/bin"
printf '#!/bin/sh\necho "mpirun (Open MPI) 4.1.4"\n' >"$tmp/bin/mpirun"
chmod +x "$tmp/bin/mpirun"
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

printf 'b1 slots=2\na1\nb3\na2 slots=3\n' >"$tmp/hosts"

# golden NAME: compares $tmp/out with the golden file, or renews it
golden() {
	if [ "${PLINK_GOLDEN:-}" = renew ]; then
		cp "$tmp/out" "$data/$1"
	fi
	ok "$1 is as before" diff -u "$data/$1" "$tmp/out"
}

for f in hostfile seq rankfile names plan json; do
	"$order" --matrix="$data/matrix" --threads=1 --format=$f \
		"$tmp/hosts" >"$tmp/raw" 2>"$tmp/err"
	is "--format=$f exits 0" $? 0
	# what the contract lets differ
	sed -E 's/^(    "(probe|solve|bound)"): [0-9.e-]+(,?)$/\1: 0\3/' \
		"$tmp/raw" >"$tmp/out"
	golden "$f"
done

"$order" --matrix="$data/matrix" --json --threads=1 "$tmp/hosts" \
	2>/dev/null | tr -d '\n' >"$tmp/a"
"$order" --matrix="$data/matrix" --format=json --threads=1 "$tmp/hosts" \
	-o "$tmp/b" 2>/dev/null
is "--json is --format=json, -o is standard output" \
	"$(sed 's/"seconds".*//' "$tmp/a")" \
	"$(tr -d '\n' <"$tmp/b" | sed 's/"seconds".*//')"
has "the bound that JSON tells is above 0" "$(cat "$tmp/a")" '"gap": 0'

# costs so far apart that the gap to the bound is no number
awk 'BEGIN {
	x = 1
	for (i = 0; i < 13; i++)
		for (j = 0; j < 13; j++) {
			x = x * 16807 % 2147483647
			printf "%s%s", i == j ? 0 : "1e" (x % 560 - 280),
				j < 12 ? " " : "\n"
		}
}' >"$tmp/apart"
"$order" --matrix="$tmp/apart" --json --algorithm=halving-doubling --moves=1 \
	--symmetrize=none >"$tmp/b" 2>"$tmp/err"
is "a gap beyond all numbers: exit 0" $? 0
has "null in JSON" "$(cat "$tmp/b")" '"gap": null'
is "though the bound is above 0" "$(grep -c '^  "bound": [1-9]' "$tmp/b")" 1

# the report: everything the golden outputs do not hold
"$order" --matrix="$data/matrix" --threads=1 "$tmp/hosts" \
	2>"$tmp/err" >"$tmp/hostfile"
sed -E -e 's/[0-9]+\.[0-9]{3}([,;])/N\1/g' -e "s|$tmp|TMP|g" \
	"$tmp/err" >"$tmp/out"
golden report

"$order" --matrix="$data/matrix" --threads=1 -o "$tmp/my hosts" \
	--plan="$tmp/plan" "$tmp/hosts" 2>"$tmp/err"
has "the command names the output, quoted for a shell" "$(cat "$tmp/err")" \
	"mpirun --hostfile '$tmp/my hosts' --map-by seq -np 7 ./app"
"$order" --matrix="$data/matrix" >>"$tmp/my hosts" 2>"$tmp/err"
has "a file that holds more than the order is not named" "$(cat "$tmp/err")" \
	"mpirun --hostfile hostfile --map-by seq"
"$order" --matrix="$data/matrix" --threads=1 --format=plan "$tmp/hosts" \
	>"$tmp/plan2" 2>/dev/null
ok "--plan writes what --format=plan does" cmp "$tmp/plan" "$tmp/plan2"
printf '# plink-matrix 1\n# quantity rtt\n# unit us\na 0 123456\nb 0.5 0\n' >"$tmp/two"
"$order" --matrix="$tmp/two" --symmetrize=max --format=plan --plan-costs \
	>"$tmp/plan3" 2>/dev/null
is "--plan-costs: the plan has the costs, in three digits" \
	"$(grep '^costs' "$tmp/plan3" | paste -sd' ' -)" \
	"costs 0 0 123000 costs 1 123000 0"
is "the plan knows the matrix by its digest" \
	"$(grep '^# matrix' "$tmp/plan")" \
	"# matrix sha256:$(sha256sum <"$data/matrix" | cut -d' ' -f1)"
"$order" --matrix="$data/matrix" --threads=1 --cost-of="$tmp/plan" \
	"$tmp/hosts" >"$tmp/cost" 2>/dev/null
is "a plan is read back by --cost-of" "$(cat "$tmp/cost")" \
	"$(sed -n 's/^order.* cost=\([0-9.]*\) .*/\1/p' "$tmp/plan")"

for f in names json; do
	"$order" --matrix="$data/matrix" --format=$f "$tmp/hosts" \
		2>"$tmp/err" >/dev/null
	has "$f with slots: no launcher reads it" "$(cat "$tmp/err")" \
		"write --format=hostfile"
done

# other launchers
printf '#!/bin/sh\necho "mpirun (Open MPI) 5.0.7"\n' >"$tmp/bin/mpirun"
"$order" --matrix="$data/matrix" --format=rankfile "$tmp/hosts" \
	2>"$tmp/err" >/dev/null
has "Open MPI 5: a rank file is a mapper's option" "$(cat "$tmp/err")" \
	" --map-by rankfile:file=rankfile -np 7 ./app"
hosts_named=$(sed -n 's/.*Open MPI 5.0.7: mpirun --host \([^ ]*\) .*/\1/p' "$tmp/err")
is "and of the hosts that are named" "$(echo "$hosts_named" | tr , '\n')" \
	"$("$order" --matrix="$data/matrix" "$tmp/hosts" 2>/dev/null)"
"$order" --matrix="$data/matrix" --collective=allreduce --algorithm=ring \
	--impl=openmpi --size=1M "$tmp/hosts" 2>"$tmp/err" >/dev/null
has "Open MPI 5: where an algorithm is named, coll/tuned runs it" \
	"$(cat "$tmp/err")" " -np 7 --mca coll_han_priority 0 --mca coll_tuned_"
"$order" --matrix="$data/matrix" --collective=allreduce --impl=openmpi \
	--algorithm=ring --size=1M --format=slurm --rules="$tmp/rules" "$tmp/hosts" \
	2>"$tmp/err" >/dev/null
has "Open MPI 5 and rules, by srun: the same as variables" "$(cat "$tmp/err")" \
	" OMPI_MCA_coll_han_priority=0 OMPI_MCA_coll_tuned_use_dynamic_rules=1 \
OMPI_MCA_coll_tuned_dynamic_rules_filename=$tmp/rules "
"$builddir/plink-order" --matrix="$data/matrix" --size=64k "$tmp/hosts" \
	2>"$tmp/err" >/dev/null
has "Open MPI 5 and uneven slots: whose algorithms are predicted" "$(cat "$tmp/err")" \
	"these are the algorithms of coll/tuned: hosts have different numbers of slots"
for not_han in --rules="$tmp/rules" --collective=alltoall; do
	"$builddir/plink-order" --matrix="$data/matrix" --size=64k "$not_han" "$tmp/hosts" \
		2>"$tmp/err" >/dev/null
	is "${not_han%%=*}: no word of coll/han" "$? $(grep -c 'coll/han of' "$tmp/err")" "0 0"
done
"$builddir/plink-order" --matrix="$data/matrix" --algorithm=han --size=64k "$tmp/hosts" \
	2>"$tmp/err" >/dev/null
is "what coll/han sends on those is not known" "$? $(cat "$tmp/err")" \
	"2 plink-order: hosts have different numbers of slots: what han sends on those is not known"
sed 's/ slots=.*//; s/$/ slots=2/' "$tmp/hosts" >"$tmp/even"
"$builddir/plink-order" --matrix="$data/matrix" --nic=10G --size=64k --plan="$tmp/plan" \
	"$tmp/even" \
	2>"$tmp/err" >/dev/null
has "Open MPI 5 and even slots: coll/han" "$(cat "$tmp/err")" "  64k  han "
has "so does the plan" "$(cat "$tmp/plan")" "order allreduce han openmpi "
sed 's/ .*//' "$tmp/even" "$tmp/even" >"$tmp/bynode"
"$builddir/plink-order" --matrix="$data/matrix" --size=64k --cost-of="$tmp/bynode" "$tmp/even" \
	2>"$tmp/err" >"$tmp/out"
is "of ranks dealt out by node coll/han's cost is not known" \
	"$? $(cat "$tmp/out") $(tail -n 1 "$tmp/err")" "1  plink-order: what coll/han sends \
where the ranks of a host do not stand together is not known"
"$builddir/plink-order" --matrix="$data/matrix" --nic=10G --size=4k --predict "$tmp/even" \
	2>"$tmp/err" >"$tmp/out"
has "what is faster than coll/han is taken without it" "$(cat "$tmp/out")" \
	"taken with: --mca coll_han_priority 0 --mca coll_tuned_"
"$builddir/plink-order" --matrix="$data/matrix" --nic=10G --size=64k --rules="$tmp/rules" \
	"$tmp/even" \
	2>"$tmp/err" >/dev/null
has "rules turn it off" "$(cat "$tmp/err")" "  64k  rabenseifner "
"$builddir/plink-order" --matrix="$data/matrix" --size=64k --impl=openmpi \
	--algorithm=han-simple "$tmp/even" 2>"$tmp/err" >/dev/null
has "how coll/han is chosen" "$(cat "$tmp/err")" \
	" --mca coll_han_priority 100 --mca coll_han_use_simple_allreduce 1 ./app"
printf '#!/bin/sh\nprintf "HYDRA build details:\\n  Version:   4.0.2\\n"\n' \
	>"$tmp/bin/mpirun"
"$order" --matrix="$data/matrix" "$tmp/hosts" 2>"$tmp/err" >/dev/null
has "Hydra: its own options" "$(cat "$tmp/err")" \
	"Hydra 4.0.2: mpirun -f hostfile -n 7 ./app"
printf '#!/bin/sh\necho "some other launcher"\n' >"$tmp/bin/mpirun"
"$order" --matrix="$data/matrix" "$tmp/hosts" 2>"$tmp/err" >/dev/null
has "an unknown launcher is said to be unknown" "$(cat "$tmp/err")" \
	"mpirun is some other launcher: no way known"
# none: a path that has what the tool needs and no mpirun
PATH=$tmp/nothing "$order" --matrix="$data/matrix" "$tmp/hosts" \
	2>"$tmp/err" >"$tmp/out2"
is "no mpirun is no fault" $? 0
has "no mpirun: the form for Open MPI 4.1" "$(cat "$tmp/err")" \
	"no mpirun here; with Open MPI 4.1: mpirun --hostfile"

# a host list with a line per rank: hops inside a host cost nothing
printf 'a1\na2\na1\na2\nb1\n' >"$tmp/seq"
"$order" --matrix="$data/matrix" --hosts-format=seq "$tmp/seq" \
	>"$tmp/out" 2>"$tmp/err"
is "a seq list: an entry per rank" "$(sort "$tmp/out" | tr '\n' ' ')" \
	"a1 a1 a2 a2 b1 "
has "its given cost goes to and fro" "$(cat "$tmp/err")" "given 2108 us"
"$order" --matrix="$data/matrix" --hosts-format=seq --format=rankfile \
	"$tmp/seq" 2>/dev/null | sort -t= -k2 | sed 's/^rank [0-9]*=//' |
	tr '\n' ' ' >"$tmp/out"
is "a host that comes again goes on with its next slot" "$(cat "$tmp/out")" \
	"a1 slot=0 a1 slot=1 a2 slot=0 a2 slot=1 b1 slot=0 "

done_testing
