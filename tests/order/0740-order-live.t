#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0740-order-live.t - plink-order measures by itself, all agents on this machine
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

. "$srcdir/tests/thesis.sh"
cd "$tmp" || exit 99
cp "$builddir/plink-agent" agent

# Host "far" cannot be started; the others are this machine.
cat >launch <<'END'
#!/bin/sh
host=$1
shift
[ "$host" != far ] || { echo "no route to far" >&2; exit 255; }
exec sh -c "$*"
END
chmod +x launch

# live ARGS: status in $rc
live() {
	"$order" --launch="$tmp/launch %h" --agent="$tmp/agent" --iface=lo \
		"$@" >out 2>err
	rc=$?
}

seq -f 'h%g' 5 >hosts
live --save-matrix=matrix hosts
is "five hosts: done" $rc 0
is "every host once" "$(sort out | tr '\n' ' ')" "h1 h2 h3 h4 h5 "
has "all pairs measured" "$(cat err)" \
	"5 hosts, 5 ranks; pairs: 20 measured, 0 missing"
ok "probing took its time, and that is told" \
	grep -Eq 'seconds: probe (0\.[0-9]*[1-9]|[1-9])' err
is "nothing of a progress line in a file" \
	"$(tr -cd '\r' <err | wc -c)" 0
cp out first
"$order" --matrix=matrix hosts >again 2>err
ok "the matrix kept gives the same order" cmp first again

# no more than asked for are starting at once: each is awaited before the next one
cat >slowly <<'END'
#!/bin/sh
host=$1
shift
echo "begins" >>started
sh -c "$*" | sed -u '/^ready$/w /dev/stderr' 2>>started
END
chmod +x slowly
: >started
"$order" --launch="$tmp/slowly %h" --agent="$tmp/agent" --iface=lo --fanout=1 \
	hosts >out 2>err
is "--fanout=1: done" $? 0
is "--fanout=1: one after another" "$(uniq -c started | awk '{ print $1 }' |
	sort -u)" "1"
is "--fanout=1: all" "$(wc -l <started)" 10

# A host that stands still again and again: its replies are late.
cat >halting <<'END'
#!/bin/sh
host=$1
shift
[ "$host" = h3 ] || exec sh -c "$*"
pid=$$
(while sleep 0.03 && kill -STOP $pid; do
	sleep 0.1
	kill -CONT $pid
done) </dev/null >/dev/null 2>&1 &
exec "$AGENT" --iface=lo
END
chmod +x halting
AGENT=$tmp/agent "$order" --launch="$tmp/halting %h" --agent="$tmp/agent" \
	--iface=lo hosts >out 2>err
is "a host that halts: done" $? 0
has "what looked disturbed is told" "$(cat err)" \
	"1 pairs looked disturbed and were measured again"
"$order" --matrix=matrix --format=plan hosts 2>/dev/null >plan
is "the plan knows the matrix" "$(grep '^# matrix' plan)" \
	"# matrix sha256:$(sha256sum <matrix | cut -d' ' -f1)"
is "and by which names the hosts go" \
	"$(grep -c "^host .* node=$(uname -n) addr=127.0.0.1" plan)" 5

printf 'h1\nh2\nh1\nh2\n' >seq
live --hosts-format=seq --save-matrix=matrix seq
is "a seq list: done" $rc 0
is "a seq list: each host measured once" "$(grep -c '^# host' matrix)" 2
is "a seq list: ranks of a host together" "$(uniq out | wc -l)" 2

printf 'h1\nh2\nfar\nh3\n' >hosts
live hosts
is "a host out of reach: exit 1" $rc 1
is "a host out of reach: nothing on stdout" "$(cat out)" ""
has "a host out of reach: named, with the reason" "$(cat err)" \
	"far: 6 of 6 cells missing: its agent ended"
has "a host out of reach: its launcher's words" "$(cat err)" "no route to far"

# next WHAT: the command that err says
next() {
	sed -n "s/^plink-[a-z]*: $1\( (.*)\)*: //p" err
}
ok "what was measured is kept" test -e plink-order.part
next "to order by what there is" >by
next "to measure what is missing" >rest
sh ./by >out 2>err
is "the command that orders by it does" "$? $(sort out | tr '\n' ' ')" \
	"0 h1 h2 h3 "
sed -i 's/= far/= near/' launch
sh ./rest >out 2>err
is "the command that measures the rest does" "$? $(sort out | tr '\n' ' ')" \
	"0 far h1 h2 h3 "
has "and only that" "$(cat err)" "pairs: 12 measured, 0 missing"
ok "then nothing is left" test ! -e plink-order.part
sed -i 's/= near/= far/' launch
live --save-matrix="a b" hosts
next "to order by what there is" >by
sh ./by >out 2>err
is "a matrix with a blank in its name, too" "$? $(sort out | tr '\n' ' ')" \
	"0 h1 h2 h3 "
ok "and there is no second copy" test ! -e plink-order.part
live - <hosts
has "what must come again on standard input is told" "$(cat err)" \
	"missing (with the same standard input): "
live --missing=drop-host --save-matrix=matrix hosts
is "--missing=drop-host: done without it" "$rc $(sort out | tr '\n' ' ')" \
	"0 h1 h2 h3 "
ok "the matrix kept has its reason" grep -q '^# cell .*far' matrix

for signal in TERM HUP; do
	"$order" --launch="$tmp/launch %h" --agent="sleep 30; true" --iface=lo \
		hosts >out 2>err &
	pid=$!
	catches $pid
	sleep 1
	kill -$signal $pid
	wait $pid
	is "SIG$signal while measuring: exit 1" $? 1
	is "SIG$signal while measuring: nothing on stdout" "$(cat out)" ""
	has "SIG$signal while measuring: how to go on" \
		"$(next "to measure what is missing")" \
		"--resume=plink-order.part hosts"
done

done_testing
