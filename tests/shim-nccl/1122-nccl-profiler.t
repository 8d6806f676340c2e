#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1122-nccl-profiler.t - libnccl-profiler-plink: what each version of NCCL tells it, and
# the job that becomes of it
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
plugin=$builddir/libnccl-profiler-plink.so
unset RANK WORLD_SIZE OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID PLINK_STATS \
	LD_PRELOAD
cd "$tmp" || exit 99

# run VERSION SUFFIX [SUBJECT]: four processes, with files job.RANK SUFFIX
run() {
	rm -f job.*
	for r in 0 1 2 3; do
		env RANK=$r WORLD_SIZE=4 PLINK_STATS="job.$r$2" PLINK_HOST=h$r \
			"$builddir/tests/shim-nccl/profiled" "$plugin" "$1" $r 4 $3 \
			2>&1 || echo "exit $?"
	done >out
}
rows() {
	sed '/^#/d; /^collective/d' "$@"
}
import() {
	"$builddir/plink-job" import --steps=1 "$@" >imported 2>err
}

is "it exports its tables alone" "$(nm -D --defined-only "$plugin" |
	awk '{ print $NF }' | xargs)" \
	"$(seq 2 6 | sed 's/^/ncclProfiler_v/' | xargs)"

cat >want <<'END'
# plink-job 1
ranks 4
kind comm allreduce 4000 calls=3
group 0 1 2 3
kind comm-2 broadcast 100
group 0 1 2 3
kind half allgather 80
group 0 2
group 1 3
kind half-2 reduce-scatter 104
group 0 2
group 1 3
kind p2p traffic
send 0 1 80
send 1 2 80
send 2 3 80
send 3 0 80
END
for version in 2 3 4 5 6; do
	run $version .%p
	is "version $version: nothing but its name and events is said" \
		"$(sort -u out)" "plink: events $((version < 6 ? 6 : 4614))"
	import job.*
	cp want wanted
	[ $version -gt 3 ] || sed -i '/^kind p2p/,$d' wanted
	is "version $version: the job" "$? $(cat imported)" "0 $(cat wanted)"
done
is "the rows of a process" "$(rows job.3.*)" \
	"allreduce nonblocking 4 2048 4095 3 12000 1 - - - ring ll128 1
broadcast nonblocking 4 64 127 1 100 1 - - - - - 1
allgather nonblocking 2 64 127 1 80 1 - - - - - 2
reduce-scatter nonblocking 2 64 127 1 100 1 - - - ring ll128 2
send nonblocking 4 64 127 2 160 1 - - - - - 1"
is "and what it says of its communicators" "$(grep '^# [ms]e[mn]' job.3.*)" "# member 1 0000000000000abc 3 4 2
# sent 1 0 1 80
# sent 1 3 1 80
# member 2 000000000000def1 1 2 2 half"
for key in mode:off ranks:4 host:h3 rank:3 time:none \
	"by:libnccl-profiler-plink $(sed -n 's/^# by [^ ]* //p' job.3.*)"; do
	is "and of itself: ${key%%:*}" "$(sed -n "s/^# ${key%%:*} //p" job.3.*)" \
		"${key#*:}"
done
run 3 .%p
has "version 3 tells no ranks" "$(rows job.2.*)" \
	"reduce-scatter nonblocking 0 32 63 1 50 1"
import job.*
has "and not to whom messages went" "$(cat err)" "send are left out"

run 5 .%p.json
import job.*.json
is "the same as JSON" "$? $(cat imported)" "0 $(cat want)"
rm job.1.*
import job.*
is "without the file of one rank: what the others make up" "$? $(cat imported)" \
	"0 # plink-job 1
ranks 4
kind half allgather 80
group 0 2
kind half-2 reduce-scatter 104
group 0 2"
has "the rest is left out" "$(cat err)" "some ranks of their communicator have no file"
has "messages, too" "$(cat err)" "messages are left out: some ranks"

run 5 .%p both
import job.*
has "a process of several ranks is refused" "$? $(cat err)" \
	"3 plink-job: job.0."
has "with the reason" "$(cat err)" "a process with several ranks of a communicator"
run 5 .%p threads
is "threads" "$(rows job.0.*)" \
	"allreduce nonblocking 4 2048 4095 2000 8000000 1 - - - ring ll128 1"
PLINK_NCCL_TIMES=1
export PLINK_NCCL_TIMES
run 4 .%p
is "times on the GPU, from the first channel to the last" \
	"$(rows job.0.* | grep ^all; grep '^# time' job.0.*)" \
	"allreduce nonblocking 4 2048 4095 3 12000 1 0.000015030 0.000015030 0.000015030 ring ll128 1
allgather nonblocking 2 64 127 1 80 1 0.000005010 0.000005010 0.000005010 ring ll128 2
# time gpu"
run 6 .%p threads
is "of threads" "$(rows job.0.*)" \
	"allreduce nonblocking 4 2048 4095 2000 8000000 1 0.010020000 0.010020000 0.010020000 ring ll128 1"
run 3 .%p
is "but not with version 3" "$(grep -h '^# time' job.*)" "$(printf '# time none\n%.0s' 1 2 3 4)"
unset PLINK_NCCL_TIMES
run 5 .%p fork
is "a fork counts only its own calls" "$(rows job.0.* | grep -c . ) $(grep -h '^reduce ' job.0.*)" \
	"6 reduce nonblocking 4 1 1 1 1 1 - - - ring ll128 1"
run 5 .%p idle
is "without a call there is no file" "$(ls job.* 2>/dev/null)" ""

# ranks without a launcher's help, and with one that speaks of another job
PLINK_STATS=one "$builddir/tests/shim-nccl/profiled" "$plugin" 4 2 4 >out
is "the rank is that in the largest communicator" "$(sed -n 's/^# ranks* //p' one.* |
	xargs)" "4 2"
rm one.*
RANK=0 WORLD_SIZE=2 PLINK_STATS=one "$builddir/tests/shim-nccl/profiled" "$plugin" 4 2 4 \
	>out
is "also where the launcher's job is smaller" "$(sed -n 's/^# ranks* //p' one.* |
	xargs)" "4 2"
rm one.*
"$builddir/tests/shim-nccl/profiled" "$plugin" 3 2 4 >out
is "without PLINK_STATS no event is wanted" "$(cat out)" "plink: events 0"
LD_PRELOAD=$builddir/libplink-nccl.so PLINK_NCCL_LIBRARY=none PLINK_STATS=one \
	"$builddir/tests/shim-nccl/profiled" "$plugin" 5 2 4 >out 2>err
is "nor beside libplink-nccl, which counts by itself" "$(cat out) $(ls one.* 2>&1 | wc -l)" \
	"plink: events 0 1"
PLINK_STATS=/nonexistent/x "$builddir/tests/shim-nccl/profiled" "$plugin" 5 2 4 >out 2>err
is "a file that cannot be written: one line, and the job goes on" \
	"$? $(wc -l <err | tr -d ' ') $(cut -d: -f1 err)" \
	"0 1 libnccl-profiler-plink"

done_testing
