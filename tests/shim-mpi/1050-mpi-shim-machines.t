#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1050-mpi-shim-machines.t - a plan of plink-order, followed on emulated machines
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"
. "$srcdir/tests/machines.sh"

"$testbed" matrix --racks=2x2 --intra-us=100 --inter-us=2000 --seed=1 \
	>"$tmp/m" 2>/dev/null
ok "up" testbed_up --matrix="$tmp/m"
# the racks in turns: an order that a plan changes
for h in h0 h2 h1 h3; do
	echo "$h slots=2"
done >"$tmp/hosts"
for h in h0 h2 h1 h3; do
	echo "$h"
	echo "$h"
done >"$tmp/ranks-on"
"$builddir/plink-order" --impl=thesis --matrix="$tmp/m" --format=plan \
	"$tmp/hosts" >"$tmp/plan" 2>"$tmp/err"
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
	!= "$(xargs <"$tmp/ranks-on")"
cat >"$tmp/where" <<'END'
#!/bin/sh
"$1" | sed "s/.*:/$(uname -n) /"
END
chmod +x "$tmp/where"
on_machines 8 -x LD_PRELOAD="$preload" -x PLINK_PLAN="$tmp/plan" -x PLINK_STRICT=1 \
	"$tmp/where" "$ranks" >"$tmp/out"
is "the job ends well" "$? $(cat "$tmp/err")" "0 "
is "each rank on the machine that the plan says" \
	"$(awk '{ print $2, $1 }' "$tmp/out" | sort -n)" "$(cat "$tmp/want")"
on_machines 8 -x LD_PRELOAD="$preload" -x PLINK_PLAN="$tmp/plan" \
	"$builddir/tests/shim-mpi/told" >"$tmp/out"
is "all know their ranks before MPI_Init" \
	"$(awk -F: '$2 == $4 && $3 == $4 { print $4 }' "$tmp/out" | sort -n |
		xargs)" "0 1 2 3 4 5 6 7"
ok "which are not those of the launcher" \
	test "$(awk -F: '$1 != $2' "$tmp/out" | wc -l)" -gt 0
on_machines 8 -x LD_PRELOAD="$preload" -x PLINK_PLAN="$tmp/plan" \
	"$builddir/tests/shim-mpi/same" "$tmp/file" machines >"$tmp/out"
is "so does one that looks for differences" $? 0
relay "several machines" "$tmp/out"
has "also within the machine" "$(cat "$tmp/out")" "ok the rank within the machine"
ok "down" "$testbed" down --prefix=$prefix

done_testing
