#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0698-bench-launch-tree.t - bench/launch-tree: rows that can be true, and nothing left
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

export builddir
bench=$srcdir/bench/launch-tree
use=$builddir/bench/head-use

for bad in --hosts=x --runs= --ways=relay --delay=1s --nonsense extra; do
	"$bench" $bad >"$tmp/out" 2>/dev/null
	is "$bad: usage" "$? $(cat "$tmp/out")" "2 "
done

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

TMPDIR=$tmp "$bench" --hosts=9 --ssh-hosts=0 --runs=1 --delay=0.1 \
	>"$tmp/out" 2>"$tmp/err"
is "nine made-up hosts: exit 0, nothing on stderr" "$? $(cat "$tmp/err")" "0 "
# row WHAT WAY FIELD
row() {
	awk -v what="$1" -v way="$2" -v i="$3" \
		'$1 == what && $2 == way && $3 == 1 { print $i }' "$tmp/out"
}
# most WHAT WAY FIELD LIMIT
most() {
	row "$1" "$2" "$3" | awk -v limit="$4" '
		$1 <= limit { n++ }
		END { exit n != 1 }'
}
for what in sim slow; do
	for way in fan tree; do
		is "$what $way: the head has used the processor" \
			"$(row $what $way 5 | awk '{ print ($1 > 0) }')" 1
	done
	ok "$what fan: one launcher a host" most $what fan 7 10
	ok "$what tree: one launcher a relay" most $what tree 7 4
	ok "$what: how many times as much the head has without the tree" \
		grep -qE "^$what +processes +fan .*, tree .*: [0-9.]+ times\$" "$tmp/out"
done
is "a launch that takes its time is waited for, by relays twice" \
	"$(row slow fan 4 | awk '{ print ($1 >= 0.1) }') $(row slow tree 4 |
		awk '{ print ($1 >= 0.2) }')" "1 1"
is "nothing left" "$(ls "$tmp" | grep '^tmp\.')" ""

done_testing
