#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0528-testbed-cpu.t - hosts that have a share of a processor each
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
testbed=$builddir/plink-testbed
prefix=t528-$$

for bad in 0 2 a; do
	"$testbed" up --prefix="$prefix" --matrix=/dev/null --cpu=$bad >/dev/null 2>"$tmp/err"
	is "--cpu=$bad: exit 2" $? 2
done
why=$("$testbed" check 2>&1) || {
	skip "shares" "no testbed here: $why"
	done_testing
	exit
}
cleanup() {
	"$testbed" down --prefix="$prefix" >/dev/null 2>&1
}
groups() {
	find /sys/fs/cgroup/ -maxdepth 2 -name "plink-testbed.$prefix.*" | wc -l
}

printf '# plink-matrix 1\n# quantity one-way\n# unit us\nh0 0 100\nh1 100 0\n' >"$tmp/m"
if ! "$testbed" up --prefix="$prefix" --matrix="$tmp/m" --cpu=0.2 >/dev/null 2>"$tmp/err"; then
	has "no control groups: said" "$(cat "$tmp/err")" "shares of a processor"
	"$testbed" status --prefix="$prefix" >/dev/null 2>&1
	is "and nothing is up" $? 1
	done_testing
	exit
fi
has "the share is shown" "$("$testbed" status --prefix="$prefix")" \
	"cpu 0.2 of a processor for each host"
is "each host has a group" "$(groups)" 2
# 100 times a second: the processor's time of what ran there for two seconds
cat >"$tmp/busy" <<-'END'
	timeout 2 sh -c 'while :; do :; done'
	awk '{ print $16 + $17 }' /proc/$$/stat
END
"$testbed" exec --prefix="$prefix" h1 -- sh "$tmp/busy" >"$tmp/used"
ok "what runs there gets no more ($(cat "$tmp/used"))" \
	awk '{ exit !($1 > 0 && $1 <= 60) }' "$tmp/used"
kill -9 "$(awk 'NR == 1 { print $1 }' "/run/plink-testbed/$prefix/daemon")"
ok "its daemon dead: another comes up" "$testbed" up --prefix="$prefix" --matrix="$tmp/m"
is "without the groups" "$(groups)" 0
cleanup
"$testbed" up --prefix="$prefix" --matrix="$tmp/m" --cpu=1 >/dev/null 2>&1
is "up again: two groups" "$(groups)" 2
ok "down" "$testbed" down --prefix="$prefix"
is "no group is left" "$(groups)" 0

done_testing
