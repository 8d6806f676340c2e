#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0011-format.t - sources have the format of .clang-format
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
# others break lines elsewhere
clang-format --version 2>/dev/null | grep -q 'version 14\.' ||
	skip_all "no clang-format 14 here"
cd "$srcdir" || exit 99

folders=$(sed -nE 's,^    ([a-z0-9]+)/ .*,\1,p' doc/source-tree.md)
find $folders -name '*.c' -o -name '*.h' -o -name '*.cc' >"$tmp/sources"
ok "there are sources" test -s "$tmp/sources"

ok "clang-format has nothing to change" \
	xargs clang-format --dry-run --Werror <"$tmp/sources"

done_testing
