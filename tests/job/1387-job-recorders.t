#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1387-job-recorders.t - plink-job import: lines of NCCL Inspector, which are joined;
# execution traces of PyTorch, and graphs that Chakra makes of them; all-to-alls of
# unequal blocks
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

# header ID RANK RANKS: what NCCL Inspector begins a line with
header() {
	printf '"header":{"id":"%s","rank":%d,"n_ranks":%d,"nnodes":1},' "$1" "$2" "$3"
	printf '"metadata":{"inspector_output_format_version":"v4.0","git_rev":"",'
	printf '"dump_timestamp_us":1748030377748202,"hostname":"h","pid":%d}' "$2"
}
# coll NAME BYTES, p2p NAME PEER BYTES: what a line goes on with
coll() {
	printf '"coll_perf":{"coll":"%s","coll_sn":1,"coll_msg_size_bytes":%d,' "$1" "$2"
	printf '"coll_exec_time_us":61,"coll_algobw_gbs":2.1,"coll_busbw_gbs":3.4}'
}
p2p() {
	printf '"p2p_perf":{"p2p":"%s","p2p_sn":1,"p2p_peer":%d,"p2p_msg_size_bytes":%d}' "$@"
}
# lines HEADER REST...: each with the header
lines() {
	head=$1
	shift
	for rest; do
		printf '{%s,%s}\n' "$head" "$rest"
	done
}
# process RANK: rank of the job; pairs are 0 and 2, 1 and 3
process() {
	all=$(header 0xa "$1" 4)
	lines "$all" "$(coll AllReduce 40000)" "$(coll AllReduce 40000)"
	lines "$(header 0xb$(($1 % 2)) $(($1 / 2)) 2)" "$(coll ReduceScatter 800)" \
		"$(coll AllGather 800)" "$(coll ReduceScatter 800)"
	case $1 in
	0) lines "$all" "$(p2p Send 3 20)" ;;
	3) lines "$all" "$(p2p Recv 0 20)" ;;
	esac
}
for rank in 0 1 2 3; do
	process $rank >p$rank
done
import --steps=2 p3 p1 p0 p2
is "Inspector: exit 0" $? 0
is "the files are joined, ranks are those of the communicator of all" "$(cat out)" \
	"# plink-job 1
ranks 4
kind comm allreduce 40000
group 0 1 2 3
kind comm-2 allgather 800 calls=0.5
group 1 3
group 0 2
kind comm-3 reduce-scatter 1600
group 1 3
group 0 2
kind p2p traffic
send 0 3 10"
is "nothing is lost" "$(cat err)" ""
cp out whole

# since version 4.3, one header for the lines of a dump
stats='"dump_stats":{"coll_records":2,"coll_dropped_total":0,"p2p_records":0}'
for rank in 0 1 2 3; do
	awk -v stats="$stats" '{
		i = index($0, "},\"coll_perf"); j = index($0, "},\"p2p_perf")
		at = i ? i : j
		head = substr($0, 1, at)
		if (head != last)
			print head "," stats "}"
		last = head
		print "{" substr($0, at + 2)
	}' p$rank >v$rank
done
import --steps=2 v3 v1 v0 v2
is "lines whose header stands above them" "$(cat out)" "$(cat whole)"
sed 's/dropped_total":0/dropped_total":7/' v0 >dropped
import v3 v1 dropped v2
has "dropped calls are told" "$(cat err)" "a file lacks calls: NCCL Inspector had dropped"

# a process that was killed
{
	cat p2
	head -n 1 p2 | head -c 200
} >cut
import --steps=2 p3 p1 p0 cut
is "half a line at the end is left out" "$(cat out)" "$(cat whole)"
has "which is told" "$(cat err)" "the last line of a file is left out: it is cut off"
{
	head -n 1 p2 | head -c 200
	echo
	cat p2
} >broken
refused "broken:1:" p3 p1 p0 broken
head -c 200 p2 >tiny
refused "tiny:1:1: no whole line" tiny

# elements whose type the plugin does not know: -1 bytes each
sed 's/"AllReduce","coll_sn":1,"coll_msg_size_bytes":40000/"AllReduce","coll_sn":1,"coll_msg_size_bytes":18446744073709541616/' \
	p0 >typeless
import p1 p2 p3 typeless
has "a size that is none" "$(cat err)" \
	"calls of AllReduce are left out: NCCL Inspector did not know their size (2 times)"

# a rank without a file
import p0 p2 p3
is "a rank is missing: its communicators are left out" "$(cat out)" "# plink-job 1
ranks 4
kind comm allgather 800
group 0 2
kind comm-2 reduce-scatter 1600 calls=2
group 0 2"
has "calls" "$(cat err)" "AllReduce are left out: some ranks of their communicator have no file"
has "and messages" "$(cat err)" "messages are left out"
# small calls are not recorded: perhaps none of all ranks
for rank in 0 1 2 3; do
	grep -v '"0xa"' p$rank >q$rank
	lines "$(header 0xc$((rank / 2)) $((rank % 2)) 2)" "$(coll AllReduce 4)" >>q$rank
done
import q1 q0 q3 q2
has "no communicator of all: the order of the files" "$(cat out)" "
group 0 2
group 1 3
kind"
has "which is told" "$(cat err)" \
	"no communicator has all processes: ranks are numbered in the order of the files"

sed 's/0x/0xf/' p1 >foreign
refused "foreign: no communicator joins this process to that of p0: of another job?" \
	p0 foreign
refused "p1: rank 1 of communicator 0xa is in p1, too" p1 p1
{
	cat p0
	lines "$(header 0xa 1 4)" "$(coll AllReduce 40000)"
} >both
refused "both:7:1: another rank of a communicator that stands above" both
sed 's/"rank":0,/"rank":4,/' p0 >beyond
refused "beyond:1:1: in the header of a line id, rank or n_ranks is missing" beyond
sed 's/"coll":/"call":/' p0 >nameless
refused "nameless:1:1: coll_perf without coll" nameless
sed 's/"p2p_peer":3/"p2p_peer":4/' p0 >peer
refused "peer:6:1: p2p_perf without p2p, p2p_peer" peer

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
cp out traced
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

# graphs of Chakra (.et): the same job, and one without process groups
cat >et.py <<'END'
def varint(n):
    more = n >> 7
    return bytes([n & 127 | (128 if more else 0)]) + (varint(more) if more else b'')
def number(field, n):
    return varint(field << 3) + varint(n)
def message(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data
def attr(name, value, field=9):
    value = message(29, value.encode()) if isinstance(value, str) else number(field, value)
    return message(10, message(1, name.encode()) + value)
def node(name, kind, *attrs, values=''):
    data = number(1, 7) + message(2, name.encode()) + number(3, kind)
    data += message(8, message(1, values.encode())) + b''.join(attrs)
    return varint(len(data)) + data
def calls(kind, type, size, *more):
    return node('nccl', kind, attr('is_cpu_op', 0, 27), attr('comm_type', type),
        attr('comm_size', size), *more)
def write(name, *nodes):
    with open(name, 'wb') as f:
        f.write(varint(7) + message(1, b'0.0.4') + b''.join(nodes))
for rank in range(4):
    groups = str(['[{"pg_name": "0", "pg_desc": "default_pg", "ranks": [], "group_size": 4}, '
        '{"pg_name": "1", "pg_desc": "pair", "ranks": [%d, %d], "group_size": 2}]' % (
        rank % 2, rank % 2 + 2)])
    all, pair = attr('pg_name', '0'), attr('pg_name', '1')
    ends = {1: [calls(5, 0, 20, attr('comm_dst', 3, 7))],
        3: [calls(6, 0, 20, attr('comm_src', 2, 15))]}
    write('graph.%d.et' % rank, node('## process_group:init ##', 1, values=groups),
        node('c10d::allreduce_', 7, attr('is_cpu_op', 1, 27), attr('comm_size', 9)),
        calls(7, 5, 40, all), calls(7, 0, 40000, all), calls(7, 7, 400, pair),
        *ends.get(rank, []))
    write('bare.%d.et' % rank, calls(7, 0, 1 << 20), calls(7, 6, 400), calls(7, 3, 8),
        node('nccl', 7, attr('comm_type', 2)), calls(7, 1 << 63, 8))
END
python3 et.py
import --steps=1 graph.0.et graph.1.et graph.2.et graph.3.et
is "graphs of Chakra: the same as from the traces" "$(cat out)" "$(cat traced)"
is "nothing is lost" "$(cat err)" ""
import --steps=1 bare.0.et bare.1.et bare.2.et bare.3.et
is "without process groups: all ranks" "$(cat out)" "# plink-job 1
ranks 4
kind all allreduce 1M
group 0 1 2 3
kind all-2 alltoall 100
group 0 1 2 3"
is "what is assumed, and what is left out" "$(cat err)" \
	'plink-job: allgather is left out: no comm_size (4 times)
plink-job: calls without a process group count as those of all 4 ranks that the files tell of (4 times)
plink-job: gather in group "all" is left out: no call of a job (4 times)
plink-job: a collective without comm_type in group "all" is left out: no call of a job (4 times)'
for rank in 0 1 2 3; do
	printf '{"workload_graph":[{"Id":1,"NodeType":7,"is_cpu_op":false,"comm_type":0,' \
		>"graph.$rank.json"
	printf '"comm_size":1048576},{"Id":2,"NodeType":7,"is_cpu_op":true}]}' >>"graph.$rank.json"
done
import graph.0.json graph.1.json graph.2.json graph.3.json
is "a graph in JSON" "$(cat out)" "# plink-job 1
ranks 4
kind all allreduce 1M
group 0 1 2 3"
# groups in a file of their own, as ASTRA-sim takes them
cat >grouped.py <<'END'
exec(open('et.py').read().split('for rank')[0])
for rank in range(4):
    write('grouped.%d.et' % rank, calls(7, 2, 64, attr('pg_name', '%d' % (5 + rank // 2))))
END
python3 grouped.py
echo '{"5": [0, 1], "6": [2, 3]}' >groups.json
import --steps=1 groups.json grouped.0.et grouped.1.et grouped.2.et grouped.3.et
is "groups of a file of their own" "$(cat out err)" "# plink-job 1
ranks 4
kind 5 allgather 64
group 0 1
group 2 3"
echo '{"5": [0, 1], "6": [2, "x"]}' >wrong.json
refused 'wrong.json: group "6" is no list of ranks' wrong.json grouped.0.et
echo '{"5": [0, 1], "6": [2,' >cut.json
refused 'cut.json:2:1: ' cut.json grouped.0.et
echo '{"nodes":[{"name":"x"}]}' >groups.json
cp bare.0.et bare.et
refused "bare.et: neither process groups nor the rank of the process are known" bare.et
refused "bare.0.et: calls without a process group are of all ranks: give the files of all" bare.0.et
refused "bare.1.et: an earlier file is from rank 1, too" bare.1.et bare.1.et
head -c 100 bare.0.et >half.0.et
refused "half.0.et: byte 72: the message that begins here is cut off" half.0.et
{
	head -c 8 bare.0.et
	printf '\002\011\001'
} >broken.0.et
refused "broken.0.et: byte 9: no message of a graph begins here" broken.0.et
head -c 20 /dev/zero >zeros
refused "zeros: byte 2: no message of a graph begins here" zeros
{
	head -c 8 bare.0.et
	printf '\377\377\377\377\377\377'
} >long.0.et
refused "long.0.et: byte 8: no length of a message" long.0.et

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

done_testing
