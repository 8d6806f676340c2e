#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1420-packaging.t - recipes for packages: their syntax, and one version everywhere
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

version=$(sed -n 's/^AC_INIT(\[plink\], \[\(.*\)\])/\1/p' "$srcdir/configure.ac")
spec=$srcdir/packaging/plink.spec
recipe=$srcdir/packaging/spack/package.py

ok "Python reads Spack's recipe" python3 -c \
	'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$recipe"
ok "RPM reads its recipe" rpmspec -q --srpm "$spec"
is "Debian's version" "$(sed -n '1s/.*(\(.*\)).*/\1/p' \
	"$srcdir/debian/changelog")" "$version"
is "RPM's version" "$(sed -n 's/^Version: *//p' "$spec")" "$version"
is "pip's version" "$(sed -n 's/^version = "\(.*\)"/\1/p' \
	"$srcdir/python/pyproject.toml")" "$version"
has "Spack's version" "$(cat "$recipe")" "version(\"$version\")"
is "the library's symbols are of this version" \
	"$(sed -n 's/^PLINK_\(.*\) {/\1/p' "$srcdir/lib/plink.map" | tail -n 1)" \
	"$version"

# every file of debian/ is in the tarball
is "nothing of debian/ is forgotten in the tarball" "$(cd "$srcdir" &&
	find debian -type f | while read -r f; do
		grep -qwF "$f" Makefile.am || echo "$f"
	done)" ""
for t in $(sed -n 's/^Tests: //p' "$srcdir/debian/tests/control"); do
	ok "debian/tests/$t is a program" test -x "$srcdir/debian/tests/$t"
done

# as the shell gets it: a list that is broken into lines there names no tests
has "the tests that a package is built with" "$(cd "$srcdir" &&
	make -f debian/rules -n override_dh_auto_test)" \
	"check TESTS='\$(UNIT_TESTS) tests/documents/0020-man.t tests/tools/0040-tools.t \
tests/order/0700-order-formats.t'"

done_testing
