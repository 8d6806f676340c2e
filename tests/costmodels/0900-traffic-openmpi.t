#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0900-traffic-openmpi.t - patterns: message by message as Open MPI really sends them
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

check=$builddir/tests/costmodels/traffic-check
traffic=$builddir/tests/costmodels/mpi-traffic
[ -x "$traffic" ] || skip_all "built without MPI"
command -v mpirun >/dev/null 2>&1 || skip_all "no mpirun here"

mpirun --version 2>/dev/null | grep -q '(Open MPI) 4\.1\.' ||
	skip_all "the patterns are of Open MPI 4.1, mpirun is of another"

# the library's own leaks are not plink's
ASAN_OPTIONS=detect_leaks=0
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

. "$srcdir/tests/openmpi.sh"

# mpi N COMMAND...
mpi() {
	mpi_n=$1
	shift
	mpirun -np "$mpi_n" --oversubscribe $alone \
		--mca btl $shared,self --mca mpi_yield_when_idle 1 \
		--mca coll_tuned_use_dynamic_rules 1 \
		--mca pml_monitoring_enable 1 "$@"
}

if ! mpi 2 true 2>"$tmp/err"; then
	sed 's/^/# /' "$tmp/err"
	skip_all "mpirun cannot start processes here"
fi

[ -n "${traffic_ranks:-}" ] || ok "the rules of up to 8192 ranks are the library's" \
	mpi 1 "$builddir/tests/costmodels/openmpi-rules"

# more ranks: 0902
for n in ${traffic_ranks:-1 2 3 4 5 8}; do
	"$check" openmpi cases $n 1 >"$tmp/cases"
	mpi $n "$traffic" "$tmp/cases" >"$tmp/sent"
	is "$n ranks: the library runs all cases" $? 0
	ok "$n ranks: $(wc -l <"$tmp/cases") cases, pair by pair, message by message" \
		"$check" openmpi compare $n 1 "$tmp/cases" <"$tmp/sent"
done

# the comparison can fail: by a byte, an order, a pair, a case; of the first cases
sed '/^case 100$/,$d' "$tmp/sent" >"$tmp/first"
mv "$tmp/first" "$tmp/sent"
head -n 100 "$tmp/cases" >"$tmp/first"
mv "$tmp/first" "$tmp/cases"
ok "undisturbed" "$check" openmpi compare $n 1 "$tmp/cases" <"$tmp/sent"
awk 'NF == 5 && !done { $4++; done = 1 } { print }' "$tmp/sent" >"$tmp/bytes"
"$check" openmpi compare $n 1 "$tmp/cases" <"$tmp/bytes" >"$tmp/out"
is "a byte too many is seen" $? 1
has "and said" "$(cat "$tmp/out")" "1 differ"
sed '/order/{s/order ./order 0/;q}' "$tmp/sent" >"$tmp/order"
sed '1,/order/d' "$tmp/sent" >>"$tmp/order"
"$check" openmpi compare $n 1 "$tmp/cases" <"$tmp/order" >"$tmp/out"
is "another order is seen" $? 1
has "and said" "$(cat "$tmp/out")" "in another order"
sed '/steps/{s/steps ./steps 0/;q}' "$tmp/sent" >"$tmp/steps"
sed '1,/steps/d' "$tmp/sent" >>"$tmp/steps"
"$check" openmpi compare $n 1 "$tmp/cases" <"$tmp/steps" >"$tmp/out"
is "a wait elsewhere is seen" $? 1
has "and said" "$(cat "$tmp/out")" "posts or waits in another order"
awk 'NF == 5 && !done { done = 1; next } { print }' "$tmp/sent" >"$tmp/fewer"
"$check" openmpi compare $n 1 "$tmp/cases" <"$tmp/fewer" >"$tmp/out"
is "a pair too few is seen" $? 1
sed '/^case 5$/,$d' "$tmp/sent" >"$tmp/half"
"$check" openmpi compare $n 1 "$tmp/cases" <"$tmp/half" >"$tmp/out"
is "cases that were not run are seen" $? 1
has "and said" "$(cat "$tmp/out")" "case 5: was not run"

done_testing
