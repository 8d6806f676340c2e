#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1442-documents-machines.t - what plink(7) has its readers type, typed on emulated
# machines. Open MPI, MPICH and torchrun are the real ones.
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"
. "$srcdir/tests/machines.sh"
[ -f "$builddir/libplink-mpich.so" ] && command -v mpiexec.hydra >/dev/null ||
	skip_all "no MPICH here, or built without it"
python=${PLINK_PYTHON:-/usr/bin/python3}
. "$srcdir/tests/python/warm.sh"

. "$srcdir/tests/torchrun.sh"
cd "$tmp" || exit 99
. "$srcdir/tests/documents/machines.sh"
"$python" "$srcdir/tests/documents/blocks.py" man "$builddir/man/plink.7" \
	blocks >list
is "plink(7): its examples have names" "$?" 0

# What stands for other programs: kubectl reaches the machines as pods; DeepSpeed and
# LightGBM, which are not here, tell what they are given.
cat >bin/kubectl <<'END'
#!/bin/sh
case "$*" in
"get pods -l app=train -o name") sed 's,^,pod/,; s, .*,,' hosts.txt ;;
"create configmap job-plan --from-file=job.plan") cp job.plan configmap ;;
"exec -i node"[1-4]" -- sh -c "*) exec ssh "$3" "$7" ;;
*) echo "unknown command: $*" >&2 && exit 1 ;;
esac
END
# ranks as its pdsh launcher gives them: in the order of the host file
cat >bin/deepspeed <<'END'
#!/bin/sh
for w; do
	case $w in
	--hostfile=*) file=${w#*=} ;;
	--no_python | --no_local_rank) ;;
	--*) echo "deepspeed: unrecognized arguments: $w" >&2 && exit 2 ;;
	*) break ;;
	esac
	shift
done
! grep -vE '^[^[:space:]]+[[:space:]]+slots=[0-9]+$' "$file" || exit 1
rank=0
first=$(sed 's/ .*//; q' "$file")
[ "$1" != train.py ] || set -- python3 "$@"
while read -r host _; do
	echo "RANK=$rank LOCAL_RANK=0 CROSS_RANK=$rank WORLD_SIZE=4 CROSS_SIZE=4 \
LOCAL_SIZE=1 MASTER_ADDR=$first $*" >.run$rank
	ssh "$host" "cd $PWD && PATH=$PATH env $(cat .run$rank)" </dev/null || exit
	rank=$((rank + 1))
done <"$file"
END
cat >bin/lightgbm <<'END'
#!/bin/sh
echo "$*"
END
# the real torchrun; that of 1.13 stumbles without the three where Python is 3.11
cat >bin/torchrun <<END
#!/bin/sh
exec "$python" -m torch.distributed.run --redirects=1 --tee=1 \
	--log_dir="$tmp/log.\$(uname -n)" "\$@"
END
# tells its machine and its rank, and leaves torch to torchrun
cat >train.py <<'END'
import os
print("rank", os.environ["RANK"], os.uname().nodename, os.environ["MASTER_ADDR"],
      flush=True)
END
# a worker of XGBoost
cat >learn.py <<'END'
import os
print("rank", os.environ["DMLC_TASK_ID"], os.uname().nodename, flush=True)
END
chmod +x bin/*
printf 'node4 slots=1\nnode1 slots=1\nnode2 slots=1\nnode3 slots=1\n' >theirs
echo "machines = 10.77.0.4:9,10.77.0.3:9,10.77.0.2:9,10.77.0.1:9" >train.conf

cp blocks/file.hosts.txt hosts.txt
# what an operator sets in pods, and a volume elsewhere
{
	echo "export RANK=\$I WORLD_SIZE=4 LOCAL_RANK=0 MASTER_ADDR=node1"
	sed "s,/plink/,$tmp/volume/,g" blocks/everywhere.kubernetes-pod
} >mapped && mv mapped blocks/everywhere.kubernetes-pod
while read -r kind name; do
	[ "$name" != kubernetes-pod ] || { mkdir volume && cp configmap volume/job.plan; }
	[ "$kind:$name" != everywhere:torchrun ] || torchrun_meets || {
		skip "$name" "this PyTorch lacks the libuv that its torchrun wants"
		continue
	}
	case $kind in
	run | everywhere) $kind "$name" ;;
	esac
	case $kind:$name in
	run:main | run:twice)
		halves "$name: the host file suits recursive doubling" \
			"$(cat hostfile)"
		;;
	run:doctor)
		ok "$name: a table of what is well" grep -Eq '^udp ' out
		;;
	run:measure)
		has "$name: all pairs" "$(cat err)" "12 pairs measured, 0 missing"
		halves "$name: the plan suits recursive doubling" \
			"$(planned job.plan)"
		# what busy processors let through is chance
		sed -i 's/^\(# card [^ ]*\).*/\1 10Gbit 10Gbit/; /^# uplink/d' net.matrix
		;;
	run:openmpi | run:mpich)
		has "$name: the launcher keeps the order" "$(cat err)" \
			"verified: all 4 ranks are on their hosts"
		halves "$name: ranks suit recursive doubling" \
			"$(sort -n out | cut -d' ' -f2)"
		;;
	run:openmpi-shim)
		ranks_are "$name: what is shown first" "$(sed -n \
			's/^[0-9]* -> \([0-9]* node\)/\1/p' out)" job.plan
		ranks_are "$name: what ranks there are" "$(grep '^[0-9] node' out)" \
			job.plan
		has "$name: what they have called" "$(cat stats.json)" barrier
		;;
	run:mpich-shim)
		ranks_are "$name: what is shown" "$(sed -n \
			's/^[0-9]* -> \([0-9]* node\)/\1/p' out)" mpich.plan
		is "$name: what is loaded" "$(sed -n \
			's/^[0-3] node[1-4] //p' out | uniq -c | xargs)" \
			"4 libplink-mpich.so mpich.plan"
		;;
	everywhere:torchrun)
		ranks_are "$name: what ranks there are" \
			"$(find log.* -type f -exec sed -n \
				's/^.*rank \([0-9]*\) \(node[0-9]\).*/\1 \2/p' {} +)" \
			nccl.plan
		;;
	run:torchrun-plans)
		ring "$name: for Gloo's ring" "$(planned gloo.plan)"
		ring "$name: for NCCL's ring" "$(planned nccl.plan)"
		;;
	everywhere:torchrun-check)
		ranks_are "$name: each sees its number" "$(numbers)" nccl.plan
		;;
	everywhere:nccl)
		ranks_are "$name: what ranks there are" \
			"$(sed -n 's/^rank \([0-9]* node[0-9]\) .*/\1/p' out)" \
			nccl.plan
		is "$name: all meet at the first" "$(cut -d' ' -f4 out |
			sort -u)" 10.77.0.1
		;;
	run:deepspeed)
		ring "$name: ranks go round a ring" "$(sort out |
			cut -d' ' -f3)"
		;;
	run:deepspeed-exec)
		ranks_are "$name: what ranks there are" \
			"$(sed -n 's/^rank \([0-9]* node[0-9]\) .*/\1/p' out)" \
			nccl.plan
		;;
	run:lightgbm)
		is "$name: the list has the plan's order" \
			"$(sed -n 's/^10.77.0.\([1-4]\) 12400$/node\1/p' \
				machines.txt)" "$(planned lightgbm.plan)"
		;;
	everywhere:lightgbm-list)
		is "$name: the file that there is" "$(sort -u out)" \
			"config=train.conf num_machines=4 \
machine_list_filename=machines.txt local_listen_port=12400"
		ok "$name: it is there" test -s machines.txt
		;;
	everywhere:lightgbm-plan)
		is "$name: the plan's order" "$(sort -u out |
			sed 's/.*machines=//' | tr , '\n' |
			sed 's/^10.77.0.\([1-4]\):9$/node\1/')" \
			"$(planned lightgbm.plan)"
		;;
	run:xgboost)
		ring "$name: the plan suits a ring" "$(planned xgboost.plan)"
		;;
	everywhere:xgboost-exec)
		ranks_are "$name: what ranks there are" \
			"$(sed -n 's/^rank //p' out)" xgboost.plan
		;;
	run:kubernetes)
		has "$name: all pairs" "$(cat err)" "12 pairs measured, 0 missing"
		ring "$name: the plan suits a ring" "$(planned configmap)"
		;;
	everywhere:kubernetes-pod)
		ranks_are "$name: what ranks there are" \
			"$(sed -n 's/^rank \([0-9]* node[0-9]\) .*/\1/p' out)" \
			configmap
		;;
	slurm:* | file:*) ;; # 1444-documents-slurm.t
	*) fail "$kind $name: an example that no test looks at" ;;
	esac
done <list
is "the host file by ranks" "$(sed 's/ slot.*//' rankfile | head -n 1)" \
	"rank 0=node3"
ok "down" "$testbed" down --prefix=$prefix

done_testing
