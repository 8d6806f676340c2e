# SPDX-License-Identifier: BSD-3-Clause
# golden.sh - the tests of what the tools print; source it in place of tap.sh.
# ./run compare shows what a change does to it; make renew-digests, if that is meant.
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "the digits are those of x86_64"

# printed PART...: what the commands of these parts print has the digests in digests.PART
printed() {
	for part; do
		"$srcdir/tests/golden/outputs" "$builddir" "$tmp/$part" "$part"
		is "$part: the commands have run" "$?" 0
		rm -f "$tmp/$part"/*train* "$tmp/$part/spoiled-grid"* # as XGBoost's version has it
		(cd "$tmp/$part" && cksum -- *) | sed -E 's/^([0-9]+) [0-9]+ /\1 /' >"$tmp/now"
		kept=$srcdir/tests/golden/digests.$part
		[ "${PLINK_GOLDEN:-}" != renew ] || cp "$tmp/now" "$kept"
		is "$part: what they print" \
			"$(diff "$kept" "$tmp/now" | sed -n 's/^[<>] [0-9]* //p' | sort -u)" ""
	done
}
