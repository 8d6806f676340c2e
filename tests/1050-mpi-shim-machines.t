#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1050-mpi-shim-machines.t - a plan of plink-order, followed on emulated machines
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
. "$srcdir/tests/mpi-shim/mpi.sh"

testbed=$builddir/plink-testbed
why=$("$testbed" check 2>&1) || skip_all "no emulated cluster here: $why"
prefix=s$$e
cleanup() {
	"$testbed" down --prefix=$prefix 2>/dev/null
}

# on N COMMAND...: N processes, two on each machine
on() {
	on_n=$1
	shift
	timeout -k 10 120 "$testbed" exec --prefix=$prefix h0 -- \
		mpirun -np "$on_n" --hostfile "$tmp/given" --mca rmaps seq \
		--bind-to none --mca plm rsh \
		--mca plm_rsh_agent "$testbed rsh --prefix=$prefix" \
		--mca plm_rsh_no_tree_spawn 1 --mca plm_rsh_num_concurrent 64 \
		--mca pml ob1 --mca btl tcp,self \
		--mca btl_tcp_if_include plink0 \
		--mca oob_tcp_if_include plink0 \
		--mca mpi_yield_when_idle 1 "$@" 2>"$tmp/err"
}

"$testbed" matrix --racks=2x2 --intra-us=100 --inter-us=2000 --seed=1 \
	>"$tmp/m" 2>/dev/null
ok "up" "$testbed" up --matrix="$tmp/m" --prefix=$prefix
# the racks in turns: an order that a plan changes
for h in h0 h2 h1 h3; do
	echo "$h slots=2"
done >"$tmp/hosts"
for h in h0 h2 h1 h3; do
	echo "$h"
	echo "$h"
done >"$tmp/given"
"$builddir/plink-order" --matrix="$tmp/m" --format=plan "$tmp/hosts" \
	>"$tmp/plan" 2>"$tmp/err"
is "plink-order makes a plan" $? 0
# "rank machine" by the plan, two ranks on each
awk '$1 == "host" { name[$2] = $3 }
	$1 == "order" {
		sub(/.* : /, "")
		for (i = 1; i <= NF; i++) {
			print 2 * i - 2, name[$i]
			print 2 * i - 1, name[$i]
		}
	}' "$tmp/plan" >"$tmp/want"
ok "which is not the given order" test "$(cut -d' ' -f2 "$tmp/want" | xargs)" \
	!= "$(xargs <"$tmp/given")"
cat >"$tmp/where" <<'END'
#!/bin/sh
"$1" | sed "s/.*:/$(uname -n) /"
END
chmod +x "$tmp/where"
on 8 -x LD_PRELOAD="$preload" -x PLINK_PLAN="$tmp/plan" -x PLINK_STRICT=1 \
	"$tmp/where" "$ranks" >"$tmp/out"
is "the job ends well" "$? $(cat "$tmp/err")" "0 "
is "each rank on the machine that the plan says" \
	"$(awk '{ print $2, $1 }' "$tmp/out" | sort -n)" "$(cat "$tmp/want")"
on 8 -x LD_PRELOAD="$preload" -x PLINK_PLAN="$tmp/plan" \
	"$builddir/tests/mpi-shim/same" "$tmp/file" machines >"$tmp/out"
is "so does one that looks for differences" $? 0
relay "several machines" "$tmp/out"
has "also within the machine" "$(cat "$tmp/out")" "ok the rank within the machine"
ok "down" "$testbed" down --prefix=$prefix

done_testing
