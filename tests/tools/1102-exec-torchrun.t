#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1102-exec-torchrun.t - plink-exec and the real torchrun: static, and c10d from inside
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

python=${PLINK_PYTHON:-/usr/bin/python3}
. "$srcdir/tests/python/warm.sh"
. "$srcdir/tests/torchrun.sh"
torchrun_meets || skip_all "this PyTorch lacks the libuv that its torchrun wants"

cd "$tmp" || exit 99
tool=$builddir/plink-exec
unset RANK LOCAL_RANK WORLD_SIZE MASTER_ADDR MASTER_PORT PLINK_PLAN \
	PLINK_MAX_AGE SLURM_PROCID OMPI_COMM_WORLD_RANK CROSS_RANK NCCL_COMM_ID
GLOO_SOCKET_IFNAME=lo OMP_NUM_THREADS=1
export GLOO_SOCKET_IFNAME OMP_NUM_THREADS
cat >plan <<END
# plink-plan 1
host 0 h0 slots=2 addr=127.0.0.1
host 1 h1 slots=2 addr=127.0.0.1
host 2 h2 slots=2 addr=127.0.0.1
order allreduce ring gloo 0- : 2 0 1
END
# each WORD...: torchruns as on the hosts $hosts, %h the number of each; what they print
# to $out
each() {
	each_pids=
	rm -f out? err?
	for h in $hosts; do
		words=
		for w in "$@"; do
			words="$words $(echo "$w" | sed "s/%h/$h/")"
		done
		PLINK_HOST=h$h timeout -k 10 600 $words >"out$h" 2>"err$h" \
			</dev/null &
		each_pids="$each_pids $!"
	done
	rc=
	for pid in $each_pids; do
		wait "$pid"
		rc="$rc $?"
	done
	out=$(sed -n 's/^\(\[default0\]:\)\?ranks/ranks/p' out?)
	[ "${rc#* [!0]}" = "$rc" ] || sed 's/^/# /' err?
}

# The torchrun of PyTorch 1.13 fails on Python 3.11, where its flag "0" is none, as
# plink-exec(1) says: here it is mended as it starts, and called as users call it.
cat >torchrun <<END
#!$python
from torch.distributed.elastic.multiprocessing.api import Std
from torch.distributed.run import main
if Std.from_str("0") is None:
    from_str = Std.from_str
    Std.from_str = classmethod(lambda cls, text: from_str(text) or Std.NONE)
main()
END
chmod +x torchrun
# two hosts are enough for most
sed '/^host 2/d; /^order/s/:.*/: 1 0/' plan >two
is "each option, by each beginning of its name, as torchrun's own parser has it" \
	"$("$python" "$srcdir/tests/tools/torchrun-names.py" "$tool" two)" many
hosts="0 1"
each "$tool" -p two ./torchrun --nnodes=2 --nproc_per_node=2 --node_rank=%h \
	--master_addr=127.0.0.1 --master_port="$(free_ports 1)" \
	"$srcdir/tests/tools/ranks.py"
is "torchrun, mended: done" "$rc" " 0 0"
is "torchrun, mended: each process has the plan's rank" "$out" \
	"ranks h1.0 h1.1 h0.0 h0.1 sum 6"

# as it is, with the options of plink-exec(1), and a process on each host
sed 's/slots=2 //' plan >single
mv single plan
hosts="0 1 2"
run="$python -m torch.distributed.run --nproc_per_node=1 --redirects=1 --tee=1
	--log_dir=$tmp/log"

each "$tool" -p plan $run --nn=3 --node_r=%h --master_a=127.0.0.1 \
	--master_port="$(free_ports 1)" "$srcdir/tests/tools/ranks.py"
is "static, around it: done" "$rc" " 0 0 0"
is "static: each process has the plan's rank, the same in gloo" "$out" \
	"ranks h2.0 h0.0 h1.0 sum 3"

hosts="0 1"
run="$run --nnodes=2"
sed '/^host 2/d; /^order/s/:.*/: 1 0/' plan >two
mv two plan
want="ranks h1.0 h0.0 sum 1"
each $run --rdzv_backend=c10d --rdzv_endpoint=127.0.0.1:"$(free_ports 1)" --no_python \
	"$tool" -p plan "$python" "$srcdir/tests/tools/ranks.py"
is "c10d, from inside: done" "$rc" " 0 0"
is "c10d: each process has the plan's rank" "$out" "$want"

each $run --node_rank=%h --master_addr=127.0.0.1 --master_port="$(free_ports 1)" \
	--no_python "$tool" -p plan "$python" "$srcdir/tests/tools/ranks.py"
is "static, from inside: the store is where torchrun has it" "$rc" " 0 0"
is "static, from inside: each process has the plan's rank" "$out" "$want"

PLINK_HOST=h1 "$tool" -p plan $run --rdzv_backend=c10d \
	--rdzv_endpoint=127.0.0.1:1 train.py >out 2>err
is "c10d, around it: refused" "$?" 125
has "and what to do is said" "$(cat err)" "--no_python plink-exec"

done_testing
