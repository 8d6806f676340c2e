#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1120-nccl-double.t - the libnccl.so.2 without GPU is right, and strict
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-nccl/nccl.sh"

# the layout
if command -v nm >/dev/null 2>&1; then
	nm -D --defined-only "$programs/2.28/libnccl.so.2" >"$tmp/names"
	is "nccl* are weak" "$(awk '$3 ~ /^nccl/ && $2 != "W"' "$tmp/names")" ""
	is "pnccl* are strong" "$(awk '$3 ~ /^pnccl/ && $2 != "T"' "$tmp/names")" ""
	is "each name is there twice" \
		"$(sed -n 's/.* W nccl//p' "$tmp/names" | sort | xargs)" \
		"$(sed -n 's/.* T pnccl//p' "$tmp/names" | sort | xargs)"
	is "and nothing else" "$(grep -cv ' p*nccl' "$tmp/names")" 0
	for row in 2.17:ncclCommSplit:0 2.17:ncclBcast:1 2.28:ncclCommSplit:1 \
		2.28:ncclNewest:0 2.31:ncclNewest:1; do
		name=${row#*:}
		is "$row" "$(nm -D "$programs/${row%%:*}/libnccl.so.2" |
			grep -c " ${name%:*}$")" "${row##*:}"
	done
else
	skip "the layout" "no nm here"
fi

# what is right
for n in 1 4; do
	job $n "$programs/matrix"
	worked "every collective, $n processes" $?
done
for subject in $("$programs/life" --list); do
	job 3 "$programs/life" "$subject"
	rc=$?
	case $subject in
	wrong* | group-fails | revoke | stuck*) # are meant to be found
		is "$subject: found" "$(grep -q '^fault' "$tmp/log"; echo $?)" 0
		sed -i '/^fault/d' "$tmp/log"
		;;
	esac
	worked "$subject" $rc
done
job 3 "$programs/life" plain
is "the log says who is who" "$(did AllReduce)" "h0.0,h1.0,h2.0 1"
is "and that all ended" "$(grep -c '^end .* destroy$' "$tmp/log")" 3
job 2 "$programs/life" left
is "or did not" "$(grep -c '^left' "$tmp/log")" 2
NCCL_COMM_ID=127.0.0.1:29555
export NCCL_COMM_ID
job 2 "$programs/life" plain
worked "NCCL_COMM_ID" $?
NCCL_COMM_ID=host.invalid:29555 job 2 "$programs/life" plain
has "NCCL_COMM_ID that cannot be resolved" "$(cat "$tmp/log")" "not an address"
unset NCCL_COMM_ID

# what is wrong is found
PLINK_TEST_NCCL_PATIENCE_MS=300
PLINK_TEST_NCCL_LAG_MS=300
export PLINK_TEST_NCCL_PATIENCE_MS PLINK_TEST_NCCL_LAG_MS
while read -r subject said; do
	job 2 "$programs/astray" "$subject"
	is "$subject: calls fail" $? 0
	ok "$subject: said" grep -q "^$said" "$tmp/log"
done <<'END'
other-count fault .*: rank 0 calls AllReduce 1 .*, rank 1 AllReduce 2
other-type fault .* AllReduce 1 3 .* AllReduce 1 2
other-operator fault .* calls AllReduce
other-root fault .* calls Broadcast
other-function fault .* calls AllGather
other-message fault .* sent 1 of type 2, rank 0 wants 2
crosswise fault .*: waits in vain
crosswise-group fault .*: waits in vain
no-split fault .* calls AllReduce .* Split
alone fault .*: waits in vain for 0: AllReduce
dead gone .* waits for 0, which
destroyed fault ncclAllReduce: the communicator was destroyed
not-one fault ncclAllReduce: not a communicator
other-handle fault ncclCommDeregister: the handle is none
unread fault .*: messages were never received
early fault ncclCommCount: .* is still in progress
mixed-group fault a group of communicators that block
same-rank fault .*: rank 0 of 2 is taken
END

done_testing
