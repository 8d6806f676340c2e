#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0020-man.t - man pages are clean, and say all that --help and the tools do
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

pages=$(ls "$builddir"/man/*.[1357])
ok "there are pages" test -n "$pages"

if command -v mandoc >/dev/null 2>&1; then
	for p in $pages; do
		# style level hints (no OS named, links to pages of other
		# packages) are not faults
		ok "mandoc accepts $(basename "$p")" \
			mandoc -Tlint -Wwarning "$p"
	done
else
	skip "mandoc accepts every page" "no mandoc here"
fi

# line by line, apart from those in which the version or a folder is filled in
for p in $pages; do
	name=$(basename "$p")
	is "$name is its source, filled in" "$(awk '
		NR == FNR { line[FNR] = $0; next }
		/@[A-Z]+@/ || line[FNR] != $0 && line[FNR] !~ /@[A-Z]+@/ {
			print FNR ": " $0
		}
		END { if (FNR != length(line)) print FNR " lines" }' \
		"$srcdir/man/$name.in" "$p")" ""
done

# all that are built; plink-mpirun alone starts the first left out, and the other has
# the page of plink-probe-mpi
for tool in plink $(cd "$builddir" && ls | grep '^plink-[a-z-]*$' |
	grep -vxE 'plink-(mpi-check|probe-mpich)'); do
	page=$builddir/man/$tool.1
	ok "$tool has a page" test -e "$page"
	"$builddir/$tool" --help >"$tmp/help" 2>"$tmp/err"
	is "$tool --help exits 0" "$?" 0
	is "$tool --help is silent on stderr" "$(cat "$tmp/err")" ""
	has "$tool --version names plink" "$("$builddir/$tool" --version)" \
		"$tool (plink)"
	# roff writes --a-b as \-\-a\-b
	sed 's/\\-/-/g' "$page" >"$tmp/page"
	lacking=$(grep -oE -- '--[a-z][a-z-]+' "$tmp/help" | sort -u |
		while read -r o; do
			grep -qF -- "$o" "$tmp/page" || echo "$o"
		done)
	is "$tool(1) has every option of --help" "$lacking" ""
	for s in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' EXAMPLES \
		'SEE ALSO'; do
		grep -qE "^\.(SH|Sh) \"?$s\"?\$" "$page" ||
			fail "$tool(1) has a section $s"
	done
done

done_testing
