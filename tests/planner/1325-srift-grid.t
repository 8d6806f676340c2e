#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1325-srift-grid.t - a grid measured on emulated machines, cut off and gone on with
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/machines.sh"
python=$(sed -n 's/^TORCH_PYTHON = //p' "$builddir/Makefile")
mpi_python=${python:=python3}
. "$srcdir/tests/python/warm.sh"

cd "$tmp" || exit 99
seq -f 'h%g' 0 3 >hosts
"$testbed" matrix --racks=2x2 --intra-us=200 --inter-us=500 >matrix 2>/dev/null
testbed_up --matrix=matrix 2>/dev/null
is "four machines are up" $? 0

# what is measured, in a hundredth of the time: how well it is measured is not tested here;
# from 1 KiB on it waits while there is a file "hold"
sed "s/^BLOCK_S = 0.2 /BLOCK_S = 0.002 /
	s|^    for size, together.*|&\\
        while size >= 1024 and os.path.exists(\"$tmp/hold\"):\\
            time.sleep(0.05)|" \
	"$srcdir/planner/srift/learned/plink_allreduce.py" >all_reduce.py
is "a short program" "$(grep -c '^BLOCK_S = 0.002 \|/hold' all_reduce.py)" 2

# grid OPTION...: on machine h0; its status to $rc
grid() {
	case " $* " in
	*" --backend=mpi "*) grid_python=$mpi_python ;;
	*) grid_python=$python ;;
	esac
	timeout -k 10 300 "$testbed" exec --prefix=$prefix h0 -- env \
		PYTHONDONTWRITEBYTECODE=1 "$builddir/plink-srift" grid \
		--instance=small --rated=1Gbit -o grid.csv --sizes=4-256k --repeat=2 \
		--mpirun="mpirun $on_testbed" --python="$grid_python" \
		--program="$tmp/all_reduce.py" "$@" hosts \
		>out 2>"${err:-err}"
	rc=$?
}

# rows RANKS: measurements that the grid has
rows() {
	awk -F, -v n="$1" 'NR > 1 && $11 == n' grid.csv 2>/dev/null | wc -l
}

grid --dry-run
is "--dry-run: exit 0" $rc 0
is "says what it would measure" "$(cat out)" "2 machines, 2 ranks: 34 measurements
4 machines, 4 ranks: 34 measurements"
ok "and makes no file" test ! -e grid.csv

grid --machines=2
is "two machines: exit 0" $rc 0
is "all are there" "$(rows 2) $(rows 4)" "34 0"
has "it is said" "$(cat err)" "grid.csv: 34 of 34 measurements added"

# by MPI now, whose import takes less than PyTorch's; killed when some rows of four
# machines are there; its last line is cut off
touch hold
err=killed grid --backend=mpi &
job=$!
for _ in $(seq 300); do
	[ "$(rows 4)" -lt 3 ] || break
	sleep 0.1
done
for pid in $(pgrep -f "plink-srift grid --instance=small"); do
	[ "$(readlink "/proc/$pid/cwd")" != "$tmp" ] || kill -9 "$pid"
done
wait $job
rm hold
had=$(rows 4)
ok "killed in between" test "$had" -ge 3 -a "$had" -lt 34
truncate -s -5 grid.csv
grid --backend=mpi
is "the same command: exit 0" $rc 0
has "says that a line was cut off" "$(cat err)" "its last line is cut off and is measured again"
is "measures the rest" "$(rows 2) $(rows 4) $(sort grid.csv | uniq -d | wc -l)" "34 34 0"
grid
has "and then nothing" "$rc $(cat err)" "0 plink-srift: grid.csv: 0 of 0 measurements added"
"$builddir/plink-srift" train --model=model --trees=20 --depth=4 --rate=0.3 grid.csv >out 2>err
has "plink-srift train learns from it" "$? $(cat out err)" "0 grid.csv: 68 rows, 1 machine;"

grid --backend=mpi --machines=4 --sizes=1k --together=1,2 --rated=3Gbit --instance=mpi
is "MPI, one and two together: exit 0" "$rc $(cut -d, -f4,10-12 grid.csv | grep ^mpi | xargs)" \
	"0 mpi,1024,4,1 mpi,1024,4,1 mpi,1024,4,2 mpi,1024,4,2"
touch hold
grid --backend=mpi --sizes=512k-64M --time-limit=2
rm hold
is "the time is spent: exit 1" $rc 1
has "it is told, and how to go on" "$(cat err)" \
	"the time or the budget is spent: the same command measures the rest"
grid --rated=2Gbit --repeat=3
is "a machine that is another by now: exit 3" $rc 3
has "is told" "$(cat err)" "grid.csv has small as another machine"
echo h9 >>hosts
grid --machines=5 --sizes=4
is "a job that fails: exit 4" $rc 4
echo "bytes,ranks" >grid.csv
grid
is "another's file: exit 3" "$rc $(cat grid.csv)" "3 bytes,ranks"
has "its place" "$(cat err)" "grid.csv:1:1: plink-srift grid did not begin this file"
"$testbed" down --prefix=$prefix

# An mpirun whose job says what the file "says" has.
mkdir bin
cat >bin/mpirun <<'END'
#!/bin/sh
[ "$1" != --version ] || { echo "mpirun (Open MPI) 4.1.4" && exit; }
echo 'machine {"gpu": "", "cpu": " a \"b\", c ", "cores": 2, "memory_gib": 4}'
. ./says
END
chmod +x bin/mpirun
# job OPTION...: two measurements are wanted
job() {
	PATH=$tmp/bin:$PATH timeout 300 "$builddir/plink-srift" grid --instance=a \
		--rated=1Gbit --sizes=4-8 --repeat=1 "$@" hosts >out 2>err
	rc=$?
}
good='echo 4 1 0.1; echo 8 1 0.2'
echo "$good" >says
printf 'h0\nh1\n' >hosts
printf '{"mine": 1}' >foreign
job -o foreign
is "a file of somebody else without a line end: exit 3, as it was" "$rc $(cat foreign)" \
	'3 {"mine": 1}'
printf 'cloud,reg' >early
job -o early
is "killed in the first line: goes on" "$rc $(wc -l <early)" "0 3"
job -o early
has "a name that is not written as it was told is the same again" "$rc $(cat err)" \
	"0 plink-srift: early: 0 of 0"
{
	echo 'echo "-4 -1 3"; echo "0 0 1"; echo 4 1 1e300; echo 4 1 nan; echo 4 1 1 x'
	echo 'head -c 4096 /dev/zero | tr "\0" a; echo "4 1 1"; printf "z\0\n"; echo 8 1 0.2'
} >says
job -o odd
is "what is no measurement that was asked for is none" "$(sed 1d odd | cut -d, -f11-)" \
	"8,2,1,0.2"
is "and what lacks is an error: exit 4" $rc 4
has "that is told" "$(cat err)" "ended without 1 of its measurements"
echo 'trap "" TERM; echo 4 1 0.1; exec >&-; sleep 60' >says
job -o late --time-limit=2
is "a job that does not end: exit 1, what it said is there" "$rc $(wc -l <late)" "1 2"
echo "$good" >says
job -o rich --budget=1e9 --price=0.01
is "a large budget is no end" $rc 0
printf 'h0 22\nh1 22\n' >hosts
job -o ports
is "ports: exit 3" $rc 3

# all_reduce_perf of nccl-tests, by an mpirun that starts two of it; it prints what the
# real one does (src/util.cu of nccl-tests 2.19.6). An all-reduce takes 40 us and 1 us for
# 1 KiB in place, and always 99 us out of place.
printf 'h0\nh1\n' >hosts
cat >bin/mpirun <<'END'
#!/bin/sh
[ "$1" != --version ] || { echo "mpirun (Open MPI) 4.1.4" && exit; }
while [ "$1" != -n ]; do shift; done
shift 2
FAKE_RANK=1 "$@" && FAKE_RANK=0 "$@"
END
cat >bin/nvidia-smi <<'END'
#!/bin/sh
echo "NVIDIA H100 80GB HBM3${FAKE_GPU:+ $FAKE_RANK}"
END
cat >bin/all_reduce_perf <<'END'
#!/bin/sh
echo "$*" >>calls
[ "$FAKE_RANK" = 0 ] || [ -n "${FAKE_ALONE-}" ] || exit 0
while [ $# -gt 0 ]; do
	case $1 in
	-b) b=$2 ;;
	-e) e=$2 ;;
	-N) n=$2 ;;
	esac
	shift 2
done
ranks=2
[ -z "${FAKE_ALONE-}" ] || ranks=1
awk -v b="$b" -v e="$e" -v cycles="$n" -v ranks=$ranks -v most="${FAKE_LINES:-1000}" 'BEGIN {
	print "# nccl-tests version 2.19.6 nccl-headers=22809 nccl-library=22809"
	print "# Collective test starting: all_reduce_perf"
	printf "# nThread 1 nGpus 1 minBytes %d maxBytes %d step: 2(factor) warmup iters: 1 ", b, e
	print "iters: 20 agg iters: 1 validation: 0 graph: 0 unalign: 0\n#\n# Using devices"
	for (r = 0; r < ranks; r++)
		printf "#  Rank %2d Group %2d Pid %6d on %10s device %2d [%04x:%02x:%02x] %s\n",
			r, 0, 4711, "h" r, 0, 0, 27, 0, "NVIDIA H100 80GB HBM3"
	print "NCCL version 2.28.9+cuda12.9\n#"
	printf "# %10s  %12s  %8s  %6s  %6s           out-of-place  %18s   in-place          \n",
		"", "", "", "", "", ""
	row = "# %10s  %12s  %8s  %6s  %6s  %7s  %6s  %6s  %6s  %7s  %6s  %6s  %6s \n"
	printf row, "size", "count", "type", "redop", "root", "time", "algbw", "busbw", "#wrong",
		"time", "algbw", "busbw", "#wrong"
	printf row, "(B)", "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)", "",
		"(us)", "(GB/s)", "(GB/s)", ""
	while (cycles-- > 0)
		for (s = b; s <= e; s *= 2) {
			t = 40 + s / 1024
			if (most-- <= 0)
				exit 1
			printf "%12d  %12d  %8s  %6s  %6d  %7.2f  %6.2f  %6.2f    N/A  %7.2f  %6.2f  %6.2f    N/A\n",
				s, s / 4, "float", "sum", -1, 99, s / 99e3,
				s / 99e3, t, s / t / 1e3, s / t / 1e3
		}
	print "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 1 \n#"
	print "# Collective test concluded: all_reduce_perf"
}'
END
chmod +x bin/*
# nccl OPTION...: sizes of 4 B to 8 KiB, two times each
nccl() {
	PATH=$tmp/bin:$PATH timeout 300 "$builddir/plink-srift" grid --instance=h100 \
		--rated=100Gbit --sizes=4-8k --repeat=2 --nccl-tests=all_reduce_perf \
		-o "$@" hosts >out 2>err
	rc=$?
}
nccl gpus
is "nccl-tests: exit 0" "$rc $(cat err)" "0 plink-srift: gpus: 24 of 24 measurements added"
is "one run on each rank: each size twice, the slowest rank, unchecked" "$(sort -u calls)" \
	"-b 4 -e 8192 -f 2 -N 2 -a 3 -c 0"
is "the time in place" "$(sed -n 's/.*,8192,2,1,//p' gpus | tr '\n' ' ')" "4.8e-05 4.8e-05 "
is "the machine" "$(cut -d, -f5,7,8 gpus | sed 1d | sort -u)" \
	"NVIDIA H100 80GB HBM3,$(getconf _NPROCESSORS_ONLN),$(awk '/^MemTotal/ {
		printf "%d", $2 / 1048576 + 0.5 }' /proc/meminfo)"
rm calls
FAKE_LINES=14 nccl half
is "killed in the second cycle: exit 4" $rc 4
nccl half
is "the rest" "$rc $(sed 1d half | cut -d, -f10 | sort | uniq -c | awk '{ print $1 }' |
	sort -u) $(tail -n 1 calls)" "0 2 -b 16 -e 8192 -f 2 -N 1 -a 3 -c 0"
FAKE_ALONE=1 nccl alone
is "built without MPI: exit 4" $rc 4
has "why" "$(cat err)" "all_reduce_perf runs with 1 rank, not 2: was it built with MPI=1?"
FAKE_GPU=1 nccl other
is "machines that differ: exit 3" $rc 3
has "how" "$(cat err)" "the machines differ:"
nccl both --backend=nccl
is "a backend, too: exit 2" $rc 2
nccl two --together=1,2
is "two at once: exit 2" $rc 2

for option in --instance='#a' --mpirun=' ' --machines=4,2 --sizes=3-8 --together=0 --price=1; do
	"$builddir/plink-srift" grid --instance=a --rated=1Gbit -o g $option hosts \
		>out 2>err
	is "$option: exit 2" $? 2
done
done_testing
