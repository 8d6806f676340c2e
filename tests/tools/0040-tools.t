#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0040-tools.t - what all tools share: --help and --version
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# says OPTION TOOL...: writes to standard output alone, and tells a disk that is full
says() {
	option=$1
	shift
	for tool in "$@"; do
		what="${tool##*/} $option"
		[ -x "$tool" ] || {
			skip "$what" "not built"
			continue
		}
		"$tool" "$option" >"$tmp/out" 2>"$tmp/err"
		is "$what: exit 0, nothing on stderr" "$? $(cat "$tmp/err")" "0 "
		ok "$what: something on stdout" test -s "$tmp/out"
		[ -w /dev/full ] || {
			skip "$what: a full disk" "no /dev/full here"
			continue
		}
		"$tool" "$option" >/dev/full 2>"$tmp/err"
		is "$what: a full disk: exit 4" $? 4
		is "$what: a full disk: told in a line" "$(cat "$tmp/err")" \
			"${tool##*/}: cannot write standard output"
	done
}

set --
for tool in order probe probe-mpi probe-mpich agent audit groups report srift testbed; do
	set -- "$@" "$builddir/plink-$tool"
done
for tool in compare-orders matrix-io objective order-search \
	planted-orders solver audit-read srift srift-recommend; do
	set -- "$@" "$builddir/bench/$tool"
done
says --help "$@"
says --version "$@"

done_testing
