#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0905-traffic-mpich.t - patterns: message by message as MPICH really sends them
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

check=$builddir/tests/costmodels/traffic-check
traffic=$builddir/tests/costmodels/mpich-traffic
[ -x "$traffic" ] || skip_all "built without MPICH"
command -v mpirun.mpich >/dev/null 2>&1 || skip_all "no mpirun.mpich here"

mpichversion 2>/dev/null | grep -q '^MPICH Version:.*4\.0\.' ||
	skip_all "the patterns are of MPICH 4.0, installed is another"
mpichversion | grep -q '^MPICH Device:.*ch4:ucx' ||
	skip_all "the patterns are of device ch4:ucx, installed is another"

# the library's own leaks are not plink's
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS

# mpi N SLOTS COMMAND...: as if hosts had so many ranks each
mpi() {
	mpi_n=$1 mpi_slots=$2
	shift 2
	if [ "$mpi_slots" = 1 ]; then
		set -- -genv MPIR_CVAR_NOLOCAL 1 "$@"
	else
		set -- -genv MPIR_CVAR_NUM_CLIQUES $((mpi_n / mpi_slots)) \
			-genv MPIR_CVAR_CLIQUES_BY_BLOCK 1 "$@"
	fi
	mpirun.mpich -n "$mpi_n" "$@" </dev/null
}

# it dies of SIGPIPE in 1 of 100 runs whose processes end at once
if ! mpi 2 1 sleep 0.1 2>"$tmp/err" && ! mpi 2 1 sleep 0.1 2>"$tmp/err"; then
	sed 's/^/# /' "$tmp/err"
	skip_all "mpirun.mpich cannot start processes here"
fi

# all of a number of ranks, then hosts of several: two and more, and a single one; more
# ranks: 0906
for n in ${traffic_ranks:-1:1 2:1 3:1 4:1 5:1 8:1 4:4 6:3 8:4 4:2}; do
	slots=${n#*:} n=${n%:*}
	"$check" mpich cases $n $slots >"$tmp/cases"
	mpi $n $slots "$traffic" "$tmp/cases" >"$tmp/sent"
	is "$n ranks, $slots a host: the library runs all cases" $? 0
	ok "$n ranks, $slots a host: $(wc -l <"$tmp/cases") cases, pair by pair, message by message" \
		"$check" mpich compare $n $slots "$tmp/cases" <"$tmp/sent"
done

# the comparison can fail: by the order of posts (bytes, pairs: 0900), by the hosts
sed '/steps/{s/steps ./steps 0/;q}' "$tmp/sent" >"$tmp/steps"
sed '1,/steps/d' "$tmp/sent" >>"$tmp/steps"
"$check" mpich compare $n $slots "$tmp/cases" <"$tmp/steps" >"$tmp/out"
is "posts in another order are seen" $? 1
has "and said" "$(cat "$tmp/out")" "posts or waits in another order"
"$check" mpich compare $n 1 "$tmp/cases" <"$tmp/sent" >"$tmp/out"
is "that hosts have several ranks is seen" $? 1

done_testing
