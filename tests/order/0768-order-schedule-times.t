#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0768-order-schedule-times.t - plink-order --predict=FILE: what a schedule takes
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
order=$builddir/plink-order
cd "$tmp" || exit 99

# run OPTION...: out, err, $rc
run() {
	"$order" "$@" >out 2>err
	rc=$?
}

# h0, h1 and h2, h3 in a rack each, all cards and uplinks of 80 Mbit/s, no distance to
# speak of
matrix() {
	cat <<-END
		# plink-matrix 1
		# quantity rtt
		# unit us
		# statistic p10
		# rack h0 0
		# rack h1 0
		# rack h2 1
		# rack h3 1
		# card h0 80Mbit 80Mbit
		# card h1 80Mbit 80Mbit
		# card h2 80Mbit 80Mbit
		# card h3 80Mbit 80Mbit
		# uplink 0 $1 $1
		# uplink 1 $1 $1
		h0 0 20 40 40
		h1 20 0 40 40
		h2 40 40 0 20
		h3 40 40 20 0
	END
}
matrix 80Mbit >matrix
matrix 20Mbit >slow
cat >schedule <<-'END'
	# plink-schedule 1
	host 0 h0
	host 1 h1
	host 2 h2
	host 3 h3
	schedule two-level 65536-1048576 chunk=16384 window=16
	slice 1
	round add 1>0 3>2
	round add 2>0
	round store 0>2 0>1
	round store 2>3
	slice 1
	round add 0>1 2>3
	round add 1>3
	round store 3>1 3>2
	round store 1>0
END

run --matrix=matrix --predict=schedule --size=64k,1M,2k
is "a row for each size" "$rc $(sed 1d out | awk '{ print $1, $2 }' | paste -sd,)" \
	"0 size algorithm,64k two-level,1M two-level,2k -"
has "what it is of" "$(cat out)" \
	"# allreduce of a schedule, 4 ranks on 4 hosts, engine-tcp"
has "no schedule, no time" "$(sed -n 's/^2k//p' out)" "no schedule"

# a master of both in half of the buffer, of its rack in the other: 2 buffers in and out
# of its card, a buffer each way between the racks; 1 MiB at 10 MB/s twice
ms_of() {
	awk '$1 == "1M" { print int($3) }' out
}
ms=$(ms_of)
ok "1 MiB: $ms ms, not less than cards take" test "$ms" -ge 157
ok "and not much more" test "$ms" -le 270
run --matrix=slow --predict=schedule --size=1M
slow=$(ms_of)
ok "an uplink of a quarter: $slow ms, what it takes" test "$slow" -ge 419
ok "and not much more" test "$slow" -le 700
is "waits for it" "$(awk '$1 == "1M" { print $4 }' out)" uplink
run --matrix=matrix --predict=schedule --size=1M --nic=20Mbit
slow=$(ms_of)
ok "--nic counts: $slow ms" test "$slow" -ge 600
sed 's/window=16/window=1/' schedule >narrow
run --matrix=matrix --predict=narrow --size=1M
narrow=$(ms_of)
ok "a chunk at a time takes longer: $narrow ms" test "$narrow" -gt $((ms * 6 / 5))

run --matrix=matrix --predict=schedule --size=1M,2k --json
is "JSON has the same" "$rc $(python3 -c '
import json
s = json.load(open("out"))["schedule"]
a, b = s["sizes"]
print(s["protocol"], s["ranks"], a["algorithm"], int(1000 * a["seconds"]),
      b["algorithm"])')" "0 engine-tcp 4 two-level $ms None"

sed 's/window=16/window=16 merge=arrival/' schedule >merging
run --matrix=matrix --predict=merging --size=1M
is "merge=arrival is read, and predicted as if it were not there" "$rc $(ms_of)" "0 $ms"
sed 's/window=16/window=16 merge=order/' schedule >wrong
run --matrix=matrix --predict=wrong
has "another order: where it stands" "$rc $(cat err)" \
	"3 plink-order: wrong:6:56: only merge=arrival may stand here"

sed 's/^schedule/connections 0\n&/' schedule >none
run --matrix=matrix --predict=none
has "no connection at all" "$rc $(cat err)" \
	"3 plink-order: none:6:13: a number from 1 to 16 must stand here"

# refusals
run --matrix=matrix --predict=schedule --algorithm=ring
is "with --algorithm: exit 2" "$rc" 2
has "why" "$(cat err)" "--predict=FILE is about the schedule"
run --matrix=matrix --predict=schedule --plan=p
is "with --plan: exit 2" "$rc" 2
run --matrix=matrix --predict=schedule -o schedule
is "over itself: exit 2" "$rc" 2
sed 's/^host 3 h3/host 3 h4/' schedule >others
run --matrix=matrix --predict=others
is "a host that was not given: exit 3" "$rc" 3
has "which" "$(cat err)" 'others: host "h4" is not one of those given'
sed '/^round add 2>0/d' schedule >short
run --matrix=matrix --predict=short
is "a schedule that loses a contribution: exit 3" "$rc" 3
run --matrix=matrix --predict=absent
is "no file: exit 4" "$rc" 4

done_testing
