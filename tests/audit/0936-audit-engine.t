#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0936-audit-engine.t - plink-audit holds a job in engine mode against its schedule
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
audit=$builddir/plink-audit
testbed=$builddir/plink-testbed
mpi=$builddir/tests/audit/mpi-collective

# two racks of two: table 4.1 of the PLink thesis has 2 (4 - 1) buffers on the wire,
# 2 (2 - 1) of them between the racks
cat >"$tmp/schedule" <<-'END'
	# plink-schedule 1
	host 0 h0
	host 1 h1
	host 2 h2
	host 3 h3
	schedule two-level 32768- chunk=4096 window=4
	slice 1
	round add 1>0 3>2
	round add 2>0
	round store 0>2 0>1
	round store 2>3
	slice 1
	round add 0>1 2>3
	round add 1>3
	round store 3>1 3>2
	round store 1>0
END

"$audit" --pattern --schedule="$tmp/schedule" --size=32k --element=8 \
	>"$tmp/out" 2>"$tmp/err"
is "--pattern of a schedule: exit 0" $? 0
is "what it is of" "$(sed 1q "$tmp/out")" \
	"# allreduce two-level of engine, 4 ranks, 32768 bytes: round src dst bytes after"
is "every buffer three times up and three times down" \
	"$(awk 'NR > 1 { n += $4 } END { print NR - 1, n }' "$tmp/out")" "48 196608"
is "and between racks once each way" "$(awk 'NR > 1 && ($2 < 2) != ($3 < 2) {
	n += $4 } END { print n }' "$tmp/out")" 65536
is "a chunk waits for what came of it, and for no other" \
	"$(awk 'NR > 1 && $5 != "" { n = split($5, after, ",")
		for (i = 1; i <= n; i++) print after[i] + 2, NR } ' "$tmp/out" |
		awk 'NR == FNR { if (FNR > 1) { to[FNR] = $3; from[FNR] = $2
				round[FNR] = $1 } next }
			to[$1] != from[$2] || round[$1] >= round[$2] { bad++ }
			END { print bad + 0, (FNR > 0) }' "$tmp/out" -)" "0 1"
"$audit" --pattern --schedule="$tmp/schedule" --size=1k >"$tmp/out" 2>"$tmp/err"
is "a size without a schedule: exit 2" $? 2
has "says so" "$(cat "$tmp/err")" "no schedule for 1024 bytes"
sed 's/^schedule /tune\n&/; s/^host \([0-9]*\) .*/& addr=10.9.0.1\1/' "$tmp/schedule" \
	>"$tmp/tuned"
printf '\324\303\262\241\2\0\4\0\0\0\0\0\0\0\0\0\0\0\4\0\1\0\0\0' >"$tmp/nothing.pcap"
"$audit" --schedule="$tmp/tuned" --size=32k --hosts="$tmp/tuned" "$tmp/nothing.pcap" \
	>"$tmp/out" 2>"$tmp/err"
is "a job by schedules that were tuned: exit 2" $? 2
has "says so" "$(cat "$tmp/err")" "its schedules may have changed while the job ran"
printf 'a\nb\n' >"$tmp/two"
"$audit" --pattern --schedule="$tmp/schedule" --size=32k --hosts="$tmp/two" \
	>"$tmp/out" 2>"$tmp/err"
is "other ranks: exit 2" $? 2
has "says so" "$(cat "$tmp/err")" "for 4 ranks, not 2"
echo '# plink-schedule 1' >"$tmp/hostless"
"$audit" --pattern --size=32k --hosts="$tmp/hostless" >"$tmp/out" 2>"$tmp/err"
is "a schedule without hosts: exit 3" $? 3
has "says so" "$(cat "$tmp/err")" "hostless: no host in this file"

# table 4.1 for 4 racks of 4: buffers on the wire, and between racks; of a ring and of
# halving-doubling as counted, 2 C (NC - 1) / (NC) and 2 (C - 1), not as printed
"$testbed" matrix --racks=4x4 --intra-us=100 --inter-us=1000 >"$tmp/m" 2>/dev/null
buffers() {
	"$audit" --pattern --size=1M "$@" | awk 'NR > 1 { all += $4
		if (int($2 / 4) != int($3 / 4)) between += $4 }
		END { print all / 1048576, between / 1048576 }'
}
for name in two-level sharded; do
	"$builddir/plink-order" --matrix="$tmp/m" --format=schedule --algorithm=$name \
		-o "$tmp/row" 2>"$tmp/err"
	is "table 4.1: $name" "$(buffers --schedule="$tmp/row")" \
		"30 $([ $name = sharded ] && echo 24 || echo 6)"
done
is "table 4.1: ring" "$(buffers --ranks=16 --algorithm=ring)" "30 7.5"
is "table 4.1: halving-doubling" "$(buffers --ranks=16 --algorithm=halving-doubling)" "30 6"
printf 'h[0-1] a\nh[2-3] b\n' >"$tmp/racks"
"$audit" --pattern --ranks=4 --topology="$tmp/racks" >"$tmp/out" 2>"$tmp/err"
is "--topology with --pattern: exit 2" $? 2

if ! why=$("$testbed" check 2>&1); then
	skip "a job in engine mode" "$why"
	done_testing
	exit
fi
if ! [ -x "$builddir/tests/audit/make-capture" ] || ! [ -x "$mpi" ] ||
	! [ -f "$builddir/libplink-mpi.so" ] || ! command -v mpirun >/dev/null ||
	! command -v tcpdump >/dev/null; then
	skip "a job in engine mode" "no libpcap, Open MPI or tcpdump"
	done_testing
	exit
fi

prefix=e$$u
. "$srcdir/tests/openmpi.sh"
. "$srcdir/tests/captures.sh"
to_testbed 20000-20100
cleanup() {
	"$testbed" down --prefix=$prefix 2>/dev/null
}
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 # of the library
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

"$testbed" matrix --racks=2x2 --intra-us=100 --inter-us=1000 >"$tmp/m" 2>/dev/null
ok "up" "$testbed" up --matrix="$tmp/m" --prefix=$prefix
printf 'h0\nh1\nh2\nh3\n' >"$tmp/hosts"

# audit OPTION...: in a host, where the names of all are known
audit() {
	"$testbed" exec --prefix=$prefix h0 -- "$audit" --schedule="$tmp/schedule" \
		--size=65536 --topology="$tmp/racks" "$@" "$tmp"/sent/*.pcap \
		>"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# job TIMES: of 64 KiB, in engine mode
job() {
	captured "$tmp/sent" h0 h1 h2 h3 -- \
		timeout 600 "$testbed" exec --prefix=$prefix h0 -- \
		mpirun -np 4 --hostfile "$tmp/hosts" $on_testbed \
		-x LD_PRELOAD="$builddir/libplink-mpi.so" \
		-x PLINK_MPI_MODE=engine -x PLINK_PLAN="$tmp/schedule" \
		-x PLINK_STRICT=1 \
		"$mpi" allreduce 65536 "$1" >"$tmp/job" 2>&1
	is "$1 all-reduces, and captures of them" $? 0
}

# says WHAT: the line of the report that begins so
says() {
	sed -n "s/^$1  *//p" "$tmp/out"
}

job 3
audit --repeat=3
is "64 KiB, three times: exit 0" "$rc" 0
is "six buffers, 288 heads, 4 pairs with two connections" "$(says expected)" \
	"1179648 bytes in 288 messages, 2304 of headers, 960 to connect: 1182912"
is "every byte" "$(says sent)" "1182912 bytes"
is "no order among chunks" "$(says order)" \
	"not checked: each chunk goes its way by itself"
is "between the racks a buffer each way, each time" "$(says racks)" \
	"2; between them 393216 bytes of payload, with headers 394464; sent 394464"
is "match" "$(says result)" match
[ "$rc" = 0 ] || sed 's/^/# /' "$tmp/job" "$tmp/out" "$tmp/err"

# what the library itself sends is no part of it
audit --repeat=3 --ports=1024-32767
is "the library's own: exit 1" "$rc $(says result)" "1 differs"

done_testing
