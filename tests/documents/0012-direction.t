#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0012-direction.t - sources include what stands above them in doc/source-tree.md's list
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$srcdir" || exit 99

sed -nE 's,^    ([a-z0-9]+)/ .*,\1,p' doc/source-tree.md >"$tmp/list"
find $(cat "$tmp/list") -name '*.[ch]' -o -name '*.cc' | sort >"$tmp/sources"
ok "there are sources" test -s "$tmp/sources"

# upward: "file:line: includes" of each include from a folder further down the list
upward() {
	xargs grep -Hn '^#include "' <"$tmp/sources" | awk -F '[:"/]' '
		NR == FNR { place[$1] = NR; next }
		{
			match($0, /"[^"]*"/)
			path = substr($0, RSTART + 1, RLENGTH - 2)
			folder = path
			sub(/\/.*/, "", folder)
			if (path == "config.h")
				next
			if (!(folder in place) || place[folder] > place[$1])
				print
		}' "$tmp/list" -
}
is "no source includes what stands below it" "$(upward)" ""

# the check itself: the first folder's files may not include the last one's
mkdir "$tmp/base"
echo '#include "bench/options.h"' >"$tmp/base/x.c"
(cd "$tmp" && echo base/x.c >sources && upward >found)
is "one that did would be found" "$(cat "$tmp/found")" \
	'base/x.c:1:#include "bench/options.h"'

done_testing
