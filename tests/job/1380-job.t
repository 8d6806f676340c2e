#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1380-job.t - plink-job layout and show: what plink-order reads; usage
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$tmp" || exit 99

job() {
	"$builddir/plink-job" "$@" >out 2>err
}

job layout tp=2,cp=2,ep=4,dp=2,pp=2 tp:allreduce:32MiB:calls=96 \
	dp+cp:reduce-scatter:1G:exposed=0.5 ep:allgather:8k edp:allreduce:1M \
	pp:pipeline:4M:microbatches=8 dp+cp:allgather:64k
is "layout: exit 0" $? 0
is "its lines" "$(cat out)" "# plink-job 1
ranks 16
mesh tp=2 cp=2 dp=2 pp=2
kind tp allreduce 32MiB calls=96 along=tp
kind dp+cp reduce-scatter 1G exposed=0.5 along=dp,cp
mesh etp=1 ep=4 edp=2 pp=2
kind ep allgather 8k along=ep
kind edp allreduce 1M along=edp
mesh tp=2 cp=2 dp=2 pp=2
kind pp pipeline 4M microbatches=8 along=pp
kind dp+cp-2 allgather 64k along=dp,cp"
has "Megatron's other default is told" "$(cat err)" "etp=1 is assumed"
job layout -q -o to tp=2,ep=2,etp=2,dp=2 ep:barrier
is "-o: the file alone" "$(cat out err)" ""
has "it is there" "$(cat to)" "mesh etp=2 ep=2 edp=1 pp=1"

job layout --mesh=dp=2,shard=3 shard:allgather:8M dp:allreduce:64k -o mesh.job
job show mesh.job
is "show" "$(cat out)" "6 ranks
kind                 what              calls    bytes  groups      size in none
shard                allgather             1       8M       2         3       0
dp                   allreduce             1      64k       3         2       0"
printf '%s\n' '# plink-job 1' 'ranks 5' 'library nccl' 'kind a allreduce 8 calls=2' \
	'group 0 1 2' 'group 4' 'kind t traffic' 'send 0 3 1k' 'send 3 0 1k' | job show -
is "groups of several sizes, traffic" "$(cat out)" "5 ranks, library nccl
kind                 what              calls    bytes  groups      size in none
a                    allreduce             2        8       2       1-3       1
t                    traffic               1       2k       -         -       3"

job layout tp=2,dp=2,pp=4,vpp=2 tp:barrier pp:pipeline:4M:microbatches=8 -o v.job
has "interleaved stages" "$(cat v.job)" "kind pp pipeline 4M microbatches=8 vpp=2 along=pp"
job show v.job
has "their bubble is half as long" "$(cat out)" "pp: a bubble of 18.75 % of the computing"
printf '%s\n' '# plink-job 1' 'ranks 2' 'kind t traffic' 'send 0 1 9223372036854775807' \
	'send 1 0 1' | job show -
is "messages of 2^63 bytes: exit 3" "$? $(cat out err)" \
	'3 plink-job: stdin:3:6: kind "t": its messages have 2^63 bytes or more in all'

printf '%s\n' '# plink-job 1' 'ranks 4' 'kind pp pipeline 4M microbatches=8 forward=2ms' \
	'group 0 1 2 3' 'kind ep alltoallv' 'group 1 0' 'send 1 0 3k' | job show -
is "a pipeline's bubble; unequal blocks" "$(tail -n 3 out)" \
	"pp                   pipeline              1       4M       1         4       0
ep                   alltoallv             1       3k       1         2       2
pp: a bubble of 37.5 % of the computing"

printf '# plink-matrix 1\n# unit us\n# quantity rtt\n' >m
printf 'a 0 1 9 9 9 9\nb 1 0 9 9 9 9\nc 9 9 0 9 1 9\nd 9 9 9 0 9 1\n' >>m
printf 'e 9 9 1 9 0 9\nf 9 9 9 1 9 0\n' >>m
"$builddir/plink-order" -q --matrix=m --job=mesh.job --impl=nccl >hostfile 2>err
is "plink-order reads it" "$?" 0

while read -r status said words; do
	# shellcheck disable=SC2086
	job $words
	is "exit $status: plink-job $words" $? "$status"
	has "and why" "$(tr ' ' _ <err)" "$said"
	is "nothing on standard output" "$(cat out)" ""
done <<-'END'
	2 layout,_import_or_show_is_wanted_first,_not_""
	2 not_"draw" draw x
	2 wanted_first -o x layout tp=2 tp:barrier
	2 layout_needs_sizes layout
	2 layout_needs_a_call layout tp=2
	2 layout_needs_a_call layout --mesh=a=2
	2 cannot_be_combined import --mesh=a=2 --layout=tp=2 x
	2 --order_needs_sizes layout --mesh=a=2 --order=tp-pp a:barrier
	2 layout_takes_no_--steps layout --steps=2 tp=2 tp:barrier
	2 "tp:sum:1":_no_collective layout tp=2 tp:sum:1
	2 show_takes_one_file show
	2 show_takes_none show --steps=2 mesh.job
	2 import_needs_a_file import
	2 --steps import --steps=0 x
	2 must_not_replace_it import -o mesh.job mesh.job
	3 m:1:1:_this_is_a_matrix,_not show m
	4 cannot_open_none show none
	4 cannot_open_none import none
END

done_testing
