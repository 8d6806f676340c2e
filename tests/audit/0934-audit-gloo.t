#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0934-audit-gloo.t - plink-audit reads captures of Gloo's all-reduces in an
# emulated cluster
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
audit=$builddir/plink-audit
testbed=$builddir/plink-testbed
gloo=$builddir/tests/audit/gloo-collective

why=$("$testbed" check 2>&1) || skip_all "no emulated cluster here: $why"
[ -x "$builddir/tests/audit/make-capture" ] || skip_all "built without libpcap"
command -v tcpdump >/dev/null || skip_all "no tcpdump here"
[ -x "$gloo" ] || skip_all "built without Gloo"

ASAN_OPTIONS=detect_leaks=0 # of the library
export ASAN_OPTIONS
. "$srcdir/tests/captures.sh"
prefix=a$$g
cleanup() {
	"$testbed" down --prefix=$prefix 2>/dev/null
}
"$testbed" matrix --racks=2x2 --intra-us=100 --inter-us=1000 >"$tmp/m" 2>/dev/null
ok "up" "$testbed" up --matrix="$tmp/m" --prefix=$prefix
printf 'h1\nh3\nh0\nh2\n' >"$tmp/hosts"

cat >"$tmp/job" <<'END'
rank=0
for h in $(cat "$3/hosts"); do
	"$1" exec --prefix="$2" "$h" -- "$4" $rank 4 "$3/store" plink0 "$5" \
		80000 &
	rank=$((rank + 1))
	pids="$pids $!"
done
for p in $pids; do
	wait "$p" || rc=1
done
exit ${rc:-0}
END

# match ALGORITHM BYTES: as many as the algorithm and its headers make
match() {
	rm -rf "$tmp/store"
	mkdir "$tmp/store"
	captured "$tmp/sent" h0 h1 h2 h3 -- timeout 600 \
		sh "$tmp/job" "$testbed" $prefix "$tmp" "$gloo" "$1" >"$tmp/log" 2>&1
	is "$1: the job, and captures of it" $? 0
	"$testbed" exec --prefix=$prefix h0 -- "$audit" --hosts="$tmp/hosts" \
		--impl=gloo --algorithm="$1" --size=80000 "$tmp"/sent/*.pcap \
		>"$tmp/out" 2>"$tmp/err"
	is "$1: exit 0" $? 0
	is "$1: every byte" "$(sed -n 's/^sent *//p' "$tmp/out")" "$2 bytes"
	has "$1: in order" "$(cat "$tmp/out")" ": 0 sent too early"
	grep -q '^result *match' "$tmp/out" ||
		sed 's/^/# /' "$tmp/log" "$tmp/out" "$tmp/err"
}
match default 486912
match ring-chunked 484592
match halving-doubling 481600
ok "down" "$testbed" down --prefix=$prefix

done_testing
