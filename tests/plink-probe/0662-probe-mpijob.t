#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0662-probe-mpijob.t - plink-probe in the launcher's pod of an MPIJob, as its page
# says, with a kubectl that stands for the real one; --fanout
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
probe=$builddir/plink-probe
cp "$builddir/plink-agent" "$tmp/agent"
mkdir -p "$tmp/kube" "$tmp/mpi"

# what the operator puts there
printf 'pi-worker-0 slots=2\npi-worker-1 slots=2\npi-worker-2 slots=2\n' \
	>"$tmp/mpi/hostfile"
cat >"$tmp/mpi/kubexec.sh" <<END
#!/bin/sh
set -x
pod=\$1
shift
"$tmp/kube/kubectl" exec "\$pod" -- /bin/sh -c "\$*"
END
# kubectl exec [-i] [-c CONTAINER] POD -- COMMAND...: no input without -i
cat >"$tmp/kube/kubectl" <<END
#!/bin/sh
[ "\$1" = exec ] || exit 1
shift
input=
if [ "\$1" = -i ]; then
	input=yes
	shift
fi
if [ "\$1" = -c ]; then
	echo "\$2" >>"$tmp/containers"
	shift 2
fi
case \$1 in pi-worker-[012]) ;; *)
	echo "Error from server (NotFound): pods \"\$1\" not found" >&2
	exit 1 ;;
esac
echo "\$1" >>"$tmp/pods"
[ "\$2" = -- ] || exit 1
shift 2
[ -n "\$input" ] || exec "\$@" </dev/null
exec "\$@"
END
chmod +x "$tmp/mpi/kubexec.sh" "$tmp/kube/kubectl"

# run TEMPLATE ARG...: status in $rc
run() {
	template=$1
	shift
	"$probe" --bandwidth=no --launch="$template" --agent="$tmp/agent" --iface=lo \
		--probes=5 "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

run "$tmp/kube/kubectl exec -i -c mpi-worker %h -- sh -c" "$tmp/mpi/hostfile"
is "the job's host file, kubectl by its path: done" "$rc" 0
has "all pairs of its workers" "$(cat "$tmp/err")" "6 pairs measured, 0 missing"
is "in their pods" "$(sort -u "$tmp/pods" | xargs)" \
	"pi-worker-0 pi-worker-1 pi-worker-2"
is "in the container named" "$(sort -u "$tmp/containers")" mpi-worker
cp "$tmp/out" "$tmp/matrix"
"$builddir/plink-order" --matrix="$tmp/matrix" "$tmp/mpi/hostfile" \
	>"$tmp/order" 2>"$tmp/err"
is "an order, with the job's slots" "$? $(sort -u "$tmp/order" | xargs)" \
	"0 pi-worker-0 pi-worker-1 pi-worker-2"
is "a line for each rank" "$(wc -l <"$tmp/order")" 6

# kubexec.sh gives commands no input
run "$tmp/mpi/kubexec.sh %h" "$tmp/mpi/hostfile"
is "kubexec.sh, without -i: no agent starts" "$rc" 4

# how many start at a time: each waits for a while before its agent does
cat >"$tmp/slow" <<END
#!/bin/sh
touch "$tmp/starting.\$1"
ls "$tmp" | grep -c '^starting' >>"$tmp/counts"
sleep 0.2
rm "$tmp/starting.\$1"
shift
exec sh -c "\$1"
END
chmod +x "$tmp/slow"
seq -f h%g 9 >"$tmp/nine"
run "$tmp/slow %h" --fanout=2 "$tmp/nine"
is "--fanout=2: nine hosts are measured" "$rc" 0
is "and two started at a time" "$(sort -n "$tmp/counts" | tail -1)" 2
run false --fanout=0 "$tmp/nine"
is "--fanout=0: usage" "$rc" 2

done_testing
