#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0530-testbed-mpi.t - Open MPI takes the emulated hosts for machines
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/machines.sh"

"$testbed" matrix --racks=4x4 --intra-us=100 --inter-us=1000 --shuffle \
	>"$tmp/m" 2>/dev/null
ok "up" testbed_up --matrix="$tmp/m"

# an order that is not the hosts' own
for i in 3 15 0 7 11 2 9 14 1 5 13 6 10 4 12 8; do
	echo "h$i"
done >"$tmp/ranks-on"
on_machines 16 sh -c 'echo "$OMPI_COMM_WORLD_RANK $(hostname)"' >"$tmp/out"
is "mpirun ends well" "$?" 0
is "each rank on the host of its line" \
	"$(sort -n "$tmp/out" | cut -d' ' -f2 | xargs)" "$(xargs <"$tmp/ranks-on")"
on_machines 16 sh -c 'exit 3' >/dev/null
is "the job's exit status comes back" "$?" 3
if [ -x "$builddir/bench/allreduce" ]; then
	# what the library itself leaks does not matter here
	on_machines 16 env ASAN_OPTIONS=detect_leaks=0 "$builddir/bench/allreduce" \
		--sizes=2k,64k --blocks=1 --iterations=2 >/dev/null
	is "an all-reduce over it gives the right sums" "$?" 0
fi
is "none of it stays" \
	"$("$testbed" exec --prefix=$prefix h5 -- sh -c 'pgrep -c "^(orted|prted)\$"')" 0
ok "down" "$testbed" down --prefix=$prefix

done_testing
