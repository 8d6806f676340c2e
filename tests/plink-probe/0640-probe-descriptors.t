#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0640-probe-descriptors.t - descriptors closed, few, or leading nowhere
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cp "$builddir/plink-agent" "$tmp/agent"
printf 'a\nb\nc\n' >"$tmp/hosts"
cd "$tmp" || exit 99

probe() {
	"$builddir/plink-probe" --bandwidth=no --launch='sh -c' --agent="$tmp/agent" \
		--iface=lo --probes=5 "$@" "$tmp/hosts"
}

# whole FILE: is it a matrix of three hosts and eleven layers?
whole() {
	[ "$(grep -c '^[abc] ' "$1")" = 33 ]
}

# what the caller closed is not taken for a file or an agent
probe >&- 2>"$tmp/err"
is "no standard output: exit 4" $? 4
has "no standard output: said" "$(cat "$tmp/err")" "standard output"

(ulimit -f 0 && exec "$builddir/plink-agent" </dev/null >"$tmp/short")
is "an agent whose file may not grow: exit 4" $? 4

# what was measured is not lost with the output
# kept WHAT: the matrix is in the part that the message names, which is then removed
kept() {
	part=$(sed -n 's/^plink-probe: \(.*\.part\) has the measurements.*/\1/p' err)
	ok "$1: the measurements are kept" whole "${part:-none}"
	has "$1: how to go on" "$(cat err)" " --resume=$part "
	rm -f "$part"
}
kept "no standard output"
if [ -w /dev/full ]; then
	probe >/dev/full 2>err
	is "standard output on a full disk: exit 4" $? 4
	kept "standard output on a full disk"
fi
{
	probe 2>err
	echo $? >rc
} | true
is "a pipe that nobody reads: exit 4" "$(cat rc)" 4
kept "a pipe that nobody reads"
mkdir full
if mount -t tmpfs -o size=4k none full 2>/dev/null; then
	cat /dev/zero >full/zero 2>/dev/null
	probe -o full/m 2>err
	is "a full disk: exit 4" $? 4
	umount full
	kept "a full disk"
else
	skip "a full disk" "no mounts here"
fi
probe -v -o "$tmp/m1" >&- 2>&- <&-
is "nothing open, output by name: exit 0" $? 0
ok "nothing open, output by name: whole" whole "$tmp/m1"
probe -v 2>&- >"$tmp/m2"
is "no standard error: exit 0" $? 0
ok "no standard error: the matrix has none of it" whole "$tmp/m2"
is "no standard error: nothing but the matrix" \
	"$(grep -c '^plink' "$tmp/m2")" 0
"$builddir/plink-order" --matrix="$tmp/m1" >&- 2>/dev/null
is "plink-order: no standard output: exit 4" $? 4

# an agent needs three descriptors here; who gets none is missing
seq -f n%g 40 >"$tmp/hosts"
(ulimit -n 60 && probe -o "$tmp/m3" 2>"$tmp/err")
is "few descriptors: exit 1" $? 1
has "few descriptors: why" "$(cat "$tmp/err")" \
	"cannot create a pipe beyond ulimit -Hn: Too many open files"
ok "few descriptors: the others are measured" \
	grep -q '[1-9][0-9]* pairs measured' "$tmp/err"
(ulimit -S -n 60 && probe -o "$tmp/m4" 2>"$tmp/err")
is "a low soft limit: exit 0" $? 0
(exec 2>"$tmp/err" 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
	ulimit -n 4 && exec "$builddir/plink-probe" --bandwidth=no --launch='sh -c' \
		--agent="$tmp/agent" -o "$tmp/m4" "$tmp/hosts")
is "none but for the output: exit 4" $? 4
has "none but for the output: why" "$(cat "$tmp/err")" \
	"cannot create an epoll beyond ulimit -Hn: Too many open files"

# out of reach: said before an agent is started
printf 'a\nb\n' >"$tmp/hosts"
printf '#!/bin/sh\ntouch "%s"\nexec "%s" "$@"\n' "$tmp/started" "$tmp/agent" \
	>"$tmp/agent-seen"
chmod +x "$tmp/agent-seen"
probe --agent="$tmp/agent-seen" -o "$tmp/no/such" 2>"$tmp/err"
is "no such folder: exit 4" $? 4
has "no such folder: named" "$(cat "$tmp/err")" "$tmp/no/such"
ok "no such folder: no agent was started" [ ! -e "$tmp/started" ]
probe --agent="$tmp/agent-seen" -o "$tmp/m5" 2>/dev/null
ok "else it is" [ -e "$tmp/started" ]
probe -o /dev/full 2>"$tmp/err"
is "a full disk: exit 4" $? 4
is "nothing is left beside a file" "$(ls "$tmp" | grep -c 'm[0-9]\.')" 0

done_testing
