#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1404-hub.t - hubs that add up for processes over libplink, and their ends
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/tools/hubs.sh"
cd "$tmp" || exit 99
example=$builddir/lib/example-allreduce
echo between-hubs-and-ranks >key
SECRET=only-we-know-it PLINK_HUB_SECRET=$tmp/key
export SECRET PLINK_HUB_SECRET
unset PLINK_HOST

# all by two hubs, one of which has two parts of three; from 64 KiB on without them
hub_schedule 3 "2 1" "connections 2\nschedule hubs 4096-65535 chunk=8192 window=4" >schedule
cat >>schedule <<END
schedule sharded 65536- chunk=8192 window=4
slice 1
round add 1>0 2>0
round store 0>1 0>2
END
sed 's/window=4$/& merge=arrival/' schedule >arrival

# rank RANK COUNT [SCHEDULE], hub NAME [SCHEDULE [OPTION]]: one process, in the
# background
rank() {
	PLINK_HOST=h$1 timeout 60 "$example" "${3:-schedule}" "$1" \
		"127.0.0.1:$at" "$2" >"out$1" 2>"err$1" </dev/null &
	pids="$pids $!"
}
hub() {
	timeout 60 "$builddir/plink-hub" --name="$1" "${3:---timeout=30}" \
		"${2:-schedule}" >"out.$1" 2>"err.$1" </dev/null &
	pids="$pids $!"
}

# ports: where ranks meet, and where they meet hubs
ports() {
	set -- $(free_ports 2)
	at=$1 PLINK_HUB_MEET=127.0.0.1:$2
	export PLINK_HUB_MEET
}
pids=

for file in schedule arrival; do
	for shared in 0 1; do
		PLINK_SHM_DISABLE=$shared
		export PLINK_SHM_DISABLE
		ports
		hub h9 $file
		for r in 2 0 1; do
			rank $r 10001 $file
		done
		hub h8 $file
		all_end
		is "$file: three ranks, two hubs" "$rc" " 0 0 0 0 0"
		is "$file: the sums" "$(sed 's/.*last one is //' out? | xargs)" "6 6 6"
		has "$file: a hub tells what it did" "$(cat err.h8)" \
			"plink-hub: 1 call, 40004 in all"
	done
done
unset PLINK_SHM_DISABLE

# a hub for each rack: each adds up its own ranks, one of both all, with one optimiser
sed '/^schedule/,$d' schedule >racks
cat >>racks <<END
schedule racks 0- chunk=8192 window=4
slice 2
round add 0>3 1>3 2>4
round add 4>3
round store 3>0 3>1 3>4
round store 4>2
slice 1
round add 0>3 1>3 2>4
round add 3>4
round store 4>2 4>3
round store 3>0 3>1
END
for shared in 0 1; do
	PLINK_SHM_DISABLE=$shared
	export PLINK_SHM_DISABLE
	ports
	for name in h9 h8; do
		hub $name racks
	done
	for r in 0 1 2; do
		PLINK_HOST=h$r timeout 60 "$builddir/bench/hub-time" racks $r "127.0.0.1:$at" \
			100000 3 allreduce,sum,adam >out$r 2>err$r </dev/null &
		pids="$pids $!"
	done
	all_end
	is "hubs that exchange with one another: sums" "$rc $(wc -l <out0)" " 0 0 0 0 0 9"
done
unset PLINK_SHM_DISABLE
sed '/^slice/,$d' racks >lonely
printf '%s\n' "slice 1" "round add 0>3 1>3 2>3" "round add 3>4" "round store 4>3" \
	"round store 3>0 3>1 3>2" >>lonely
"$builddir/plink-hub" --meet=127.0.0.1:1 --name=h9 lonely 2>err
is "a hub without ranks: exit 3" "$? $(cat err)" \
	"3 plink-hub: schedule racks: aggregator h9 exchanges chunks with no rank"

ports
hub h8
hub h9
for r in 0 1 2; do
	rank $r 100000
done
all_end
is "a size without hubs: these have nothing to do" "$rc $(cat err.h9)" \
	" 0 0 0 0 0 plink-hub: 0 calls, 0 in all"

# faults
ports
hub h8
for r in 0 1 2; do
	rank $r 10000
done
all_end
is "a hub does not come: all ranks fail" "$rc" " 4 4 4 4"
has "rank 0 names it" "$(cat err0)" "hub h9 has not come to 127.0.0.1:"

# rank 0 listens for as long as h9 is missing
ports
hub h8
for r in 0 1 2; do
	rank $r 10000
done
timeout 300 "${python:-python3}" "$srcdir/tests/strangers.py" "$PLINK_HUB_MEET" 40 here \
	>strangers &
while ! [ -e here ] && kill -0 $!; do
	sleep 0.05
done
hub h9
all_end
wait
is "strangers keep no hub from rank 0" "$rc $(cat strangers)" " 0 0 0 0 0 0 answered"

ports
echo another >wrong
(PLINK_HUB_SECRET=$tmp/wrong && hub h8 schedule --timeout=2 && all_end && echo "$rc" >rc) &
other=$!
for r in 0 1 2; do
	rank $r 10000
done
wait $other
has "a hub with another secret: no answer" "$(cat rc err.h8)" "same secret?"
hub h8
hub h9
all_end
is "and the job goes on" "$rc" " 0 0 0 0 0"

ports
sed 's/slice 2/slice 3/' schedule >other
hub h8 other
hub h9
for r in 0 1 2; do
	rank $r 10000
done
all_end
has "a hub with another schedule is told so" "$(cat err.h8)" \
	"other: the ranks have read other schedules"
has "and a rank names it" "$(cat err0)" "hub h8"

ports
hub h8
hub h9
rank 0 10000
rank 1 10000
rank 2 10001
all_end
is "ranks call different sizes: all fail" "$(echo "$rc" | tr 3 4)" " 4 4 4 4 4"
ok "and say whose" grep -E "hub h[89]: rank [0-2] (calls something else|.* buffers differ)" err0

# dies WHOM SIGNAL: of a job of many calls, one process dies; all others end
dies() {
	rm -f out0
	ports
	hub h8
	hub h9
	for r in 0 1 2; do
		PLINK_HOST=h$r timeout 60 "$builddir/bench/hub-time" schedule $r \
			"127.0.0.1:$at" 16384 100000000 >out$r 2>err$r </dev/null &
		pids="$pids $!"
	done
	while ! [ -s out0 ]; do # rank 0 has ended calls
		sleep 0.05
	done
	kill -KILL "$(echo "$pids" | cut -d' ' -f"$(($1 + 2))" | xargs pgrep -P)"
	all_end
}
dies 0
is "a hub dies: all ranks fail" "$rc" " 137 4 4 4 4"
is "each with its name" "$(grep -l 'hub h8' err? | xargs)" "err0 err1 err2"
dies 4
is "a rank dies: all fail" "$rc" " 4 4 4 4 137"
is "and are told who it was" "$(grep -l 'hub h[89]: .*rank 2' err? | xargs)" "err0 err1"

(unset PLINK_HUB_MEET && ports=x && at=$(free_ports 1) && for r in 0 1 2; do
	rank $r 10000
done && all_end)
has "without PLINK_HUB_MEET: what is needed is said" "$(cat err0)" \
	'the schedules have hubs ("h8"): set PLINK_HUB_MEET=HOST:PORT, where rank 0'
"$builddir/plink-hub" --meet=127.0.0.1:1 --name=h7 schedule 2>err
is "no such aggregator: exit 2" "$? $(cat err)" \
	"2 plink-hub: --name=h7: no aggregator of schedule"
sed -i '/^connections/a tune' other
PLINK_HOST=h0 "$example" other 0 127.0.0.1:1 1 2>err
has "schedules with hubs are not tuned" "$(cat err)" "cannot have aggregators"

done_testing
