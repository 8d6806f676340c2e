#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0907-mpich-protocol.t - from where on MPICH's messages make a handshake, and what it
# takes, between emulated machines
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
trips=$builddir/tests/costmodels/mpich-trips
[ -x "$trips" ] || skip_all "built without MPICH"
. "$srcdir/tests/machines.sh"
command -v mpirun.mpich >/dev/null || skip_all "no mpirun.mpich here"
mpichversion 2>/dev/null | grep -q '^MPICH Device:.*ch4:ucx' ||
	skip_all "the protocol is of device ch4:ucx, installed is another"

printf '# plink-matrix 1\n# quantity one-way\n# unit us\nh0 0 100000\nh1 100000 0\n' \
	>"$tmp/m"
ok "up" testbed_up --matrix="$tmp/m"
printf 'h0\nh1\n' >"$tmp/hosts"
printf '#!/bin/sh\nexec "%s" rsh --prefix=%s "$@"\n' "$testbed" $prefix \
	>"$tmp/rsh"
chmod +x "$tmp/rsh"
ASAN_OPTIONS=detect_leaks=0 timeout -k 10 900 \
	"$testbed" exec --prefix=$prefix h0 -- mpirun.mpich -launcher ssh \
	-launcher-exec "$tmp/rsh" -f "$tmp/hosts" -ppn 1 -iface plink0 -n 2 \
	"$trips" 19522 19523 32768 >"$tmp/out" 2>"$tmp/err" </dev/null
is "two ranks end" $? 0
is "UCX's limit between them; a message up to it takes one way" \
	"$(sed -n 1,2p "$tmp/out" | xargs)" "limit 19522 19522 1"
is "above it five" "$(sed 1,2d "$tmp/out" | xargs)" "19523 5 32768 5"
ok "down" "$testbed" down --prefix=$prefix

done_testing
