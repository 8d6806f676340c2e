#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1095-conformance.t - bench/conformance on suites of a few scripts
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"
command -v mpirun.openmpi >/dev/null 2>&1 || skip_all "no mpirun.openmpi here"

export builddir
suite=$tmp/suite
work=$tmp/work
mkdir -p "$suite" "$work/openmpi/attr/deep"
echo '#!/bin/sh' >"$suite/configure"
chmod +x "$suite/configure"
touch "$work/openmpi/built"
cat >"$work/openmpi/attr/testlist" <<'END'
# a comment
good 2
lost 3  # not built
bad 1
unlike 4 arg=-a env=B=c xfail=ticket
deep
END
echo 'unlike 9 arg=-a arg=1 env=B=c timeLimit=7' >"$work/openmpi/attr/deep/testlist"

# script NAME TEXT
script() {
	printf '#!/bin/sh\n%s\n' "$2" >"$work/openmpi/attr/$1"
	chmod +x "$work/openmpi/attr/$1"
}
script good 'echo " No Errors"'
script bad 'echo "Found 1 errors"'
script unlike 'exit 9'
script deep/unlike '[ "$* $B" = "-a 1 c" ] || exit 8
[ -z "$PLINK_PLAN" ] || exit 3
echo " No Errors"'

run() {
	"$srcdir/bench/conformance" --suite="$suite" --work="$work" \
		--folders=attr "$@" >"$tmp/out" 2>"$tmp/err"
}
run
is "exit 0" "$? $(cat "$tmp/err")" "0 "
is "the cases of the lists, and how they end" \
	"$(sed '1,/^case/d' "$tmp/out" | tr '\t' ' ')" \
	"attr/good 2 ok ok
attr/bad 1 wrong wrong
attr/deep/unlike -a 1 env=B=c 5 ok status-3 again: bare ok ok ok, shim \
status-3 status-3 status-3"
is "in numbers" "$(sed -n 's/^# \([0-9].*\)/\1/p' "$tmp/out")" \
	"3 cases: 1 pass bare and with the library, 1 fail bare and with it,
0 take more than 60 s bare and were not run with it; of 1 that passed"
has "and what must not be" "$(cat "$tmp/out")" "run again, 1 fail with"
script good 'exit 1'
run --results="$tmp/table"
is "nothing is run twice" "$? $(sed -n 's/^attr.good.//p' "$tmp/table" | xargs)" \
	"0 2 ok ok"
mkdir -p "$work/openmpi/more/attr"
echo attr >"$work/openmpi/more/testlist"
echo "late 2" >"$work/openmpi/more/attr/testlist"
script ../more/attr/late "echo run >>'$tmp/runs'
echo ' No Errors'"
run --folders=more
is "two ranks, bare and with the library" "$(grep -c . "$tmp/runs")" 4
run --folders=more --mode=shadow
is "what ran bare serves the other mode" "$(grep -c . "$tmp/runs")" 6
echo "late 2" >>"$work/openmpi/attr/testlist"
script late 'echo " No Errors"'
run
is "the same name in another folder is another case" \
	"$(grep '^attr/late' "$tmp/out" | xargs)" "attr/late 2 ok ok"
for bad in --work= --mode=none --library=x --ranks=9 --limit=0 extra; do
	run "$bad"
	is "$bad: exit 2" $? 2
done

# mpi4py's
mkdir -p "$tmp/py"
touch "$tmp/py/test_a.py" "$tmp/py/test_b.py"
cat >"$tmp/py/runtests.py" <<'END'
import os, sys
module = sys.argv[-1]
print("testOne (%s.T) ... ok" % module)
good = module == "test_a" or "PLINK_PLAN" not in os.environ
print("testThree (%s.T) ... %s" % (module, "ok" if good else "FAIL"))
END
if command -v python3 >/dev/null 2>&1; then
	"$srcdir/bench/conformance-mpi4py" --tests="$tmp/py" --work="$work" \
		--ranks=2 --python="$(command -v python3)" >"$tmp/out" \
		2>"$tmp/err"
	is "mpi4py: a line for each module, and the tests that differ" \
		"$(grep '^test_' "$tmp/out" | head -n 2)" \
		"test_a	4 ok, 0 skipped	4 ok, 0 skipped
test_b	4 ok, 0 skipped	2 ok, 0 skipped, 2 FAIL	differ: testThree \
(test_b.T) FAIL;testThree (test_b.T) ok"
	is "mpi4py: what differs is run again" \
		"$(grep -c '^test_b	again' "$tmp/out")" 3
else
	skip "mpi4py" "no python3 here"
fi

done_testing
