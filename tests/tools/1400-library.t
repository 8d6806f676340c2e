#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1400-library.t - libplink installed, linked by pkg-config, what it shows
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# what "make install" does, as far as the library goes
root=$tmp/root
ok "the library is installed" make -s -C "$builddir" DESTDIR="$root" \
	install-libplinkexecPROGRAMS install-exec-hook install-includeHEADERS \
	install-pkgconfigDATA install-exampleDATA
pc=$(find "$root" -name libplink.pc)
PKG_CONFIG_PATH=${pc%/*}
PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
is "pkg-config knows its version" "$(pkg-config --modversion libplink)" \
	"$("$builddir/plink-order" --version | sed 's/.* //')"

# setting NAME: of the build's make
setting() {
	sed -n "s/^$1 = //p" "$builddir/Makefile"
}

# the example is compiled where only what was installed is to be seen
lib=$(dirname "$(find "$root" -name 'libplink.so')")
example=$(find "$root" -name example.c)
ok "the installed example compiles" $(setting CC) -Wall -Wextra -Werror \
	$(setting SANITIZE_FLAGS) "$example" \
	$(pkg-config --cflags --libs libplink) -o "$tmp/example"
LD_LIBRARY_PATH=$lib
export LD_LIBRARY_PATH
matrix=$srcdir/tests/data/order/matrix
"$tmp/example" "$matrix" 64k >"$tmp/out" 2>"$tmp/err"
is "it runs" "$?" 0
is "its order is the tool's" "$(cat "$tmp/out")" "$("$builddir/plink-order" \
	--matrix="$matrix" --impl=openmpi --algorithm=ring --size=64k \
	--choose=5 --threads=1 --format=names 2>"$tmp/tool" | paste -sd, -)"
has "and its cost" "$(cat "$tmp/tool")" \
	"found $(sed 's/.*found \([^,]*\),.*/\1/' "$tmp/err") "
"$tmp/example" "$tmp/none" >"$tmp/out" 2>"$tmp/err"
is "a file that is not there: exit 4" "$?" 4
has "is named" "$(cat "$tmp/err")" "$tmp/none"
echo "1 2" >"$tmp/bad"
"$tmp/example" "$tmp/bad" >"$tmp/out" 2>"$tmp/err"
is "a file that is no matrix: exit 3" "$?" 3
has "its place is told" "$(cat "$tmp/err")" "example: $tmp/bad:2:1: "
ok "a C++ program may include it" sh -c 'echo "#include <plink.h>
int main() { return pl_version() ? 0 : 1; }" >"$1/x.cc" && shift &&
	"$@"' sh "$tmp" $(setting CXX) $(setting SANITIZE_FLAGS) "$tmp/x.cc" \
	$(pkg-config --cflags --libs libplink) -o "$tmp/x"

# names
nm -D --defined-only "$lib/libplink.so" | awk '{ print $3 }' | sort >"$tmp/nm"
version=$(sed -n 's/^\(PLINK_[0-9.]*\) {/\1/p' "$srcdir/lib/plink.map")
is "no name without pl_ and a version" \
	"$(grep -vE "^pl_[a-z_]+@@$version\$|^$version\$" "$tmp/nm")" ""
sed -nE 's/@@.*//p' "$tmp/nm" >"$tmp/shown"
grep -oE '\bpl_[a-z_]+\(' "$srcdir/lib/plink.h" | tr -d '(' | sort -u |
	grep -v '^pl_solve()$' >"$tmp/header"
is "what the header declares is there, and nothing else" \
	"$(diff "$tmp/header" "$tmp/shown")" ""
sed 's/\\-/-/g' "$builddir/man/libplink.3" >"$tmp/page"
is "libplink(3) has every function" "$(while read -r f; do
	grep -qE "(^|[^a-z_])$f\>" "$tmp/page" || echo "$f"
done <"$tmp/header")" ""
is "and every option" "$(sed -n 's/^	{"\([a-z-]*\)", take_.*/\1/p' \
	"$srcdir/lib/goal.c" | while read -r o; do
	grep -qE "^\.B.* ?$o\>" "$tmp/page" || echo "$o"
done)" ""

done_testing
