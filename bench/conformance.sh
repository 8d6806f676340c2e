# SPDX-License-Identifier: BSD-3-Clause
# conformance.sh - programs bare and with the preload library; sourced by
# conformance and conformance-mpi4py, which set $library, $mode and $work.
top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
bin=${builddir:-$top/build}

die() {
	echo "${0##*/}: $*" >&2
	exit 4
}

# Sets $preload, $work to the whole path, and makes what launch needs in $job: a
# folder of this run alone, so that several may go on in one $work.
prepare() {
	case $library in
	openmpi) preload=$bin/libplink-mpi.so ;;
	mpich) preload=$bin/libplink-mpich.so ;;
	esac
	[ -f "$preload" ] || die "$preload is missing"
	mkdir -p "$work"
	work=$(CDPATH='' cd -- "$work" && pwd)
	job=$(mktemp -d "$work/job.XXXXXX")
	trap 'rm -rf "$job"' EXIT
	trap 'exit 4' HUP INT TERM
	# as K COMMAND...: the hosts, K ranks on each
	cat >"$job/as" <<-'END'
		#!/bin/sh
		k=$1
		shift
		PLINK_HOST=h$((${PMIX_RANK:-$PMI_RANK} / k)) exec "$@"
	END
	chmod +x "$job/as"
}

# Hosts of one rank and, of four, hosts of two: an order that moves every rank.
plan() {
	case $1 in
	1) slots=1 order='0' ;;
	2) slots=1 order='1 0' ;;
	3) slots=1 order='2 0 1' ;;
	4) slots=2 order='1 0' ;;
	5) slots=1 order='3 0 4 1 2' ;;
	esac
	echo "# plink-plan 1"
	i=0
	for _ in $order; do
		echo "host $i h$i slots=$slots"
		i=$((i + 1))
	done
	echo "order allreduce ring openmpi 0- : $order"
}

# The same hosts, and a schedule for every size: two chains to a root and back, each half of
# the buffer in chunks of 40 bytes, so that short calls have several.
schedule() {
	plan "$1" | sed '1s/plan/schedule/; /^order/d'
	echo "schedule chain 0- chunk=40 window=3"
	awk -v n="$1" 'BEGIN {
		for (turn = 0; turn < (n > 1 ? 2 : 1); turn++) {
			print "slice 1"
			for (i = n - 1; i > 0; i--)
				print "round add", (i + turn) % n ">" (i - 1 + turn) % n
			for (i = 1; i < n; i++)
				print "round store", (i - 1 + turn) % n ">" (i + turn) % n
		}
	}'
}

# launch bare|shim N SECONDS COMMAND...: its output goes to $job/out
launch() {
	how=$1
	n=$2
	seconds=$3
	shift 3
	case $mode in
	engine) schedule "$n" >"$job/plan" ;;
	*) plan "$n" >"$job/plan" ;;
	esac
	# the shell of "as" goes without the library
	[ "$how" = bare ] ||
		set -- env LD_PRELOAD="$preload" PLINK_PLAN="$job/plan" \
			PLINK_MPI_MODE="$mode" PLINK_STRICT=1 "$@"
	case $n in
	4) set -- "$job/as" 2 "$@" ;;
	*) set -- "$job/as" 1 "$@" ;;
	esac
	if [ "$library" = openmpi ]; then
		# a job of one rank has one slot, and its children would wait
		[ "$n" -gt 1 ] || set -- --host localhost:16 "$@"
		set -- mpirun.openmpi -np "$n" --oversubscribe \
			--mca plm isolated --mca btl vader,tcp,self \
			--mca btl_tcp_if_include lo \
			--mca mpi_yield_when_idle 1 "$@"
	else
		set -- mpirun.mpich -launcher fork -n "$n" "$@"
	fi
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
		timeout -k 5 "$seconds" "$@" </dev/null >"$job/out" 2>&1
}

# header: on what the results were obtained
header() {
	case $library in
	openmpi) version=$(mpirun.openmpi --version | head -n 1) ;;
	mpich) version="MPICH $(mpichversion | sed -n \
		's/^MPICH Version:[^0-9]*//p')" ;;
	esac
	echo "# $version, PLINK_MPI_MODE=$mode"
	echo "# $(. /etc/os-release && echo "$PRETTY_NAME"), $(nproc) cores," \
		"$(date -u +%Y-%m-%d)"
}
