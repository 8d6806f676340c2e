# SPDX-License-Identifier: BSD-3-Clause
# kept.sh - measurements of an earlier time, judged; source it where $predict and $all,
# the folder that has them, are set
#
# The presets' overheads were set in view of an earlier measurement of 16 machines
# without uplinks, and how finely large messages are cut (PACKETS_MAX) in view of these;
# nothing else was fitted.

# judge_kept NETWORK...; with sanitizers, which take minutes, the first of them
judge_kept() {
	! grep -q fsanitize "$builddir/config.status" || set -- "$1"
	mkdir "$tmp/networks"
	for network in "$@"; do
		cp -R "$all/$network" "$tmp/networks/"
	done
	chmod -R u+w "$tmp/networks"
	out=$("$predict" --from="$tmp/networks")
	is "kept measurements: judged" $? 0
	is "kept measurements: all networks" "$(echo "$out" | grep -c '^4x')" $#
	is "kept measurements: no false promise" \
		"$(echo "$out" | grep -c ', 0 false promises$')" $#
	is "eager rings: rank and seconds are good in all cells" \
		"$(echo "$out" | grep -cE \
			'^ring +(2048|65536|262144) .* good$')" $((3 * $#))
	count=$(echo "$out" | awk '/^# .* cells: / {
		all += $2
		near += substr($0, index($0, "10 % in ") + 8) + 0
		matter += substr($0, index($0, "matter in ") + 10) + 0
		right += substr($0, index($0, "right in ") + 9) + 0
	} END { print all - near, matter - right }')
	# one cell's orders differ by less than its repetitions, which its spread hides
	is "seconds are within 10 % in every cell, ranks right in all that matter but one" \
		"$(echo "$count" | sed 's/ 1$/ 0/')" "0 0"
}
