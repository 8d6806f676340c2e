#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1118-nccl-newer.t - what came with NCCL 2.29 and 2.30
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-nccl/nccl.sh"
newer=$programs/newer
version=2.30

# made HOW: how many communicators were made so
made() {
	grep -c "^comm .* by=$1" "$tmp/log"
}

# run WHAT COMMAND...: a subject that is meant to find faults has them found
run() {
	what=$1
	shift
	"$@"
	rc=$?
	case $subject in
	*wrong | rest | rest-shared | revoke | signals) sed -i '/^fault/d' "$tmp/log" ;;
	esac
	worked "$what" $rc
	ended "$what"
}

# rested N: every communicator, hidden or not, has rested N times and gone on
rested() {
	rested_n=$(($1 * 4 * $(grep -c '^comm' "$tmp/log")))
	is "$subject: all communicators rest, and go on" \
		"$(grep -c '^Suspend' "$tmp/log") $(grep -c '^Resume' "$tmp/log")" \
		"$rested_n $rested_n"
}

plan '2 0 3 1' >"$tmp/plan"
for subject in $("$newer" --list); do
	run "$subject" job 3 "$newer" "$subject"
	[ "$subject" != rest-shared ] ||
		is "one that may share rests" \
			"$(grep -c 'suspend: 0$' "$tmp/out")" 3
	run "$subject, a plan" shim 4 "$newer" "$subject"
	is "$subject, a plan: all-reduces follow it" "$(strays '2 0 3 1')" ""
	case $subject in
	grow | grow-group | grow-nonblocking)
		is "$subject: what has grown has an order" \
			"$(made grow) $(did Broadcast | cut -d ' ' -f 1 | xargs)" \
			"1 h2.0,h0.0,h3.0,h1.0"
		;;
	rest) rested 2 ;;
	signals)
		is "$subject: by the program's own communicator" \
			"$(did PutSignal) $(did WaitSignal | cut -d ' ' -f 1)" \
			"$(hosts '0 1 2 3') 12 $(hosts '0 1 2 3')"
		;;
	rest-group | rest-nonblocking) rested 1 ;;
	rest-shared)
		is "$subject: refused, as the hidden one shares" \
			"$(grep -c 'suspend: 5$' "$tmp/out")" 4
		;;
	esac
done

done_testing
