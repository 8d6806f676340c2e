#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0920-patterns.t - plink-patterns(7) has what the catalogue has, and no more
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

page=$srcdir/man/plink-patterns.7.in
"$builddir/tests/costmodels/patterns-table" >"$tmp/table"
ok "the catalogue has algorithms" test -s "$tmp/table"

# PLINK_GOLDEN=renew: make renew-patterns-table
if [ "${PLINK_GOLDEN:-}" = renew ]; then
	sed 's/-/\\-/g' "$tmp/table" >"$tmp/rows"
	sed -e "/table begins/r $tmp/rows" \
		-e '/table begins/,/table ends/{/table /!d}' "$page" >"$tmp/new"
	cp "$tmp/new" "$page"
fi

# roff writes a-b as a\-b
sed 's/\\-/-/g' "$page" >"$tmp/page"
sed '1,/table begins/d; /table ends/,$d' "$tmp/page" >"$tmp/rows"
ok "its table is that of the page" diff "$tmp/rows" "$tmp/table"

awk '{ print $1, $2, $3 }' "$tmp/table" | sort >"$tmp/names"
ok "no name stands for two algorithms" test -z "$(uniq -d "$tmp/names")"
sed -n 's/^\.SS //p' "$tmp/page" | sort >"$tmp/sections"
ok "each has a section of the page, and each section is one" \
	diff "$tmp/sections" "$tmp/names"

sourceless=$(awk '/^\.S[SH]/ { if (name != "" && !found) print name
	name = $1 == ".SS" ? $0 : ""; found = 0 }
	/^Mirrors / { found = 1 }' "$tmp/page")
is "each section says what it mirrors" "$sourceless" ""

done_testing
