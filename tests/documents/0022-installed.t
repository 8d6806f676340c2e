#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0022-installed.t - what is installed: each path in its pages is there
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$tmp" || exit 99
root=$tmp/root
absent=$srcdir/tests/documents/absent
ok "make install" make -s -C "$builddir" install DESTDIR="$root"
pages=$(find "$root" -path '*/man/man*' -type f)
ok "there are pages" test "$(echo "$pages" | wc -l)" -gt 30
# a library that was not built here is no fault of the page
is "their paths are there" "$("$absent" "$root" $pages | while read -r page path; do
	[ "${path##*/}" = libplink-mpi.so ] && [ ! -e "$builddir/libplink-mpi.so" ] ||
		echo "$page $path"
done)" ""
printf '%s\n' 'LD_PRELOAD=/usr/lib/plink/libplink\-mpi.so \e' '.I /plink/job.plan' >page.7
is "and one that is elsewhere would be found" "$("$absent" "$root" page.7)" \
	"page.7 /usr/lib/plink/libplink-mpi.so"
has "the example task_prolog finds plink-exec" \
	"$(cat "$(find "$root" -name task_prolog)")" \
	"PATH=$(dirname "$(find "$root" -path '*/bin/plink-exec')" | sed "s,^$root,,"):"

done_testing
