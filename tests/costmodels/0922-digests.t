#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0922-digests.t - each algorithm's patterns and objectives, to the bit
#
# What else is held here against libraries sees messages, not what waits for what, what is
# copied or added meanwhile, or what an order costs. A change that is meant: make
# renew-digests, and say which algorithms changed and why.
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

golden=$srcdir/tests/costmodels/digests
"$builddir/tests/golden/patterns" 9 | awk -v dir="$tmp" '
	{ print >(dir "/calls." $1 "." $2 "." $3) }'
for f in "$tmp"/calls.*; do
	echo "${f#"$tmp"/calls.} $(cksum <"$f")"
done | sed 's/\./ /; s/\./ /' | LC_ALL=C sort >"$tmp/now"
# PLINK_GOLDEN=renew: make renew-digests
if [ "${PLINK_GOLDEN:-}" = renew ]; then
	cp "$tmp/now" "$golden"
fi
ok "there are digests" test -s "$tmp/now"
ok "every algorithm is as it was" diff "$golden" "$tmp/now"

done_testing
