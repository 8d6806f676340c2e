# SPDX-License-Identifier: BSD-3-Clause
# captures.sh - tcpdump in the hosts of an emulated cluster, $prefix of $testbed; source
# it after tap.sh.

# await WHAT COMMAND...: until it succeeds, for a minute at most
await() {
	await_what=$1
	shift
	for await_i in $(seq 600); do
		"$@" && return
		sleep 0.1
	done
	echo "# $await_what: not within a minute"
	return 1
}

# has_all PID FILE: it has written all packets that it has received; it tells on SIGUSR1
has_all() {
	kill -USR1 "$1" && sleep 0.1 &&
		tail -n 1 "$2" | awk '/ captured,/ { all = $2 + $10 >= $5 } END { exit !all }'
}

# captured FOLDER HOST... -- COMMAND...: runs it, while the TCP packets of each host go to
# FOLDER/HOST.pcap; its exit status, or 99
captured() {
	captured_to=$1 captured_by=
	shift
	mkdir -p "$captured_to" || return 99
	while [ "$1" != -- ]; do
		"$testbed" exec --prefix="$prefix" "$1" -- tcpdump -i plink0 -s 256 \
			--immediate-mode -w "$captured_to/$1.pcap" tcp \
			2>"$captured_to/$1" &
		captured_by="$captured_by $! $captured_to/$1"
		await "$1 listens" grep -q 'listening on' "$captured_to/$1" || return 99
		shift
	done
	shift
	"$@"
	captured_rc=$?
	# shellcheck disable=SC2086
	set -- $captured_by
	while [ $# -gt 0 ]; do
		await "$2 has all" has_all "$1" "$2" || captured_rc=99
		kill "$1" && wait "$1" || captured_rc=99
		shift 2
	done
	return $captured_rc
}
