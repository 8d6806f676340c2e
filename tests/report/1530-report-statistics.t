#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1530-report-statistics.t - who sends how many bytes to whom, from a job's statistics
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
report=$builddir/plink-report
cd "$tmp" || exit 99
export srcdir

# two calls that Open MPI makes by halving and doubling, and what is not drawn
cat >job.stats <<'END'
# plink-stats 1
# by libplink-mpi 0.1
# mode world
# ranks 4
# started 2026-11-20T14:00:00Z
# seconds 60
collective kind ranks size_min size_max calls bytes processes seconds_mean seconds_min seconds_max
allreduce blocking 4 67108864 134217727 8 536870912 4 3 3 3
scan blocking 4 4 7 8 32 4 1 1 1
barrier blocking 4 0 0 8 0 4 2 2 2
END
cat >net.plan <<'END'
# plink-plan 1
# hosts 4
host 0 a
host 1 b
host 2 c
host 3 d
order allreduce ring openmpi 0- : 0 2 1 3
END
cat >racks <<'END'
a zone/east
c zone/east
b zone/west
d zone/west
END
"$report" job.stats >out
is "statistics are known by themselves" "$? $(grep -c \
	'^job.stats is a statistics file (libplink-mpi 0.1, mode world), of 4 ranks$' \
	out)" "0 1"
has "their calls, with bytes and times" "$(cat out)" \
	"allreduce, blocking                   4        8  67.1 MB   537 MB        3 s"
has "what is not drawn" "$(cat out)" \
	"not drawn: 33.3 % of the calls, most of them blocking scan of 4 ranks"
# in each call two halves to the neighbour, two quarters to the one behind it
has "who sends how many bytes to whom" "$(cat out)" \
	"0                   0 B  134 MB 67.1 MB     0 B"
has "the sum" "$(cat out)" "4 ranks, 805 MB in all"
"$report" --topology=racks job.stats net.plan >out
has "by host, as the plan seats them" "$(cat out)" \
	"from \ to             a       c       b       d
a                   0 B  134 MB 67.1 MB     0 B"
has "by rack" "$(cat out)" "zone/east        268 MB  134 MB"
cat >job.json <<'END'
{"plink_stats": 1, "by": "libplink-mpi 0.1", "mode": "world", "ranks": 4,
 "rows": [{"collective": "allreduce", "kind": "blocking", "ranks": 4,
 "calls": 8, "bytes": 536870912, "processes": 4, "seconds_mean": 3}]}
END
has "the same from JSON, by standard input" "$("$report" - <job.json)" \
	"3                   0 B 67.1 MB  134 MB     0 B"

"$report" --topology=racks -o page.html job.stats net.plan
is "a page" $? 0
cat >check.py <<'END'
import sys, os; sys.path.insert(0, os.environ['srcdir'] + '/tests/report')
from report import *
p = Page(open('page.html').read())
assert 'job.stats is a statistics file' in p.text and 'zone/east' in p.text
layer, = p.data()['layers']
assert layer['unit'] == 'bytes'
sent = cells(layer, 4)
assert p.data()['hosts'] == ['a', 'c', 'b', 'd']
assert sent[:4] == (0, 134217728, 67108864, 0), sent
rows = png_of(p.images[0])[2]
assert rows[0][3] == (255, 255, 255) != rows[0][2], 'nothing sent'
END
ok "the page has the bytes between hosts, and says what it is of" python3 check.py
"$report" -o map.svg job.stats && grep -q '>nothing</text>' map.svg
is "a picture" $? 0

# a second at 100 MB/s, one at half of that
for k in 1 2; do
	echo "{\"plink_live\": 1, \"process\": 0, \"host\": \"h\", \"time\": $k, \"seconds\": 1,
		\"calls\": 1, \"bytes\": $((100000000 / k)), \"call_seconds\": 1, \"changes\": 0,
		\"why\": null, \"peers\": []}" | tr -d '\n\t'
	echo
done >live.jsonl
"$report" -o live.svg live.jsonl
has "speeds over time, from 0 to 100 MB/s in 242 points" "$? $(cat live.svg)" \
	' d="M72.0 24.0H259.0L259.0 145.0H446.0"'

refuses() {
	status=$1
	words=$2
	shift 2
	"$@" >out 2>err
	is "$*: exit $status" "$? $(cat out)" "$status "
	has "$*: says why" "$(cat err)" "$words"
}
sed '/^allreduce/d' job.stats >none.stats
sed 's/mode world/mode aside/' job.stats >aside.stats
refuses 3 "none.stats is a statistics file of which nothing can be drawn" \
	"$report" none.stats
refuses 3 "followed no plan (mode aside): give its host list in place" \
	"$report" aside.stats net.plan
printf 'a\nb\n' >few
refuses 3 "job.stats is of 4 ranks, but few has 2" "$report" job.stats few
refuses 4 "job.hosts: No such file" "$report" job.stats job.hosts
refuses 3 "net.plan is a plan: the matrix" "$report" net.plan
refuses 2 "one plan or host list" "$report" job.stats net.plan net.plan
refuses 2 "are for matrices" "$report" --unit=ms job.stats
printf '0 1\n1 0\n' >matrix
refuses 2 "is for statistics: matrix is none" "$report" --topology=racks matrix
echo "x zone/east" >far
refuses 3 "far knows none of the hosts" "$report" --topology=far job.stats net.plan
done_testing
