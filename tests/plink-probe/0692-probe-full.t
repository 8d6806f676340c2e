#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0692-probe-full.t - plink-probe on a file system that has little room, of agents that
# are made up
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
if [ -z "${PLINK_TEST_INSIDE-}" ]; then
	unshare -rm true 2>/dev/null ||
		skip_all "no mount namespaces: $(unshare -rm true 2>&1)"
	PLINK_TEST_INSIDE=1 exec unshare -rm "$0"
fi
hosts=64
seq -f 'h%g' 0 "$((hosts - 1))" >"$tmp/hosts"
mkdir "$tmp/small"

# run FILE ARG...: status in $rc, the rest in $tmp/err. A round takes 55 ms, all of
# them 3.5 s, so that what is measured is saved once at least: after a second.
run() {
	file=$1
	shift
	"$builddir/plink-probe" --bandwidth=no --agent=true \
		--launch="$builddir/bench/sim-agent --hosts=$hosts --round-ms=55 \
--host=%h --command" -o "$file" "$@" "$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}
# small PAGES: so much room
small() {
	umount "$tmp/small" 2>/dev/null
	mount -t tmpfs -o "size=$(($1 * 4096))" none "$tmp/small"
}
plain() {
	grep -v '^# created' "$1"
}

run "$tmp/whole"
is "room enough: exit 0" "$rc" 0
pages=$((($(wc -c <"$tmp/whole") + 4095) / 4096))

# for the whole, not for a part beside it
small "$((pages + 1))"
run "$tmp/small/m"
is "room for one file: exit 0" "$rc" 0
is "which is right" "$(plain "$tmp/small/m" | cksum)" \
	"$(plain "$tmp/whole" | cksum)"
is "nothing else is there" "$(ls -A "$tmp/small")" m

# not for the whole
small "$((pages - 1))"
run "$tmp/small/m"
is "room for less: exit 4" "$rc" 4
has "and why" "$(cat "$tmp/err")" "cannot write $tmp/small/m: No space left"
is "what was saved is there" "$(ls -A "$tmp/small")" m.part
has "and said" "$(cat "$tmp/err")" "m.part has the measurements up to"
cp "$tmp/small/m.part" "$tmp/part"
run "$tmp/resumed" --resume="$tmp/part"
is "it can be resumed: exit 0" "$rc" 0
ok "with what it has" grep -Eq ' [1-9][0-9]* pairs kept' "$tmp/err"

# for nothing
small 1
run "$tmp/small/m"
is "no room: exit 4" "$rc" 4
has "what could not be saved meanwhile was said" "$(cat "$tmp/err")" \
	"No space left on device; the run goes on"
is "nothing is there" "$(ls -A "$tmp/small")" ""
umount "$tmp/small"
done_testing
