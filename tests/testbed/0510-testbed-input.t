#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0510-testbed-input.t - what plink-testbed refuses, and how
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

testbed=$builddir/plink-testbed
prefix=t$$c
cleanup() {
	"$testbed" down --prefix=$prefix 2>/dev/null
}

# refused STATUS PART ARGS...: ends with that status, says PART, prints nothing
refused() {
	want=$1 part=$2
	shift 2
	"$testbed" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	is "$*: status" "$?" "$want"
	has "$*: reason" "$(cat "$tmp/err")" "$part"
	is "$*: no output" "$(cat "$tmp/out")" ""
}

refused 2 "no verb"
refused 2 "is no verb" fly
refused 2 "needs --racks" matrix
refused 2 "needs --racks" matrix --racks=2x2 --intra-us=5
for racks in 0x4 4x0 4 x 4x 4x4x4x4 4x4x4x 0+3 3+ 3+x 200+57 8x8x8 -1x4 1000x1000 99999999999999999999x2; do
	refused 2 "--racks wants" matrix --racks=$racks --intra-us=1 --inter-us=2
done
for racks in "2x4 --far-us=5" 2x2x4 3+5+8x2 "3+5 --row-uplink=1Gbit"; do
	case $racks in
	*+*x*) part="--racks wants" ;;
	*) part="--far-us and --row-uplink belong to rows" ;;
	esac
	# shellcheck disable=SC2086
	refused 2 "$part" matrix --intra-us=1 --inter-us=2 --racks=$racks
done
for rates in '' 1Gbit, ,1Gbit 1Gbit,fast; do
	refused 2 "--nic wants" matrix --racks=2x2 --nic="$rates"
	refused 2 "--row-uplink wants" matrix --racks=2x2 --row-uplink="$rates"
done
refused 2 "--uplink needs" matrix --racks=1x4 --intra-us=1 --inter-us=1 --uplink=1G
refused 2 "--intra-us wants" matrix --racks=2x2 --intra-us=-1 --inter-us=2
refused 2 "--inter-us wants" matrix --racks=2x2 --intra-us=1 --inter-us=nan
refused 2 "--noise wants" matrix --racks=2x2 --intra-us=1 --inter-us=1 --noise=1
refused 2 "--seed wants" matrix --racks=2x2 --intra-us=1 --inter-us=1 --seed=x
refused 2 "takes no" matrix --racks=2x2 --intra-us=1 --inter-us=1 more
refused 2 "needs --matrix" up
refused 2 "needs a host and a command" exec h0
refused 2 "needs a command" exec h0 --
refused 2 "--prefix wants" exec --prefix=../x h0 -- true
refused 2 "--prefix wants" down --prefix=
refused 2 "--prefix wants" status --prefix=123456789012345678901234567890123
for rate in 0 -5 x 5Tbit 5Mbits nan 1e99 1Mbit/h ''; do
	refused 2 "--nic wants" up --matrix=x --nic="$rate"
done
refused 2 "--uplink wants" up --matrix=x --uplink=fast
refused 2 "--loss wants" up --matrix=x --loss=2
refused 2 "--jitter-us wants" up --matrix=x --jitter-us=-1
for share in -0.1 1.5 nan x ''; do
	refused 2 "--duplicate wants" up --matrix=x --duplicate="$share"
	refused 2 "--reorder wants" up --matrix=x --reorder="$share"
done
for us in 0 -1 1e9 x; do
	refused 2 "--behind-us wants" up --matrix=x --behind-us=$us
done
refused 2 "needs --matrix" change
refused 2 "takes no" change --matrix=x more
refused 2 "unknown option" change --matrix=x --loss=0.1
refused 2 "--nic wants" change --matrix=x --nic=fast
refused 2 "needs one file" schedule
refused 2 "unknown option" schedule --matrix=x y
refused 1 "no testbed" schedule --prefix=$prefix x
refused 2 "--prefix wants" change --matrix=x --prefix=../x
for n in -1 x 1.5 99999999999; do
	refused 2 "--change wants" trips --change=$n
done
for n in 0 -1 x 1e3 99999999999; do
	refused 2 "--trace wants" up --matrix=x --trace=$n
done
refused 2 "unknown option" trips --json
refused 2 "takes no" trips --prefix=$prefix more
refused 1 "no testbed" trips --prefix=$prefix
refused 1 "no testbed" exec --prefix=$prefix h0 -- true
refused 1 "no testbed" rsh --prefix=$prefix h0 true
refused 1 "no testbed" status --prefix=$prefix
refused 1 "no testbed" down --prefix=$prefix
refused 4 "none" change --prefix=$prefix --matrix="$tmp/none"

# matrices that no cluster can have: refused before anything is made
"$testbed" matrix --racks=2x2 --intra-us=100 --inter-us=1000 >"$tmp/m" 2>/dev/null
bad() {
	what=$1 part=$2 script=$3
	sed "$script" "$tmp/m" >"$tmp/$what"
	refused 3 "$part" up --prefix=$prefix --matrix="$tmp/$what"
}
refused 4 "none" up --prefix=$prefix --matrix="$tmp/none"
refused 1 "no testbed" change --prefix=$prefix --matrix="$tmp/m"
bad empty "" d
bad short "" '$d'
bad cells "" 's/^h2 .*/h2 1 2 3/'
bad word "" 's/1000/many/'
bad bandwidth "says no delays" 's/one-way/bandwidth/; s/unit us/unit bytes-per-s/'
bad negative "negative" 's/^h2 1000/h2 -1/'
bad huge "not within" 's/^h2 1000/h2 1e12/'
bad letter "host name" 's/h2/h2;x/'
bad long "cannot name" "s/h2/$(printf '%064d' 0)/"
bad localhost "cannot name" 's/h2/localhost/'
bad rackhost "not a host and a number" 's/# rack h2/# rack h9/'
bad racknumber "not a host and a number" 's/# rack h2 .*/# rack h2 x/'
bad rackless "no rack for host h2" '/# rack h2/d'
bad row "not two numbers of groups" 's/# rack h2 .*/&\n# within 1 x/'
bad card "a rate is a number" 's/# rack h2 .*/&\n# card h1 9 fast/'
bad uplink "not a group and two rates" 's/# rack h2 .*/&\n# uplink 5 1Gbit 1Gbit/'
sed '/# rack/d; s/1000/100/g' "$tmp/m" >"$tmp/flat"
refused 3 "needs racks" up --prefix=$prefix --matrix="$tmp/flat" --uplink=1Gbit
ok "nothing was made" test ! -e /run/plink-testbed/$prefix

# machines that do not allow it
if "$testbed" check 2>"$tmp/err"; then
	setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin \
		"$testbed" check >"$tmp/out" 2>"$tmp/err"
	is "without CAP_SYS_ADMIN: status" "$?" 4
	has "without CAP_SYS_ADMIN: reason" "$(cat "$tmp/err")" \
		"cannot make namespaces: Operation not permitted"
	unshare -m sh -c 'mount -t tmpfs none /dev/net && exec "$0" check' \
		"$testbed" >"$tmp/out" 2>"$tmp/err"
	is "without /dev/net/tun: status" "$?" 4
	has "without /dev/net/tun: reason" "$(cat "$tmp/err")" \
		"cannot open /dev/net/tun: No such file"
	sh -c 'ulimit -n 12; exec "$0" up --prefix="$1" --matrix="$2"' \
		"$testbed" $prefix "$tmp/m" >"$tmp/out" 2>"$tmp/err"
	is "half-way out of descriptors: status" "$?" 4
	has "half-way out of descriptors: reason" "$(cat "$tmp/err")" \
		"Too many open files"
	# other tests check, too: what is theirs has a process
	stays=$(for state in "/run/plink-testbed/$prefix"* /run/plink-testbed/check-*; do
		kill -0 "${state##*check-}" 2>/dev/null || [ ! -e "$state" ] ||
			echo "$state"
	done)
	is "nothing stays of any of them" "$stays" ""
else
	skip "refusals of a machine that does not allow it" "$(cat "$tmp/err")"
fi

# the generator
"$testbed" matrix --racks=3x2 --intra-us=10.5 --inter-us=99 --shuffle --seed=5 \
	>"$tmp/a" 2>/dev/null
"$testbed" matrix --racks=3x2 --intra-us=10.5 --inter-us=99 --shuffle --seed=5 \
	>"$tmp/b" 2>/dev/null
ok "same seed, same matrix" cmp "$tmp/a" "$tmp/b"
"$testbed" matrix --racks=3x2 --intra-us=10.5 --inter-us=99 --shuffle --seed=6 \
	>"$tmp/b" 2>/dev/null
is "another seed, another matrix" "$(cmp -s "$tmp/a" "$tmp/b"; echo $?)" 1
is "racks are of the size asked for" \
	"$(awk '/^# rack/ { n[$4]++ } END { print n[0], n[1], n[2] }' "$tmp/a")" \
	"2 2 2"
is "cells agree with the racks" "$(awk '
	/^# rack/ { rack[$3] = $4 }
	/^h/ {
		for (i = 2; i <= NF; i++) {
			h = "h" (i - 2)
			want = h == $1 ? 0 : rack[h] == rack[$1] ? 10.5 : 99
			wrong += $i != want
		}
	}
	END { print wrong + 0 }' "$tmp/a")" 0
"$testbed" matrix --racks=2x8 --intra-us=100 --inter-us=1000 --noise=0.2 \
	>"$tmp/n" 2>/dev/null
is "noise stays within its share, both directions alike" "$(awk '
	/^h/ { for (i = 2; i <= NF; i++) c[NR, i - 2] = $i; row[n++] = NR }
	END {
		for (i = 0; i < n; i++)
			for (j = 0; j < n; j++) {
				v = c[row[i], j]
				base = int(i / 8) == int(j / 8) ? 100 : 1000
				if (i != j)
					bad += v < 0.8 * base || v > 1.2 * base
				bad += v != c[row[j], i]
				same += i != j && v == base
			}
		print bad + 0, same + 0
	}' "$tmp/n")" "0 0"

done_testing
