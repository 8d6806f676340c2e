#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1142-nccl-gpu.t - tests/gpu/run: skips without a GPU, and runs dry
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-nccl/nccl.sh"

gpu=$srcdir/tests/gpu/run
mkdir "$tmp/bin"
printf '#!/bin/sh\nexit 9\n' >"$tmp/bin/nvidia-smi"
chmod +x "$tmp/bin/nvidia-smi"
PATH=$tmp/bin:$PATH "$gpu" >"$tmp/out" 2>&1
is "no GPU: exit 0" $? 0
is "no GPU: skipped, with a reason" "$(cat "$tmp/out")" \
	"1..0 # SKIP no GPU here"
"$gpu" --double="$programs/2.28/libnccl.so.2" --types=int32 --ranks=3 \
	>"$tmp/out" 2>&1
is "dry: exit 0" $? 0
is "dry: all is well" "$(grep -c '^not ok' "$tmp/out")" 0
has "dry: every collective with the library" "$(cat "$tmp/out")" \
	"ok 2 - every collective, with it"
has "dry: and in two levels" "$(cat "$tmp/out")" "- two levels: every collective"
grep -v '^ok' "$tmp/out" | sed 's/^/# /'
"$gpu" --ranks=99 >"$tmp/out" 2>&1
is "a bad option: exit 2" $? 2

# what is read of NCCL's log, held against lines that it writes
ranks=4
. "$srcdir/tests/gpu/parts.sh"
. "$srcdir/tests/gpu/checks.sh"
# log RANK POSITION PREV NEXT UP
log() {
	p=vm:10$1:10$1
	cat <<-END
	$p [0] NCCL INFO Ring 00 : $((($1 + 3) % 4)) -> $1 -> $((($1 + 1) % 4))
	$p [0] NCCL INFO Trees [0] 1/-1/-1->$1->0 [1] 2/-1/-1->$1->0
	$p [0] NCCL INFO ncclCommInitRank comm 0x5 rank $1 nranks 4 cudaDev 0 nvmlDev 0 busId 10 commId 0x1 - Init COMPLETE
	$p [0] NCCL INFO Ring 00 : $3 -> $2 -> $4
	$p [0] NCCL INFO Trees [0] -1/-1/-1->$2->$5 [1] 1/-1/-1->$2->-1
	$p [0] NCCL INFO ncclCommSplit comm 0x6 rank $2 nranks 4 cudaDev 0 nvmlDev 0 busId 10 parent 0x5 splitCount 1 color 5 key $2- Init COMPLETE
	END
}
{
	log 0 2 1 3 0
	log 1 1 0 2 2
	log 2 3 2 0 2
	log 3 0 3 1 -1
} >"$tmp/nccl-log"
is "ranks in the hidden communicator" "$(hidden_ranks)" "3 1 0 2"
for algorithm in Ring Tree; do
	is "$algorithm: its neighbours" "$(neighbours)" \
		"$(wanted_neighbours '3 1 0 2')"
done
is "NCCL's first tree of eight" "$(algorithm=Tree
	wanted_neighbours '0 1 2 3 4 5 6 7')" "0> 1>2 2>4 3>2 4>0 5>6 6>4 7>6"

done_testing
