#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1530-hub.t - plink.hub: optimisers that run on a hub and on a rank, held against PyTorch's
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
[ -e "$builddir/python/plink_c10d/_backend.so" ] ||
	skip_all "plink was built without PyTorch: install libtorch-dev"
python=$(sed -n 's/^TORCH_PYTHON = //p' "$builddir/Makefile")
cd "$tmp" || exit 99
export PYTHONPATH="$srcdir/python" LD_LIBRARY_PATH="$builddir" PYTHONDONTWRITEBYTECODE=1 \
	OMP_NUM_THREADS=1 PLINK_HUB_SECRET="$tmp/key"
(umask 077 && echo between-hubs-and-ranks >key)

# a third of the parameters is rank 1's, but for 620 of them, which are asynchronous
cat >schedule <<END
# plink-schedule 1
host 0 h0 addr=127.0.0.1
host 1 h1 addr=127.0.0.1
aggregator h8
schedule alone 2480-2480 chunk=1024 window=4
slice 1
round add 0>2 1>2
round store 2>0 2>1
schedule hub 0- chunk=4096 window=4
slice 2
round add 0>2 1>2
round store 2>0 2>1
slice 1
round add 0>1
round store 1>0
END
set -- $(free_ports 2)
PLINK_HUB_MEET=127.0.0.1:$2
export PLINK_HUB_MEET
timeout 300 "$builddir/plink-hub" -q --name=h8 schedule 2>err &
pids=$!
for r in 0 1; do
	PLINK_HOST=h$r timeout 300 "$python" "$srcdir/tests/python/hub.py" schedule $r \
		"127.0.0.1:$1" only-we-know-it >"out$r" 2>"err$r" </dev/null &
	pids="$pids $!"
done
rc=
for pid in $pids; do
	wait "$pid"
	rc="$rc $?"
done
[ "$rc" = " 0 0 0" ] || cat err err0 err1 | sed 's/^/# /'
is "two processes and a hub" "$rc" " 0 0 0"
is "both get the same" "$(cat out1)" "$(grep -v asynchronous out0)"
for kind in sgd decay momentum nesterov adam "adam decay"; do
	is "$kind" "$(grep "^$kind [ao][sf]" out0)" "$kind as torch"
done
has "pushes and pulls of many keys" "$(cat out0)" "50 of 50 pulls are right"
has "asynchronous steps" "$(cat out0)" "asynchronous steps: 7.0"
has "a key without parameters is refused" "$(cat out0)" "key 77 has no parameters yet"

done_testing
