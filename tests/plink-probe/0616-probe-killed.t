#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0616-probe-killed.t - a run that is killed, or cannot keep its part: what is left
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cp "$builddir/plink-agent" "$tmp/agent"
seq -f 'h%g' 6 >"$tmp/hosts"

# Five rounds, each of some 0.6 s.
run() {
	exec "$builddir/plink-probe" --bandwidth=no --launch='sh -c' --agent="$tmp/agent" \
		--iface=lo --probes=400 \
		"$@" "$tmp/hosts"
}

cells() {
	awk '/^# layer/ { exit } /^#/ { next }
		{ for (i = 2; i <= NF; i++) if ($i ~ /^[1-9]/) n++ }
		END { print n + 0 }' "$1"
}

mkdir "$tmp/full" "$tmp/done" "$tmp/killed"
mkdir "$tmp/full/m.part"
echo theirs >"$tmp/theirs"
ln -s "$tmp/theirs" "$tmp/done/m.part"
(run -o "$tmp/full/m" 2>"$tmp/full.err") &
full=$!
(run --json -o "$tmp/done/m" 2>"$tmp/done.err") &
whole=$!
(run -o "$tmp/killed/m" 2>"$tmp/killed.err") &
pid=$!
while [ ! -e "$tmp/killed/m.part" ] && kill -0 $pid 2>/dev/null; do
	sleep 0.05
done
kill -s KILL $pid
wait $pid 2>/dev/null
ok "SIGKILL: no matrix" [ ! -e "$tmp/killed/m" ]
n=$(cells "$tmp/killed/m.part")
ok "SIGKILL: a part of it ($n pairs)" test "$n" -ge 1 -a "$n" -lt 30
is "which says what it is" "$(grep '^# partial' "$tmp/killed/m.part")" \
	"# partial ways-missing=$((30 - n)) under way"
ok "and at which addresses" grep -q '^# host h1 .*addr=127.0.0.1' \
	"$tmp/killed/m.part"
is "and is no order's matrix: exit 1" "$("$builddir/plink-order" \
	--matrix="$tmp/killed/m.part" >/dev/null 2>&1
	echo $?)" 1

wait $full
is "no place for a part: exit 0" $? 0
is "no place for a part: said once" "$(grep -c 'm.part: Is a directory; the run goes on' \
	"$tmp/full.err")" 1
is "no place for a part: every pair" "$(cells "$tmp/full/m")" 30
ok "no place for a part: what stood there stays" [ -d "$tmp/full/m.part" ]
wait $whole
is "a run that ends: exit 0" $? 0
is "a run that ends: nothing beside its output" "$(ls "$tmp/done")" m
is "what a link in the part's place leads to is left alone" \
	"$(cat "$tmp/theirs")" theirs

# gone on with; the part has served
(run --resume="$tmp/killed/m.part" -o "$tmp/killed/m" 2>"$tmp/err")
is "resumed: exit 0" $? 0
has "resumed: only the rest is measured" "$(cat "$tmp/err")" \
	"$((30 - n)) pairs measured, 0 missing"
is "resumed: whole" "$(cells "$tmp/killed/m")" 30
is "resumed: the matrix has each header once" \
	"$(grep -cE '^# (pace|partial|resumed)' "$tmp/killed/m")" 2
ok "resumed: the part is gone" [ ! -e "$tmp/killed/m.part" ]

# Agents that hear of the first round only, so that the second one never ends: what
# the first one has brought is there all the same.
cat >"$tmp/once" <<'EOF'
#!/bin/sh
n=0
while read -r line; do
	case $line in round*) n=$((n + 1)) ;; esac
	case $n$line in [2-9]round*) continue ;; esac
	echo "$line"
done | sh -c "$1"
EOF
chmod +x "$tmp/once"
mkdir "$tmp/slow"
(exec "$builddir/plink-probe" --bandwidth=no --launch="$tmp/once" --agent="$tmp/agent" \
	--iface=lo --probes=40 -o "$tmp/slow/m" - \
	2>"$tmp/err") <<'END' &
a
b
c
d
END
pid=$!
i=0
while [ $((i += 1)) -le 1200 ] && [ "$(cells "$tmp/slow/m.part" 2>/dev/null)" != 4 ]; do
	sleep 0.05
done
kill -s KILL $pid
wait $pid 2>/dev/null
is "a round of two pairs is saved before the next one has ended" \
	"$(cells "$tmp/slow/m.part")" 4

# A host that dies when all its pairs are there: x, which comes first and is done
# first, while b has not yet heard of its round with c.
cat >"$tmp/late" <<EOF
#!/bin/sh
case \$1 in
x)
	echo \$\$ >"$tmp/x.pid"
	exec "$tmp/agent" --iface=lo
	;;
b)
	while read -r line; do
		case \$line in
		round\ *\ 2\ *)
			(while [ ! -e "$tmp/go" ]; do sleep 0.05; done
				echo "\$line") &
			;;
		*) echo "\$line" ;;
		esac
	done | "$tmp/agent" --iface=lo
	;;
*) exec "$tmp/agent" --iface=lo ;;
esac
EOF
chmod +x "$tmp/late"
printf 'x\nb\nc\n' >"$tmp/three"
"$builddir/plink-probe" --bandwidth=no --launch="$tmp/late %h" --iface=lo \
	-o "$tmp/slow/n" "$tmp/three" 2>"$tmp/err" &
pid=$!
i=0
while [ $((i += 1)) -le 1200 ] && [ "$(cells "$tmp/slow/n.part" 2>/dev/null)" != 4 ]; do
	sleep 0.05
done
x=$(cat "$tmp/x.pid")
kill -s KILL "$x"
while kill -0 "$x" 2>/dev/null; do
	sleep 0.05
done
: >"$tmp/go"
wait $pid
is "a host is lost late: exit 1" $? 1
has "a host is lost late: all is measured" "$(cat "$tmp/err")" \
	"6 pairs measured, 0 missing, 1 of 3 hosts lost"
has "a host is lost late: which, and why" "$(cat "$tmp/err")" \
	"lost when all its pairs had been measured: x: its agent was ended by signal 9"
ok "a host is lost late: so says the matrix" \
	grep -q '^# lost x: its agent was ended by signal 9' "$tmp/slow/n"

# Agents that hear of no flow, so that the first one never ends: all round trips are
# there all the same.
cat >"$tmp/deaf" <<'EOF'
#!/bin/sh
while read -r line; do
	case $line in receive*) ;; *) echo "$line" ;; esac
done | sh -c "$1"
EOF
chmod +x "$tmp/deaf"
mkdir "$tmp/flows"
(exec "$builddir/plink-probe" --bandwidth=no --launch="$tmp/deaf" --agent="$tmp/agent" \
	--iface=lo --probes=40 \
	--bandwidth=alone,together -o "$tmp/flows/m" - \
	2>"$tmp/err") <<'END' &
a
b
c
END
pid=$!
while [ "$(cells "$tmp/flows/m.part" 2>/dev/null)" != 6 ] &&
	kill -0 $pid 2>/dev/null; do
	sleep 0.05
done
kill -s KILL $pid
wait $pid 2>/dev/null
is "round trips are saved before the first flow has ended" \
	"$(cells "$tmp/flows/m.part")" 6

# another run's part is not taken for nothing
: >"$tmp/killed/m.part"
(run --probes=40 -o "$tmp/killed/m" 2>"$tmp/err")
has "a part that is there: said" "$(cat "$tmp/err")" \
	"m.part has the measurements of a run that did not end; this run"
has "and what goes on from it" "$(cat "$tmp/err")" \
	"gone on from there: $builddir/plink-probe --bandwidth=no '--launch=sh -c' --agent="
has "with its file" "$(cat "$tmp/err")" \
	" --resume=$tmp/killed/m.part $tmp/hosts"
(run --probes=40 2>"$tmp/err" >"$tmp/killed/out")
is "no part of standard output" "$(ls "$tmp/killed" | grep -c 'out\.')" 0

done_testing
