# SPDX-License-Identifier: BSD-3-Clause
# renew.sh - programs whose order is changed again and again; source it after mpi.sh
PLINK_MPI_MODE=shadow PLINK_STRICT=1 PLINK_VERBOSE=1 PLINK_REORDER=1s
export PLINK_MPI_MODE PLINK_STRICT PLINK_VERBOSE PLINK_REORDER
renewed=$programs/renewed
path=$PATH

# A plink-order that finds the order in use turned round the best, each time.
mkdir "$tmp/fake"
cat >"$tmp/fake/plink-order" <<END
#!/bin/sh
echo "\$*" >>"$tmp/asked"
env | grep -e ^OMPI_ -e ^LD_PRELOAD -e ^PLINK_ >>"$tmp/asked"
sed '/^#/d; s/ .*//' >"$tmp/in-use"
awk '{ host[NR] = \$0 } END { for (i = NR; i > 0; i--) print host[i] }' "$tmp/in-use"
END
chmod +x "$tmp/fake/plink-order"
PATH=$tmp/fake:$path
plan 1 '0 1 2 3' >"$tmp/plan"
until_told "and is taken: " 5
has "orders change: no result is wrong" "$? $(cat "$tmp/out")" "0 0 wrong"
ok "at least once" test \
	"$(grep -c "another order is .* faster by now, and is taken: " "$tmp/err")" -gt 0
is "plink-order is asked for what the plan's order is for" "$(sort -u "$tmp/asked")" \
	"-q --matrix=- --format=names --threads=1 --min-gain=20 --collective=allreduce --impl=openmpi --algorithm=ring"
ok "and twice for each" test "$(wc -l <"$tmp/asked")" -ge \
	$((2 * $(grep -c "another order is" "$tmp/err")))

# What it says otherwise.
printf '#!/bin/sh\ncat >/dev/null\nexit 3\n' >"$tmp/fake/plink-order"
until_told "finds no order" 2
has "no order is found: the results are right" "$? $(cat "$tmp/out")" "0 0 wrong"
is "and it is told once" "$(grep -c "plink-order finds no order, as it ends with status 3: the order stays" "$tmp/err")" 1
PLINK_REORDER=soon shim 4 "$as" 1 "$renewed" 1 >"$tmp/out" 2>"$tmp/err"
has "no time: told" "$(cat "$tmp/err")" \
	'PLINK_REORDER must be a time from 1s on, as 60 or 5m, not "soon": the order stays'
echo "order broadcast binomial openmpi 0- : 3 2 1 0" >>"$tmp/plan"
shim 4 "$as" 1 "$renewed" 1 >"$tmp/out" 2>"$tmp/err"
has "several orders: told" "$(cat "$tmp/err")" \
	"PLINK_REORDER: the plan has several orders: the order stays"
PATH=$path
