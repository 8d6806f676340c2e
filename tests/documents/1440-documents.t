#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1440-documents.t - documents say what is: messages that programs print, options that
# they take, packages and files that there are; and README's commands
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

cd "$tmp" || exit 99
documents=$srcdir/tests/documents
mkdir trouble plink readme building bin
python3 "$documents/blocks.py" man "$builddir/man/plink-troubleshooting.7" trouble \
	>trouble.list
is "plink-troubleshooting(7): its examples have names" "$?" 0
python3 "$documents/blocks.py" man "$builddir/man/plink.7" plink >plink.list
is "plink(7): its examples have names" "$?" 0
python3 "$documents/blocks.py" text "$srcdir/README" readme >readme.list
is "README: its commands" "$?" 0
python3 "$documents/blocks.py" text "$srcdir/doc/building.md" building >building.list
is "doc/building.md: its commands" "$?" 0

# every message that is quoted is one of a program's
(cd "$srcdir" && find base order src probes shim planner topology -name '*.c') |
	sed "s|^|$srcdir/|" >sources
is "what is quoted is what programs say" \
	"$(xargs python3 "$documents/messages.py" trouble <sources)" ""
mkdir wrong
echo "the order was not quite kept" >wrong/says.verify
is "and what they do not say is found" \
	"$(xargs python3 "$documents/messages.py" wrong <sources)" \
	"says.verify: the order was not quite kept"
is "there are messages of many kinds" \
	"$(test "$(cat trouble/says.* | wc -l)" -ge 25 && echo many)" many

# the sections have commands: a symptom without one cannot be looked at
is "every symptom has its messages or commands" "$(awk '
	/^\.SH/ { if (section && !n) print section; section = $0; n = 0 }
	/^\.SH (NAME|DESCRIPTION|SEE)/ { section = "" }
	/^\.\\" (run|says|everywhere):/ { n++ }' \
	"$builddir/man/plink-troubleshooting.7")" ""

# options TEXT...: "TOOL OPTION" of all lines that run a tool of plink, also behind
# variables and other commands
options() {
	cat "$@" | sed -e ':a' -e '/\\$/N; s/\\\n//; ta' |
		grep -oE '(^|[ /])plink-[a-z-]+( .*)?$' | while read -r tool rest; do
		tool=${tool##*/}
		for w in $rest; do
			case $w in
			--) break ;;
			[!-]*)
				# the rest is another program's
				case $tool in
				plink-exec | plink-mpirun) break ;;
				esac
				;;
			--*) echo "$tool ${w%%=*}" ;;
			esac
		done
	done | sort -u
}
(cd "$srcdir" && sed 's/^ *\$ //' README doc/*.md) >texts
options trouble/run.* trouble/everywhere.* plink/* texts >taken
ok "options are found" test "$(wc -l <taken)" -gt 20
is "they are all the tools' own" "$(while read -r tool option; do
	[ -x "$builddir/$tool" ] || {
		echo "$tool is not here"
		continue
	}
	{
		"$builddir/$tool" --help
		[ "$tool" != plink-srift ] || {
			"$builddir/$tool" predict --help
			"$builddir/$tool" need --help
		}
	} | grep -qE -- "$option([^a-z0-9-]|\$)" || echo "$tool $option"
done <taken)" ""

# pages that are named exist, plink's own
(cd "$srcdir" && cat README doc/*.md) | grep -oE '(lib)?plink[a-z-]*\([1-7]\)' |
	sort -u >named
sed 's/\\-/-/g; s/^\.BR \([a-z-]*\) (\([1-7]\)).*/\1(\2)/' \
	"$builddir/man/plink.7" "$builddir/man/plink-troubleshooting.7" |
	grep -oE '^(lib)?plink[a-z-]*\([1-7]\)' >>named
is "every page that is named is there" "$(sort -u named | tr '()' '. ' |
	while read -r p; do
		[ -f "$builddir/man/$p" ] || echo "$p"
	done)" ""
# and the overview leads to each
is "plink(7) names every page" "$(cd "$builddir/man" && sed 's/\\-/-/g; s/ (/(/' \
	plink.7 >"$tmp/overview" && for p in *.[1357]; do
	case $p in
	plink.7 | plink-testbed.1) continue ;;
	esac
	grep -qF "${p%.*}(${p##*.})" "$tmp/overview" || echo "$p"
done)" ""

# what stands beside the README
is "README: files that it names are there" "$(grep -oE \
	'\<(doc|bench|tests|packaging|debian)/[a-zA-Z0-9./-]*[a-z]' "$srcdir/README" |
	sort -u | while read -r f; do
	[ -e "$srcdir/$f" ] || echo "$f"
done)" ""
ok "README is a page" test "$(wc -l <"$srcdir/README")" -le 75
is "doc/source-tree.md: folders that it names are there" "$(sed -nE \
	's,^    ([a-z0-9]+)/ .*,\1,p' "$srcdir/doc/source-tree.md" |
	while read -r f; do
		[ -d "$srcdir/$f" ] || echo "$f"
	done)" ""

# README's picture: the racks of a bundled matrix, as given and as found, which may be
# another order of racks; and predicted times, which may be off by 2 %
cat >bin/mpirun <<'END'
#!/bin/sh
[ "$1" != --version ] || { echo "mpirun (Open MPI) 4.1.4" && exit; }
[ "$1 $3 $4 $5" = "--hostfile --map-by seq -np" ] && head -n "$6" "$2"
END
chmod +x bin/mpirun
matrix=$srcdir/bench/data/racks-4x4.matrix
PATH=$tmp/bin:$PATH "$builddir/plink-order" --matrix="$matrix" --threads=1 \
	--format=names >names 2>err
sed -n 's/^# rack //p' "$matrix" | awk '{ print $1, substr("ABCD", $2 + 1, 1) }' >all
letters() {
	while read -r h; do
		sed -n "s/^$h //p" all
	done | xargs
}
shown() {
	sed -nE "s/^    $1 +([A-D ]*[A-D])\$/\1/p" "$srcdir/README"
}
# renamed LETTERS: the first that comes is 1, the next 2
renamed() {
	echo "$1" | awk '{ for (i = 1; i <= NF; i++) {
		if (!($i in n)) n[$i] = ++m
		printf "%s ", n[$i] } }'
}
is "README: the given order" "$(shown given)" "$(cut -d' ' -f1 all | letters)"
is "README: the found order" "$(renamed "$(shown found)")" \
	"$(renamed "$(letters <names)")"
# predicted FILE: "SIZE ALGORITHM GIVEN FOUND", in ms
predicted() {
	sed -nE 's/^(plink-order:)? +(2k|64k) +([a-z-]+) +([0-9.]+) ms -> +([0-9.]+) ms .*/\2 \3 \4 \5/p' \
		"$1"
}
predicted "$srcdir/README" >promised
is "README: times of two sizes" "$(wc -l <promised)" 2
is "README: they are those predicted" "$(predicted err | paste -d' ' - promised |
	awk 'function far(a, b) { return a < b * 0.98 || a > b * 1.02 }
		$1 != $5 || $2 != $6 || far($3, $7) || far($4, $8)')" ""

# building: packages that Debian's recipe needs, too, and options that configure has
sed -e ':a' -e '/\\$/N; s/\\\n//; ta' building/run.* |
	sed -n 's/^apt-get install //p' | tr -s ' ' '\n' | grep . >packages
ok "packages are found" test "$(wc -l <packages)" -gt 10
is "doc/building.md: packages that Debian's recipe has" "$(while read -r p; do
	case $p in
	build-essential) continue ;; # every Debian build has it
	esac
	grep -qE "^ +$p( |,|\$)|^Build-Depends: $p," "$srcdir/debian/control" ||
		echo "$p"
done <packages)" ""
"$srcdir/configure" --help >configure.help
is "doc/building.md: options that configure has" "$(grep -oE -- \
	'--(with|without|enable)-[a-z0-9]+' "$srcdir/doc/building.md" | sort -u |
	while read -r o; do
		grep -qE -- "--(with|without|enable|disable)-${o#--*-}\>" \
			configure.help || echo "$o"
	done)" ""
for f in README doc/building.md; do
	is "$f: verbs that run has" "$(grep -oE '\./run [a-z]+' "$srcdir/$f" |
		sort -u | while read -r _ verb; do
		"$srcdir/run" --help | grep -qw "$verb" || echo "$verb"
	done)" ""
done

# README's commands, typed: ssh is this machine, mpirun (above) only shows the list it
# gets
cat >bin/ssh <<'END'
#!/bin/sh
while case $1 in -*) true ;; *) false ;; esac; do shift; done
shift
exec sh -c "$*"
END
# agents meet on the loopback here
cat >bin/plink-order <<END
#!/bin/sh
exec "$builddir/plink-order" --iface=lo "\$@"
END
chmod +x bin/*
PATH=$tmp/bin:$builddir:$PATH
seq -f 'node%g' 4 >hosts.txt
while read -r kind name; do
	line=$(head -n 1 "readme/$kind.$name")
	case $line in
	./run*) continue ;; # 0030-run.t
	esac
	sh -e "readme/$kind.$name" >out 2>err
	is "README: $line" "$?" 0
	sed 's/^/# /' err
	case $line in
	mpirun*)
		is "README: all machines, in the list's order" "$(sort out | xargs)" \
			"node1 node2 node3 node4"
		;;
	esac
done <readme.list

done_testing
