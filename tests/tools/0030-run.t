#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0030-run.t - the newcomer's script: what it refuses, before it does anything
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# refuses WHAT ARG...: exit 2, usage on standard error, nothing on the other
refuses() {
	what=$1
	shift
	"$srcdir/run" --no-install "$@" >"$tmp/out" 2>"$tmp/err"
	is "$what: exit 2" $? 2
	has "$what: usage" "$(cat "$tmp/err")" "usage: ./run"
	is "$what: no output" "$(cat "$tmp/out")" ""
}

refuses "no verb"
refuses "unknown verb" compile
refuses "build with an argument" build fast
refuses "tests with an argument" tests 0600
refuses "tests with two" tests --full --full
refuses "sanitize with an argument" sanitize all
refuses "demo with an argument" demo --quick
refuses "fuzz with three" fuzz 1 2 3
refuses "fuzz with no number" fuzz '1;exit'
is "help: exit 0" "$("$srcdir/run" --help >"$tmp/out" && echo $?)" 0
has "help: names the verbs" "$(cat "$tmp/out")" "demo"

# one that may not write in its own folder says so
as_user=
[ "$(id -u)" != 0 ] || as_user='setpriv --reuid=65534 --clear-groups'
mkdir "$tmp/tree" && cp "$srcdir/run" "$tmp/tree/"
chmod 755 "$tmp" && chmod 555 "$tmp/tree"
$as_user "$tmp/tree/run" --no-install build >"$tmp/out" 2>"$tmp/err"
is "a folder of others: exit 4" $? 4
has "a folder of others: said" "$(cat "$tmp/err")" "cannot write in"
chmod 755 "$tmp/tree"

# what was not built to the end is begun anew, not taken for built
mkdir -p "$tmp/half/build" "$tmp/bin"
cp "$srcdir/run" "$tmp/half/"
printf '#!/bin/sh\nexit 0\n' >"$tmp/half/configure"
touch "$tmp/half/build/config.status"
printf '#!/bin/sh\necho "$0 $*" >>"%s"\n' "$tmp/called" >"$tmp/bin/autoreconf"
cp "$tmp/bin/autoreconf" "$tmp/bin/make"
cp "$tmp/bin/autoreconf" "$tmp/half/configure"
chmod +x "$tmp/bin/autoreconf" "$tmp/bin/make" "$tmp/half/configure"
PATH=$tmp/bin:$PATH "$tmp/half/run" --no-install build >"$tmp/out" 2>&1
is "half made: exit 0" $? 0
has "half made: autoreconf again" "$(cat "$tmp/called")" "autoreconf -i"
has "half made: configure again" "$(cat "$tmp/called")" "configure -q"

# What fails with others beside is judged by a run alone, and what does not build is not
# taken for passed. This make runs no test: $tmp/beside is what x gives among all others,
# $tmp/times what y gives among those that judge times, $tmp/alone what each gives alone.
cat >"$tmp/bin/make" <<END
#!/bin/sh
while [ \$# -gt 0 ]; do
	case \$1 in
	-C) dir=\$2 ;;
	all) exit 0 ;;
	check-beside) from=beside test=x ;;
	check-times) from=times test=y ;;
	TEST_LOGS=tests/?.log) from=alone test=\${1#*/} test=\${test%.log} ;;
	esac
	shift
done
echo "\$dir \$from" >>"$tmp/called"
mkdir -p "\$dir/tests"
[ -s "$tmp/\$from" ] || exit 2
cp "$tmp/\$from" "\$dir/tests/\$test.trs"
echo "not ok 1 - some check" >"\$dir/tests/\$test.log"
sed -n 's/^# //p' "$tmp/\$from"
! grep -q FAIL "$tmp/\$from"
END
touch "$tmp/half/Makefile.in"
# judged BESIDE TIMES ALONE
judged() {
	rm -rf "$tmp/half/build" "$tmp/half/build-san" "$tmp/called"
	echo ":test-result: $1" >"$tmp/beside"
	echo ":test-result: $2" >"$tmp/times"
	echo ":test-result: $3" >"$tmp/alone"
	[ -n "$1" ] || : >"$tmp/beside"
	[ -n "$2" ] || : >"$tmp/times"
	PATH=$tmp/bin:$PATH "$tmp/half/run" --no-install tests >"$tmp/out" 2>&1
	rc=$?
	last=$(tail -n 1 "$tmp/out")
}
judged PASS PASS FAIL
is "all pass: once" "$rc $last" "0 2 passed, 0 failed, 0 skipped"
judged FAIL PASS PASS
is "failed beside, passes alone" "$rc $last" "0 2 passed, 0 failed, 0 skipped"
has "failed beside: that is said" "$(cat "$tmp/out")" \
	"== failed with others beside, judged alone: tests/x.log"
has "failed beside: with the check" "$(cat "$tmp/out")" \
	"tests/x.log: not ok 1 - some check"
is "failed beside: one run more" "$(grep -c '^build alone' "$tmp/called")" 1
judged FAIL PASS FAIL
is "fails alone, too" "$rc $last" "1 1 passed, 1 failed, 0 skipped"
judged PASS FAIL PASS
is "of those that judge times: fails, passes alone" "$rc $last" \
	"0 2 passed, 0 failed, 0 skipped"
judged PASS FAIL FAIL
is "of those that judge times: fails" "$rc $last" "1 1 passed, 1 failed, 0 skipped"
judged "FAIL
# fatal: making test-suite.log: failed to create tests/y.trs" PASS PASS
is "passes alone, beside another that left no result" "$rc $last" \
	"1 2 passed, 1 failed, 0 skipped"
judged "" PASS PASS
is "does not build" "$rc $last" "1 1 passed, 1 failed, 0 skipped"
judged FAIL "" PASS
is "those that judge times do not build, others fail beside" "$rc $last" \
	"1 1 passed, 1 failed, 0 skipped"
judged PASS "" PASS
is "those that judge times do not build" "$rc $last" "1 1 passed, 1 failed, 0 skipped"

done_testing
