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
		case ${tool##*/} in
		plink*) is "$what: no line over 80 columns" \
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
for tool in order probe probe-mpi probe-mpich agent audit batch groups hub nccl-bw report spot srift stalls testbed; do
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
for tool in order probe probe-mpi probe-mpich audit batch groups hub nccl-bw report doctor agent; do
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
refused 2 "--plan-costs" "$builddir/plink-order" --pla=x x
for verb in predict recommend profile train need levels cost; do
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

# the table of plink(7) is what the tools' help says
for tool in agent audit batch doctor exec groups hub job mpirun nccl-bw order probe probe-mpi report spot srift \
	"spot checkpoint" "spot curve" "spot expect" "spot fit" \
	"srift cost" "srift grid" "srift levels" "srift merge" "srift need" "srift predict" \
	"srift profile" "srift recommend" "srift sweep" "srift train" "srift watch" \
	stalls "stalls predict" "stalls run" "stalls stats" "stalls synth" "stalls table" "stalls what-if"; do
	row=$(sed 's/\\-/-/g' "$srcdir/man/plink.7.in" |
		sed -nE "s/^plink-$tool +(-h )/\1/p" | xargs)
	# shellcheck disable=SC2086
	is "plink-$tool: its options in plink(7)" "$row" "$("$builddir"/plink-$tool --help |
		grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' | grep -oE -- \
		'-[hVqvo],|--json|--dry-run' | tr -d , | sort -u |
		awk 'BEGIN { n = split("-h -V -q -v -o --json --dry-run", all) }
			{ has[$0] = 1 }
			END { for (i = 1; i <= n; i++) if (has[all[i]]) print all[i] }' |
		xargs)"
done

# -q leaves standard error alone, -v begins with version and command line
cd "$tmp" || exit 99
printf '# plink-matrix 1\n# unit us\n# quantity rtt\na 0 10\nb 10 0\n' >m
printf 'a\nb\n' >hosts
"$builddir/plink-order" -q --matrix=m -o plan --format=plan
# means TOOL ARGUMENT...: -q and -v in a run that succeeds
means() {
	tool=$1
	shift
	for o in -q -v; do
		# shellcheck disable=SC2086
		PLINK_HOST=a RANK=0 WORLD_SIZE=2 "$builddir"/$tool $o "$@" \
			</dev/null >out 2>err
		want=
		[ $o = -q ] || want="${tool% *}: plink $version: $(
			echo "$builddir/$tool" $o "$@")"
		is "$tool $o: $([ $o = -q ] && echo nothing is said ||
			echo first the version and the command line)" \
			"$(head -n 1 err)" "$want"
	done
}
version=$("$builddir/plink-order" -V | sed 's/.* //')
means plink-order --matrix=m --nic=10G
means plink-groups m
means "plink-job layout" tp=2 tp:barrier
means plink-report m plan
means plink-audit --list
printf '%s\n' '#!/bin/sh' 'shift; exec sh -c "$*"' >on
chmod +x on
means plink-probe --launch='./on %h' --agent="$builddir/plink-agent" --iface=lo hosts
means plink-doctor --launch='./on %h' --agent=false hosts
means plink-exec --plan=plan true
means plink-agent
srift=$srcdir/tests/data/srift
means "plink-spot expect" --machines=1xa@1 --steps=1 --life=1h --launch=1 --join=1
printf '# plink-batch 1\nsamples 9\npoint 2 4 1 epochs=1\n' >points
means "plink-batch model" points
means "plink-srift predict" --machines=8xg3.8xlarge@64 \
	--profile="$srift/figure8.json" --busbw="$srift/all-reduce-8.txt"
has "--format=plan: the next step" \
	"$("$builddir/plink-order" --matrix=m -o plan --format=plan 2>&1)" \
	"plink-exec --plan=plan ./app"

# JSON of all tools has one head
head_of() {
	tool=$1
	shift
	is "plink-$tool --json: its head" "$("$builddir/plink-$tool" "$@" 2>/dev/null | head -n 4 |
		sed 's/"version": ".*",/"version"/' | tr -d '\n ')" \
		"{\"tool\":\"plink-$tool\",\"format\":1,\"version\""
}
head_of order --matrix=m --json
head_of groups --json m
head_of spot expect --machines=1xa@1 --steps=1 --life=1h --launch=1 --join=1 --json
head_of srift need --workers=2 --size=1k --iteration=1s --json
head_of audit --list --json
head_of audit --pattern --ranks=4 --size=4k --json
head_of batch model --json points
head_of doctor --json --launch='sh -c' --agent=false hosts
head_of probe --json --launch='sh -c' --agent="$builddir/plink-agent" --iface=lo hosts

# a file of another kind is named
"$builddir/plink-order" --matrix=m --json >json 2>/dev/null
gzip -c m >gz
kinds() {
	wanted=$1
	shift
	for file in hosts m plan json gz none; do
		"$@" $file >out 2>err </dev/null
		case $file-$wanted in
		hosts-*list | m-*matrix | plan-*plan) continue ;;
		hosts-*) said="hosts:1:1: this is a host list, not $wanted" ;;
		m-*) said="m:1:1: this is a matrix, not $wanted" ;;
		plan-*) said="plan:1:1: this is a plan, not $wanted" ;;
		json-*) said="json:1:1: this is the JSON of a tool (--json), not $wanted" ;;
		gz-*) said="gz:1:1: this is a gzip file, not text" ;;
		none-*) said="cannot open none: No such file or directory" ;;
		esac
		has "$file is not $wanted" "$(cat err)" "$said"
	done
}
kinds "a matrix" "$builddir/plink-groups"
kinds "a host list" "$builddir/plink-probe" --dry-run
kinds "the communicators of a job" "$builddir/plink-job" show
kinds "measured points" "$builddir/plink-batch" model
kinds "a log of norms" "$builddir/plink-batch" noise
kinds "a plan" sh -c 'exec "$0" --dry-run --plan="$1" true' "$builddir/plink-exec"
kinds "statistics of a job" sh -c 'exec "$0" --matrix=m --stats="$1"' "$builddir/plink-order"
kinds "a topology" sh -c 'exec "$0" --topology="$1" hosts' "$builddir/plink-order"
kinds "a profile" sh -c 'exec "$0" predict --machines=1xa@1 --busbw=m --profile="$1"' \
	"$builddir/plink-srift"
kinds "measured steps of training" "$builddir/plink-stalls" table
kinds "lifetimes of machines" "$builddir/plink-spot" curve
kinds "a grid of measurements" "$builddir/plink-srift" train --model=x
"$builddir/plink-groups" none 2>/dev/null
is "a missing file: exit 4" $? 4
"$builddir/plink-exec" --plan=none true 2>/dev/null
is "a missing plan of a wrapper: exit 125" $? 125

# options that were removed: refused, with what to use instead
sed -n 's/^\t{"\(plink-[a-z-]*\)", "\([a-z0-9-]*\)",.*/\1 \2/p' \
	"$srcdir/src/common/removed.c" >removed
is "every row of removed options is found" "$(wc -l <removed)" \
	"$(grep -c '^	{"plink-' "$srcdir/src/common/removed.c")"
while read -r tool option; do
	case $option in
	?) option=-$option ;;
	*) option=--$option ;;
	esac
	case $tool in
	plink-exec | plink-mpirun) want=125 ;;
	*) want=2 ;;
	esac
	[ -x "$builddir/$tool" ] || {
		skip "$tool $option" "not built"
		continue
	}
	"$builddir/$tool" $option 1 >out 2>err
	is "$tool $option: exit $want, and what to use" \
		"$? $(grep -c "^$tool: $option was removed: ." err)" "$want 1"
done <removed

done_testing
