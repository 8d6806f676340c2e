#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1126-nccl-tuner.t - libnccl-tuner-plink: which algorithms it leaves NCCL
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
plugin=$builddir/libnccl-tuner-plink.so
unset PLINK_PLAN PLINK_VERBOSE LD_PRELOAD
cd "$tmp" || exit 99

# tuned ARGUMENT...: what NCCL takes then, in one line
tuned() {
	"$builddir/tests/shim-nccl/tuned" "$plugin" "$@" 2>err | paste -sd ,
}
cat >plan <<'END'
# plink-plan 1
host 0 a slots=2
host 1 b slots=2
host 2 c slots=2
order allreduce ring openmpi 0- : 0 1 2
order allreduce double-binary-tree nccl 0-65535 : 0 2 1
order allreduce ring nccl 65536- : 0 2 1
order allgather pat nccl 0-1023 : 0 1 2
order allgather ring nccl 1024- : 0 1 2
order job all nccl 0- : 1 0 2
END
PLINK_PLAN=plan
export PLINK_PLAN

is "it exports its tables alone" "$(nm -D --defined-only "$plugin" |
	awk '{ print $NF }' | xargs)" \
	"$(seq 3 6 | sed 's/^/ncclTunerPlugin_v/' | xargs)"
for version in 3 4 5 6; do
	pat=pat
	[ $version -gt 3 ] || pat=tree # does not know it
	is "version $version: by collective and size" \
		"$(tuned $version 6 3 allreduce 65535 allreduce 65536 \
			allgather 6143 allgather 6144 broadcast 65536)" \
		"tree ll 0,ring ll128 0,$pat ll 0,ring ll128 0,tree ll 0"
done
is "one rank on each host" "$(tuned 5 3 3 allreduce 65536)" "ring ll128 0"
is "fewer hosts: as without it" "$(tuned 5 4 2 allreduce 65536)" "tree ll 0"
is "one host: as without it" "$(tuned 5 8 1 allreduce 65536)" "tree ll 0"
is "an algorithm that NCCL cannot take" \
	"$(TUNED_LACKS=ring tuned 5 6 3 allreduce 65536)" "tree ll 0"
is "one that takes more than twice as long" \
	"$(TUNED_SLOW=ring tuned 5 6 3 allreduce 65536)" "tree ll 0"
is "and all the time it says nothing" "$(cat err)" ""
PLINK_VERBOSE=1 tuned 6 6 3 >out
is "unless it is to" "$(cat err)" \
	"libnccl-tuner-plink: a communicator of 6 ranks on 3 hosts takes the plan's algorithms"
grep -v ' nccl ' plan >others
PLINK_VERBOSE=1 PLINK_PLAN=others tuned 6 6 3 >out
is "and the plan has algorithms for NCCL" "$(cat err)" ""
is "without a plan: as without it" "$(unset PLINK_PLAN
	tuned 5 6 3 allreduce 65536)" "tree ll 0"
echo "# plink-schedule 1" >schedules
is "schedules: as without it" "$(PLINK_PLAN=schedules tuned 5 6 3 allreduce 65536)" \
	"tree ll 0"
echo "order x" >>plan
is "a bad plan: the communicator is refused" "$(tuned 5 6 3 allreduce 1)" "init: 5"
has "and where it is bad" "$(cat err)" "libnccl-tuner-plink: plan:11:"
done_testing
