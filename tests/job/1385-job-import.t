#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1385-job-import.t - plink-job import: from real files of each form, from files of
# several ranks, and from what is none of them
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
data=$(cd "$srcdir/tests/data" && pwd)
cd "$tmp" || exit 99

import() {
	"$builddir/plink-job" import "$@" >out 2>err
}

# a DDP job with groups of two: the trace of its rank 0, two iterations
import --steps=2 "$data/srift/ddp-h100.json.gz"
is "a trace: exit 0" $? 0
is "its job" "$(cat out)" "# plink-job 1
ranks 4
kind default_pg allreduce 514k calls=2
group 0 1 2 3
kind default_pg-2 broadcast 40000
group 0 1 2 3
kind default_pg-3 allgather 4000
group 0 1 2 3
kind default_pg-4 alltoall 4000
group 0 1 2 3
kind tensor allreduce 40000
group 0 1
kind p2p traffic
send 1 0 40000"
has "ranks without a group are told" "$(cat err)" \
	'kind "tensor": 2 of 4 ranks are in no known group'
has "and the mesh" "$(cat err)" "--mesh=x1=2,tensor=2 adds them"
import --mesh=x1=2,tensor=2 --steps=2 "$data/srift/ddp-h100.json.gz"
has "which adds them" "$(cat out)" "kind tensor allreduce 40000
group 0 1
group 2 3
kind"
import --layout=tp=2,dp=2 "$data/srift/ddp-h100.json.gz"
has "as a layout does" "$(cat out)" "group 0 1
group 2 3
kind"
has "without steps one is assumed" "$(cat err)" "1 is assumed (--steps)"
import --mesh=x1=3,tensor=2 "$data/srift/ddp-h100.json.gz"
is "a mesh of another number of ranks: exit 2" "$? $(tail -n 1 err)" \
	"2 plink-job: the layout has 6 ranks, the job 4"
import --mesh=tensor=2,x1=2 "$data/srift/ddp-h100.json.gz"
has "a mesh along which the other dimension is meant" "$(cat out)" "group 0 1
group 2 3
kind"

# the same job by its Flight Recorder (three iterations before), and by RAS
import --steps=5 "$data/job/flight-h100.json"
is "a Flight Recorder's groups" "$(grep -A1 '^kind [^d]' out)" \
	"kind tensor allreduce 40000
group 0 1
kind p2p traffic
send 1 0 40000"
has "and calls" "$(cat out)" "kind default_pg allreduce 514k calls=1.6"
import "$data/job/ras-h100.json"
is "RAS: all groups" "$(head -n 7 out)" "# plink-job 1
ranks 4
kind comm allreduce 0 calls=5
group 2 3
group 0 1
kind comm-2 allreduce 0 calls=9
group 0 1 2 3"
has "it tells no sizes" "$(cat err)" "0 bytes are assumed"

# of Gloo's calls, the recorder lacks the groups' ranks, and traces have no more than these
for rank in 0 1; do
	echo "{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"user_annotation\",\"ts\":1,\"dur\":1,
	\"name\":\"gloo:all_reduce\",\"args\":{}}],\"distributedInfo\":{\"backend\":\"gloo\",
	\"rank\":$rank,\"world_size\":4,\"pg_config\":[{\"pg_name\":\"3\",\"pg_desc\":\"pair\",
	\"ranks\":[$rank,$((rank + 2))]},{\"pg_name\":\"$((4 + rank))\",\"pg_desc\":\"copy\",
	\"ranks\":[$rank,$((3 - rank))]}]}}" >gloo$rank.trace
done
echo '{"entries":[{"process_group":["5","copy"],"profiling_name":"gloo:all_gather",
"input_sizes":[[100]],"input_dtypes":["Float"]},{"process_group":["3","pair"],
"profiling_name":"gloo:all_reduce","input_sizes":[[100]],"input_dtypes":["Float"]}],
"pg_config":{"":{"desc":"","name":"","ranks":"[0, 1, 2, 3]"}}}' >gloo.calls
import --steps=1 gloo0.trace gloo1.trace gloo.calls
is "Gloo's calls, in groups of the traces before them" "$(cat out)" "# plink-job 1
ranks 4
kind copy allgather 400
group 1 2"
has "... not where two groups have the name" "$(cat err)" \
	'a call of group "3" is left out: its ranks are not in the file, nor in a trace before it'

# call COLLECTIVE NELEMS TIME [OTHER]: an event in a trace
call() {
	echo ",{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"record_param_comms\",\"ts\":$3,\"dur\":1,
	\"args\":{\"Collective name\":\"$1\",\"dtype\":\"Float\",\"In msg nelems\":$2,
	\"Out msg nelems\":$2,\"Process Group Name\":\"${group:-1}\",\"Group size\":${size:-2},
	\"Process Group Description\":\"data\",\"Process Group Ranks\":\"$ranks\"$4}}"
}
# trace RANK WORLD: around the calls on standard input
trace() {
	echo '{"traceEvents":[{"ph":"X","cat":"user_annotation","name":"ProfilerStep#7",
	"ts":100,"dur":100},{"ph":"X","cat":"user_annotation","name":"ProfilerStep#8",
	"ts":200,"dur":100}'
	cat
	echo "],\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":$1,\"world_size\":$2}}"
}
calls() {
	call allreduce 1000 150
	call allreduce 1000 250
	call _reduce_scatter_base 50 260
	call allreduce 1000 99
	call allreduce 1000 300
}
for rank in 0 1 2 3; do
	ranks="[$((rank % 2)), $((rank % 2 + 2))]"
	{
		calls
		case $rank in
		0) call send 10 150 ',"Dst Rank":"2"' ;;
		2) call recv 10 150 ',"Src Rank":"0"' ;;
		esac
	} | trace $rank 4 >rank$rank.json
done
import rank0.json rank1.json rank2.json rank3.json
is "traces of all ranks are joined: the steps, groups of one kind, each message once" \
	"$(cat out)" "# plink-job 1
ranks 4
kind data allreduce 4000
group 0 2
group 1 3
kind data-2 reduce-scatter 400 calls=0.5
group 0 2
group 1 3
kind p2p traffic
send 0 2 20"
is "what is between the steps is left out" "$(cat err)" \
	"plink-job: a call between the steps is left out (8 times)"
# what Kineto writes without care: 64-bit hashes, numbers and names that JSON lacks, lost quotes
odd() {
	printf ',\n{"ph":"X","cat":"python_function","name":"%b","ts":1,"dur":1,"args":{"x":%s}}' "$1" "$2"
}
ranks="[0, 2]"
{
	odd '\001\377C:\\q\n' 15370919018352163112
	odd fine inf
	calls
	odd 'a"b"' N/A
	odd 'a"b' 1
} | trace 0 4 >odd.json
import odd.json
has "damaged events do not hide the others" "$(cat out)" "kind data allreduce 4000
group 0 2"
has "... and are told with the place of the first" "$(cat err)" \
	"plink-job: odd.json:28:45: 2 events are left out, the first here: '}' expected near 'b'"
sed '0,/nelems":1000/s//nelems":inf/' rank0.json >inf.json
import inf.json
has "a call without a size is left out, too" "$(cat err)" \
	"inf.json:4:2: an event is left out: the size of this call is no whole number"
for type in Float8_e4m3fnuz:1000 UInt16:2000 Tiny:; do
	sed "s/Float/${type%:*}/" rank0.json >type.json
	import type.json
	is "allreduce of ${type%:*}" "$(sed -n 's/^kind data allreduce //p' out)" "${type#*:}"
done
has "... is left out, with the reason" "$(cat err)" \
	'allreduce in group "1" is left out: the size of elements "Tiny" is not known (2 times)'
sed 's/"Dst Rank":"2"/"Dst Rank":"x"/' rank0.json >endless.json
import endless.json
has "a message whose other end is no rank" "$(cat err)" \
	'send in group "1" is left out: its other rank is not in the trace'
gzip rank1.json
import -o joined rank0.json rank1.json.gz
is "two are enough for this, one of them compressed" "$(head -n 5 joined)" \
	"$(head -n 5 out; printf '# plink-job 1\nranks 4\nkind data allreduce 4000\n'
	printf 'group 0 2\ngroup 1 3')"

ranks='[0, 2]'
calls | sed 's/1000,/500,/; s/99,/199,/' | trace 2 4 >other.json
import rank0.json other.json
has "ranks that tell a group's calls differently" "$(cat err)" \
	'file 2 has 2 calls a step in group "1", file 1 has 1.5, which count'

# experts: blocks differ from call to call and from group to group
ranks='[0, 1]'
{
	call all_to_allv 1000 150
	call all_to_allv 3000 160
	call all_to_allv 500 250
	call all_to_all 500 260
} | trace 0 4 >experts0.json
ranks='[2, 3]'
for at in 150 160 250 260; do
	call all_to_allv 7000 $at
done | trace 2 4 >experts2.json
import experts0.json experts2.json
is "all-to-alls are of the mean block" "$(cat out)" "# plink-job 1
ranks 4
kind data alltoall 2500 calls=2
group 0 1
group 2 3"

# unless all members tell how they split what they send
ranks='[0, 1]'
call all_to_allv 100 150 ',"In split size":"[0, 100]"' | trace 0 2 >split0.json
call all_to_allv 100 150 ',"In split size":"[50, 50]"' | trace 1 2 >split1.json
import split0.json split1.json
is "unequal blocks" "$(cat out)" "# plink-job 1
ranks 2
kind data alltoallv calls=0.5
group 0 1
send 0 1 400
send 1 0 200"

# stages of a pipeline that call differently: a layout adds a group once
ranks='[0, 1]'
call allreduce 1000 150 | trace 0 8 >stage0.json
ranks='[4, 5]'
call allreduce 2000 150 | trace 4 8 >stage1.json
import --layout=tp=2,dp=2,pp=2 stage0.json stage1.json
is "each group is in one kind" "$(cat out)" "# plink-job 1
ranks 8
kind data allreduce 4000 calls=0.5
group 0 1
group 2 3
group 6 7
kind data-2 allreduce 8000 calls=0.5
group 4 5"
import --mesh=x=4,tp=2 --order=tp-pp stage0.json
is "--order without sizes: exit 2" $? 2
import --mesh=tp=2,x=4 stage0.json
has "a layout that the groups are not of" "$(cat err)" "none of the layout"

# more than 30 ranks: PyTorch cuts the list
ranks='[0, 2, 4, ..., 62]' size=32
call allreduce 1000 150 ',"Global rank start":0,"Global rank stride":2' | trace 0 64 >cut.json
import cut.json
has "a list that is cut: by first rank and stride" "$(cat out)" "58 60 62"
call allreduce 1000 150 | trace 0 64 >cut.json
import cut.json
is "without these the group is not known: exit 3" $? 3
is "which is told" "$(cat err)" \
	'plink-job: a call of group "1" is left out: its ranks are not in the trace
plink-job: cut.json: no call of a communicator whose ranks are known'
is "and nothing is written" "$(cat out)" ""
size=2

# Open MPI's monitoring
mark='# POINT TO POINT'
printf '%s\nE\t0\t1\t100 bytes\t2 msgs sent\t0\nI\t0\t1\t20 bytes\t2 msgs sent\t0\n' \
	"$mark" >mon.0.prof
printf '%s\nE\t1\t2\t60 bytes\t1 msgs sent\t0\n' "$mark" >mon.1.prof
import --steps=2 mon.0.prof mon.1.prof
is "monitoring: traffic, that of collectives with it" "$(cat out)" "# plink-job 1
ranks 3
kind p2p traffic
send 0 1 60 messages=2
send 1 2 30"

# what is none of them
refused() {
	status=$1 said=$2
	shift 2
	import "$@"
	is "$*: exit $status" $? "$status"
	has "and why" "$(cat err)" "plink-job: $said"
	is "nothing is written" "$(cat out)" ""
}
ranks='[0, 1]'
calls | trace 0 2 >small.json
refused 3 "small.json: from a job of 2 ranks, the file before it from one of 4" \
	rank0.json small.json
refused 3 "rank0.json: an earlier file is from rank 0, too" rank0.json rank0.json
ranks='[0, 9]'
calls | trace 0 4 >beyond.json
refused 3 'beyond.json: group "1": its member 9 is no rank of a job of 4 ranks' beyond.json
ranks='[2, 2]'
calls | trace 0 4 >twice.json
refused 3 'twice.json: group "1": rank 2 is in it twice' twice.json
calls | trace 4 4 >rank4.json
refused 3 'rank4.json: from rank 4 of a job of 4 ranks' rank4.json
head -c 700 rank0.json >half.json
refused 3 "half.json:" half.json
has "its end is told" "$(cat err)" "the file is cut off here"
head -c 300 rank1.json.gz >half.gz
refused 3 "half.gz:" half.gz
: >empty
refused 3 "empty:1:1: no file of a program that plink-job(1) names" empty
refused 3 "/dev/zero: no regular file" /dev/zero
refused 3 "-: no regular file" -
echo '{"a":1}' >none.json
refused 3 'none.json:1:8: no array "traceEvents", "entries", "communicators", "pairs",' none.json
echo '{"traceEvents":[]}' >lone.json
refused 3 'lone.json: no rank and world_size' lone.json
echo '{"entries":[{"a":1}]}' >entry.json
refused 3 'entry.json:1:13: no entry of a Flight Recorder' entry.json
echo '{"entries":[]}' >groups.json
refused 3 'groups.json: no groups ("pg_config")' groups.json
echo '{"communicators":[{"size":1,"ranks":[{}]}]}' >ras.json
refused 3 'ras.json:1:19: a communicator whose ranks lack' ras.json
cat >job.stats <<'END'
# plink-stats 1
# ranks 4
# communicator 1 0 2
# communicator 2 1 3
collective kind ranks size_min size_max calls bytes processes seconds_mean communicator
allreduce blocking 2 512 1023 40 40000 2 0.1 1
allreduce nonblocking 2 512 1023 40 40000 2 0.1 2
broadcast blocking 4 16 31 4 80 4 0.1 world
alltoall blocking 4 64 127 4 320 4 0.1 world
scan blocking 4 16 31 4 80 4 0.1 world
allreduce blocking 1 16 31 4 80 4 0.1 other
send blocking 4 16 31 4 80 4 0.1 world
END
import --steps=10 job.stats
is "statistics of plink's own" "$? $(cat out)" "0 # plink-job 1
ranks 4
kind communicator-1 allreduce 1000 calls=2
group 0 2
group 1 3
kind world broadcast 20 calls=0.1
group 0 1 2 3
kind world-2 alltoall 20 calls=0.1
group 0 1 2 3"
has "left out: messages" "$(cat err)" "send are left out: the file does not tell"
has "and other functions" "$(cat err)" "scan are left out: no job has them"
sed 's/^# communicator 2/# communicator 3/' job.stats >gap.stats
refused 3 'gap.stats:4:15: communicator 2 must be here' gap.stats
sed 's/world$/7/' job.stats >none.stats
refused 3 'none.stats:8:39: not "world", "other" or the number' none.stats
pairs='"pairs":[{"src":"a","dst":"b","sent_bytes":7}]'
echo "{\"pattern\":{\"ranks\":4},\"hosts\":[\"b\",\"a\"],$pairs}" >audit.json
import audit.json
is "an audit" "$(cat out)" "# plink-job 1
ranks 2
kind p2p traffic
send 1 0 7"
has "of hosts with several ranks" "$(cat err)" "each host becomes one rank"
echo "{$pairs,\"hosts\":[\"b\",\"a\"]}" >late.json
refused 3 'late.json:1:11: no list of hosts before the pairs' late.json
echo "{\"hosts\":[\"b\"],$pairs}" >few.json
refused 3 'few.json:1:25: a pair without src, dst or sent_bytes' few.json
printf 'a\nb\n' >hosts
refused 3 'hosts:1:1: this is a host list, not what a job sent' hosts
printf '%s\nE\t0\tx\n' "$mark" >bad.prof
refused 3 'bad.prof:2:5: "x" is not a number' bad.prof

done_testing
