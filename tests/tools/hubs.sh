# SPDX-License-Identifier: BSD-3-Clause
# hubs.sh - schedules in which hubs add up, for ranks on this machine; source it after tap.sh
umask 077 # secrets are their owner's alone

# hub_schedule RANKS SHARES LINES: ranks on h0, h1, ...; for each of the SHARES of the
# buffer a hub, h8, h9, ..., that adds it up for all ranks. LINES, divided by \n, stand
# before the slices
hub_schedule() {
	awk -v n="$1" -v shares="$2" -v lines="$3" 'BEGIN {
		hubs = split(shares, share, " ")
		print "# plink-schedule 1"
		for (r = 0; r < n; r++)
			print "host", r, "h" r, "addr=127.0.0.1"
		for (h = 0; h < hubs; h++)
			print "aggregator h" (8 + h)
		print lines
		for (h = 0; h < hubs; h++) {
			up = down = ""
			for (r = 0; r < n; r++) {
				up = up " " r ">" (n + h)
				down = down " " (n + h) ">" r
			}
			print "slice", share[h + 1] "\nround add" up "\nround store" down
		}
	}'
}

# all_end: waits for the processes $pids; their exit statuses to $rc
all_end() {
	rc=
	for pid in $pids; do
		wait "$pid"
		rc="$rc $?"
	done
	pids=
}
