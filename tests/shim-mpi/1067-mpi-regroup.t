#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1067-mpi-regroup.t - in engine mode schedules get other groups while the job runs, when
# the round trips have changed
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"
. "$srcdir/tests/machines.sh"
. "$srcdir/tests/shim-mpi/engine.sh"
PLINK_VERBOSE=1 PLINK_REORDER=1s
export PLINK_VERBOSE PLINK_REORDER
renewed=$programs/renewed
path=$PATH

# A plink-groups and a plink-order that find other groups better, each time; the schedule in
# use and the found one are predicted in turn.
mkdir "$tmp/fake"
printf '#!/bin/sh\ncat >/dev/null\n' >"$tmp/fake/plink-groups"
cat >"$tmp/fake/plink-order" <<'END'
#!/bin/sh
cat >/dev/null
echo "$*" >>"$fake/asked"
case $* in
*--predict=*)
	n=$(grep -c predict= "$fake/asked")
	echo "256 two-level $((n % 2 * 9 + 1))"
	;;
*)
	n=$(grep -c format=schedule "$fake/asked")
	cat "$fake/found.$(((n - 1) / 2 % 2))"
	;;
esac
END
fake=$tmp
export fake
chmod +x "$tmp/fake/plink-groups" "$tmp/fake/plink-order"
schedule 2x2 --tune --algorithm=two-level
cp "$tmp/plan" "$tmp/found.1"
printf 'h0 a\nh2 a\nh1 b\nh3 b\n' >"$tmp/groups"
schedule 2x2 --tune --algorithm=two-level --groups="$tmp/groups"
cp "$tmp/plan" "$tmp/found.0"
cp "$tmp/found.1" "$tmp/plan"
PATH=$tmp/fake:$path
until_told "and is taken: " 3
has "groups change: no result is wrong" "$? $(cat "$tmp/out")" "0 0 wrong"
has "other groups are taken, and told" "$(cat "$tmp/err")" \
	"PLINK_REORDER: another grouping is predicted to be at least 20 % faster by now, and is taken: h0 h2, h1 h3"
has "plink-order keeps the hosts as they stand" "$(cat "$tmp/asked")" \
	"-q --matrix=- --size=256 --groups=/dev/fd/4 --format=schedule --tune --threads=1 --algorithm=two-level --min-gain=100"

# What it says otherwise.
printf '#!/bin/sh\ncat >/dev/null\nexit 3\n' >"$tmp/fake/plink-groups"
until_told "finds no grouping" 2
has "no groups are found: the results are right" "$? $(cat "$tmp/out")" "0 0 wrong"
is "and it is told once" "$(grep -c "plink-order finds no grouping, as it ends with status 3: the grouping stays" "$tmp/err")" 1
schedule 2x2 --algorithm=two-level
shim 4 "$as" 1 "$renewed" 1 >"$tmp/out" 2>"$tmp/err"
has "schedules that may not change: told" "$(cat "$tmp/err")" \
	"PLINK_REORDER: the schedules may not change (plink-order --tune): the grouping stays"
PATH=$builddir:$path

# Six machines in two racks; then the delays are those of other racks: h0 h3 h1, h4 h2 h5.
"$testbed" matrix --racks=2x3 --intra-us=100 --inter-us=3000 2>/dev/null >"$tmp/before"
awk 'BEGIN { split("0 3 1 4 2 5", to) }
	!/^h/ { print; next }
	{ for (j = 0; j < 6; j++) cell[n + 0, j] = $(j + 2); n++ }
	END { for (i = 0; i < 6; i++) {
		printf "h%d", i
		for (j = 0; j < 6; j++)
			printf " %s", cell[to[i + 1], to[j + 1]]
		print "" } }' "$tmp/before" >"$tmp/after"
schedule 2x3 --tune --algorithm=two-level
"$testbed" up --matrix="$tmp/before" --prefix=$prefix
is "six machines are up" $? 0
seq -f 'h%g' 0 5 >"$tmp/ranks-on"
rm -f "$tmp/stop"
# measurements are far apart where processors are busy
machines_limit=600
on_machines 6 -x LD_PRELOAD="$preload" -x PLINK_PLAN="$tmp/plan" -x PLINK_MPI_MODE=engine \
	-x PLINK_VERBOSE -x PLINK_REORDER=2s -x PATH "$renewed" 250 "$tmp/stop" >"$tmp/out" &
job=$!
sleep 10
is "the network stays: nothing is said" "$(grep -c PLINK_REORDER "$tmp/err")" 0
"$testbed" change --matrix="$tmp/after" --prefix=$prefix
is "the network changes" $? 0
# taken: the grouping that was told last, each host as its rack
taken() {
	sed -n 's/.* and is taken: //p' "$tmp/err" | tail -n 1 | tr ' ' '\n' |
		sed 's/h[024]/a/; s/h[135]/b/' | xargs |
		sed 's/^a a a, b b b$/b b b, a a a/'
}
for _ in $(seq 230); do
	[ "$(taken)" != "b b b, a a a" ] || break
	sleep 1
done
sleep 2
touch "$tmp/stop"
wait $job
has "on machines: no result is wrong" "$(cat "$tmp/out")" "0 wrong"
is "each rack is a group" "$(taken)" "b b b, a a a"
"$testbed" down --prefix=$prefix

done_testing
