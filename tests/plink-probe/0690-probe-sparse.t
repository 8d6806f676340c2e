#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0690-probe-sparse.t - plink-probe with few pairs, of agents that are made up
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
probe=$builddir/plink-probe
hosts=200
net="--kind=3-own --hosts=$hosts"

# run ARG...: status in $rc, matrix in $tmp/out, the rest in $tmp/err
run() {
	"$probe" --launch="$builddir/bench/sim-agent $net --host=%h$more --command" \
		--agent=true "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}
more=
# pairs FILE: lines of layer 0 of the sparse form
pairs() {
	awk '/^# layer/ { exit } !/^#/ { n++ } END { print n + 0 }' "$1"
}
said() {
	sed -n "s/.*$1.*/\\1/p" "$tmp/err"
}

seq -f 'h%g' 0 "$((hosts - 1))" >"$tmp/hosts"

# a search
run --sparse=40 "$tmp/hosts"
is "a search: exit 0, nothing is missing" "$rc" 0
cp "$tmp/out" "$tmp/sparse"
ok "the form is sparse" grep -qx "# form sparse" "$tmp/out"
left=$(sed -n 's/^# sampled ways-left-out=\([0-9]*\) search per-host=40 seed=1$/\1/p' \
	"$tmp/out")
is "what is there and what was left out make all" \
	"$(($(pairs "$tmp/out") + left))" "$((hosts * (hosts - 1)))"
ok "no more pairs than asked for and held back" test "$(pairs "$tmp/out")" -le \
	"$((hosts * 41))"
is "no reasons for what nobody wanted" "$(grep -c '^# cell' "$tmp/out")" 0
has "the error of estimates is said" "$(cat "$tmp/err")" "held back"
ok "and noted" grep -q "^# estimates-off ways=" "$tmp/out"
rounds=$(said 'probes in \([0-9]*\) rounds')
ok "far fewer rounds than a full mesh would take ($rounds)" test "$rounds" -lt 180
run --sparse=40 "$tmp/hosts"
is "the same again, but for the date" "$(grep -v '# created' "$tmp/out" |
	cksum)" "$(grep -v '# created' "$tmp/sparse" | cksum)"
run --sparse=40 --seed=2 "$tmp/hosts"
ok "another seed chooses other pairs" test \
	"$(grep -v '^#' "$tmp/out" | cksum)" != "$(grep -v '^#' "$tmp/sparse" |
	cksum)"

# what comes of it
"$builddir/plink-order" --matrix="$tmp/sparse" >"$tmp/out" 2>"$tmp/err"
is "plink-order refuses what is missing" "$?" 1
has "and says what to do" "$(cat "$tmp/err")" "--missing=estimate"
# shellcheck disable=SC2086 # words
"$builddir/bench/tiers-matrix" $net >"$tmp/whole"
for of in sparse whole; do
	"$builddir/plink-order" --matrix="$tmp/$of" --missing=estimate \
		--impl=thesis --bound=none --moves=20000 --format=names \
		>"$tmp/names.$of" 2>/dev/null
	"$builddir/plink-order" --matrix="$tmp/whole" --bound=none \
		--impl=thesis --cost-of="$tmp/names.$of" 2>/dev/null
done >"$tmp/costs"
ok "the ring costs at most a tenth more than that of the whole matrix" \
	awk '{ c[NR] = $1 } END { exit !(c[1] <= 1.1 * c[2]) }' "$tmp/costs"
ok "plink-groups reads it" "$builddir/plink-groups" -o "$tmp/groups" \
	"$tmp/sparse"

"$builddir/plink-groups" --format=matrix -o "$tmp/told" "$tmp/sparse" 2>"$tmp/err"
has "its estimates are by what tells most" "$(cat "$tmp/err")" \
	"pairs were sampled: estimates are by a tree of the hosts"
"$builddir/plink-groups" --format=matrix --heights=yes -o "$tmp/embedded" \
	"$tmp/sparse" 2>"$tmp/err"
is "or by an embedding that was asked for" "$(cat "$tmp/err")" ""
# off FILE: mean of |estimate / truth - 1|
off() {
	awk 'FNR == 1 { nth++ }
		/^# layer/ { layer = $3; next } /^#/ { next }
		nth == 1 { for (i = 2; i <= NF; i++)
			truth[$1, "h" (i - 2)] = $i; next }
		layer == "estimate" && $1 != $2 { d = $3 / truth[$1, $2] - 1
			sum += d < 0 ? -d : d; n++ }
		END { printf "%.4f\n", n ? sum / n : 9 }' "$tmp/whole" "$1"
}
ok "which is farther off ($(off "$tmp/told"), $(off "$tmp/embedded"))" awk \
	"BEGIN { exit !($(off "$tmp/told") < $(off "$tmp/embedded")) }"

# JSON, counts
head -n 80 "$tmp/hosts" >"$tmp/some"
run --sparse=40 --json "$tmp/some"
has "JSON tells the choice" "$(cat "$tmp/out")" '"per_host": 40'
has "and how far estimates are off" "$(cat "$tmp/out")" '"off_median_percent":'
"$probe" --sparse=40 --dry-run "$tmp/hosts" >"$tmp/out"
has "a count: at most what was asked for" "$(cat "$tmp/out")" "pairs at most $((hosts * 20))
ways at most $((hosts * 40))"

# few hosts: all pairs
head -20 "$tmp/hosts" >"$tmp/few"
run --sparse "$tmp/few"
is "20 hosts: exit 0" "$rc" 0
is "20 hosts: all pairs, so nothing is left out" \
	"$(grep -c '^# sampled' "$tmp/out")" 0

# a host that is lost
more=' --dies=3'
run --sparse=8 "$tmp/few"
is "agents that die: in part" "$rc" 1
ok "with reasons" grep -q '^# cell h[0-9]* h[0-9]* h[0-9]*: ' "$tmp/out"
more=

# two hosts that cannot be reached: all others are judged, and ordered; half of the
# hosts are enough for this
head -n 100 "$tmp/hosts" >"$tmp/half"
cat >"$tmp/sim" <<EOF
#!/bin/sh
case \$1 in h5 | h77) exit 3 ;; esac
exec "$builddir/bench/sim-agent" $net --host=\$1 --command true
EOF
chmod +x "$tmp/sim"
"$probe" --launch="$tmp/sim %h" --agent=true --sparse=40 "$tmp/half" \
	>"$tmp/dead" 2>"$tmp/err"
is "hosts out of reach: in part" "$?" 1
has "estimates of the others are judged" "$(cat "$tmp/err")" "held back"
"$builddir/plink-order" --matrix="$tmp/dead" --missing=estimate >"$tmp/out" \
	2>"$tmp/err"
is "estimates alone cannot order them" "$?" 1
has "which says what can" "$(cat "$tmp/err")" "--missing=drop-host"
"$builddir/plink-order" --matrix="$tmp/dead" --missing=drop-host --bound=none \
	--impl=thesis --moves=20000 --format=names >"$tmp/names" 2>"$tmp/err"
is "dropped: exit 0" "$?" 0
is "these two and no others" "$(wc -l <"$tmp/names") $(grep -cxE 'h5|h77' \
	"$tmp/names")" "98 0"
is "which is said" "$(grep -c 'left out$' "$tmp/err")" 2
has "with the reason" "$(grep h77: "$tmp/err")" \
	"cells missing: its agent ended with status 3"
has "so is what is estimated" "$(cat "$tmp/err")" "estimated from the others"

# interrupted by its budget and taken up again
run --sparse=20 --max-probes=20000 "$tmp/half"
is "a budget of probes: in part" "$rc" 1
cp "$tmp/out" "$tmp/part"
before=$(pairs "$tmp/part")
run --sparse=20 --resume="$tmp/part" "$tmp/half"
is "taken up again: exit 0" "$rc" 0
ok "there is more now" test "$(pairs "$tmp/out")" -gt "$before"
has "what was there is kept" "$(cat "$tmp/err")" "$before pairs kept"

# told places
awk '{ i = substr($1, 2); print $1, "row" int(i / 100) "/rack" int(i / 20) }' \
	"$tmp/hosts" >"$tmp/places"
run --topology="$tmp/places" "$tmp/hosts"
is "told places: exit 0" "$rc" 0
ok "what was left out is noted" grep -q \
	'^# sampled ways-left-out=[0-9]* told form=plain seed=1$' "$tmp/out"
told=$(pairs "$tmp/out")
ok "far fewer pairs than all ($told)" test "$told" -lt 8000
"$probe" --topology="$tmp/places" --dry-run "$tmp/hosts" >"$tmp/out"
has "a count knows them" "$(cat "$tmp/out")" "pairs $((told / 2))"
sed 5q "$tmp/places" >"$tmp/short"
run --topology="$tmp/short" "$tmp/few"
has "hosts that are not told are counted" "$(cat "$tmp/err")" \
	"does not have 15 of 20 hosts"
run --topology="$tmp/none" "$tmp/few"
ok "no such file: a fault" test "$rc" -ge 3
run --topology="$tmp/places" --sparse "$tmp/few"
is "either or" "$rc" 2
run --sparse=3 "$tmp/few"
is "too few pairs of a host" "$rc" 2
done_testing
