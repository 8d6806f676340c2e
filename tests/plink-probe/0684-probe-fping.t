#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0684-probe-fping.t - plink-probe by fping, on hosts without plink-agent
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
probe=$builddir/plink-probe
command -v fping >/dev/null || skip_all "no fping here"
fping -q -C 2 127.0.0.1 >/dev/null 2>&1 || skip_all "fping may not run here"

# A launcher of many moods: the host's name says what becomes of the command.
cat >"$tmp/launch" <<-'END'
	#!/bin/sh
	dir=${0%/*}
	case $1 in
	banner*)
		echo "Welcome to $1"
		echo "ready"
		printf 'a line without its end' ;;
	none*)
		PATH=$dir/none
		export PATH ;;
	noip*)
		PATH=$dir/noip
		export PATH ;;
	old*)
		PATH=$dir/old:$PATH
		export PATH ;;
	denied*)
		PATH=$dir/denied:$PATH
		export PATH ;;
	mute*) exec sleep 600 ;;
	talks*) exec yes ;;
	hung*)
		exec 9<&0
		mkfifo "$dir/fifo"
		sh -c "exec $2" <"$dir/fifo" &
		pid=$!
		exec 3>"$dir/fifo"
		n=0
		while read -r line <&9; do
			case $line in
			p*) n=$((n + 1)) ;;
			esac
			[ $n -lt 2 ] || break
			echo "$line" >&3
		done
		kill -KILL $pid
		exec sleep 600 ;;
	away*)
		echo "no way to $1" >&2
		exit 255 ;;
	dies*)
		sh -c "$2" &
		pid=$!
		sleep 0.6
		kill -KILL $pid
		exit 9 ;;
	esac
	exec sh -c "$2"
END
mkdir "$tmp/none" "$tmp/noip" "$tmp/old" "$tmp/denied"
for c in sh uname; do
	ln -s "$(command -v $c)" "$tmp/none/$c"
	ln -s "$(command -v $c)" "$tmp/noip/$c"
done
ln -s "$(command -v fping)" "$tmp/noip/fping"
# made here, not linked: what is written to must not be the system's
printf '#!/bin/sh\nexit 1\n' >"$tmp/noip/ip"
cat >"$tmp/noip/hostname" <<-'END'
	#!/bin/sh
	echo "127.0.0.1 10.99.0.1"
END
# fping as it is where it must wait longer
cat >"$tmp/old/fping" <<-'END'
	#!/bin/sh
	[ "$1" != -v ] || {
		echo "fping: Version 4.2"
		exit 0
	}
	echo "fping: these options are too risky for mere mortals." >&2
	exit 1
END
cat >"$tmp/denied/fping" <<-'END'
	#!/bin/sh
	[ "$1" != -v ] || {
		echo "fping: Version 5.1"
		exit 0
	}
	echo "fping: can't create socket (must run as root?)" >&2
	exit 4
END
chmod +x "$tmp/launch" "$tmp/old/fping" "$tmp/denied/fping" \
	"$tmp/noip/ip" "$tmp/noip/hostname"

# run OPTION... HOST...: status in $rc, matrix in $tmp/out, the rest in $tmp/err
run() {
	options=
	while case $1 in -*) true ;; *) false ;; esac; do
		options="$options $1"
		shift
	done
	for h; do echo "$h"; done >"$tmp/hosts"
	# shellcheck disable=SC2086
	"$probe" --method=fping --launch="$tmp/launch %h" --iface=lo $options \
		"$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# cells: how many of the first layer's are numbers
cells() {
	awk '/^# layer/ { exit } /^#/ { next }
		{ r++; for (i = 2; i <= NF; i++)
			if (i != r + 1 && $i != "nan") n++ }
		END { print n + 0 }' "$tmp/out"
}

# a launcher that outlives its shell, while all else is tried
for h in a b hung1; do echo $h; done >"$tmp/hosts-hung"
"$probe" --method=fping --launch="$tmp/launch %h" --iface=lo --probes=400 \
	--precision=0 --precision-us=0 --pair-time=60 "$tmp/hosts-hung" \
	>"$tmp/out-hung" 2>"$tmp/err-hung" &
hung=$!

run a b c banner1
is "four hosts: exit 0" "$rc" 0
is "every pair in both directions" "$(cells)" 12
for key in 'method icmp' 'quantity rtt' 'unit ns' 'statistic p10' \
	'symmetrize max' 'pace gap-us=1000 flows=1'; do
	ok "the header says $key" grep -qx "# $key" "$tmp/out"
done
is "and which fping" "$(sed -n 's/^# fping //p' "$tmp/out")" \
	"$(fping -v | sed -n 's/.*Version //p')"
is "layers: what fping tells, and no more" \
	"$(sed -n 's/^# layer \([^ ]*\) .*/\1/p' "$tmp/out" | tr '\n' ' ')" \
	"min p50 p90 p99 sent lost resolution "
is "no time is told finer than fping printed it" "$(awk '
	/^# layer/ { l = $3; next } /^#/ { next }
	{ for (i = 2; i <= NF; i++) v[l == "" ? "p10" : l, $1, i] = $i }
	END { for (k in v) { split(k, a, SUBSEP); s = SUBSEP a[2] SUBSEP a[3]
		if (a[1] == "resolution" && v[k] > 0) { n++
			if (v["p10" s] % v[k] || v[k] < 1000) bad++ } }
	print n, bad + 0 }' "$tmp/out")" "12 0"
run --probes=7 a b
is "so many probes as asked" "$(sed -n '/layer sent/,/layer lost/p' \
	"$tmp/out" | grep -v '^#' | tr '\n' ' ')" "a 0 7 b 7 0 "
run --probes=100 --json a b
is "JSON" "$rc $(python3 -c '
import json, sys
m = json.load(open(sys.argv[1]))
print(m["method"], m["asked"]["method"], m["layers"]["sent"]["cells"][0][1])
' "$tmp/out")" "0 icmp fping 100"
run --gap=1500 --probes=5 a b
ok "fping waits for whole ms" grep -q '^# pace gap-us=2000 ' "$tmp/out"
run --pps=100 --probes=5 a b
ok "--pps" grep -q '^# pace gap-us=20000 ' "$tmp/out"
has "the gap that was kept is said" "$(cat "$tmp/err")" \
	"at most one per 20000 us and pair"
run --dry-run a b c
is "--dry-run" "$rc $(sed -n 's/^rounds //p' "$tmp/out")" "0 3"
is "starts nothing" "$(cat "$tmp/err")" ""

# what is to be resumed is of one kind
run --budget=130 a b c
is "a budget that does not last: exit 1" "$rc" 1
is "leaves pairs out" "$(cells)" 2
cp "$tmp/out" "$tmp/part"
run --resume="$tmp/part" a b c
is "the rest is measured later: exit 0" "$rc $(cells)" "0 6"
ok "and what was there is kept" grep -qx '# resumed ways-kept=2' "$tmp/out"
sed 's/^# method icmp/# method udp/' "$tmp/part" >"$tmp/udp"
run --resume="$tmp/udp" a b c
is "no cells of two methods: exit 3" "$rc" 3
has "says so" "$(cat "$tmp/err")" "was measured by udp, asked for is icmp"
"$probe" --launch="$tmp/launch %h" --iface=lo --resume="$tmp/part" \
	"$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
is "nor the other way round: exit 3" $? 3

# hosts at fault
lost() {
	lost_what=$1 lost_text=$2
	shift 2
	run "$@"
	is "$lost_what: exit 1" "$rc" 1
	is "$lost_what: the others are measured" "$(cells)" 2
	has "$lost_what: why" "$(cat "$tmp/err")" "$lost_text"
}
if PATH="$tmp/none:/usr/sbin:/sbin:/usr/local/bin:/usr/local/sbin" \
	command -v fping >/dev/null; then
	skip "fping is missing" "it is where root's PATH leads"
else
	lost "fping is missing" "none1: its agent: fping is not installed: install" \
		a b none1
fi
lost "fping is denied" "fping: can't create socket (must run as root?)" \
	a b denied1
lost "an fping that waits longer" "too risky for mere mortals" a b old1
lost "a host that is away" "no way to away1" a b away1
lost "one that says too much" "no shell that runs fping in its first" \
	a b talks1
lost "one that says nothing" "did not start in time" --start-time=2 a b mute1
run --probes=400 --precision=0 --precision-us=0 a b dies1
is "one that dies: exit 1" "$rc" 1
has "is told" "$(cat "$tmp/err")" "1 of 3 hosts lost"
is "the others are measured" "$(awk '$1 == "a" { print ($3 > 0); exit }' \
	"$tmp/out")" 1
run --iface=nowhere0 a b
is "no such interface: exit 4" "$rc" 4
has "which there are" "$(cat "$tmp/err")" \
	'no address on or in "nowhere0" (there is lo 127.0.0.1'
run --iface=127.0.0.0/8 noip1 noip2
is "hosts without ip: hostname tells addresses" "$rc $(cells)" "0 2"

# interrupted: what there is is written, nothing is left
for h in a b c d e f; do echo $h; done >"$tmp/hosts"
# later, should nothing have been measured by then
for seconds in 2 8 30; do
	"$probe" --method=fping --launch="$tmp/launch %h" --iface=lo \
		--probes=1000 --precision=0 --precision-us=0 -v "$tmp/hosts" \
		>"$tmp/out" 2>"$tmp/err" &
	pid=$!
	catches $pid
	sleep $seconds
	kill -INT $pid
	wait $pid
	rc=$?
	! grep -q '^# partial' "$tmp/out" || break
done
is "interrupted: exit 1" $rc 1
ok "and a matrix, in part" grep -q '^# partial ways-missing=.* interrupted' \
	"$tmp/out"

wait $hung
is "a launcher that outlives its shell: exit 1" $? 1
has "its host is lost" "$(cat "$tmp/err-hung")" \
	"hung1: its agent has not answered for 11 s"
has "the others, who had nothing to do, are not" "$(cat "$tmp/err-hung")" \
	"1 of 3 hosts lost"

# with agents too
run --calibrate=3 --agent="$builddir/plink-agent" a b c d
is "--calibrate: exit 0" "$rc" 0
ok "is noted" grep -Eq \
	'^# calibration ways=6 icmp-less-udp-ns=-?[0-9]+ p10=-?[0-9]+ p90=-?[0-9]+$' \
	"$tmp/out"
is "in no cell" "$(sed -n 's/^# method //p' "$tmp/out") $(cells)" "icmp 12"
run --calibrate=2 --agent="$builddir/plink-agent" --json a b
is "and in JSON, with fping's version" "$rc $(python3 -c '
import json, re, sys
h = json.load(open(sys.argv[1]))["headers"]
print(bool(re.fullmatch("ways=2 icmp-less-udp-ns=[^ ]+ p10=[^ ]+ p90=[^ ]+",
                        *h["calibration"])), h["fping"])' "$tmp/out")" \
	"0 True ['$(fping -v | sed -n 's/.*Version //p')']"
run --calibrate --agent=/nowhere/agent a b
is "agents that are not there: exit 1" "$rc" 1
has "are told" "$(cat "$tmp/err")" "not calibrated: no host could be reached"
is "the matrix is there all the same" "$(cells)" 2
run --calibrate --agent=/nowhere/agent a
is "a host alone: exit 1" "$rc" 1
has "which is told" "$(cat "$tmp/err")" "not calibrated: at least two hosts"

# usage
for o in --agent=x --push --ports=1-2 --flows=2; do
	run $o a b
	is "$o without agents: exit 2" "$rc" 2
done
run --method=tcp a b
is "no such method: exit 2" "$rc" 2
"$probe" --calibrate "$tmp/hosts" 2>"$tmp/err"
is "--calibrate without fping: exit 2" $? 2

# IPv6
if fping -6 -q -C 1 ::1 >/dev/null 2>&1; then
	run --iface=::1/128 a b
	is "IPv6" "$rc $(cells)" "0 2"
else
	skip "IPv6" "not on this machine"
fi
done_testing
