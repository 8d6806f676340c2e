#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1500-c10d.t - the c10d backend plink: DDP over loopback, as it is over Gloo
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

module=$builddir/python/plink_c10d/_backend.so
[ -e "$module" ] ||
	skip_all "plink was built without PyTorch: install libtorch-dev"
# the one that it was built for
python=$(sed -n 's/^TORCH_PYTHON = //p' "$builddir/Makefile")

cd "$tmp" || exit 99
mkdir -p python/plink_c10d
cp "$srcdir"/python/plink_c10d/*.py "$module" python/plink_c10d/
export PYTHONPATH="$tmp/python" LD_LIBRARY_PATH="$builddir" \
	PYTHONDONTWRITEBYTECODE=1 GLOO_SOCKET_IFNAME=lo OMP_NUM_THREADS=1 \
	MASTER_ADDR=127.0.0.1 WORLD_SIZE=4 PLINK_PLAN="$tmp/schedule" \
	PLINK_VERBOSE=1 USE_LIBUV=0 # which Debian's PyTorch lacks
unset RANK LOCAL_RANK PLINK_HOST PLINK_STRICT

# hosts of two racks, three and one, numbered otherwise than the ranks
cat >schedule <<END
# plink-schedule 1
host 0 h1 addr=127.0.0.1
host 1 h3 addr=127.0.0.1
host 2 h0 addr=127.0.0.1
host 3 h2 addr=127.0.0.1
schedule two-level 1024- chunk=8192 window=8
slice 2
round add 1>0 2>0
round add 0>3
round store 3>0
round store 0>1 0>2
slice 1
round add 0>1 2>1
round add 3>1
round store 1>3 1>0 1>2
END

# what starts all jobs, as the lines to it tell; it ends with this script
mkfifo lines statuses
"$python" "$srcdir/tests/python/start.py" <lines >statuses &
exec 3>lines 4<statuses

# job [NAME=VALUE]... WORD...: python3 WORDs on the hosts $on, with these variables; exit
# statuses to $rc, what rank 0 printed to $out, all errors to $err
on=h0,h1,h2,h3
job() {
	job_with=
	while case $1 in *=*) true ;; *) false ;; esac do
		job_with="$job_with$1 "
		shift
	done
	echo "$job_with$on $*" >&3
	read -r rc <&4
	out=$(cat out0)
	err=$(cat err0 err1 err2 err3)
	[ "$rc" = "0 0 0 0" ] || [ $on = h0 ] || echo "$err" | sed 's/^/# /'
}

ddp=$srcdir/tests/python/ddp.py
job "$ddp" train gloo
is "DDP over gloo runs" "$rc" "0 0 0 0"
over_gloo=$out
has "and says nothing of plink" "none $err" "none"

job WHOLE_END=1 "$ddp" train plink
is "DDP over plink runs" "$rc" "0 0 0 0"
over_plink=$out
# how many buckets there are is PyTorch's affair: one or more in each of ten rounds
by_schedule() {
	sed -n 's/^plink: all-reduces: \([0-9]*\) by a schedule.*/\1/p' err0
}
ok "a schedule ran" test "$(by_schedule)" -ge 10
is "all ranks have the same parameters" \
	"$(echo "$over_plink" | awk '$1 == "params" { print NF }')" 2
printf '%s\n' "$over_gloo" >a
printf '%s\n' "$over_plink" >b
ok "losses are Gloo's to rounding" "$python" -c '
a, b = [[float.fromhex(line.split()[1]) for line in open(name)
         if line.startswith("loss")] for name in "ab"]
assert len(a) == len(b) == 10 and a[9] < a[0]
assert all(abs(x - y) <= 1e-5 * abs(x) for x, y in zip(a, b)), (a, b)'

job -m plink_c10d "$ddp" train gloo
is "an unchanged script, started with -m plink_c10d: the same bits again" \
	"$rc$out" "0 0 0 0$over_plink"
ok "runs by the schedule" test "$(by_schedule)" -ge 10

# the same script, with a hub beside the ranks
cat >hubs <<END
$(sed '/^schedule/,$d' schedule)
aggregator h8
schedule hubs 1024- chunk=8192 window=8
slice 1
round add 0>4 1>4 2>4 3>4
round store 4>0 4>1 4>2 4>3
END
(umask 077 && echo secret >key)
meet=127.0.0.1:$(free_ports 1)
PLINK_HUB_MEET=$meet PLINK_HUB_SECRET=$tmp/key timeout -k 10 600 "$builddir/plink-hub" --name=h8 hubs 2>err.hub &
hub=$!
job PLINK_PLAN="$tmp/hubs" PLINK_HUB_MEET="$meet" PLINK_HUB_SECRET="$tmp/key" \
	"$ddp" train plink
wait $hub
is "with a hub: DDP and the hub end well" "$rc $?" "0 0 0 0 0"
ok "all by the hub" test "$(by_schedule)" -ge 10 -a \
	"$(sed -n 's/^plink-hub: \([0-9]*\) calls.*/\1/p' err.hub)" -ge 10
printf '%s\n' "$out" >b
ok "losses with a hub are Gloo's to rounding" "$python" -c '
a, b = [[float.fromhex(line.split()[1]) for line in open(name)
         if line.startswith("loss")] for name in "ab"]
assert all(abs(x - y) <= 1e-5 * abs(x) for x, y in zip(a, b)), (a, b)'

job WHOLE_END=1 "$ddp" calls plink
is "all types and operations, many calls at once, groups" "$rc $out" \
	"0 0 0 0 done by plink"
is "none is wrong" "$(cat out1 out2 out3)" ""

job "$ddp" dies plink
is "a rank dies: an error on all others, at once" \
	"$(cut -d: -f1 out0 out1 out3)" "soon plink
soon plink
soon plink"

# refused FILE: what a job of one process says to it
refused() {
	on=h0
	job WORLD_SIZE=1 PLINK_PLAN="$1" "$ddp" train plink
	cat err0
}

has "without PLINK_PLAN" "$(refused '')" "PLINK_PLAN must name a file of schedules"
sed 's/host 3/# &/' schedule >broken
has "schedules that name a process too many" "$(refused broken)" "broken:"
printf '%s\n' '# plink-schedule 1' 'host 0 h0' 'host 1 h1' \
	'schedule pair 0- chunk=4096 window=0' 'slice 1' 'round add 0>1' \
	'round store 1>0' >two
has "schedules of another number of processes" "$(refused two)" \
	"two: schedules of 2 processes, and the job has 1"
sed 's/ h2 / h5 /' schedule >other
job PLINK_PLAN=other "$ddp" train plink
has "a host that is not in them" "$(cat err2)" \
	"PLINK_HOST=h2: not a host of the schedules"
has "which the others hear of, too" "$(cat err0)" "rank 2 could not join"

exec 3>&-
wait
done_testing
