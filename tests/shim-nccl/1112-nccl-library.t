#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1112-nccl-library.t - libplink-nccl.so and the library that it stands before
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
CC=${CC:-cc}
shim=$builddir/libplink-nccl.so
unset PLINK_PLAN PLINK_NCCL_LIBRARY PLINK_STRICT PLINK_VERBOSE PLINK_HOST \
	LD_PRELOAD LD_LIBRARY_PATH NCCL_LAUNCH_ORDER_IMPLICIT
cd "$tmp" || exit 99

exports() {
	nm -D --defined-only "$1" | awk '{ print $NF }' | grep '^p\{0,1\}nccl' |
		sort
}

is "its name is NCCL's" "$(readelf -d "$shim" |
	sed -n 's/^.*SONAME.*\[\(.*\)\]$/\1/p')" libnccl.so.2
sed -n '/^2\./{s/^[^(]*[ *]\(nccl[A-Za-z0-9]*\)(.*$/\1/;p;s/^/p/;p;}' \
	"$srcdir/shim/nccl/functions" | sort >names
exports "$shim" >exported
ok "it exports every function, and no other" diff names exported
is "and it needs libc alone" "$(readelf -d "$shim" | grep -c NEEDED)" \
	"$(readelf -d "$shim" | grep NEEDED |
		grep -c 'lib\(c\|dl\|pthread\)\.so\.')"

# where it is installed, ldconfig does not find it; in its folder it would
ok "installs" make -s -C "$builddir" install-shimexecPROGRAMS \
	DESTDIR="$tmp/root"
installed=$(find root -name libplink-nccl.so)
folder=$(dirname "$installed")
PATH=$PATH:/sbin:/usr/sbin
if command -v ldconfig >/dev/null; then
	ldconfig -n "$(dirname "$folder")" 2>/dev/null
	is "ldconfig makes no NCCL of it" "$(find root -name 'libnccl.so*')" ""
	mkdir wrong
	cp "$installed" wrong
	ldconfig -n wrong
	ok "as it does of one in its path" test -e wrong/libnccl.so.2
else
	skip "ldconfig makes no NCCL of it" "no ldconfig here"
fi

ln -s "$srcdir" "a tree"
ok "a compiler alone makes it" "a tree/shim/nccl/compile" alone $CC
exports alone/libplink-nccl.so >exported
ok "with the same functions" diff names exported

# A library that is nothing but a version, $1, and a function that the table does
# not know, as FOLDER/libnccl.so.2.
cat >real.c <<'END'
int ncclGetVersion(int *version) { *version = VERSION; return 0; }
int ncclAllReduce(void) { return 0; }
int ncclNewest(void) { return VERSION; }
END
real() {
	mkdir -p "$2"
	$CC -shared -fPIC -DVERSION="$1" -Wl,-soname,libnccl.so.2 real.c \
		-o "$2/libnccl.so.2"
}
real 1 named
real 2 rpath
real 3 path
real 4 lib/python3/site-packages/nvidia/nccl/lib
cat >uses.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int ncclGetVersion(int *version);
int main(int argc, char **argv)
{
	int (*get)(int *) = ncclGetVersion, version = -1, rc;

	if (argc > 1)
		get = (int (*)(int *))dlsym(dlopen(argv[1], RTLD_NOW),
			"ncclGetVersion");
	rc = get(&version);
	printf("%d %d\n", rc, version);
	return 0;
}
END
$CC uses.c -o uses path/libnccl.so.2 -ldl
$CC uses.c -o uses-rpath rpath/libnccl.so.2 -ldl \
	-Wl,--disable-new-dtags,-rpath,'$ORIGIN/rpath'
$CC uses.c -o uses-runpath rpath/libnccl.so.2 -ldl \
	-Wl,--enable-new-dtags,-rpath,'$ORIGIN/rpath'

# version WHAT WANT COMMAND...: NCCL's version, as that sees it
version() {
	what=$1
	want=$2
	shift 2
	is "$what" "$("$@" 2>err; cat err)" "0 $want"
}
P="env LD_PRELOAD=$shim"
version "found where PLINK_NCCL_LIBRARY says" 1 \
	env LD_LIBRARY_PATH=path PLINK_NCCL_LIBRARY=named/libnccl.so.2 $P ./uses
version "found in LD_LIBRARY_PATH" 3 env LD_LIBRARY_PATH=path $P ./uses
version "found by DT_RPATH" 2 $P ./uses-rpath
version "found by DT_RUNPATH" 2 $P ./uses-runpath
version "a program that opens libnccl.so.2" 3 \
	env LD_LIBRARY_PATH=path $P ./uses libnccl.so.2

# where is it? what the program sees, and what it runs on
cat >where.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	Dl_info info;

	dladdr(dlsym(dlopen(argv[argc - 1], RTLD_NOW), "ncclGetVersion"), &info);
	puts(info.dli_fname);
	return 0;
}
END
$CC where.c -o where -ldl
sed '/^int ncclGetVersion/d; s/= ncclGetVersion/= 0/' uses.c >opens.c
$CC opens.c -o opens -ldl
version "one that is not linked with it, by its name" 3 \
	env LD_PRELOAD="$shim" LD_LIBRARY_PATH=path ./opens libnccl.so.2
is "by its path, the program gets NCCL itself" \
	"$($P ./where "$tmp/named/libnccl.so.2")" "$tmp/named/libnccl.so.2"
mkdir -p lib/python3/site-packages/torch/lib
echo 'int torch;' >torch.c
$CC -shared -fPIC torch.c -Wl,--no-as-needed path/libnccl.so.2 \
	-o lib/python3/site-packages/torch/lib/libtorch.so
version "found beside Python's packages" 4 \
	env LD_PRELOAD="$shim:$tmp/lib/python3/site-packages/torch/lib/libtorch.so" \
	./uses

# faults
named() {
	PLINK_NCCL_LIBRARY=$1 LD_PRELOAD=$shim ./uses 2>err
}
is "no library: an error" "$(named "$tmp/none")" "2 -1"
has "and one line" "$(cat err)" "libplink-nccl: no NCCL to hand calls on to: "
is "only one" "$(wc -l <err | tr -d ' ')" 1
named "$shim" >out
has "never itself" "$(cat err)" "it is libplink-nccl itself"
cp "$shim" copy.so
named "$tmp/copy.so" >out
has "nor a copy" "$(cat err)" "it is libplink-nccl itself"
$CC -shared -fPIC torch.c -o other.so
named "$tmp/other.so" >out
has "nor another library" "$(cat err)" "it has no ncclAllReduce"

cat >lacks.c <<'END'
#include <stdio.h>
int ncclCommRevoke(void *comm, int flags);
int main(void)
{
	printf("%d", ncclCommRevoke(0, 0));
	printf(" %d\n", ncclCommRevoke(0, 0));
	return 0;
}
END
$CC lacks.c -o lacks "$shim"
is "a function that this NCCL lacks" \
	"$(PLINK_NCCL_LIBRARY=$tmp/named/libnccl.so.2 $P ./lacks 2>err)" "5 5"
is "is named once" "$(cat err)" \
	"libplink-nccl: the program calls ncclCommRevoke, which this NCCL (1) lacks"
cat >newest.c <<'END'
#include <stdio.h>
int ncclNewest(void);
int main(void) { printf("%d\n", ncclNewest()); return 0; }
END
$CC newest.c -o newest path/libnccl.so.2 -Wl,-z,lazy
is "a function that our table lacks" \
	"$(LD_LIBRARY_PATH=path LD_PRELOAD=$shim ./newest 2>&1)" 3

# what is not reached
cat >plan <<'END'
# plink-plan 1
host 0 h0
host 1 h1
order allreduce ring nccl 0- : 1 0
END
$CC -shared -fPIC torch.c -o libcuda.so.1 -Wl,-soname,libcuda.so.1
cat >static.c <<'END'
int ncclAllReduce(void) { return 0; }
int main(void) { return ncclAllReduce(); }
END
$CC static.c -rdynamic -o static -Wl,--no-as-needed "$tmp/libcuda.so.1"
echo 'int main(void) { return 0; }' >bare.c
$CC bare.c -o bare -Wl,--no-as-needed "$tmp/libcuda.so.1"
ends() {
	env PLINK_PLAN=plan PLINK_HOST=h0 LD_PRELOAD="$shim" \
		LD_LIBRARY_PATH=. "$@" 2>&1
}
has "NCCL inside the program" "$(ends ./static)" "/static contains NCCL"
has "NCCL opened by its path" \
	"$($CC where.c -o where-cuda -Wl,--no-as-needed libcuda.so.1 -ldl
	ends ./where-cuda "$tmp/named/libnccl.so.2")" \
	"/named/libnccl.so.2 was opened by its path: have the program open libplink-nccl.so"
has "NCCL that cannot be seen" "$(ends env PLINK_VERBOSE=1 ./bare)" \
	"no function of NCCL was called through this library"
is "which is not said unasked" "$(ends ./bare)" ""
is "nor where no GPU is used" "$(ends env PLINK_VERBOSE=1 true)" ""
is "nor without a plan" "$(LD_LIBRARY_PATH=. LD_PRELOAD=$shim ./static 2>&1)" ""

done_testing
