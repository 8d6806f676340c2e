#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1076-mpi-callers-machines.t - what Horovod and LightGBM call, on emulated machines
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"
. "$srcdir/tests/machines.sh"

"$testbed" matrix --racks=1x3 --intra-us=100 --inter-us=1000 --seed=1 \
	>"$tmp/m" 2>/dev/null
ok "up" testbed_up --matrix="$tmp/m"
printf 'h%s\n' 0 0 1 1 2 2 >"$tmp/ranks-on"
plan 2 '2 0 1' >"$tmp/plan"

# with COMMAND...: six ranks by the plan
with() {
	on_machines 6 -x LD_PRELOAD="$preload" -x PLINK_PLAN="$tmp/plan" \
		-x PLINK_STRICT=1 "$@" >"$tmp/out"
	rc=$?
	said=$(grep libplink "$tmp/err") # mpirun has warnings of its own
}

on_machines 6 "$builddir/tests/shim-mpi/horovod" >"$tmp/bare"
is "horovod ends well without" $? 0
with "$builddir/tests/shim-mpi/horovod"
is "horovod ends well with a plan, and nothing is said" "$rc $said" "0 "
relay "horovod" "$tmp/out"
has "the rank within the machine, too" "$(cat "$tmp/out")" \
	"ok the rank within a machine is the launcher's"
is "as many checks as without" "$(grep -c '^ok' "$tmp/out")" \
	"$(grep -c '^ok' "$tmp/bare")"
is "rank, rank in the machine, machine among those: as launched" \
	"$(grep ' h[0-9]*$' "$tmp/bare")" "0 0 0 h0
1 1 0 h0
2 0 1 h1
3 1 1 h1
4 0 2 h2
5 1 2 h2"
is "and by the plan" "$(grep ' h[0-9]*$' "$tmp/out")" "0 0 0 h2
1 1 0 h2
2 0 1 h0
3 1 1 h0
4 0 2 h1
5 1 2 h1"
cat >"$tmp/named" <<'END'
#!/bin/sh
PLINK_HOST=$(uname -n) exec "$@"
END
chmod +x "$tmp/named"
with "$tmp/named" "$builddir/tests/shim-mpi/lightgbm"
is "lightgbm ends well" "$rc $said" "0 "
relay "lightgbm" "$tmp/out"
is "its ranks are where the plan says" "$(grep ' h[0-9]*$' "$tmp/out" | xargs)" \
	"0 h2 1 h2 2 h0 3 h0 4 h1 5 h1"
ok "down" "$testbed" down --prefix=$prefix

done_testing
