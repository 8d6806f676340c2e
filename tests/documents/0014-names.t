#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0014-names.t - a tag or an external function has one meaning in the whole tree
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$srcdir" || exit 99

find $(sed -nE 's,^    ([a-z0-9]+)/ .*,\1,p' doc/source-tree.md) \
	-name '*.[ch]' | sort >"$tmp/sources"
ok "there are sources" test -s "$tmp/sources"

# tags of plink's own: "pl_x file file" of those defined in several files
tags() {
	xargs grep -HoE '^(struct|enum|union) pl_[a-z0-9_]+ \{' |
		sed -E 's/^([^:]*):[a-z]+ (pl_[a-z0-9_]+) \{/\2 \1/' | several
}

# tools: functions of src/ with the prefix of one of the folders below it
tools() {
	functions | awk -v top="^pl_($(sed -nE 's,^    ([a-z0-9]+)/ .*,\1,p' \
		doc/source-tree.md | sed '/^src$/q' | sed '$d' |
		paste -sd '|' -))_" '$2 ~ "^src/" && $1 ~ top'
}

# functions: what stands at the beginning of a line that a '{' follows; a library that
# is not there has all of its functions again in x-none.c or without-x.c
functions() {
	grep '[.]c$' | grep -v -e '-none[.]c$' -e '/without-' | xargs awk '
		FNR == 1 { head = "" }
		/^[a-z].*[(*]/ && !/^static/ && !/;$/ { head = $0 }
		/^\{/ && match(head, /pl_[a-z0-9_]+\(/) {
			print substr(head, RSTART, RLENGTH - 1), FILENAME
			head = ""
		}'
}

several() {
	sort -u | awk '
		{ n[$1]++; where[$1] = where[$1] " " $2 }
		END { for (name in n) if (n[name] > 1) print name where[name] }'
}

is "no tag is defined twice" "$(tags <"$tmp/sources")" ""
is "no function is defined twice" "$(functions <"$tmp/sources" |
	several)" ""
is "no tool's function has the prefix of a folder below it" "$(tools <"$tmp/sources")" ""

# the check itself
mkdir "$tmp/a" "$tmp/b"
printf 'struct pl_x {\n\tint y;\n};\n' | tee "$tmp/a/x.h" >"$tmp/b/x.h"
printf 'int pl_f(int x)\n{\n\treturn x;\n}\n' | tee "$tmp/a/x.c" >"$tmp/b/x.c"
cd "$tmp" || exit 99
is "a tag that were would be found" "$(ls a/x.h b/x.h | tags)" "pl_x a/x.h b/x.h"
is "a function, too" "$(ls a/x.c b/x.c | functions | several)" \
	"pl_f a/x.c b/x.c"

done_testing
