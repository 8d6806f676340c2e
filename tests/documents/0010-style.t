#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0010-style.t - sources have header lines, no lines or files too long
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$srcdir" || exit 99

folders=$(sed -nE 's,^    ([a-z0-9]+)/ .*,\1,p' doc/source-tree.md)
find $folders -name '*.c' -o -name '*.h' -o -name '*.cc' >"$tmp/sources"
find $folders run .ci configure.ac Makefile.am -type f \
	\( -name '*.t' -o -name '*.sh' -o -name '*.mk' -o -name '*.m4' \
	-o -name '*.am' -o -name '*.ac' -o -path run -o -path '*/.ci/*' \) \
	! -name 'l*.m4' >"$tmp/scripts" 2>/dev/null
cat "$tmp/sources" "$tmp/scripts" >"$tmp/all"

ok "there are sources" test -s "$tmp/sources"

without_spdx=$(xargs grep -L 'SPDX-License-Identifier: BSD-3-Clause' <"$tmp/all")
is "every file names its licence" "$without_spdx" ""

# second line of a C file: what the file is, by its own name
unnamed=$(xargs awk 'FNR == 2 {
	n = split(FILENAME, part, "/")
	if (!index($0, part[n]))
		print FILENAME
}' <"$tmp/sources")
is "every source says what it is" "$unnamed" ""

long=$(xargs wc -l <"$tmp/all" | awk '$2 != "total" && $1 > 600')
is "no file over 600 lines" "$long" ""

# 100 columns, but for what is quoted to the letter
wide=$(xargs expand <"$tmp/sources" | awk 'length > 100 && !/^"/')
is "no line over 100 columns" "$wide" ""

done_testing
