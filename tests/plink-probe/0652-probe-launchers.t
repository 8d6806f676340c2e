#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0652-probe-launchers.t - launchers by name: arguments, and the real ones that can
# be here; each carries the agent itself, too
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
probe=$builddir/plink-probe
mkdir "$tmp/bin"
cp "$builddir/plink-agent" "$tmp/agent"

# what the agent is, or how it gets there: sent where it is static
how=--push=$tmp/agent
printf 'a\nb\n' >"$tmp/hosts"
"$probe" --bandwidth=no --launch='sh -c' "$how" --iface=lo --probes=1 "$tmp/hosts" \
	>/dev/null 2>"$tmp/err"
if grep -q "needs shared libraries" "$tmp/err"; then
	how=--agent=$tmp/agent
fi

# run LAUNCHER: status in $rc
run() {
	"$probe" --bandwidth=no --launch="$1" "$how" --iface=lo --probes=5 "$tmp/hosts" \
		>"$tmp/out" 2>"$tmp/err"
	rc=$?
}

# double NAME N: a launcher that writes down its first N words and runs what is
# left: one word by a shell, as ssh does, or a program and its arguments
double() {
	cat >"$tmp/bin/$1" <<END
#!/bin/sh
echo "\$*" | cut -d' ' -f1-$2 >>"$tmp/$1.said"
shift $2
[ \$# = 1 ] && exec sh -c "\$1"
[ "\$# \$1 \$2" = "3 sh -c" ] || exit 99
exec "\$@"
END
	chmod +x "$tmp/bin/$1"
}
PATH=$tmp/bin:$PATH
while read -r name words want; do
	double "$name" "$words"
	run "$name"
	is "$name: exit 0" "$rc" 0
	is "$name: its arguments" "$(sort -u "$tmp/$name.said" | tr '\n' '|')" \
		"$(echo "$want" | sed 's/%h/a/')|$(echo "$want" |
			sed 's/%h/b/')|"
	rm "$tmp/bin/$name"
done <<'END'
ssh 2 -oBatchMode=yes %h
srun 6 -Q --overlap -N1 -n1 -w %h
mpirun 4 -n 1 -host %h
kubectl 4 exec -i %h --
END
run pdsh
is "pdsh: exit 2" "$rc" 2
has "pdsh: why" "$(cat "$tmp/err")" "pdsh gives commands no standard input"

# the real ones
if mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
	OMPI_ALLOW_RUN_AS_ROOT=1
	OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
	printf '127.0.0.1\nlocalhost\n' >"$tmp/hosts"
	run mpirun
	is "Open MPI's mpirun: exit 0" "$rc" 0
	has "Open MPI's mpirun: both ways" "$(cat "$tmp/err")" \
		"2 pairs measured, 0 missing"
else
	skip "Open MPI's mpirun: exit 0" "it is not here"
fi

done_testing
