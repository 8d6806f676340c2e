#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0686-audit-rtt.t - plink-audit --rtt: a matrix of a job's own round trips
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
audit=$builddir/plink-audit
make=$builddir/tests/audit/make-capture
testbed=$builddir/plink-testbed
mpi=$builddir/tests/audit/mpi-collective
[ -x "$make" ] || skip_all "built without libpcap"

# line MS SRC SPORT DST DPORT FLAGS SEQ BYTES...: packets of a connection
printf '10.0.0.1\n10.0.0.2\n10.0.0.3\n' >"$tmp/hosts"
# host 1 begins, then sends 12 segments that are answered after 3 ms, 3 whose
# answer is held back, and one that is sent again; 2 sends 12 answered after 5 ms
awk -v OFMT=%.0f 'BEGIN {
	a = "10.0.0.1 3000 10.0.0.2 2000"; b = "10.0.0.2 2000 10.0.0.1 3000"
	ms = 1000000
	print 0, a, "S", 999, 0
	print 3 * ms, b, "SA:1000", 4999, 0
	print 3 * ms + 10, a, "A:5000", 1000, 0
	t = 10 * ms
	for (i = 0; i < 16; i++) {
		print t, a, "A:5000", 1000 + 100 * i, 100
		if (i == 15)
			print t + 200 * ms, a, "A:5000", 1000 + 100 * i, 100
		wait = i < 12 ? 3 : i < 15 ? 44 : 203
		print t + wait * ms, b, "A:" (1100 + 100 * i), 5000, 0
		t += 300 * ms
	}
	for (i = 0; i < 12; i++) {
		print t, b, "A:2600", 5000 + 100 * i, 100
		print t + 5 * ms, a, "A:" (5100 + 100 * i), 2600, 0
		t += 10 * ms
	}
}' >"$tmp/both"
# another flow tells on which host it was taken
{
	cat "$tmp/both"
	echo "9000000000 10.0.0.1 4000 10.0.0.3 2000 S 1 0"
} | "$make" raw ns >"$tmp/one"
{
	cat "$tmp/both"
	echo "9000000000 10.0.0.2 4000 10.0.0.3 2000 S 1 0"
} | "$make" ethernet ns >"$tmp/two"

# rtt OPTION... FILE...
rtt() {
	"$audit" --rtt --hosts="$tmp/hosts" "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# cell LAYER SRC DST (1, 2, 3)
cell() {
	awk -v l="$1" -v src="10.0.0.$2" -v col="$3" '
		/^# statistic/ { at = $3 } /^# layer/ { at = $3 } /^#/ { next }
		at == l && $1 == src { print $(col + 1); exit }' "$tmp/out"
}

rtt "$tmp/one"
is "a capture of one host of three: exit 1" "$rc" 1
has "says how much there is" "$(cat "$tmp/err")" "1 of 6 ways measured"
ok "method" grep -qx '# method passive' "$tmp/out"
is "what it sent, answered after 3 ms" "$(cell p10 1 2) $(cell p99 1 2)" \
	"3000000 3000000"
is "the handshake is one of them" "$(cell samples 1 2)" 13
is "answers held back are not" "$(cell delayed 1 2)" 3
is "nor what was sent again" "$(cell again 1 2)" 1
is "what it was sent says nothing" "$(cell p10 2 1)" nan
ok "of the other hosts there is no capture" grep -qx \
	'# cell 10.0.0.2 10.0.0.1 no capture was taken on 10.0.0.2' "$tmp/out"
ok "one packet is no value" grep -qx \
	'# cell 10.0.0.1 10.0.0.3 0 round trips in the capture, 10 are wanted' \
	"$tmp/out"
rtt "$tmp/one" "$tmp/two"
is "captures of both ends: each its own way" \
	"$(cell p10 1 2) $(cell p10 2 1)" "3000000 5000000"
rtt --min-samples=14 "$tmp/one" "$tmp/two"
is "more samples are wanted than there are" "$rc $(cell p10 1 2)" "1 nan"
sed -n '1,/^# layer/p' "$tmp/out" >"$tmp/m"
printf '10.0.0.1\n10.0.0.2\n' >"$tmp/pair"
"$audit" --rtt --hosts="$tmp/pair" -o "$tmp/m" "$tmp/one" "$tmp/two" \
	2>"$tmp/err"
is "all there: exit 0" $? 0
ok "a matrix that others read" "$builddir/plink-order" --matrix="$tmp/m" -o /dev/null

# usage
"$audit" --rtt "$tmp/one" 2>"$tmp/err"
is "no host list: exit 2" $? 2
rtt --json "$tmp/one"
is "no JSON: exit 2" "$rc" 2
echo "# nonsense" >"$tmp/text"
rtt "$tmp/text"
is "no capture: exit 3" "$rc" 3
is "and no output" "$(cat "$tmp/out")" ""

# an MPI job's ring, against the delays that are emulated
if ! why=$("$testbed" check 2>&1) || [ ! -x "$mpi" ] ||
	! command -v mpirun >/dev/null; then
	skip "against truth" "no emulated cluster or no MPI: $why"
	done_testing
	exit
fi
prefix=y$$u
. "$srcdir/tests/openmpi.sh"
to_testbed
cleanup() {
	"$testbed" down --prefix=$prefix 2>/dev/null
}
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ASAN_OPTIONS=detect_leaks=0 # of the library
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
"$testbed" matrix --racks=2x2 --intra-us=2000 --inter-us=10000 >"$tmp/truth" \
	2>/dev/null
ok "up" "$testbed" up --matrix="$tmp/truth" --prefix=$prefix
printf 'h0\nh1\nh2\nh3\n' >"$tmp/hosts"
timeout 600 "$audit" --rtt --hosts="$tmp/hosts" --iface=plink0 \
	--launch="$testbed rsh --prefix=$prefix %h" -o "$tmp/out" -- \
	"$testbed" exec --prefix=$prefix h0 -- mpirun -np 4 \
	--hostfile "$tmp/hosts" $on_testbed --mca coll_tuned_use_dynamic_rules 1 \
	--mca coll_tuned_allreduce_algorithm 4 "$mpi" allreduce 4096 30 \
	2>"$tmp/err"
is "not all hosts talk in a ring: exit 1" $? 1
# each to the next of the ring: no faster than the path, and not by a rack slower
for way in 'h0 3 4000000' 'h1 4 20000000' 'h2 5 4000000' 'h3 2 20000000'; do
	# shellcheck disable=SC2086
	set -- $way
	is "$1 to the next one" "$(awk -v h="$1" -v c="$2" -v rtt="$3" '
		/^# layer/ { exit } /^#/ || $1 != h { next }
		{ print ($c >= rtt * 0.98 && $c < rtt * 3) }' "$tmp/out")" 1
done
ok "down" "$testbed" down --prefix=$prefix
done_testing
