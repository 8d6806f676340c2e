#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1520-report-terminal.t - tables and maps on a terminal, narrow ones too; progress
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/thesis.sh"
report=$builddir/plink-report
cd "$tmp" || exit 99
unset NO_COLOR COLORTERM COLUMNS LC_ALL LC_CTYPE
export LANG=C.UTF-8 TERM=xterm-256color
esc=$(printf '\033')

cat >matrix <<'END'
# plink-matrix 1
# quantity rtt
# unit us
a 0 1000 100 1000
b 1000 0 1000 100
c 100 1000 0 nan
d 1000 100 1000 0
END
"$order" --matrix=matrix --missing=worst --plan=plan -o hostfile 2>err
is "no terminal, no colours" "$(grep -c "$esc" err)" 0

# on_terminal COLUMNS COMMAND: what it writes there, without the carriage returns
on_terminal() {
	script -qec "stty cols $1; $2" /dev/null </dev/null | tr -d '\r'
}
# plain: without colours; widest: the length of the longest line
plain() {
	sed "s/$esc\\[[0-9;]*[mK]//g"
}
widest() {
	plain | python3 -c 'import sys
print(max(len(l.rstrip("\n")) for l in sys.stdin))'
}

"$report" matrix plan >out
is "a table" "$(sed -n 1,2p out)" "4 hosts in 2 racks; missing 1 of 12 pairs
allreduce ring (thesis), cost of its hops"
printf '# plink-matrix 1\n# quantity rtt\n# unit us\na 0 1 9\nb 1 0 9\nc 9 9 0\n' >three
is "three hosts: no racks told" "$("$report" three)" \
	"3 hosts, too few measurements to tell racks; missing 0 of 6 pairs"
has "the given cost is all of it" "$(cat out)" "given         4 ms  100.0 %"
has "the found one less" "$(cat out)" "found       2.2 ms   55.0 %"
has "the bound with its gap" "$(cat out)" "gap 0.00 %"
# of the four hops of the given order one was not measured, of the found one, too
has "slow hops" "$(cat out)" "given 3, found 1 of 4"
"$report" -o page.html matrix plan
is "dear hops: what was not measured is last" \
	"$(sed -n '/"slowest"/,/<\/table>/s/^<tr><td>\(.\)<\/td><td>\(.\)<.*/\1\2/p' page.html |
		xargs)" "ba ac db cd"
is "no colours in a file" "$(grep -c "$esc" out)" 0
is "--color=always has them" \
	"$("$report" --color=always matrix plan | grep -c "$esc")" 5
is "NO_COLOR does not bind it" \
	"$(NO_COLOR=1 "$report" --color=always matrix plan | grep -c "$esc")" 5

on_terminal 80 "'$report' matrix plan" >shown
ok "a terminal has colours" grep -q "${esc}\[38;5;" shown
# four pairs of two pixels each, twice, and two blanks between
is "four lines of two maps, their hosts and names" \
	"$(plain <shown | grep -c '^[a-d]    ▀▀▀▀▀▀▀▀  [a-d]    ▀▀▀▀▀▀▀▀$') \
$(plain <shown | grep -c '^from given     from found$')" "4 1"
has "and the names of the columns" "$(plain <shown)" \
	"     a b c d        $(sed -n 's/^order .*: //p' plan | tr 0123 abcd)"
cat >long <<'END'
# plink-matrix 1
# quantity rtt
# unit us
node-10 0 1000 100
node-9 1000 0 1000
node-x11 100 1000 0
END
"$report" --color=always long >shown
is "which read downwards" "$(plain <shown | sed -n '3,10s/ *$//p')" \
	"$(printf '         %s\n' "    n" "n   o" "o n d" "d o e" "e d -" "- e x" \
		"1 - 1" "0 9 1")"
on_terminal 80 "NO_COLOR=1 '$report' matrix plan" >shown
is "NO_COLOR: none" "$(grep -c "$esc" shown)" 0
on_terminal 80 "TERM=dumb '$report' matrix plan" >shown
is "TERM=dumb: none" "$(grep -c "$esc" shown)" 0
on_terminal 80 "'$report' --color=never matrix plan" >shown
is "--color=never: none" "$(grep -c "$esc" shown)" 0
on_terminal 80 "LANG=C '$report' matrix plan" >shown
is "no letters beyond ASCII without UTF-8" \
	"$(LC_ALL=C tr -d '\000-\177' <shown | wc -c) $(grep -c '48;5' shown)" \
	"0 5"
on_terminal 80 "COLORTERM=truecolor '$report' matrix plan" >shown
# a and b are 1 ms apart, as dear as it gets: the ramp's end
ok "true colours where they are" grep -q '38;2;26;26;93' shown
for columns in 12 20 27 33; do
	on_terminal $columns "'$report' matrix plan" >shown
	is "$columns columns: no line is longer" \
		"$(test "$(widest <shown)" -le $columns && echo so)" so
done
on_terminal 12 "'$report' matrix plan" >shown
is "12 columns: one map below the other" \
	"$(plain <shown | grep -c '^▀▀▀▀▀▀▀▀$')" 8
on_terminal 5 "'$report' matrix plan" >shown
is "5 columns: no map" "$(grep -c ▀ shown)" 0
is "COLUMNS counts for more than the window" \
	"$(on_terminal 80 "COLUMNS=15 '$report' matrix plan" | widest)" 15

on_terminal 80 "'$order' --matrix=matrix --missing=worst 2>&1 >hostfile" >shown
has "plink-order draws, too" "$(plain <shown)" "from given     from found"
is "and its order is in the file alone" "$(sort hostfile | tr '\n' ' ')" \
	"a b c d "
# beside predicted times no costs, which would be read as times
"$order" --matrix=matrix --missing=worst --nic=10G --impl=openmpi --size=2k,8M \
	--color=always >hostfile 2>err
is "the times drawn are those of the table" "$(plain <err |
	sed -n 's/^\(given\|found\) *\([0-9.]* [mu]*s\) .*/\2/p' | xargs)" \
	"$(sed -n 's/^plink-order:  *8M  *[^ ]*  *\([0-9.]* [mu]*s\) ->  *\([0-9.]* [mu]*s\) .*/\1 \2/p' err |
		sed 's/\.0 / /g')"
"$order" --matrix=matrix --missing=worst --impl=openmpi --size=1M --color=always >hostfile 2>err
is "nothing is drawn of what is not promised" \
	"$(plain <err | grep -c '^\(given\|found\) ')" 0
has "which is said there" "$(plain <err)" "
No time is predicted for 1M: "
"$order" --matrix=matrix --missing=worst --color=always >hostfile 2>err
ok "--color=always without a terminal" grep -q "${esc}\[38;5" err
"$order" --matrix=matrix --missing=worst --color=never >hostfile 2>err
is "--color=never" "$(grep -c "$esc" err)" 0
"$order" --matrix=matrix --color=blue >out 2>err
is "--color=blue: exit 2" "$? $(grep -c 'auto, always, never' err)" "2 1"

# progress: a search long enough to be seen
python3 - >large <<'END'
import random
random.seed(1)
n = 90
print('# plink-matrix 1\n# quantity rtt\n# unit us')
for i in range(n):
    print('h%d' % i, *[0 if i == j else random.randrange(1, 999)
        for j in range(n)])
END
long="'$order' --matrix=large --symmetrize=none --moves=60000 --bound=none"
on_terminal 200 "$long 2>&1 >hostfile" >shown
ok "how many moves of how many" grep -qE '[0-9]+ of 60000 moves' shown
ok "what they cost" grep -q 'moves.*cost [0-9]' shown
script -qec "stty cols 24; $long 2>&1 >hostfile" /dev/null </dev/null >shown
is "cut to the window: no progress wraps" "$(tr '\r' '\n' <shown |
	plain | grep ' moves\| of 60000' | grep -v 'seed ' |
	awk 'length > 23' | wc -l)" 0
sh -c "$long 2>err >hostfile"
is "quiet where it is no terminal" "$(grep -c 'of 60000' err)" 0
done_testing
