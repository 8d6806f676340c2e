#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0931-audit-monitoring.t - plink-audit on what Open MPI's monitoring writes
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
audit=$builddir/plink-audit

# file RANK: a file of the monitoring, its lines on stdin
file() {
	{
		echo "# POINT TO POINT"
		tr ' ' '\t' | sed 's/+/ /g'
		echo "# OSC"
		echo "# COLLECTIVES"
	} >"$tmp/sent.$1.prof"
}

# audit OPTION... FILE...: of a ring of two and 800 bytes
audit() {
	"$audit" --size=800 "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

result() {
	sed -n 's/^result *//p' "$tmp/out"
}

echo "E 0 1 800+bytes 2+msgs+sent 0,0,2" | file 0
echo "E 1 0 800+bytes 2+msgs+sent 0,0,2" | file 1
audit "$tmp"/sent.*.prof
is "two ranks: exit 0" "$rc" 0
is "match" "$(result)" match
has "order" "$(cat "$tmp/out")" "not checked: monitoring has no times"
audit "$tmp/sent.0.prof"
is "one file of two: exit 1" "$rc" 1
has "the other rank is unseen" "$(cat "$tmp/out")" "unseen   1 0"
audit --ranks=3 "$tmp"/sent.*.prof
is "there were three ranks: exit 1" "$rc" 1
printf 'a\nb slots=1\n' >"$tmp/hosts"
audit --hosts="$tmp/hosts" "$tmp"/sent.*.prof
is "a host list tells the ranks" "$rc" 0

echo "E 1 0 800+bytes 3+msgs+sent 0,0,2" | file 1
audit "$tmp"/sent.*.prof
is "a message too many: exit 1" "$rc" 1
has "is over" "$(cat "$tmp/out")" "1 match, 0 short, 1 over"
echo "E 1 0 799+bytes 2+msgs+sent 0,0,2" | file 1
audit "$tmp"/sent.*.prof
has "a byte too few is short" "$(cat "$tmp/out")" "1 match, 1 short"
: | file 1
audit "$tmp"/sent.*.prof
has "a file that names no rank is known by its name" "$(cat "$tmp/out")" \
	"missing  1 0  expected 800, sent 0; messages 2, 0"

# the library's own messages, where they are told apart
{
	echo "E 1 0 5555+bytes 5+msgs+sent 0,0,2"
	echo "I 1 0 800+bytes 2+msgs+sent"
	echo "S 1 0 4+bytes 1+msgs+sent"
	echo "C 1 0 4+bytes 1+msgs+sent"
} | file 1
echo "I 0 1 800+bytes 2+msgs+sent 0,0,2" | file 0
audit "$tmp"/sent.*.prof
is "messages of the program do not count then" "$rc $(result)" "0 match"

# what is not as Open MPI writes it
refused() {
	echo "$2" | file 1
	audit "$tmp"/sent.*.prof
	is "$2: exit 3" "$rc" 3
	has "$2: said" "$(cat "$tmp/err")" "plink-audit: $tmp/sent.1.prof:$1"
}
refused '2:1: no line of' "Q 1 0 800+bytes 2+msgs+sent"
refused '2:5: "x" is not a number' "E 1 x 800+bytes 2+msgs+sent"
refused '2:5: "70000" is not a number' "E 1 70000 800+bytes 2+msgs+sent"
refused '2:18: "msgs" is missing' "E 1 0 800+bytes 2"
refused '2:7: "99999999999999999999"' "E 1 0 99999999999999999999+bytes"
refused '2:4: a number is missing' "E 1"
echo "E 1 3 800+bytes 2+msgs+sent" | file 1
audit --ranks=2 "$tmp"/sent.*.prof
is "a rank that is none: exit 3" "$rc" 3
has "is named" "$(cat "$tmp/err")" "names rank 3, but the job has 2 ranks"

# the real thing
mpi=$builddir/tests/audit/mpi-collective
ASAN_OPTIONS=detect_leaks=0 # of the library
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
. "$srcdir/tests/openmpi.sh"
# mpi N ALGORITHM COLLECTIVE SIZE TIMES
mpi() {
	mpi_name=$(echo "$3" | sed 's/broadcast/bcast/; s/-/_/')
	rm -f "$tmp"/real.*.prof
	mpirun -np "$1" --oversubscribe $alone \
		--mca btl $shared,self --mca mpi_yield_when_idle 1 \
		--mca coll_tuned_use_dynamic_rules 1 \
		--mca "coll_tuned_${mpi_name}_algorithm" "$2" \
		--mca pml_monitoring_enable 2 \
		--mca pml_monitoring_enable_output 3 \
		--mca pml_monitoring_filename "$tmp/real" \
		"$mpi" "$3" "$4" "$5" >"$tmp/mpi.out" 2>&1
}
if [ ! -x "$mpi" ] || ! mpi 2 4 allreduce 64 1; then
	skip "Open MPI's own word" "no MPI that runs here"
	done_testing
	exit
fi
mpi 5 4 allreduce 65536 3
audit --impl=openmpi --size=64k --repeat=3 "$tmp"/real.*.prof
is "ring all-reduce, 5 ranks" "$rc $(result)" "0 match"
audit --impl=openmpi --size=64k --repeat=3 --algorithm=rabenseifner \
	"$tmp"/real.*.prof
is "which is not Rabenseifner's" "$rc $(result)" "1 differs"
mpi 6 6 allreduce 65536 2
audit --impl=openmpi --size=64k --repeat=2 --algorithm=rabenseifner \
	"$tmp"/real.*.prof
is "Rabenseifner's, 6 ranks" "$rc $(result)" "0 match"
mpi 7 6 broadcast 100000 2
audit --impl=openmpi --collective=broadcast --algorithm=binomial \
	--size=100000 --repeat=2 "$tmp"/real.*.prof
is "binomial broadcast, 7 ranks" "$rc $(result)" "0 match"

done_testing
