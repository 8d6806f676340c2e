#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1387-job-recorders.t - plink-job import: statistics of processes, which are joined;
# execution traces of PyTorch; all-to-alls of unequal blocks; forms that are not read
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$tmp" || exit 99

import() {
	"$builddir/plink-job" import "$@" >out 2>err
}
refused() {
	said=$1
	shift
	import "$@"
	is "$*: exit 3" $? 3
	has "and why" "$(cat err)" "plink-job: $said"
	is "nothing is written" "$(cat out)" ""
}

# process RANK: what libnccl-profiler-plink writes of a rank; pairs are 0 and 2, 1 and 3
process() {
	echo "# plink-stats 1
# ranks 4
# rank $1
# member 1 a $1 4 2
# member 2 b$(($1 % 2)) $(($1 / 2)) 2 2 half"
	case $1 in
	0) echo "# sent 1 3 2 20" ;;
	1) echo "# sent 2 1 1 8" ;;
	esac
	echo "collective kind ranks size_min size_max calls bytes processes seconds_mean communicator
allreduce nonblocking 4 32768 65535 2 80000 1 - 1
reduce-scatter nonblocking 2 1024 2047 2 3200 1 - 2
allgather nonblocking 2 512 1023 1 800 1 - 2"
}
for rank in 0 1 2 3; do
	process $rank >p$rank
done
import --steps=2 p3 p1 p0 p2
is "statistics of processes: exit 0" $? 0
is "the files are joined by the ids of communicators" "$(cat out)" \
	"# plink-job 1
ranks 4
kind comm allreduce 40000
group 0 1 2 3
kind half allgather 800 calls=0.5
group 1 3
group 0 2
kind half-2 reduce-scatter 1600
group 1 3
group 0 2
kind p2p traffic
send 0 3 10
send 1 3 4"
is "nothing is lost" "$(cat err)" ""
cp out whole

# NCCL before 2.27 tells no ranks, and of a reduce-scatter the block of one
for rank in 0 1 2 3; do
	sed -E 's/^(# member .*) [24] 2/\1 0 2/; s/blocking [24]/blocking 0/; s/3200/1600/' p$rank >q$rank
done
import --steps=2 q3 q1 q0 q2
is "ranks that the files do not tell" "$(cat out)" "$(cat whole)"

# a rank without a file
for files in "p0 p2 p3" "p0 p2 p1"; do
	import $files
	is "$files: communicators that lack a rank are left out" "$(cat out)" "# plink-job 1
ranks 4
kind half allgather 800
group 0 2
kind half-2 reduce-scatter 1600 calls=2
group 0 2"
done
has "calls" "$(cat err)" "allreduce are left out: some ranks of their communicator have no file"
has "and messages" "$(cat err)" "messages are left out"
refused "p1: an earlier file is from rank 1, too" p1 p1
sed '/^# rank /d' p0 >nameless
refused "nameless: the rank of the process in the job is not in the file" nameless
sed 's/^# member 2 .*/# member 2 a 1 4 2/' p0 >both
refused "both: a process with several ranks of a communicator" both

# call NAME GROUP RANK IN OUT [SPLIT]: a node of an execution trace
call() {
	printf ',{"id":7,"name":"record_param_comms","ctrl_deps":5,"inputs":{"values":'
	printf '[[[3,4,0,%d,4,"cuda:0"]],1,["%s","d"],%d,"%s",[],[],0,1,4]},' "$4" "$2" "$3" "$1"
	printf '"attrs":[{"name":"rf_id","type":"uint64","value":7},'
	printf '{"name":"collective_name","type":"string","value":"%s"},' "$1"
	printf '{"name":"dtype","type":"string","value":"Float"},'
	printf '{"name":"in_msg_nelems","type":"uint64","value":%d},' "$4"
	printf '{"name":"out_msg_nelems","type":"uint64","value":%d},' "$5"
	printf '{"name":"in_split_size","type":"string","value":"%s"},' "${6:-[]}"
	printf '{"name":"pg_name","type":"string","value":"%s"}]}\n' "$2"
}
# group NAME DESCRIPTION RANKS SIZE
group() {
	printf '{\\"pg_name\\": \\"%s\\", \\"pg_desc\\": \\"%s\\", ' "$1" "$2"
	printf '\\"ranks\\": [%s], \\"group_size\\": %d}' "$3" "$4"
}
# trace GROUPS: around the nodes on standard input
trace() {
	echo '{"schema":"1.1.1-chakra.0.0.4","pid":1,"start_ts":1,"nodes":['
	echo '{"id":2,"name":"## process_group:init ##","ctrl_deps":1,'
	echo "\"inputs\":{\"values\":[\"[$1]\"]},\"attrs\":[]}"
	cat
	echo ',{"id":1,"name":"[pytorch|profiler|execution_trace|process]"}],"finish_ts":2}'
}
for rank in 0 1 2 3; do
	pair=$((rank % 2)) at=$((rank / 2))
	{
		call init 0 $rank 0 0
		call broadcast 0 1 10 10
		call allreduce 0 $rank 10000 10000
		call _reduce_scatter_base 1 $at 100 50
		case $rank in
		1) call send 1 1 5 5 ;;
		3) call recv 1 0 5 5 ;;
		esac
	} | trace "$(group 0 default_pg '' 4), $(group 1 pair "$pair, $((pair + 2))" 2)" \
		>et$rank.json
done
import --steps=1 et0.json et1.json et2.json et3.json
is "execution traces of PyTorch" "$(cat out)" "# plink-job 1
ranks 4
kind default_pg allreduce 40000
group 0 1 2 3
kind default_pg-2 broadcast 40
group 0 1 2 3
kind pair reduce-scatter 400
group 0 2
group 1 3
kind p2p traffic
send 1 3 20"
is "nothing is lost" "$(cat err)" ""
import et1.json
is "one is enough for its own groups" "$(sed -n 7,9p out)" "kind pair reduce-scatter 400
group 1 3
kind p2p traffic"
refused "et1.json: an earlier file is from rank 1, too" et1.json et1.json
{
	call allreduce 7 0 10 10
	call gather 1 0 10 10
	call send 1 1 5 5
} | trace "$(group 1 pair '0, 1' 2)" >other.json
refused 'a call of group "7" is left out: its ranks are not in the trace' other.json
has "no call of a job" "$(cat err)" 'gather in group "1" is left out: no call of a job'
has "a sender that is not known" "$(cat err)" 'send in group "1" is left out: its ranks'
echo '{"nodes":[{"name":"x"}]}' >groups.json
refused 'groups.json: no groups in this trace' groups.json

# members that send unequal blocks: known where all tell theirs
experts() {
	call all_to_allv 0 "$1" 100 100 "$2"
	call all_to_allv 0 "$1" 100 100 "$3"
}
for row in 0:10,30,60 1:0,50,50 2:25,25,50; do
	experts ${row%:*} "[${row#*:}]" "[${row#*:}]" |
		trace "$(group 0 ep '0, 1, 2' 3)" >ep${row%:*}.json
done
import --steps=1 ep0.json ep1.json ep2.json
is "unequal blocks" "$(cat out)" "# plink-job 1
ranks 3
kind ep alltoallv calls=2
group 0 1 2
send 0 1 120
send 0 2 240
send 1 2 200
send 2 0 100
send 2 1 100"
import --steps=1 ep0.json ep1.json
is "without those of a member, the mean" "$(cat out)" "# plink-job 1
ranks 3
kind ep alltoall 133 calls=2
group 0 1 2"
has "which is told" "$(cat err)" 'kind "ep": all-to-alls of unequal blocks'
experts 2 '[25, 25, 50]' '[99, ..., 1]' | trace "$(group 0 ep '0, 1, 2' 3)" >cut.json
import --steps=1 ep0.json ep1.json cut.json
has "nor where a list is cut" "$(cat out)" "kind ep alltoall 133 calls=2"
for rank in 0 1 2; do
	experts $rank '[]' '[]' | trace "$(group 0 ep '0, 1, 2' 3)" >ep$rank.json
done
import --steps=1 ep0.json ep1.json ep2.json
has "equal ones stay an all-to-all" "$(cat out)" "kind ep alltoall 133 calls=2"

# log RANK [PREFIX]: NCCL's log of a rank: two processes of two GPUs, and a communicator of each
log() {
	line="${2-}h$(($1 / 2)):7:$1 [$(($1 % 2))] NCCL INFO"
	for comm in "a$(($1 % 2)) $1 4 0x76b3" "b$(($1 % 2)) $(($1 % 2)) 2 0x9$(($1 / 2))"; do
		set -- "$1" $comm
		echo "$line ncclCommInitRank comm 0x$2 rank $3 nranks $4 cudaDev $(($1 % 2)) nvmlDev 0" \
			"busId 1000${5:+ commId $5} - Init COMPLETE"
	done
	called="opCount 0 sendbuff 0x1 recvbuff 0x2"
	for call in "AllReduce 1000 7 0 a" "AllReduce 1000 7 0 a" "ReduceScatter 10 7 0 a" \
		"AllGather 500 9 0 b" "Send 3 8 $((($1 + 1) % 4)) a" "Recv 3 8 $((($1 + 3) % 4)) a" \
		"Broadcast 1 99 0 a"; do
		set -- "$1" $call
		echo "$line $2: $called count $3 datatype $4 op 0 root $5 comm 0x$6$(($1 % 2)) [nranks=4]"
	done
	echo "$line Connected all rings"
}
for rank in 0 1 2 3; do
	log $rank >log$rank
	log $rank "[1,$rank]<stdout>:" >tagged$rank
done
paste -d '\n' log3 log1 log0 log2 >log
paste -d '\n' tagged0 tagged1 tagged2 tagged3 >tagged
for files in log tagged "log3 log0 log1 log2"; do
	import --steps=2 $files
	is "$files: NCCL's communicators and calls" "$(sort out)" "$(sort <<-'END'
		# plink-job 1
		ranks 4
		kind comm allreduce 4000
		group 0 1 2 3
		kind comm-2 reduce-scatter 160 calls=0.5
		group 0 1 2 3
		kind comm-3 allgather 1000 calls=0.5
		group 0 1
		group 2 3
		kind p2p traffic
		send 0 1 12
		send 1 2 12
		send 2 3 12
		send 3 0 12
	END
	)"
	is "$files: an unknown type is named" "$(cat err)" \
		"plink-job: a call is left out: the size of elements of type 99 is not known (4 times)"
done
import --steps=2 log0 log1 log2
has "a rank without a log" "$(cat err)" "calls of allreduce are left out: some ranks of their"
sed 's/ commId [^ ]*//' log >nameless
import --steps=2 nameless
is "older logs name no communicators: those of all ranks are one" "$(grep -c '^kind' out)" 3
grep -v ' comm .*rank' log >log.calls
refused "log.calls: this log of NCCL has no communicators" log.calls
grep -v opCount log >log.init
refused "log.init: this log of NCCL has no calls" log.init
grep -v 'nranks 4' log >log.parts
refused "log.parts: no communicator has all ranks: 4 are in the log, and the largest one has 2" \
	log.parts

# pickles of PyTorch's Flight Recorder
python3 - <<'END'
import os, pickle
entry = {"process_group": ("0", "data"), "profiling_name": "nccl:all_reduce",
         "input_sizes": ((1000,),), "input_dtypes": ["Float"]}
dump = {"entries": [entry], "pg_config": {"0": {"desc": "data", "ranks": "[0, 1]"}}}
for protocol in range(6):
    pickle.dump(dump, open("flight%d" % protocol, "wb"), protocol)
class Run:
    def __reduce__(self):
        return os.system, ("touch here",)
pickle.dump({"entries": Run()}, open("evil", "wb"), 2)
END
for protocol in 0 1 2 3 4 5; do
	refused "flight$protocol:1:1: this is a pickle of PyTorch's Flight Recorder: make it JSON" \
		flight$protocol
	"$srcdir/job/import/plink_flight.py" flight$protocol >flight.json
	import --steps=1 flight.json
	is "plink_flight.py makes it JSON" "$(cat out)" "# plink-job 1
ranks 2
kind data allreduce 4000
group 0 1"
done
"$srcdir/job/import/plink_flight.py" evil >out 2>err
is "it runs nothing: exit 3" "$? $(ls here 2>&1 | grep -c '^here')" "3 0"
has "and says why" "$(cat err)" "evil: it calls posix.system, which no dump does"

# what is not read
hint='graphs of Chakra are not read: give the traces of PyTorch'
printf '\007\012\0050.0.4\002\010\007' >graph.0.et
echo '{"schema":"1","workload_graph":[{"NodeType":7}]}' >graph.json
echo '{"5": [0, 1], "6": [2, 3]}' >groups.json
for file in graph.0.et graph.json groups.json; do
	refused "$file:1:1: $hint" $file
done
echo '{"header":{"id":"0xa","rank":0,"n_ranks":2},"metadata":{}}' >inspector
refused "inspector:1:1: lines of NCCL Inspector are not read: have NCCL load libnccl" inspector

done_testing
