#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0040-tools.t - what all tools share: --help, --version, and options they do not know
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
		case $tool in
		*/plink-*) is "$what: no line over 80 columns" \
			"$(awk 'length > 80' "$tmp/out")" "" ;;
		esac
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

# refused STATUS WORDS TOOL OPTION...
refused() {
	status=$1 words=$2
	shift 2
	[ -x "$1" ] || {
		skip "${1##*/} $2" "not built"
		return
	}
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	is "${1##*/} $2: exit $status, a line on stderr" \
		"$? $(wc -l <"$tmp/err") $(cat "$tmp/out")" "$status 1 "
	has "it says" "$(cat "$tmp/err")" "$words"
}
for tool in order probe probe-mpi probe-mpich audit groups report doctor agent; do
	refused 2 "unknown option --versoin (did you mean --version?); see" \
		"$builddir/plink-$tool" --versoin
done
refused 125 "unknown option --plam (did you mean --plan?); see" \
	"$builddir/plink-exec" --plam=x true
refused 2 "unknown option --zzzz;" "$builddir/plink-order" --zzzz=1 x
refused 2 "--size needs a value" "$builddir/plink-order" --size
refused 2 "--verify takes no value" "$builddir/plink-order" --verify=yes x
refused 2 "unknown option -x" "$builddir/plink-order" -x x
refused 2 "-o needs a value" "$builddir/plink-groups" -o
refused 2 "--topology" "$builddir/plink-order" --topo=x x
for verb in predict recommend profile train; do
	refused 2 "did you mean --help?" "$builddir/plink-srift" $verb --hepl
done

done_testing
