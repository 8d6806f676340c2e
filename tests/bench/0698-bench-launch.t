#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0698-bench-launch.t - bench/launch: rows that can be true, and nothing left
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

export builddir
bench=$srcdir/bench/launch
use=$builddir/bench/head-use

"$use" "$tmp/used" sh -c 'exit 3'
is "head-use ends as its command" $? 3
ok "and notes it" grep -qE '^[0-9.]+ 0\.[0-9]+ [0-9.]+$' "$tmp/used"
"$use" "$tmp/none" "$tmp/no-such-command" 2>/dev/null
is "no command" "$? $(ls "$tmp/none" 2>/dev/null)" "127 "
: >"$tmp/used"
"$use" "$tmp/used" sh -c \
	'sh -c "i=0; while [ \$i -lt 300000 ]; do i=\$((i + 1)); done"; exit 0'
ok "what children took is not the command's own" \
	awk '{ exit !($3 > 5 * $2 && $1 > 0) }' "$tmp/used"

# how often it looks is the machine's affair: longer, until it has seen all
for s in 0.3 1 3 10 30; do
	: >"$tmp/used"
	"$use" --sample "$tmp/used" sh -c "exec 7</dev/null 8</dev/null
		sleep $s & sleep $s & wait"
	[ "$(cut -d' ' -f4 "$tmp/used")" != 3 ] || break
done
is "the most processes: it and its children" "$(cut -d' ' -f4 "$tmp/used")" 3
ok "descriptors, those that it opened too" \
	awk '{ exit !($5 == "-" || $5 >= 5) }' "$tmp/used"
ok "memory: it alone, and with its children" \
	awk '{ exit !($7 == "-" || ($6 > 0 && $7 > $6)) }' "$tmp/used"

TMPDIR=$tmp "$bench" --hosts=0 --made-up=9 --runs=1 >"$tmp/out" 2>"$tmp/err"
is "nine made-up hosts: exit 0, nothing on stderr" "$? $(cat "$tmp/err")" "0 "
row() {
	awk -v i="$1" '$1 == "sim" && $2 == 9 { print $i }' "$tmp/out"
}
is "the head has used the processor" "$(row 5 | awk '{ print ($1 > 0) }')" 1
is "one launcher a host, and plink-probe" "$(row 7)" 10
is "nothing left" "$(ls "$tmp" | grep '^tmp\.')" ""

done_testing
