# SPDX-License-Identifier: BSD-3-Clause
# parts.sh - what tests/gpu/run needs: a GPU, libraries, programs, jobs

# first FILE...: the first of them that is there
first() {
	for first_f in "$@"; do
		[ ! -f "$first_f" ] || {
			echo "$first_f"
			return
		}
	done
}

# of_python FOLDER NAME: a library of NVIDIA's packages for Python
of_python() {
	python3 -c '
import glob, site, sys
folders = site.getsitepackages() + [site.getusersitepackages()] + sys.path
for folder in folders:
    for found in sorted(glob.glob(f"{folder}/nvidia/{sys.argv[1]}/lib/{sys.argv[2]}*")):
        print(found)
        sys.exit()' "$1" "$2" 2>/dev/null
}

of_system() {
	ldconfig -p 2>/dev/null | sed -n "s/.*$1[^ ]* .*=> //p" | head -n 1
}

find_gpu() {
	command -v nvidia-smi >/dev/null 2>&1 && nvidia-smi -L >"$tmp/gpus" 2>&1 &&
		grep -q '^GPU' "$tmp/gpus" || skip_all "no GPU here"
	[ -n "$nccl" ] || nccl=$(of_python nccl libnccl.so.2)
	[ -n "$nccl" ] || nccl=$(of_system libnccl.so.2)
	[ -f "$nccl" ] || skip_all "no libnccl.so.2 here"
	[ -n "$cudart" ] || cudart=$(first $(of_python cuda_runtime libcudart.so) \
		$(of_python cu13 libcudart.so) $(of_system libcudart.so))
	[ -f "$cudart" ] || skip_all "no libcudart here"
	echo "# $(head -n 1 "$tmp/gpus" | sed 's/ (UUID.*//'), $nccl, $cudart"
}

# With a compiler and awk alone: the library, and the programs, which get their
# NCCL from wherever the dynamic linker finds it. A dry run is no place for optimising.
compile() {
	optimize=-O2
	[ -z "$double" ] || optimize=-O0
	[ -z "$double" ] || nccl=$(CDPATH='' cd -- "$(dirname "$double")" &&
		pwd)/$(basename "$double")
	mkdir -p "$tmp/made/shim/nccl" "$tmp/real" "$tmp/lib"
	: >"$tmp/made/config.h"
	ln -sf "$nccl" "$tmp/real/libnccl.so.2"
	awk -v make=prototypes -f "$srcdir/shim/nccl/generate.awk" \
		"$srcdir/shim/nccl/functions" \
		>"$tmp/made/shim/nccl/prototypes.h" &&
		"$srcdir/shim/nccl/compile" "$tmp/lib" ${CC:-cc} $optimize \
			2>"$tmp/cc.err" || return
	for p in job device types; do
		compile_c -c -o "$tmp/$p.o" "$srcdir/tests/shim-nccl/$p.c" || return
	done
	for p in matrix linked levels; do
		compile_program $p "$srcdir/tests/shim-nccl/$p.c" || return
	done
	compile_program life "$srcdir"/tests/shim-nccl/life*.c
}

compile_c() {
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE $optimize -I"$srcdir" -I"$tmp/made" \
		"$@" 2>>"$tmp/cc.err"
}

compile_program() {
	cp_name=$1
	shift
	compile_c -o "$tmp/$cp_name" "$@" "$tmp/job.o" "$tmp/device.o" \
		"$tmp/types.o" "$tmp/real/libnccl.so.2" \
		-Wl,--allow-shlib-undefined -ldl -lpthread -lm
}

# own_plan ALGORITHM: the odd hosts from behind, then the even ones
own_plan() {
	echo "# plink-plan 1"
	seq 0 $((ranks - 1)) | sed 's/.*/host & h&/'
	echo "order allreduce $1 nccl 0- :" $(seq $((ranks - 1)) -1 0 |
		awk '$1 % 2') $(seq 0 2 $((ranks - 1)))
}

# own_schedule: two levels, of the even hosts and the odd ones
own_schedule() {
	echo "# plink-schedule 1"
	seq 0 $((ranks - 1)) | sed 's/.*/host & h& addr=127.0.0.1/'
	echo "schedule two-level 0- chunk=32768 window=16"
	echo "slice 1"
	echo "round add" $(seq 2 $((ranks - 1)) | awk '{ print $1 ">" $1 % 2 }')
	echo "round add 1>0"
	echo "round store 0>1"
	echo "round store" $(seq 2 $((ranks - 1)) |
		awk '{ print $1 % 2 ">" $1 }')
}

# The hosts of a plan by position, as numbers.
planned_order() {
	awk '/^order / { sub(/.*: */, ""); print; found = 1; exit }
		END { exit !found }' "$1"
}

# job COMMAND...: every rank of it at once, each on a host of its own; output in
# $tmp/out.R and $tmp/err.R. Kills none but its own when one hangs.
job() {
	rm -rf "$tmp/boards" "$tmp"/out.* "$tmp"/err.*
	mkdir "$tmp/boards"
	job_pids='' job_r=0 job_rc=0
	while [ "$job_r" -lt "$ranks" ]; do
		env RANK=$job_r WORLD_SIZE=$ranks LOCAL_RANK=0 \
			PLINK_HOST=h$job_r PLINK_TEST_ID="$tmp/boards/id" \
			PLINK_TEST_NCCL_DIR="$tmp/boards" \
			PLINK_TEST_NCCL_LOG="$tmp/log" \
			PLINK_TEST_NCCL_WHO=$job_r PLINK_TEST_CUDART="$cudart" \
			LD_LIBRARY_PATH="$tmp/real:${LD_LIBRARY_PATH:-}" \
			MASTER_ADDR=127.0.0.1 MASTER_PORT=29556 \
			NCCL_HOSTID=plink-$job_r NCCL_NET=Socket \
			NCCL_IB_DISABLE=1 NCCL_SOCKET_IFNAME=lo \
			NCCL_MNNVL_ENABLE=0 NCCL_NVLS_ENABLE=0 \
			NCCL_RAS_ENABLE=0 NCCL_MAX_NCHANNELS=2 \
			NCCL_BUFFSIZE=1048576 CUDA_VISIBLE_DEVICES=0 \
			timeout -k 10 "${limit_s:-240}" "$@" \
			>"$tmp/out.$job_r" 2>"$tmp/err.$job_r" &
		job_pids="$job_pids $!"
		job_r=$((job_r + 1))
	done
	for job_pid in $job_pids; do
		wait "$job_pid" || job_rc=$?
	done
	return $job_rc
}

# shim COMMAND...: the same with the preload and the plan
shim() {
	job env LD_PRELOAD="$tmp/lib/libplink-nccl.so" PLINK_PLAN="$plan" \
		PLINK_NCCL_LIBRARY="$nccl" "$@"
}

# worked WHAT STATUS: every rank said so
worked() {
	worked_n=$(cat "$tmp"/out.* |
		grep -c '^rank [0-9]*: [1-9][0-9]* checks, 0 failed$')
	if [ "$2" = 0 ] && [ "$worked_n" = "$ranks" ]; then
		pass "$1"
	else
		fail "$1: exit $2, $worked_n of $ranks ranks"
		cat "$tmp"/out.* | grep -v ' 0 failed$' | head -n 10 |
			sed 's/^/# /'
		cat "$tmp"/err.* | grep -i 'warn\|error\|libplink' |
			head -n 10 | sed 's/^/# /'
	fi
}
