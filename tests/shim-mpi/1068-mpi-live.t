#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1068-mpi-live.t - PLINK_LIVE: what each process sends and waits for, while the job runs
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"
. "$srcdir/tests/shim-mpi/engine.sh"
PLINK_SHM_DISABLE=1
export PLINK_SHM_DISABLE
cd "$tmp" || exit 99

# run N LIVE: requests.c in engine mode
run() {
	shim "$1" -x PLINK_LIVE="$2" "$as" 1 "$programs/requests" all >out 2>err
	rc=$?
}

# sums FIELD FILE...: of all lines and peers
sums() {
	field=$1
	shift
	cat "$@" | tr '{,' '\n\n' | awk -v f="\"$field\":" '$1 == f { s += $2 }
		END { printf "%.0f", s }'
}

schedule 2+1
run 3 "$tmp/job.jsonl,interval=0.02"
is "the program ends well, and nothing is said" "$rc $(cat err)" "0 "
for rank in 0 1 2; do
	ok "process $rank: several lines, each with a time and a host" \
		awk -v rank=$rank '
		/^\{"plink_live": 1, "process": [0-9]+, "host": "h[0-9]", "time": .*\]\}$/ { n++ }
		$4 + 0 != rank { exit 1 }
		END { exit n < 2 || n != NR }' job.$rank.jsonl
done
is "all processes make the same calls" \
	"$(sums calls job.0.jsonl) $(sums bytes job.0.jsonl)" \
	"$(sums calls job.1.jsonl) $(sums bytes job.2.jsonl)"
# two levels send 2 (n - 1) buffers, and heads
ok "what they have sent is that, and heads" awk -v sent="$(sums sent_bytes job.?.jsonl)" \
	-v bytes="$(sums bytes job.0.jsonl)" \
	'BEGIN { exit !(sent > 4 * bytes && sent < 4.2 * bytes) }'
ok "and each has waited for another" test \
	"$(grep -lE '"waited_seconds": [0-9.e-]*[1-9]' job.?.jsonl | wc -l)" = 3
"$builddir/plink-report" job.0.jsonl job.1.jsonl job.2.jsonl >out 2>err
is "plink-report shows them" "$? $(cat err)" "0 "
for table in "all-reduces of process 0 over time" "who was waited for" \
	"bytes sent"; do
	has "with a table" "$(cat out)" "$table"
done
"$builddir/plink-report" -o live.svg job.0.jsonl >out 2>err
is "a picture has the speed, an interval after the other" \
	"$(grep -c 'speed of the all-reduces, over time' live.svg) $(
		grep -o 'stroke-width="2" d="[^"]*' live.svg | tr -cd H | wc -c)" \
	"1 $(wc -l <job.0.jsonl)"
"$builddir/plink-report" -o page.html job.1.jsonl >out 2>err
is "one file may be all there is" "$? $(grep -c '1 of 3 processes' page.html)" "0 1"
: >job.none
"$builddir/plink-report" job.0.jsonl job.none >out 2>err
is "nor is an empty file a fault" "$? $(cat err)" "0 "
head -c 150 job.0.jsonl >cut
cat job.1.jsonl cut >last
"$builddir/plink-report" last >out 2>err
is "a line that was cut off with its process: no fault" "$? $(cat err)" "0 "
cat cut job.1.jsonl >first
"$builddir/plink-report" first >out 2>err
has "elsewhere it is" "$? $(cat err)" "3 plink-report: first:1:"

run 3 job.prom,interval=0.02
is "for Prometheus: nothing is said" "$rc $(cat err)" "0 "
ok "names, labels and numbers" awk '
	/^# (HELP|TYPE) plink_/ { next }
	!/^plink_[a-z_]+\{process="1"(,peer="[02]",peer_host="h[0-9]")?\} [0-9.e+-]+$/ { exit 1 }
	END { exit NR < 20 }' job.1.prom
is "the same calls, from the start on" \
	"$(sed -n 's/^plink_allreduce_bytes_total.* //p' job.1.prom)" \
	"$(sums bytes job.1.jsonl)"

run 3 "job,interval=soon"
is "a wrong setting: the job goes on" $rc 0
is "and it is said by each" "$(grep -c 'is no FILE,interval=SECONDS' err)" 3
run 3 "$tmp/none/job"
is "a folder that is not there: the job goes on" \
	"$rc $(grep -c 'cannot write .*; no live statistics' err)" "0 3"
echo kept >out.kept
ln -sf "$tmp/out.kept" link.0.jsonl
run 3 "$tmp/link"
is "a link is not followed" "$rc $(cat out.kept)" "0 kept"
ln -sf "$tmp/out.kept" link.0.prom
run 3 "$tmp/link.prom"
is "nor is it for Prometheus" "$rc $(cat out.kept)" "0 kept"

done_testing
