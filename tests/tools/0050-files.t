#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0050-files.t - outputs of all tools: whole or not there, and nothing else touched
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cd "$tmp" || exit 99
order=$builddir/plink-order

printf '# plink-matrix 1\n# unit us\n# quantity rtt\na 0 10\nb 10 0\n' >m
printf 'a\nb\n' >hosts
"$order" --matrix=m -o plan --format=plan 2>err || sed 's/^/# /' err
ok "a plan" test -s plan

# refused OUTPUT TOOL OPTION...: the tool would replace a file that it reads
refused() {
	kept=$(cksum <"$1")
	input=$1
	shift
	"$@" >out 2>err
	is "${1##*/} ${2%%=*}: an output that is an input: exit 2" $? 2
	has "is told" "$(cat err)" "$input is read"
	is "the input stays as it is" "$(cksum <"$input")" "$kept"
}
ln -s m link
refused m "$builddir/plink-groups" -o link m
cp plan page.svg
refused page.svg "$builddir/plink-report" -o page.svg m page.svg
refused hosts "$builddir/plink-probe" -o ./hosts hosts
refused hosts "$builddir/plink-doctor" -o hosts hosts
refused m "$builddir/plink-audit" -o m m
refused hosts "$builddir/plink-audit" --pattern --hosts=hosts -o hosts
cp m agent
refused agent "$builddir/plink-probe" --push=agent -o agent hosts
cp m table.html
refused table.html "$builddir/plink-report" --topology=table.html \
	-o table.html m
srift=$builddir/plink-srift
for option in profile busbw model; do
	for to in -o --trace=; do
		refused m "$srift" predict --profile=plan --machines=1xa@1 \
			--$option=m "$to$( [ "$to" = -o ] && echo ./)m"
	done
done
refused m "$srift" recommend --profile=plan --catalogue=m --batch=1 \
	--iterations=1 --output=m
# cannot WORDS TOOL OPTION...: a usage error that says this
cannot() {
	words=$1
	shift
	"$@" >out 2>err
	has "${1##*/} $words" "$? $(cat err)" "$words"
}
cannot "the same file" "$srift" predict --profile=m --machines=1xa@1 -o x --trace=x
cannot "--stats would replace the plan" "$builddir/plink-mpirun" --plan=plan \
	--stats=./plan -np 2 true
: >progress
cannot "--journal is for a file of its own" "$srift" watch --iterations=1 \
	--search=: --launch=: --start=: --progress=progress --journal=progress
"$order" --matrix=m -o m >out 2>err
is "plink-order: exit 2" $? 2
is "and the matrix is as before" "$(tail -n 1 m)" "b 10 0"

# two outputs, the second on a full disk: neither is replaced
if [ -w /dev/full ]; then
	echo old >new
	"$order" --matrix=m -o new --plan=/dev/full >out 2>err
	is "a plan that cannot be written: exit 4" $? 4
	has "says which" "$(cat err)" "/dev/full"
	is "the order is not replaced either" "$(cat new)" old
else
	skip "a full disk" "no /dev/full here"
fi

# where an output cannot be written, nothing is measured or searched first
for option in --output --plan --rules --report --save-matrix; do
	case $option in
	--report) name=none/x.svg ;;
	*) name=none/x ;;
	esac
	"$order" --launch='touch launched; false' $option=$name hosts >out 2>err
	is "$option in a folder that is not there: exit 4, no host is asked" \
		"$? $(ls launched 2>&1 | grep -c '^launched$')" "4 0"
done

# an output without a name is refused before the work, whatever variable was empty
empty() {
	"$@" >out 2>err
	has "${1##*/}: ${2%%=*} \"\": exit 2" "$? $(cat err)" "2 ${1##*/}: --"
	has "says so" "$(cat err)" "is empty"
}
empty "$builddir/plink-probe" -o "" hosts
empty "$builddir/plink-probe" --resume= hosts
empty "$builddir/plink-doctor" --output= hosts
empty "$builddir/plink-audit" -o "" --list
empty "$builddir/plink-groups" -o "" m
empty "$builddir/plink-order" --save-matrix= hosts
empty "$builddir/plink-srift" train --model= m

# access rights of a file that is replaced are kept
(umask 022 && echo old >private && chmod 600 private &&
	"$order" --matrix=m -o private 2>err)
is "a private file stays private" "$(stat -c %a private)" 600
has "with a new content" "$(cat private)" a

# a limit of file sizes: a message, not a signal, and nothing is left
mkdir small
(ulimit -f 1 && exec "$order" --matrix=m -o small/x) >out 2>err
first=$?
awk 'BEGIN { n = 60; print "# plink-matrix 1\n# unit us\n# quantity rtt"
	for (i = 0; i < n; i++) { printf "h%d", i
		for (j = 0; j < n; j++) printf " %d", i == j ? 0 : 10 + (i + j) % 7
		print "" } }' >large
(ulimit -f 1 && exec "$order" --matrix=large --format=json -o small/y) >out 2>err
is "a file above ulimit -f: exit 4" "$first $?" "0 4"
has "says why" "$(cat err)" "File too large"
is "nothing of it is left" "$(ls small)" x

# killed while it probes: no temporary file stays
mkdir killed
"$builddir/plink-probe" --launch='sh -c' --iface=lo --agent='sleep 60; :' \
	-o killed/z hosts >out 2>err &
pid=$!
for i in $(seq 100); do
	pgrep -P $pid >children && break
	sleep 0.1
done
kill -KILL $pid
wait $pid 2>/dev/null
for child in $(cat children); do kill -TERM -- "-$child" 2>/dev/null; done
is "killed: nothing is left behind" "$(ls killed)" ""

# a named pipe that nobody writes to is refused, not waited for
mkfifo pipe
# waits TOOL OPTION...
waits() {
	timeout 20 "$@" </dev/null >out 2>err
	rc=$?
	ok "${1##*/}: a named pipe: exit $rc" [ $rc -eq 3 ]
}
waits "$order" --matrix=pipe
has "says why" "$(cat err)" "pipe is a named pipe"
waits "$builddir/plink-srift" profile --batches=1 pipe
waits "$builddir/plink-probe" --push=pipe -o x hosts

# the limit of open files is the command's own
is "plink-exec's command has the caller's limit of open files" \
	"$( (ulimit -Sn 123 && PLINK_HOST=a RANK=0 WORLD_SIZE=2 \
		exec "$builddir/plink-exec" --plan=plan \
		sh -c 'ulimit -Sn') 2>&1)" 123

done_testing
