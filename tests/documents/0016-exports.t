#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0016-exports.t - preload libraries and plugins show programs no names of plink's own;
# no library uses a name of plink's that it lacks
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# lacks LIBRARY: symbols that it uses and the dynamic linker does not find, but for
# those of sanitizers, which the program brings
lacks() {
	LD_LIBRARY_PATH=$builddir ldd -r "$1" 2>&1 |
		sed -n 's/^undefined symbol: \([^[:space:]]*\).*/\1/p' |
		grep -v '^__[a-z]*san_'
}

# check LIBRARY PATTERN: all names that it exports are so
check() {
	[ -e "$builddir/$1" ] || {
		skip "$1" "not built"
		return
	}
	nm -D --defined-only "$builddir/$1" | awk '{ print $NF }' >"$tmp/names"
	ok "$1 exports something" test -s "$tmp/names"
	is "$1 exports nothing else" "$(grep -vxE "$2" "$tmp/names")" ""
	is "$1 lacks nothing" "$(lacks "$builddir/$1")" ""
}
# plink-mpirun asks for plink_mpi_made_for, libplink-nccl.so itself for the other
check libplink-mpi.so '(P?MPIX?_|p?mpi_|ompi_).*|plink_mpi_made_for'
check libplink-mpich.so '(P?MPIX?_|MPII_).*|plink_mpi_made_for'
check libplink-nccl.so 'p?nccl[A-Z].*|plink_nccl_is_shim'
check libnccl-profiler-plink.so 'ncclProfiler_v[0-9]+'
check libnccl-tuner-plink.so 'ncclTunerPlugin_v[0-9]+'
# what others link or load; Python brings names that these use
for library in libplink.so python/plink_c10d/_backend.so; do
	if [ -e "$builddir/$library" ]; then
		is "$library lacks nothing of plink's" \
			"$(lacks "$builddir/$library" | grep '^pl_')" ""
	else
		skip "$library" "not built"
	fi
done

# the check itself
echo 'int pl_f(void); int pl_g(void) { return pl_f(); }' >"$tmp/x.c"
${CC:-cc} -shared -fPIC -o "$tmp/x.so" "$tmp/x.c"
is "what it lacked would be found" "$(lacks "$tmp/x.so")" pl_f

done_testing
