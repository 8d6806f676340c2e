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
		*/plink*) is "$what: no line over 80 columns" \
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

set -- "$builddir/plink"
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
for say in ordr:order agnt:agent probe-mp:probe-mpi; do
	refused 2 "no tool \"${say%:*}\" (did you mean ${say#*:}?); see" \
		"$builddir/plink" "${say%:*}"
done
refused 2 'no tool "../plink-order"; see' "$builddir/plink" ../plink-order
refused 2 "unknown option --verion (did you mean --version?)" \
	"$builddir/plink" --verion
refused 2 "unknown option --zzzz;" "$builddir/plink-order" --zzzz=1 x
refused 2 "--size needs a value" "$builddir/plink-order" --size
refused 2 "--verify takes no value" "$builddir/plink-order" --verify=yes x
refused 2 "unknown option -x" "$builddir/plink-order" -x x
refused 2 "-o needs a value" "$builddir/plink-groups" -o
refused 2 "--topology" "$builddir/plink-order" --topo=x x
for verb in predict recommend profile train; do
	refused 2 "did you mean --help?" "$builddir/plink-srift" $verb --hepl
done

# plink leads to each tool that has a page
"$builddir/plink" >"$tmp/list"
is "plink lists the tools" "$(sed -n '/^Tools/,/^$/s/^  \([^ ]*\) .*/\1/p' \
	"$tmp/list" | sort)" "$(cd "$builddir/man" && ls plink-*.1 |
	sed 's/plink-//; s/\.1$//; /testbed/d' | sort)"
"$builddir/plink" -h | cmp - "$tmp/list" || fail "plink -h is the list"
mkdir "$tmp/bin" "$tmp/path"
ln -s "$builddir/plink" "$tmp/bin/plink"
printf '%s\n' '#!/bin/sh' 'echo "$0 $*"; exit 7' >"$tmp/path/plink-other"
cp "$tmp/path/plink-other" "$tmp/path/man"
chmod +x "$tmp/path/plink-other" "$tmp/path/man"
is "a tool of its own folder, behind a link" \
	"$("$tmp/bin/plink" order --version)" \
	"$("$builddir/plink-order" --version)"
is "or of PATH, its words and status kept" \
	"$(PATH=$tmp/path:$PATH "$tmp/bin/plink" other --help 'a b'; echo $?)" \
	"$tmp/path/plink-other --help a b
7"
for say in order:plink-order.1 plink-hosts:plink-hosts.5 patterns:plink-patterns.7; do
	is "plink help ${say%:*}" \
		"$(PATH=$tmp/path:$PATH "$builddir/plink" help "${say%:*}")" \
		"$tmp/path/man $(realpath "$builddir")/man/${say#*:}"
done
is "without man(1): --help" "$(PATH=$tmp/none "$builddir/plink" help groups)" \
	"$("$builddir/plink-groups" --help)"

done_testing
