#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0910-traffic-gloo.t - what Gloo's collectives send is what the patterns say
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

compare=$builddir/tests/costmodels/gloo-compare
[ -x "$compare" ] || skip_all "built without Gloo"

# Gloo's own leaks are not plink's
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS

# agrees N [spoil]: the ranks meet in a directory of their own
agrees() {
	mkdir "$tmp/meet" || return 4
	"$compare" "$1" "$tmp/meet" ${2:-}
	agrees_rc=$?
	rm -rf "$tmp/meet"
	return $agrees_rc
}

# more ranks: 0912
for n in ${traffic_ranks:-2 3 4 5 6 7 8}; do
	ok "$n ranks: every pair's messages and bytes" agrees $n
done

# the comparison sees one byte, and one message, too many
ok "a change in what was captured is noticed in every case" agrees 5 spoil

done_testing
