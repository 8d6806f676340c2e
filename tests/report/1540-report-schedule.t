#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1540-report-schedule.t - plink-report shows the masters of a schedule, and the uplinks
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
report=$builddir/plink-report
cd "$tmp" || exit 99

cat >matrix <<-'END'
	# plink-matrix 1
	# quantity rtt
	# unit us
	# statistic p10
	h0 0 20 900 900
	h1 20 0 900 900
	h2 900 900 0 20
	h3 900 900 20 0
END
cat >schedule <<-'END'
	# plink-schedule 1
	host 0 h0
	host 1 h1
	host 2 h2
	host 3 h3
	schedule two-level 65536- chunk=16384 window=16
	slice 3
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

"$report" matrix schedule >out 2>err
is "exit 0" "$? $(cat err)" "0 "
has "what it is" "$(cat out)" "two-level from 64k: masters of how much"
is "each uplink: a buffer each way" \
	"$(sed -n 's/^all, over the uplink *//p' out | tr -s ' ' | paste -sd,)" \
	"1 75.0 % 25.0 % 1.000 1.000,2 25.0 % 75.0 % 1.000 1.000"
is "each host: master of what it adds up, all bytes of it" \
	"$(grep -E '^h[0-3] ' out | tr -s ' ' | paste -sd,)" \
	"h0 1 75.0 % 0.0 % 1.750 1.750,h1 1 0.0 % 25.0 % 1.250 1.250,h2 2 0.0 % 75.0 % 1.750 1.750,h3 2 25.0 % 0.0 % 1.250 1.250"
"$report" -o page.html matrix schedule
is "a page: exit 0" $? 0
has "has the table" "$(cat page.html)" "all, over the uplink"
is "and no command for plans" "$(grep -c 'plink-exec' page.html)" 0
sed '/^host 3/s/h3/h4/' schedule >others
"$report" matrix others >out 2>err
is "a host that the matrix lacks: exit 3" $? 3
has "which" "$(cat err)" 'host "h4" is not in matrix'
sed '/^round add 2>0/d' schedule >short
"$report" matrix short >out 2>err
is "a schedule that loses a contribution: exit 3" $? 3

done_testing
