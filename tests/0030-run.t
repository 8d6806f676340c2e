#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0030-run.t - the newcomer's script: what it refuses, before it does anything
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"

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
refuses "demo with an argument" demo --quick
refuses "fuzz with two" fuzz 1 2
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

done_testing
