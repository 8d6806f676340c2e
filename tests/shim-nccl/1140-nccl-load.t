#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1140-nccl-load.t - however a program comes to NCCL, and whatever is wrong
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-nccl/nccl.sh"

plan '2 0 3 1' >"$tmp/plan"
planned=h2.0,h0.0,h3.0,h1.0
given=h0.0,h1.0,h2.0,h3.0
real=$programs/2.28/libnccl.so.2

# ordered WHAT STATUS: right, and all-reduces follow the plan
ordered() {
	worked "$1" "$2"
	is "$1: in the plan's order" "$(did AllReduce)" "$planned 1"
}

# unordered WHAT STATUS WORDS: right, not in another order, and said once
unordered() {
	cp "$tmp/err" "$tmp/said"
	: >"$tmp/err"
	worked "$1" "$2"
	is "$1: in the given order" "$(did AllReduce)" "$given 1"
	is "$1: said once" "$(grep -c . "$tmp/said")" 1
	has "$1: said" "$(cat "$tmp/said")" "$3"
}

# ways to NCCL
shim 4 "$programs/linked"
ordered "linked" $?
version=2.31
shim 4 "$programs/linked-newest"
ordered "linked with a newer NCCL" $?
is "linked with a newer NCCL: what nobody knows is passed on" \
	"$(grep -c '^newest .* peer=3$' "$tmp/log")" 4
version=2.28
shim 4 "$programs/linked-rpath"
ordered "linked with DT_RPATH" $?
NCCL_COMM_ID=127.0.0.1:29555
export NCCL_COMM_ID
shim 4 "$programs/opened" libnccl.so.2
ordered "dlopen by name" $?
if command -v python3 >/dev/null 2>&1; then
	shim 4 python3 "$srcdir/tests/shim-nccl/opened.py" libnccl.so.2
	ordered "ctypes" $?
else
	skip "ctypes" "no python3 here"
fi
shim 4 "$programs/opened" "$real"
worked "dlopen by path" $?
is "dlopen by path: not reached" "$(did AllReduce)" "$given 1"
shim 4 "$programs/opened" "$preload"
ordered "dlopen of the library itself by path" $?
job 4 env PLINK_PLAN="$tmp/plan" PLINK_NCCL_LIBRARY="$real" \
	"$programs/opened" "$preload"
ordered "the same without LD_PRELOAD" $?
unset NCCL_COMM_ID
shim 4 "$programs/linked-static"
worked "NCCL in the program itself" $?
is "NCCL in the program itself: in the given order" "$(did AllReduce)" \
	"$given 1"

# found without being told
job 4 env LD_PRELOAD="$preload" PLINK_PLAN="$tmp/plan" "$programs/linked"
ordered "in LD_LIBRARY_PATH" $?
job 4 env -u LD_LIBRARY_PATH LD_PRELOAD="$preload" PLINK_PLAN="$tmp/plan" \
	"$programs/linked-rpath"
ordered "in the program's DT_RPATH" $?
shim 4 env PLINK_NCCL_LIBRARY="$tmp/none" "$programs/linked"
is "not found: the program fails" "$(grep -c ' 0 failed' "$tmp/out")" 0
has "not found: said" "$(cat "$tmp/err")" "PLINK_NCCL_LIBRARY"
shim 4 env PLINK_NCCL_LIBRARY="$preload" "$programs/linked"
is "itself: the program fails" "$(grep -c ' 0 failed' "$tmp/out")" 0
has "itself: said" "$(cat "$tmp/err")" "PLINK_NCCL_LIBRARY"

# what cannot be followed
version=2.17
shim 4 "$programs/linked"
unordered "no ncclCommSplit" $? "2.18"
version=2.28
shim 4 sh -c '[ $RANK != 3 ] || PLINK_HOST=h9; exec "$0"' "$programs/linked"
cp "$tmp/err" "$tmp/said"
: >"$tmp/err"
worked "a host that the plan lacks" $?
is "a host that the plan lacks: all stand aside" "$(did AllReduce)" "$given 1"
has "a host that the plan lacks: said" "$(cat "$tmp/said")" h9
shim 4 sh -c '[ $RANK != 2 ] || unset PLINK_PLAN; exec "$0"' \
	"$programs/linked"
unordered "a process without a plan" $? "plan"
plan '3 2 0 1' >"$tmp/other"
shim 4 sh -c '[ $RANK != 1 ] || PLINK_PLAN=$0; exec "$1"' "$tmp/other" \
	"$programs/linked"
unordered "a process with another plan" $? "plan"
shim 4 env PLINK_PLAN="$tmp/nowhere" "$programs/linked"
unordered "no such plan" $? "nowhere"
echo '# plink-plan 9' >"$tmp/other"
shim 4 env PLINK_PLAN="$tmp/other" "$programs/linked"
unordered "not a plan" $? "other"
plan '2 0 3 1' | sed '1s/$/\n# created 2020-01-01T00:00:00Z by hand/' \
	>"$tmp/other"
shim 4 env PLINK_PLAN="$tmp/other" PLINK_MAX_AGE=60 "$programs/linked"
unordered "an old plan" $? "other"
host=h1
shim 4 "$programs/linked"
worked "all on one host of the plan" $?
host=
PLINK_STRICT=1 shim 4 env PLINK_PLAN="$tmp/nowhere" "$programs/linked"
is "PLINK_STRICT: refused" "$(grep -c ' 0 failed' "$tmp/out")" 0
has "PLINK_STRICT: said" "$(cat "$tmp/err")" "PLINK_STRICT"
NCCL_COMM_ID=host.invalid:29555 shim 4 "$programs/linked"
has "NCCL_COMM_ID that cannot be resolved" "$(cat "$tmp/log")" "not an address"

# what is told
job 4 env LD_PRELOAD="$preload" PLINK_NCCL_LIBRARY="$real" "$programs/linked"
worked "no plan" $?
is "no plan: in the given order" "$(did AllReduce)" "$given 1"
PLINK_VERBOSE=1 shim 4 "$programs/linked"
is "PLINK_VERBOSE" "$(sed 's/^libplink-nccl: //; 1s/.*: rank -> /rank -> /' \
	"$tmp/err")" "rank -> rank in all-reduces, broadcasts and reduces, host
0 -> 1 h0
1 -> 3 h1
2 -> 0 h2
3 -> 2 h3"

# the real one, where there is one: it has functions that need no GPU
found=$(ldconfig -p 2>/dev/null | sed -n 's/.*libnccl\.so\.2 .*=> //p' |
	head -n 1)
if [ -n "$found" ]; then
	LD_PRELOAD="$preload" PLINK_NCCL_LIBRARY="$found" PLINK_PLAN="$tmp/plan" \
		NCCL_COMM_ID=127.0.0.1:29555 PLINK_HOST=h0 \
		timeout 300 python3 -c '
import ctypes, sys
nccl = ctypes.CDLL("libnccl.so.2")
version = ctypes.c_int()
unique = ctypes.create_string_buffer(128)
print(nccl.ncclGetVersion(ctypes.byref(version)), version.value > 20000,
      nccl.ncclGetUniqueId(unique), unique.raw != bytes(128))
print(hasattr(nccl, "plink_nccl_is_shim"))' >"$tmp/out" 2>"$tmp/err"
	is "the real library, through the preload" "$(cat "$tmp/out")" \
		"0 True 0 True
True"
else
	skip "the real library" "no libnccl.so.2 here"
fi

done_testing
