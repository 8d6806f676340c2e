# SPDX-License-Identifier: BSD-3-Clause
# nccl.sh - jobs whose processes use NCCL, or its double; source it after tap.sh. A test
# whose job hangs ends after 20 minutes.
[ "${nccl_limited-}" ] || {
	rm -rf "$tmp"
	exec env nccl_limited=yes timeout -k 5 1200 /bin/sh "$0"
}
programs=$builddir/tests/shim-nccl
version=2.28
preload=$builddir/libplink-nccl.so
unset PLINK_PLAN PLINK_HOST PLINK_NCCL_LIBRARY PLINK_STRICT PLINK_VERBOSE \
	PLINK_MAX_AGE PLINK_STATS NCCL_COMM_ID LD_PRELOAD
PLINK_TEST_NCCL_LOG=$tmp/log
PLINK_TEST_NCCL_DIR=$tmp/boards
PLINK_TEST_ID=$tmp/boards/id
# the preload comes before a sanitizer's own library, where there is one
ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
export ASAN_OPTIONS PLINK_TEST_NCCL_LOG PLINK_TEST_NCCL_DIR PLINK_TEST_ID

# job N COMMAND...: N processes of it, one on each of the hosts h0, h1, ..., or
# $slots of them; their output in $tmp/out and $tmp/err, the log in $tmp/log.
# The status is that of the last that failed.
slots=1
job() {
	job_n=$1
	shift
	rm -rf "$tmp/boards"
	mkdir "$tmp/boards"
	: >"$tmp/log"
	job_pids=
	job_outs=
	job_errs=
	job_r=0
	while [ "$job_r" -lt "$job_n" ]; do
		RANK=$job_r WORLD_SIZE=$job_n LOCAL_RANK=$((job_r % slots)) \
			LOCAL_WORLD_SIZE=$slots \
			PLINK_HOST=${host:-h$((job_r / slots))} \
			PLINK_TEST_NCCL_WHO=h$((job_r / slots)).$((job_r % slots)) \
			LD_LIBRARY_PATH=$programs/$version \
			"$@" >"$tmp/out.$job_r" 2>"$tmp/err.$job_r" &
		job_pids="$job_pids $!"
		job_outs="$job_outs $tmp/out.$job_r"
		job_errs="$job_errs $tmp/err.$job_r"
		job_r=$((job_r + 1))
	done
	job_rc=0
	for job_pid in $job_pids; do
		wait "$job_pid" || job_rc=$?
	done
	cat $job_outs >"$tmp/out"
	cat $job_errs >"$tmp/err"
	return $job_rc
}

# shim N COMMAND...: the same with the preload library and $tmp/plan
shim() {
	shim_n=$1
	shift
	job "$shim_n" env LD_PRELOAD="$preload" PLINK_PLAN="$tmp/plan" \
		PLINK_NCCL_LIBRARY="$programs/$version/libnccl.so.2" "$@"
}

# plan 'NUMBER...': of as many hosts, of $slots slots, in that order
plan() {
	echo "# plink-plan 1"
	plan_i=0
	for _ in $1; do
		echo "host $plan_i h$plan_i slots=$slots"
		plan_i=$((plan_i + 1))
	done
	echo "order allreduce ${algorithm:-ring} nccl 0- : $1"
}

# schedule 'GROUP...' [SIZES]: two levels for a host in each of these groups, of
# $slots slots; the first process of a group is its master
schedule() {
	echo "$1" | awk -v slots=$slots -v sizes="${2:-0-}" '{
		print "# plink-schedule 1"
		for (i = 1; i <= NF; i++) {
			print "host " i - 1 " h" i - 1 " slots=" slots
			for (s = 0; s < slots; s++) {
				r = (i - 1) * slots + s
				if (!($i in lm)) {
					lm[$i] = r
					up = up (r ? " " r ">0" : "")
					down = down (r ? " 0>" r : "")
				} else {
					to = to " " r ">" lm[$i]
					from = from " " lm[$i] ">" r
				}
			}
		}
		print "schedule two-level " sizes " chunk=32768 window=16"
		print "slice 1"
		if (to)
			print "round add" to
		if (up)
			print "round add" up
		if (down)
			print "round store" down
		if (from)
			print "round store" from
	}'
}

# worked WHAT STATUS: all processes of the last job ended well and said so, and
# the double found no fault
worked() {
	worked_n=0
	while read -r _ worked_r worked_what; do
		case $worked_r$worked_what in
		[0-9]*:[1-9]*' checks, 0 failed') worked_n=$((worked_n + 1)) ;;
		esac
	done <"$tmp/out"
	if [ "$2" = 0 ] && [ "$worked_n" = "$job_n" ] &&
		! grep -q '^fault' "$tmp/log" && [ ! -s "$tmp/err" ]; then
		pass "$1"
		return
	fi
	fail "$1: exit $2, $worked_n of $job_n processes without fault"
	grep -h -v ' 0 failed$' "$tmp/out" | head -n 10 | sed 's/^/# /'
	grep '^fault' "$tmp/log" | head -n 5 | sed 's/^/# /'
	head -n 5 "$tmp/err" | sed 's/^/# /'
}

# did FUNCTION: the communicators that carried it, by the hosts in the order of
# their ranks and how often rank 0 took part: "h1,h0 3"
did() {
	awk -v name="$1" '
		$1 == "comm" {
			sub(/^order=/, "", $NF)
			order[$2] = $NF
		}
		$1 == "call" && $4 == name && $3 == 0 {
			n[order[$2]]++
		}
		END {
			for (o in n)
				print o, n[o]
		}' "$tmp/log" | sort
}

# hosts ORDER: as the log names the members of a communicator
hosts() {
	for hosts_h in $1; do
		hosts_s=0
		while [ $hosts_s -lt $slots ]; do
			printf '%s' "${hosts_sep-}h$hosts_h.$hosts_s"
			hosts_sep=,
			hosts_s=$((hosts_s + 1))
		done
	done
	hosts_sep=
	echo
}

# strays ORDER: orders of communicators that carried an all-reduce, in which two
# members do not stand as in that one
strays() {
	did AllReduce | awk -v order="$(hosts "$1")" '
		BEGIN {
			n = split(order, who, ",")
			for (i = 1; i <= n; i++)
				pos[who[i]] = i
		}
		{
			n = split($1, who, ",")
			for (i = 2; i <= n; i++)
				if (pos[who[i]] < pos[who[i - 1]]) {
					print $1
					break
				}
		}'
}

# ended WHAT: every member of every communicator has ended it, and has taken back
# what it had registered
ended() {
	is "$1: all communicators are ended" "$(awk '
		$1 == "comm" { sub(/n=/, "", $3); want += $3 }
		$1 == "end" && $3 >= 0 { got++ }
		$1 == "still" || $1 == "left" { print }
		END { if (got != want) print got " of " want }' "$tmp/log")" ""
}
