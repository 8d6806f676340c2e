#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1402-library-allreduce.t - processes that meet and all-reduce through libplink
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$tmp" || exit 99
example=$builddir/lib/example-allreduce
SECRET=only-we-know-it
export SECRET
unset PLINK_HOST

# schedule: two racks of two hosts, from 4 KiB on
cat >schedule <<END
# plink-schedule 1
host 0 h0 addr=127.0.0.1
host 1 h1 addr=127.0.0.1
host 2 h2 addr=127.0.0.1
host 3 h3 addr=127.0.0.1
connections 2
schedule two-level 4096- chunk=8192 window=16
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

# rank RANK HOST COUNT [SCHEDULE]: one process, in the background
rank() {
	PLINK_HOST=$2 timeout 300 "$example" "${4:-schedule}" "$1" \
		"127.0.0.1:$at" "$3" >"out$1" 2>"err$1" </dev/null &
	pids="$pids $!"
}

# all_end: waits for the processes; their exit statuses to $rc
all_end() {
	rc=
	for pid in $pids; do
		wait "$pid"
		rc="$rc $?"
	done
	pids=
}
pids=

PLINK_LIVE=live,interval=10
export PLINK_LIVE
at=$(free_ports 1)
rank 3 h2 100000
rank 1 h3 100000
rank 0 h1 100000
rank 2 h0 100000
all_end
is "four processes, on hosts in any order" "$rc" " 0 0 0 0"
unset PLINK_LIVE
is "each has told what it sent" "$(grep -lE '"calls": 1, "bytes": 400000' \
	live.?.jsonl | xargs)" "live.0.jsonl live.1.jsonl live.2.jsonl live.3.jsonl"
is "each has the sums" "$(cat out0 out1 out2 out3)" \
	"rank 0: 100000 sums, the last one is 10
rank 1: 100000 sums, the last one is 10
rank 2: 100000 sums, the last one is 10
rank 3: 100000 sums, the last one is 10"

# schedules that are tuned: every process is connected to all others
sed 's/^connections 2/&\ntune/; s/^schedule .*/&\ntree 4 4 5 5 6 6/' schedule >tuned
at=$(free_ports 1)
for r in 0 1 2 3; do
	rank $r h$r 100000 tuned
done
all_end
is "by schedules that are tuned: the same" "$rc $(sed 's/.*last one is //' out? | xargs)" \
	" 0 0 0 0 10 10 10 10"

at=$(free_ports 1)
for r in 0 1 2 3; do
	rank $r h$r 1000
done
all_end
is "no schedule for 4000 bytes: refused" "$rc" " 2 2 2 2"
has "and said" "$(cat err3)" "no schedule for 4000 bytes"

at=$(free_ports 1)
for r in 0 1 2 3; do
	rank $r h1 10000
done
all_end
is "four processes on one host: refused by all" "$rc" " 2 2 2 2"
has "by its name" "$(cat err2)" "host h0 runs 0 processes"

# one that does not come, and one that does not know the secret
at=$(free_ports 1)
rank 0 h0 10000
rank 1 h1 10000
(SECRET=another && PLINK_HOST=h2 timeout 300 "$example" schedule 2 \
	"127.0.0.1:$at" 10000 2>err2 >out2)
is "another secret: no answer" "$?" 4
has "it says so" "$(cat err2)" "same secret?"
rank 3 h3 10000
all_end
is "one does not come: the others give up" "$rc" " 4 4 4"
has "rank 0 says who" "$(cat err0)" "rank 2 has not come to 127.0.0.1:$at"
has "and so do the others" "$(cat err3)" "rank 2 has not come to 127.0.0.1:$at"

# strangers who wait at rank 0, more than seconds in the job's time-out; and then where
# all ranks listen
at=$(free_ports 1)
rank 0 h0 10000
timeout 300 "${python:-python3}" "$srcdir/tests/strangers.py" "127.0.0.1:$at" 40 here \
	>strangers &
while ! [ -e here ] && kill -0 $!; do
	sleep 0.05
done
for r in 1 2 3; do
	rank $r h$r 10000
done
all_end
wait
is "strangers keep no rank from the others" "$rc $(cat strangers)" " 0 0 0 0 0 answered"

# a rank that two have, and one of a smaller job
at=$(free_ports 1)
sed 's/host 3/# &/; /^round/s/ 3>2//; s/^slice/#&/; /^schedule/a slice 1' schedule |
	sed '/^#slice/,$d' >three
cat >>three <<END
round add 1>0 2>0
round store 0>1 0>2
END
rank 0 h0 10000
rank 1 h1 10000
PLINK_HOST=h2 timeout 300 "$example" three 2 "127.0.0.1:$at" 10000 2>err >out
is "of a job of three: refused" "$?" 2
has "both numbers are said" "$(cat err)" "rank 2 of 3 came to a job of 4"
sleep 0.5
PLINK_HOST=h3 timeout 300 "$example" schedule 1 "127.0.0.1:$at" 10000 2>err >out
is "a second rank 1: refused" "$?" 2
has "it is told" "$(cat err)" "rank 1 is at 127.0.0.1:$at already"
rank 2 h2 10000
rank 3 h3 10000
all_end
is "and the job goes on" "$rc" " 0 0 0 0"

for address in 127.0.0.1 :4711 ::1:4711 127.0.0.1:; do
	PLINK_HOST=h0 timeout 300 "$example" schedule 0 "$address" 10000 2>err
	is "\"$address\" is no place to meet" "$?" 2
done
PLINK_HOST=h0 timeout 300 "$example" schedule 0 192.0.2.1:4711 10000 2>err
is "nor is the address of another machine" "$?" 4
has "it is named" "$(cat err)" "cannot listen at 192.0.2.1:4711"

done_testing
