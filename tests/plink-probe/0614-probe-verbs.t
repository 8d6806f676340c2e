#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0614-probe-verbs.t - adapters that UDP does not go by
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cp "$builddir/plink-agent" "$tmp/agent"
printf 'a\nb\nc\n' >"$tmp/hosts"
cat >"$tmp/launch" <<END
#!/bin/sh
sh -c "\$2" | sed -u "\$(cat "$tmp/edit.\$1" 2>/dev/null)"
END
chmod +x "$tmp/launch"

run() {
	"$builddir/plink-probe" --bandwidth=no --launch="$tmp/launch %h" --agent="$tmp/agent" \
		--iface=lo --probes=20 "$@" "$tmp/hosts" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

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
run --json
has "JSON has what the matrix notes" "$(tr -d '\n' <"$tmp/out")" '"self-echo-ns": [      "'
has "JSON warns, too" "$(tr -d '\n' <"$tmp/out")" \
	'"warnings": [    "RDMA adapters (efa hosts=2 rdmap0s6): a job may go'
has "of each kind" "$(cat "$tmp/out")" '"RDMA adapters (infiniband hosts=1 mlx5_9)'
printf '%s\n' 's/^ready$/verbs\nready/' >"$tmp/edit.c"
run
is "an adapter without a name: exit 1" "$rc" 1
has "an adapter without a name: said" "$(cat "$tmp/err")" \
	'c: its agent said "verbs"'

done_testing
