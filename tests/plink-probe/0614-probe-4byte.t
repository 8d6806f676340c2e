#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0614-probe-4byte.t - the thesis' packet, and adapters that UDP does not go by
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cp "$builddir/plink-agent" "$tmp/agent"
printf 'a\nb\nc\n' >"$tmp/hosts"
cat >"$tmp/launch" <<END
#!/bin/sh
tee "$tmp/told.\$1" | sh -c "\$2" | sed -u "\$(cat "$tmp/edit.\$1" 2>/dev/null)"
END
chmod +x "$tmp/launch"

run() {
	"$builddir/plink-probe" --launch="$tmp/launch %h" --agent="$tmp/agent" \
		--iface=lo --probes=20 "$@" "$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

run --insecure-4byte --drift=0 --again=0
is "packets of 4 bytes: exit 0" "$rc" 0
has "every pair is measured" "$(cat "$tmp/err")" "6 pairs measured, 0 missing"
has "nothing was refused" "$(cat "$tmp/err")" "; 0 packets refused"
has "standard error warns" "$(cat "$tmp/err")" \
	"--insecure-4byte: whoever can send by a host's address"
ok "so does the matrix" grep -q '^# insecure-4byte ' "$tmp/out"
ok "and its pace" grep -qx '# pace gap-us=1000 flows=4 insecure-4byte' "$tmp/out"
is "agents were told to" "$(cat "$tmp"/told.* |
	grep -c '^run .* insecure-4byte$')" 3
sed 's/^b [0-9]* /b nan /' "$tmp/out" >"$tmp/part"
run --resume="$tmp/part"
is "a matrix of such packets is not filled by others: exit 3" "$rc" 3
has "why" "$(cat "$tmp/err")" \
	"measured with gap-us=1000 flows=4 insecure-4byte, not gap-us=1000 flows=4"
run --resume="$tmp/part" --insecure-4byte
is "but by such: exit 0" "$rc" 0
is "a packet has 32 bytes with its headers" "$("$builddir/plink-probe" \
	--insecure-4byte --dry-run "$tmp/hosts" |
	awk '/^packets/ { p = $2 } /^bytes/ { print $2 / p }')" 32

run
is "with tags again: exit 0" "$rc" 0
is "and no word of it" "$(cat "$tmp/err" "$tmp/out" | grep -c 4byte)" 0

# hosts whose agents find RDMA adapters
printf '%s\n' 's/^ready$/verbs ethernet mlx5_0\nverbs efa rdmap0s6\nready/' >"$tmp/edit.a"
cp "$tmp/edit.a" "$tmp/edit.b"
printf '%s\n' 's/^ready$/verbs infiniband mlx5_9\nready/' >"$tmp/edit.c"
run
is "adapters for RDMA: exit 0" "$rc" 0
has "a job may go by them" "$(cat "$tmp/err")" \
	"RDMA adapters (efa hosts=2 rdmap0s6): a job may go by them and not"
has "each kind is told" "$(cat "$tmp/err")" "(infiniband hosts=1 mlx5_9)"
ok "also in the matrix" grep -qx '# verbs efa hosts=2 rdmap0s6' "$tmp/out"
is "a host's other adapters are not" "$(grep -c mlx5_0 "$tmp/out")" 0
run --json --insecure-4byte --drift=0 --again=0
has "JSON has what the matrix notes" "$(tr -d '\n' <"$tmp/out")" '"self-echo-ns": [      "'
has "JSON warns, too" "$(tr -d '\n' <"$tmp/out")" \
	'"warnings": [    "RDMA adapters (efa hosts=2 rdmap0s6): a job may go'
has "of each kind" "$(cat "$tmp/out")" '"RDMA adapters (infiniband hosts=1 mlx5_9)'
has "and of packets of 4 bytes" "$(cat "$tmp/out")" \
	"\"--insecure-4byte: whoever can send by a host's address"
printf '%s\n' 's/^ready$/verbs\nready/' >"$tmp/edit.c"
run
is "an adapter without a name: exit 1" "$rc" 1
has "an adapter without a name: said" "$(cat "$tmp/err")" \
	'c: its agent said "verbs"'

done_testing
