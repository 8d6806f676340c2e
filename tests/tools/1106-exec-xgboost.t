#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1106-exec-xgboost.t - XGBoost's own library: ranks follow a plan, and it sends what the
# patterns say
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

worker=$builddir/tests/tools/xgboost-worker
[ -x "$worker" ] || skip_all "built without XGBoost"
python=${PLINK_PYTHON:-/usr/bin/python3}
# XGBoost's own leaks are not plink's
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
rule=$("$worker" rule) || exit 99
[ "$rule" != rabit ] || [ -x "$python" ] || skip_all "no $python"
cd "$tmp" || exit 99
unset RANK LOCAL_RANK OMPI_COMM_WORLD_RANK SLURM_PROCID NODE_RANK MASTER_ADDR \
	NCCL_COMM_ID PLINK_PLAN PLINK_MAX_AGE
echo "# this XGBoost has the rule $rule"

# job N: workers on as many machines in the order of the plan, to out
job() {
	case $rule in
	rabit) set -- "$1" "$python" "$srcdir/tests/tools/rabit_tracker.py" "$1" \
		"$srcdir/tests/tools/rabit-trees" ;;
	*) set -- "$1" "$worker" tracker "$1" ;;
	esac
	(shift && exec timeout 60 "$@") >port &
	tracker=$!
	until [ -s port ]; do
		kill -0 $tracker || return 1
		sleep 0.1
	done
	export DMLC_TRACKER_URI=127.0.0.1 DMLC_TRACKER_PORT="$(cat port)" \
		DMLC_NUM_WORKER="$1"
	workers=
	i=0
	while [ $i -lt "$1" ]; do
		DMLC_TASK_ID=$i PLINK_HOST=h$i timeout 60 "$builddir/plink-exec" \
			-p plan "$worker" $i "$1" >out.$i 2>err.$i &
		workers="$workers $!"
		i=$((i + 1))
	done
	job_rc=0
	for pid in $workers $tracker; do
		wait "$pid" || job_rc=$?
	done
	cat out.* >out
	rm out.* port
	return $job_rc
}

# from 11 workers on, "10" comes before "2"
for n in 2 3 5 8 13 17; do
	awk -v n=$n 'BEGIN {
		print "# plink-plan 1"
		for (i = 0; i < n; i++)
			print "host", i, "h" i
		printf "order allreduce ring xgboost 0- :"
		for (i = 0; i < n; i++)
			printf " %d", (n - i) % n
		print ""
	}' >plan
	ok "$n workers: they run" job $n
	is "$n workers: ranks are those of the plan" \
		"$(sed -n 's/rank \([0-9]*\) machine \([0-9]*\)/\1 \2/p' out |
			sort -n | cut -d' ' -f2 | xargs)" \
		"$(sed -n 's/^order .* : //p' plan)"
	"$worker" expected $n $rule | sort >want
	ok "$n workers: the bytes of every pair" test -s want
	is "$n workers: they are those of the pattern $rule" \
		"$(grep -v rank out | sort | diff want - | head -n 5)" ""
done

done_testing
