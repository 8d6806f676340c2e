#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1408-hub-async.t - ranks that push to hubs without waiting for one another, and the
# bound that is kept
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/tools/hubs.sh"
cd "$tmp" || exit 99
rank=$builddir/tests/tools/hub-async
echo between-hubs-and-ranks >key
SECRET=only-we-know-it PLINK_HUB_SECRET=$tmp/key
export SECRET PLINK_HUB_SECRET
unset PLINK_HOST

hub_schedule 3 "2 1" "connections 3\nschedule hubs 0- chunk=4096 window=4" >schedule
sed 's/4>0 4>1 4>2/4>1 4>2/' schedule >relayed
echo "round store 2>0" >>relayed

# job SCHEDULE STALENESS STEPS: three ranks and two hubs in the background
job() {
	set -- "$@" $(free_ports 2)
	PLINK_HUB_MEET=127.0.0.1:$5
	export PLINK_HUB_MEET
	pids=
	for name in h8 h9; do
		timeout 60 "$builddir/plink-hub" --threads=2 --name=$name "$1" 2>"err.$name" \
			</dev/null &
		pids="$pids $!"
	done
	for r in 0 1 2; do
		PLINK_HOST=h$r timeout 60 "$rank" "$1" $r "127.0.0.1:$4" "$2" "$3" >out$r \
			2>err$r </dev/null &
		pids="$pids $!"
	done
}

for shared in 0 1; do
	PLINK_SHM_DISABLE=$shared
	export PLINK_SHM_DISABLE
	for staleness in 0 3; do
		job schedule $staleness 50
		all_end
		is "staleness $staleness: three ranks, two hubs" "$rc" " 0 0 0 0 0"
		is "a rank goes on alone as far as it may" "$(sed -n 4p out0)" \
			"rank 1 made $((staleness + 1)) steps alone"
		is "and is never further ahead" "$(sed -n 4p out1)" "$staleness ahead at most"
		is "no push is lost" "$(tail -qn 1 out? | xargs)" "51250 51250 51250"
	done
done
has "without pl_hub_async(): refused" "$(sed -n 1p out0)" "pl_hub_async() must come before"
has "a sum to store: refused" "$(sed -n 2p out0)" "pl_hub_put() stores parameters"
has "a key without parameters: refused" "$(sed -n 3p out0)" "key 3 has no parameters yet"
has "hubs count the calls" "$(cat err.h8)" "plink-hub: "

job relayed 0 1
all_end
has "results that come from a rank: refused" "$(cat err0)" \
	"slice 2 of the schedule is not added up by one hub alone"

job schedule 2 100000000
while ! grep -q alone out0; do
	sleep 0.05
done
kill -KILL "$(echo "$pids" | cut -d' ' -f2 | xargs pgrep -P)"
all_end
is "a hub dies: all fail" "$rc" " 137 4 4 4 4"
is "each rank with its name" "$(grep -l 'hub h8' err? | xargs)" "err0 err1 err2"

done_testing
