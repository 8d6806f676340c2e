#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0675-probe-mpich-machines.t - plink-probe-mpich on emulated machines, which MPICH's
# mpirun reaches as it does by ssh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
probe=$builddir/plink-probe-mpich
[ -x "$probe" ] || skip_all "built without MPICH"
. "$srcdir/tests/machines.sh"
command -v mpirun.mpich >/dev/null || skip_all "no mpirun.mpich here"

"$testbed" matrix --racks=2x2 --intra-us=1000 --inter-us=8000 --shuffle \
	--seed=3 >"$tmp/m" 2>/dev/null
ok "up" testbed_up --matrix="$tmp/m"
for i in 2 0 3 1; do
	echo "h$i"
done >"$tmp/hosts"
cat >"$tmp/rsh" <<END
#!/bin/sh
exec "$testbed" rsh --prefix=$prefix "\$@"
END
chmod +x "$tmp/rsh"

# on LAUNCHER COMMAND...: from h0, one process on each machine
on() {
	launcher=$1
	shift
	timeout -k 10 300 "$testbed" exec --prefix=$prefix h0 -- \
		mpirun.mpich -launcher "$launcher" -launcher-exec "$tmp/rsh" \
		-f "$tmp/hosts" -ppn 1 -n 4 "$@" 2>"$tmp/err" </dev/null
}

on rsh uname -n >"$tmp/out"
is "by rsh: a process on each machine" "$? $(sort "$tmp/out" | xargs)" \
	"0 h0 h1 h2 h3"
on ssh uname -n >"$tmp/out"
is "by ssh, which gets -x from it" "$? $(sort "$tmp/out" | xargs)" \
	"0 h0 h1 h2 h3"
# ranks wait for messages, where MPICH's own poll
on ssh env ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 PLINK_YIELD_POLLS=4 \
	LD_PRELOAD="$builddir/libplink-bench-yield.so" "$probe" --probes=60 \
	-o "$tmp/matrix"
# 255 where MPICH's own end was given up, which depends on what is on its way
rc=$?
ok "plink-probe-mpich ends" test $rc = 0 -o $rc = 255
has "having measured all" "$(cat "$tmp/err")" "12 pairs measured; "
is "hosts are the machines, in rank order" \
	"$(sed -n 's/^# host //p' "$tmp/matrix" | xargs)" \
	"h2 node=h2 h0 node=h0 h3 node=h3 h1 node=h1"
has "two pairs are measured at both ends" "$(cat "$tmp/matrix")" "
# drift ways=4 "
# by the least of 60: machines share processors
is "racks are told apart without a mistake" "$(awk '
	NR == FNR { if ($2 == "rack") rack[$3] = $4; next }
	/^# layer/ { of = $3 } /^#/ || of != "min" { next }
	{ name[++r] = $1; line[r] = $0 }
	END { for (i = 1; i <= r; i++) {
		split(line[i], c, " ")
		for (j = 1; j <= r; j++)
			if (i != j && ++n)
				bad += (rack[name[i]] == rack[name[j]]) != \
					(c[j + 1] < 8e6)
	} print n, bad + 0 }' "$tmp/m" "$tmp/matrix")" "12 0"
ok "down" "$testbed" down --prefix=$prefix

done_testing
