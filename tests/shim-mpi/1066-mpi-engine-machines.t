#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1066-mpi-engine-machines.t - in engine mode a process may be late, and one that is gone, or
# whose machine is lost, is noticed by all others
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"
. "$srcdir/tests/machines.sh"
. "$srcdir/tests/shim-mpi/engine.sh"

killed=$programs/killed

chunk=50000 # there is much to send

# Ended by a signal before the third all-reduce, in it, and in one that does not block. The
# two ranks of the other rack need not exchange anything with that one.
schedule 3+2
for how in now midway nonblocking; do
	shim 5 --enable-recovery "$as" 1 "$killed" $how 2 >"$tmp/out" 2>"$tmp/err"
	is "killed $how: all others learn of it" \
		"$(sed -n 's/^\(rank .: .*\) after . s$/\1/p' "$tmp/out" | sort | xargs)" \
		"$(for rank in 0 1 3 4; do echo "rank $rank: MPI_ERR_OTHER"; done | xargs)"
	is "killed $how: no sum is wrong" "$(grep -c wrong "$tmp/out")" 0
	has "killed $how: and it is told" "$(cat "$tmp/err")" \
		"rank 2 has closed its connection; the all-reduce fails"
done

# Longer than any peer may be silent, and with more to send to it than goes into the
# buffers between the two.
schedule 2+1
shim 3 "$as" 1 "$killed" 75 >"$tmp/late" 2>&1 &
late=$!

mkdir "$tmp/machines"
testbed_up --matrix="$tmp/matrix"
is "the machines are up" $? 0
printf 'h0\nh1\nh2\n' >"$tmp/ranks-on"
on_machines 3 -x LD_PRELOAD="$preload" -x PLINK_PLAN="$tmp/plan" \
	-x PLINK_MPI_MODE=engine -x PLINK_STRICT=1 \
	"$killed" 1000 >"$tmp/cut" 2>&1 &
cut=$!
# until the two others wait for the third
for _ in $(seq 60); do
	! grep -q "begins the third" "$tmp/cut" || break
	sleep 1
done
has "two ranks wait for the third" "$(cat "$tmp/cut")" "begins the third"
sleep 2
as_root h2 ip link set plink0 down
is "the machine of the third is cut off" $? 0
for _ in $(seq 90); do
	[ "$(grep -c MPI_ERR_OTHER "$tmp/cut")" -lt 2 ] || break
	sleep 1
done
for rank in 0 1; do
	has "rank $rank learns of it" "$(cat "$tmp/cut")" "rank $rank: MPI_ERR_OTHER after"
done
ok "within little more than a minute" awk '/MPI_ERR_OTHER/ && $5 > 75 { exit 1 }' "$tmp/cut"
has "and says why" "$(cat "$tmp/err")" "cannot reach rank 2: "
kill $cut 2>/dev/null
wait $cut

wait $late
is "with a late rank the job ends well" $? 0
for rank in 0 1 2; do
	has "rank $rank has waited" "$(cat "$tmp/late")" "rank $rank: all is well after"
done
ok "down" "$testbed" down --prefix=$prefix

done_testing
