#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1085-mpirun-machines.t - plink-mpirun on emulated machines
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"
. "$srcdir/tests/machines.sh"

"$testbed" matrix --racks=2x2 --intra-us=100 --inter-us=2000 --seed=1 \
	>"$tmp/m" 2>/dev/null
ok "up" testbed_up --matrix="$tmp/m"
# the racks in turns, and a plan that begins on h3
for h in h0 h2 h1 h3; do
	echo "$h"
	echo "$h"
done >"$tmp/ranks-on"
cat >"$tmp/plan" <<'END'
# plink-plan 1
host 0 h0 slots=2
host 1 h1 slots=2
host 2 h2 slots=2
host 3 h3 slots=2
order allreduce ring openmpi 0- : 3 1 0 2
END

# with OPTION... -- COMMAND...: eight processes by plink-mpirun
with() {
	machines_mpirun="$builddir/plink-mpirun --plan=$tmp/plan"
	while [ "$1" != -- ]; do
		machines_mpirun="$machines_mpirun $1"
		shift
	done
	shift
	on_machines 8 "$@" >"$tmp/out" </dev/null
	rc=$?
	out=$(cat "$tmp/out")
	err=$(cat "$tmp/err")
}

with --check-only -- true
is "which rank each process gets, on which host" "$rc $err $out" "0  0 -> 4 h0
1 -> 5 h0
2 -> 6 h2
3 -> 7 h2
4 -> 2 h1
5 -> 3 h1
6 -> 0 h3
7 -> 1 h3"
with --dry-run -- ./app
has "standard input goes to the one that becomes rank 0" "$out" \
	"mpirun --stdin 6 -x PLINK_PLAN=$tmp/plan -x LD_PRELOAD=$preload -np 8"
with --dry-run -- --stdin all ./app
has "where the user does not say more" "$out" "mpirun -x PLINK_PLAN="
with --dry-run --mode=shadow -- ./app
has "not where ranks stay" "$out" \
	"mpirun -x PLINK_PLAN=$tmp/plan -x PLINK_MPI_MODE=shadow -x LD_PRELOAD"
with --strict -- "$ranks"
is "the program runs with these ranks" "$rc $err $(sort "$tmp/out" | xargs)" \
	"0  0::4 1::5 2::6 3::7 4::2 5::3 6::0 7::1"
with --strict --mode=shadow -- "$ranks"
is "ranks stay in shadow mode" "$rc $err $(sort "$tmp/out" | xargs)" \
	"0  0::0 1::1 2::2 3::3 4::4 5::5 6::6 7::7"
with --strict -- "$ranks" 7
is "its status is the job's" "$rc" 7

# who reads a line from standard input: a shell, by what it knows before MPI_Init
cat >"$tmp/reader" <<'END'
#!/bin/sh
read -r line
[ -z "$line" ] || echo "$(uname -n) $OMPI_COMM_WORLD_RANK $line"
"$1" >/dev/null
END
chmod +x "$tmp/reader"
echo "a line" | on_machines 8 "$tmp/reader" "$ranks" >"$tmp/out"
is "standard input is read by rank 0" "$(cat "$tmp/out")" "h3 0 a line"
machines_mpirun=mpirun
echo "a line" | on_machines 8 -x LD_PRELOAD="$preload" \
	-x PLINK_PLAN="$tmp/plan" "$tmp/reader" "$ranks" >"$tmp/out"
is "it is another rank's under mpirun" "$(cat "$tmp/out")" "h0 4 a line"

# machines that differ: something lies over a file there
over() {
	as_root "$1" mount --bind "$2" "$3"
}
off() {
	as_root "$1" umount "$2"
}
cp "$preload" "$tmp/lib.so"
echo "no library" >"$tmp/none"
sed 's/ring/tree/' "$tmp/plan" >"$tmp/tree"
if over h1 "$tmp/none" "$tmp/lib.so"; then
	with --library="$tmp/lib.so" -- "$ranks"
	is "a machine that cannot load the library: nothing is run" \
		"$rc $out" "125 "
	has "it is named" "$err" \
		"h1 (ranks 4-5): cannot load the library: $tmp/lib.so: "
	has "and it alone" "$err" "2 of 8 processes could not"
	off h1 "$tmp/lib.so"
	over h3 "$tmp/tree" "$tmp/plan"
	with -- "$ranks"
	is "another plan on a machine: nothing is run" "$rc $out" "125 "
	has "it is named" "$err" \
		"h3 (ranks 6-7): the plan there is another one than here"
	off h3 "$tmp/plan"
	over h3 /dev/null "$tmp/plan"
	with -- "$ranks"
	is "no plan on a machine: it runs" "$rc $(sort "$tmp/out" | xargs)" \
		"0 0::4 1::5 2::6 3::7 4::2 5::3 6::0 7::1"
	has "and that is said" "$err" \
		"2 of 8 processes cannot read $tmp/plan: the others send it to them"
	off h3 "$tmp/plan"
else
	skip "machines that differ" "cannot mount there"
fi
sed 's/h2/h9/' "$tmp/plan" >"$tmp/other"
mv "$tmp/other" "$tmp/plan"
with -- "$ranks"
is "a machine that is not in the plan: nothing is run" "$rc $out" "125 "
has "it is named" "$err" "h2 (ranks 2-3): the plan has no host with this name"
ok "down" "$testbed" down --prefix=$prefix

done_testing
