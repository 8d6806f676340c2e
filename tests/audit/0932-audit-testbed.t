#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0932-audit-testbed.t - plink-audit reads captures of Open MPI jobs in an emulated
# cluster
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
audit=$builddir/plink-audit
testbed=$builddir/plink-testbed
mpi=$builddir/tests/audit/mpi-collective

why=$("$testbed" check 2>&1) || skip_all "no emulated cluster here: $why"
[ -x "$builddir/tests/audit/make-capture" ] || skip_all "built without libpcap"
command -v tcpdump >/dev/null || skip_all "no tcpdump here"
[ -x "$mpi" ] || skip_all "built without MPI"
command -v mpirun >/dev/null || skip_all "no mpirun here"
mpirun --version | grep -q '(Open MPI) 4\.1\.' ||
	skip_all "the headers that are known are of Open MPI 4.1"

prefix=a$$u
. "$srcdir/tests/openmpi.sh"
. "$srcdir/tests/captures.sh"
to_testbed
cleanup() {
	"$testbed" down --prefix=$prefix 2>/dev/null
}
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ASAN_OPTIONS=detect_leaks=0 # of the library
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

"$testbed" matrix --racks=2x2 --intra-us=100 --inter-us=1000 --shuffle \
	>"$tmp/m" 2>/dev/null
ok "up" "$testbed" up --matrix="$tmp/m" --prefix=$prefix
printf 'h2\nh0\nh3\nh1\n' >"$tmp/hosts"

# audit OPTION...: in a host, where the names of all are known
audit() {
	"$testbed" exec --prefix=$prefix h0 -- "$audit" --impl=openmpi \
		--hosts="$tmp/hosts" "$@" "$tmp"/sent/*.pcap >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# job COLLECTIVE NUMBER SIZE TIMES OPTION...: the library's algorithm of that number,
# a rank on each host of the list
job() {
	collective=$1 number=$2 size=$3 times=$4
	shift 4
	rm -rf "$tmp/sent"
	# shellcheck disable=SC2046
	captured "$tmp/sent" $(cat "$tmp/hosts") -- \
		timeout 600 "$testbed" exec --prefix=$prefix h0 -- \
		mpirun -np "$(wc -l <"$tmp/hosts")" \
		--hostfile "$tmp/hosts" $on_testbed \
		--mca coll_tuned_use_dynamic_rules 1 \
		--mca "coll_tuned_${collective}_algorithm" "$number" \
		"$mpi" "$collective" "$size" "$times" >"$tmp/job" 2>&1 || {
		fail "$collective $number: the job, and captures of it"
		sed 's/^/# /' "$tmp/job"
	}
	audit --collective="$collective" --size="$size" --repeat="$times" "$@"
}

allreduce() {
	job allreduce "$@"
}

# barrier NUMBER TIMES OPTION...
barrier() {
	barrier_n=$1 barrier_times=$2
	shift 2
	job barrier "$barrier_n" 0 "$barrier_times" "$@"
}

# says WHAT: the line of the report that begins so
says() {
	sed -n "s/^$1  *//p" "$tmp/out"
}

allreduce 4 65536 3
is "ring, 64 KiB, three times: exit 0" "$rc" 0
is "every byte" "$(says sent)" "1181424 bytes"
is "in order" "$(says order)" \
	"60 messages that wait for others: 0 sent too early"
is "match" "$(says result)" match
[ "$rc" = 0 ] || sed 's/^/# /' "$tmp/out" "$tmp/err"

audit --size=64k --repeat=3 --algorithm=recursive-doubling
is "another algorithm it was not: exit 1" "$rc $(says result)" "1 differs"

allreduce 4 1048576 2
is "ring, 1 MiB: blocks beyond the eager limit: exit 0" "$rc" 0
is "every byte" "$(says sent)" "12590784 bytes"
is "match" "$(says result)" match
allreduce 3 65536 2 --algorithm=recursive-doubling
is "recursive doubling: exit 0" "$rc $(says result)" "0 match"
audit --size=64k --repeat=2
is "taken for a ring: exit 1" "$rc $(says result)" "1 differs"

# synchronous sends are headed and answered otherwise
barrier 2 3 --algorithm=double-ring
is "double ring, twice round four ranks, three times: exit 0" "$rc" 0
is "every byte: of each rank a send, a synchronous one and its answer" \
	"$(says sent)" "1512 bytes"
is "in order" "$(says order)" "21 messages that wait for others: 0 sent too early"
barrier 3 2 --algorithm=recursive-doubling
is "recursive doubling of four: exit 0" "$rc $(says result)" "0 match"
sed -i 4d "$tmp/hosts"
barrier 3 2 --algorithm=recursive-doubling
is "of three, one of which is let go at the end: exit 0" \
	"$rc $(says result)" "0 match"
ok "down" "$testbed" down --prefix=$prefix

done_testing
