#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0935-audit-show.t - plink-audit --list and --pattern; wrong usage
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
audit=$builddir/plink-audit

"$audit" --list >"$tmp/list"
is "--list: exit 0" $? 0
ok "an algorithm a line: collective, implementation, name, what it does" awk '
	NF < 4 { bad = 1 } END { exit bad || NR < 20 }' "$tmp/list"
ok "with the thesis' ring" grep -q '^allreduce thesis ring  ' "$tmp/list"
"$audit" --list --json >"$tmp/json"
is "the same in JSON" "$(python3 -c '
import json, sys
for a in json.load(open(sys.argv[1]))["algorithms"]:
    print(a["collective"], a["impl"],
          a["algorithm"] + (":N" if a["takes_number"] else ""), "",
          a["summary"])' "$tmp/json")" "$(cat "$tmp/list")"

# every algorithm gives a pattern that adds up, or says why it has none
bad=
n=0
mkdir "$tmp/each"
while read -r collective impl name rest; do
	n=$((n + 1))
	case $name in
	*:N) name=${name%N}2 ;;
	esac
	set -- --collective="$collective" --impl="$impl" --ranks=8 --size=64k \
		--algorithm="$name"
	"$audit" --pattern "$@" >"$tmp/each/$n" 2>"$tmp/err"
	case $? in
	0) ;;
	2) [ -s "$tmp/err" ] && continue ;;
	*) bad="$bad $collective/$impl/$name" ;;
	esac
	"$audit" --pattern --json "$@" >"$tmp/each/$n.json"
	echo $n "$collective/$impl/$name" >&3
done <"$tmp/list" 3>"$tmp/each/all"
# what a message waits for comes to its source
bad=$bad$(cd "$tmp/each" && python3 -c '
import json
def agree(n):
    with open(n) as text, open(n + ".json") as same:
        lines = text.read().splitlines()[1:]
        messages = json.load(same)["messages"]
    rows = [[m["round"], m["src"], m["dst"], m["bytes"], ",".join(map(str, m["after"]))]
        for m in messages]
    return lines == [" ".join(map(str, row)).rstrip() for row in rows] and all(
        messages[a]["dst"] == m["src"] for m in messages for a in m["after"])
for line in open("all"):
    n, name = line.split()
    try:
        right = agree(n)
    except (ValueError, KeyError, IndexError):
        right = False
    if not right:
        print("", name, end="")' 2>&1)
is "text and JSON of every pattern agree, messages wait for what comes" "$bad" ""

"$audit" --pattern --impl=openmpi --algorithm=ring --ranks=4 --size=64k \
	>"$tmp/out"
is "the manual's example" \
	"$(awk '!/^#/ { n++; sum += $4 } END { print n, sum }' "$tmp/out")" \
	"24 393216"
printf 'a slots=2\nb slots=2\n' >"$tmp/hosts"
"$audit" --pattern --hosts="$tmp/hosts" --size=16 -o "$tmp/file"
is "ranks by a host list, into a file" \
	"$? $(grep -vc '^#' "$tmp/file")" "0 24"

# more than anybody wants to see: refused at once, not written and then refused
"$audit" --pattern --ranks=65536 --size=1M >"$tmp/out" 2>"$tmp/err"
is "a ring of 65536 ranks: exit 2" "$? $(cat "$tmp/err")" \
	"2 plink-audit: the pattern has more than 8388608 messages"
"$audit" --pattern --impl=openmpi --algorithm=linear --ranks=20000 --size=4 \
	>"$tmp/out" 2>"$tmp/err" &
pid=$!
catches $pid
sleep 0.5
kill -INT $pid
wait $pid
is "a long pattern is interrupted: exit 1" "$? $(cat "$tmp/err")" \
	"1 plink-audit: interrupted"
is "and nothing is written" "$(cat "$tmp/out")" ""

# usage WHAT TEXT OPTION...
usage() {
	usage_what=$1 usage_text=$2
	shift 2
	"$audit" "$@" >"$tmp/out" 2>"$tmp/err"
	is "$usage_what: exit 2" $? 2
	has "$usage_what: why" "$(cat "$tmp/err")" "$usage_text"
}
usage "nothing" "a capture or a file"
usage "an unknown option" "--what" --what
usage "an unknown collective" 'no collective "x"' --collective=x --list
usage "an unknown implementation" 'no implementation "x"' --impl=x --list
usage "an unknown algorithm" 'no algorithm "x"' --algorithm=x f
usage "a pattern of how many?" "--ranks or --hosts" --pattern
usage "a file beside a list" 'unexpected argument "f"' --list f
usage "a size" '--size wants bytes' --size=1x f
usage "part of a number" "not a whole number of elements" --size=5 --ranks=2 \
	--pattern
usage "repeated not at all" "--repeat wants" --repeat=0 f
usage "a tolerance" "--tolerance wants" --tolerance=101% f
usage "another one" "--tolerance wants" --tolerance=x f
usage "a root that is no rank" "root 4 is not one of" --collective=broadcast \
	--impl=openmpi --algorithm=linear --root=4 --ranks=4 --size=4 --pattern
usage "a root where there is none" "allreduce has no root" --root=1 --ranks=4 \
	--pattern

done_testing
