#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1110-nccl-abi.t - the table of NCCL's functions, and NCCL where it is installed
#
# PLINK_NCCL_H and PLINK_NCCL_LIBRARY: files to compare with, where they are at no
# usual place.
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
table=$srcdir/shim/nccl/functions
CC=${CC:-cc}

generate() {
	${AWK:-awk} -v make="$1" -f "$srcdir/shim/nccl/generate.awk" "$2"
}

# refuses WHAT TEXT: a table with that text in it is none
refuses() {
	{ cat "$table"; printf '%b\n' "$2"; } >"$tmp/table"
	if generate prototypes "$tmp/table" >"$tmp/out" 2>"$tmp/err"; then
		fail "refuses $1"
	else
		has "refuses $1" "$(cat "$tmp/err")" "generate.awk: $tmp/table:"
	fi
}

generate prototypes "$table" >"$tmp/prototypes.h"
sed -n 's/^.*[ *]\(nccl[A-Za-z0-9]*\)(.*;$/\1/p' "$tmp/prototypes.h" |
	sort >"$tmp/names"
is "all names of 2.30.7" "$(wc -l <"$tmp/names" | tr -d ' ')" 82
is "each as pncclX, too" "$(grep -c '[ *]pnccl.*;$' "$tmp/prototypes.h")" 82
is "52 in 2.28.9" "$(awk '/^2\./ {
	split($1, v, "."); if (v[2] * 100 + v[3] <= 2809) n++ }
	END { print n }' "$table")" 52
refuses "a function that is there" '2.3\tpass\tint ncclGetVersion(int *v);'
refuses "a version that is none" '2,3\tpass\tint ncclX(int *v);'
refuses "a treatment that is none" '2.3\tall\tint ncclX(int *v);'
refuses "a parameter without a name" '2.3\tpass\tint ncclX(int *);'
refuses "a prototype without an end" '2.3\tpass\tint ncclX(int *v)'
refuses "another one before the end" \
	'2.3\tpass\tint ncclX(int *v,\n2.3\tpass\tint ncclY(int *v);'

# where pip puts it, or a package
in_python() {
	python3 - "$1" 2>/dev/null <<-'END'
	import glob, sys, sysconfig
	roots = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
	for root in sorted(roots):
	    for path in sorted(glob.glob(root + "/nvidia/nccl/" + sys.argv[1])):
	        print(path)
	END
}

header=${PLINK_NCCL_H:-$(
	for f in /usr/include/nccl.h /usr/local/cuda/include/nccl.h \
		"$(in_python include/nccl.h | head -n 1)"; do
		[ -f "$f" ] && echo "$f" && break
	done
)}
library=${PLINK_NCCL_LIBRARY:-$(
	{
		ldconfig -p 2>/dev/null | sed -n 's/^.*libnccl\.so\.2 .*=> //p'
		in_python 'lib/libnccl.so.2'
	} | head -n 1
)}

# What the header needs of CUDA, where CUDA is not.
cuda_flags() {
	echo '#include <cuda_runtime.h>' | $CC -E -x c - >/dev/null 2>&1 && return
	mkdir -p "$tmp/cuda"
	cat >"$tmp/cuda/cuda_runtime.h" <<-'END'
	#include <stddef.h>
	typedef struct CUstream_st *cudaStream_t;
	#define CUDART_VERSION 0
	END
	: >"$tmp/cuda/cuda_fp16.h"
	: >"$tmp/cuda/cuda_bf16.h"
	echo "-I$tmp/cuda"
}

# Values and layouts as a header has them; $1, $2: two members' names in it.
print_layout() {
	cat <<-END
	#include <stddef.h>
	#include <stdio.h>
	#define P(x) printf("%s %lld\\n", #x, (long long)(x))
	int main(void)
	{
		P(ncclSuccess); P(ncclUnhandledCudaError); P(ncclSystemError);
		P(ncclInternalError); P(ncclInvalidArgument);
		P(ncclInvalidUsage); P(ncclRemoteError); P(ncclInProgress);
		P(ncclInt8); P(ncclUint8); P(ncclInt32); P(ncclUint32);
		P(ncclInt64); P(ncclUint64); P(ncclFloat16); P(ncclFloat32);
		P(ncclFloat64); P(ncclSum); P(ncclProd);
		P(ncclMax); P(ncclMin); P(ncclAvg); P(ncclNumOps);
		P(ncclMaxRedOp); P(ncclScalarDevice);
		P(ncclScalarHostImmediate); P(sizeof(ncclUniqueId));
		P(NCCL_CONFIG_UNDEF_INT);
		P(sizeof(ncclRedOp_t));
		P(offsetof(ncclConfig_t, size)); P(offsetof(ncclConfig_t, magic));
		P(offsetof(ncclConfig_t, version));
		P(offsetof(ncclConfig_t, blocking));
		printf("%zu %zu\n", offsetof(ncclConfig_t, $1),
			offsetof(ncclConfig_t, $2));
		return 0;
	}
	END
}

# layout OUTPUT COMMAND...: what a program prints that is compiled so
layout() {
	layout_out=$1
	shift
	"$@" -o "$tmp/layout" -x c "$tmp/layout.c" 2>&1 && "$tmp/layout" >"$layout_out"
}

compare_header() {
	sed -n 's/^.*[ *]\(nccl[A-Za-z0-9]*\)(.*$/\1/p' "$header" |
		grep -v '_t$' | sort -u >"$tmp/declared"
	unknown=$(comm -13 "$tmp/names" "$tmp/declared" | tr '\n' ' ')
	is "nccl.h declares nothing else" "$unknown" ""
	flags=$(cuda_flags)
	{
		echo "#include \"$header\""
		echo '#undef ncclResetDebugInit'
		grep -wFf "$tmp/declared" "$tmp/prototypes.h" | grep ';$'
	} >"$tmp/both.c"
	ok "nccl.h declares them so" \
		$CC -w $flags -fsyntax-only -x c "$tmp/both.c"
	{ echo "#include \"$header\""; print_layout netName splitShare; } \
		>"$tmp/layout.c"
	layout "$tmp/theirs" $CC -w $flags
	{
		echo '#include "shim/nccl/nccl-abi.h"'
		print_layout net_name split_share
	} >"$tmp/layout.c"
	layout "$tmp/ours" $CC -w "-I$srcdir"
	ok "values and layouts are the same" diff "$tmp/theirs" "$tmp/ours"
}

if [ -f "$header" ]; then
	compare_header
else
	skip "nccl.h declares them so" "no nccl.h here"
fi

if [ -f "$library" ]; then
	nm -D --defined-only "$library" | awk '{ print $NF }' |
		sed -n 's/@.*//; /^nccl[A-Z]/p' | sort -u >"$tmp/exported"
	unknown=$(comm -13 "$tmp/names" "$tmp/exported" | tr '\n' ' ')
	# internal, and in no header
	is "the library exports nothing else" \
		"$(echo "$unknown" | sed 's/ncclResetDebugInitInternal //')" ""
else
	skip "the library exports nothing else" "no libnccl.so.2 here"
fi

done_testing
