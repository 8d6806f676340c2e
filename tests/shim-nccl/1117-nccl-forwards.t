#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1117-nccl-forwards.t - every function of the table, by both names, as it was called
#
# A recorder made of the same table stands as the real library. It and the program
# write what went over, in bytes: of each argument and of what came back.
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-nccl/nccl.sh"
CC=${CC:-cc}
recorder=$programs/recorder/libnccl.so.2
cd "$tmp" || exit 99

n=$(grep -c '^2\.' "$srcdir/shim/nccl/functions")
PLINK_TEST_RECORD=$tmp/came
export PLINK_TEST_RECORD

# called COMMAND...: runs it; what it called is in went, what arrived in came
called() {
	rm -f came went err
	"$@" >went 2>err
}

# same WHAT [FIRST]: what went came, after one call of FIRST, and nothing else
same() {
	is "$1: all functions by two names" "$(wc -l <went | tr -d ' ')" $((2 * n))
	if [ -n "${2-}" ]; then
		is "$1: the library's own call" "$(sed 's/ .*//; q' came)" "$2"
		sed -i 1d came
	fi
	ok "$1: every argument, every result" diff went came
	is "$1: silent" "$(cat err)" ""
}

called env LD_LIBRARY_PATH="$programs/recorder" "$programs/caller"
is "without the library: exit 0" $? 0
same "without the library"
is "no two calls with arguments are alike" "$(sed 's/ =.*//' went |
	awk 'NF > 1' | sort | uniq -d)" ""

# what the library asks of the real one when it opens it
called env LD_PRELOAD="$preload" PLINK_NCCL_LIBRARY="$recorder" \
	"$programs/caller"
is "no plan: exit 0" $? 0
same "no plan" ncclGetVersion
plan '1 0' >plan
called env LD_PRELOAD="$preload" PLINK_NCCL_LIBRARY="$recorder" \
	PLINK_PLAN="$tmp/plan" PLINK_HOST=h0 NCCL_COMM_ID=127.0.0.1:29555 \
	"$programs/caller"
is "a plan: exit 0" $? 0
same "a plan" ncclGetVersion

# What comes back where a library has but two functions, and where there is none:
# each result, or "text", and how often.
results() {
	sed '/^ncclGetErrorString\|^ncclGetLastError/s/ = .*[1-9a-f].*/ = text/
		/=/!s/.*/= nothing/; s/.* =/=/' went | sort | uniq -c |
		sed 's/^ *//'
}
returning() {
	echo $((2 * $(grep -c "^$1nccl" "$builddir/shim/nccl/prototypes.h") - ${2:-0}))
}
# wanted STATUS N: where every other function returns that, but for N calls
wanted() {
	cat <<-END
	$(returning 'ncclTeam_t ') = 000000000000000000000000
	$(returning 'ncclResult_t ' "$2") = $1
	$(returning 'int ') = ffffffff
	$(returning 'void ') = nothing
	$(returning 'const char \*') = text
	END
}
cat >little.c <<'END'
int ncclGetVersion(int *version) { (void)version; return 0x11223344; }
int ncclAllReduce(void) { return 0x55667788; }
END
$CC -shared -fPIC little.c -Wl,-soname,libnccl.so.2 -o little.so
called env LD_PRELOAD="$preload" PLINK_NCCL_LIBRARY="$tmp/little.so" \
	"$programs/caller"
is "all but two are lacking: exit 0" $? 0
two='^ncclGetVersion .* = 44332211$\|^ncclAllReduce .* = 88776655$'
is "those two" "$(grep -c "$two" went)" 4
sed -i "/$two/d" went
is "all others" "$(results)" "$(wanted 05000000 4)"
is "are said" "$(cat err)" "libplink-nccl: the program calls $(sed \
	's/ .*//; q' went), which this NCCL (0) lacks"
called env LD_PRELOAD="$preload" PLINK_NCCL_LIBRARY="$tmp/none" \
	"$programs/caller"
is "no library at all: exit 0" $? 0
is "all functions" "$(results)" "$(wanted 02000000)"
is "are said, in a line" "$(wc -l <err | tr -d ' ')" 1

done_testing
