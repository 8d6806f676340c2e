# SPDX-License-Identifier: BSD-3-Clause
# machines.sh - the emulated machines on which examples of a page are typed; source it
# after tap.sh, mpi.sh and machines.sh, in $tmp. node1 and node4 are in one rack,
# node2 and node3 in another; farthest apart are node1 and node2, node3 and node4, which
# are neighbours in the given order.
mkdir bin blocks
{
	echo "# plink-matrix 1"
	echo "# quantity one-way"
	echo "# unit us"
	echo "node1 0 3000 2000 100"
	echo "node2 3000 0 100 2000"
	echo "node3 2000 100 0 3000"
	echo "node4 100 2000 3000 0"
} >delays
ok "up" testbed_up --matrix=delays

# ssh reaches the machines of the testbed, but for those that the file "away" names
cat >bin/ssh <<END
#!/bin/sh
while case \$1 in -*) true ;; *) false ;; esac; do shift; done
! grep -qsxF "\$1" "$tmp/away" || { echo "no route to \$1" >&2; exit 255; }
exec "$testbed" rsh --prefix=$prefix "\$@"
END
# a program that tells its machine and its rank; one of MPICH only what it would
# load, for MPICH 4.0 over machines often does not come back from MPI_Finalize
cat >app <<END
#!/bin/sh
if [ "\$PMI_RANK" ]; then
	echo "\$PMI_RANK \$(uname -n) \${LD_PRELOAD##*/} \${PLINK_PLAN##*/}"
	exec sleep 0.5
fi
line=\$("$ranks") || exit
echo "\${line##*:} \$(uname -n)"
END
# only an agent that is static can be sent along, which none is with sanitizers
printf 'a\nb\n' | "$builddir/plink-probe" --launch='sh -c' --push --iface=lo \
	--probes=1 - >/dev/null 2>pushed
if grep -q "needs shared libraries" pushed; then
	cat >bin/plink-probe <<END
#!/bin/sh
for w; do
	shift
	[ "\$w" = --push ] || set -- "\$@" "\$w"
done
exec "$builddir/plink-probe" "\$@"
END
	chmod +x bin/plink-probe
fi
chmod +x bin/ssh app

# on HOST FILE: the block, as one would type it there
on() {
	timeout -k 10 600 "$testbed" exec --prefix=$prefix "$1" -- \
		env PATH="$tmp/bin:$builddir:$PATH" I=$((${1#node} - 1)) \
		OMPI_MCA_btl=tcp,self OMPI_MCA_pml=ob1 \
		OMPI_MCA_btl_tcp_if_include=plink0 \
		OMPI_MCA_oob_tcp_if_include=plink0 \
		OMPI_MCA_mpi_yield_when_idle=1 \
		OMPI_MCA_orte_tmpdir_base="$tmp" \
		HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC="$tmp/bin/ssh" \
		HYDRA_IFACE=plink0 GLOO_SOCKET_IFNAME=plink0 \
		OMP_NUM_THREADS=1 sh -e "$2" </dev/null
}

# run NAME: on the first machine; what it prints to out, says to err
run() {
	for _ in 1 2 3; do
		on node1 "blocks/run.$1" >out 2>err
		rc=$?
		# Hydra may lose what ends at once, and is asked again
		case $rc:$1 in
		[1-9]*:mpich*) ;;
		*) break ;;
		esac
	done
	is "$1: done" "$rc" 0
	[ $rc = 0 ] || sed 's/^/# /' err
}

# everywhere NAME: on all machines at once; to out.HOST and err.HOST, and all to out
everywhere() {
	everywhere_pids=
	for h in node1 node2 node3 node4; do
		on $h "blocks/everywhere.$1" >out.$h 2>err.$h &
		everywhere_pids="$everywhere_pids $!"
	done
	rc=
	for p in $everywhere_pids; do
		wait "$p"
		rc="$rc$?"
	done
	is "$1: done everywhere" "$rc" 0000
	[ $rc = 0000 ] || sed 's/^/# /' err.node*
	cat out.node* >out
}

# stands WHAT NAMES SHAPE...: four machines in an order of one of the shapes, in which x
# and x are farthest apart, as are y and y
stands() {
	stands_what=$1
	stands_names=$(echo "$2" | sed 's/ .*//' | xargs)
	shift 2
	for shape; do
		[ "$(echo "$stands_names" | sed 's/node//g' | tr 1234 xxyy)" != \
			"$shape" ] || {
			is "$stands_what" "$(echo "$stands_names" | xargs -n 1 |
				sort | xargs)" "node1 node2 node3 node4"
			return
		}
	done
	fail "$stands_what: $stands_names"
}

# ring WHAT NAMES: no two neighbours of the ring are farthest apart
ring() {
	stands "$1" "$2" "x y x y" "y x y x"
}

# halves WHAT NAMES: nor are any two that exchange in recursive doubling, 0-1 2-3 and
# then 0-2 1-3
halves() {
	stands "$1" "$2" "x y y x" "y x x y"
}

# the machines in a plan's order
planned() {
	awk '/^host/ { name[$2] = $3 }
		/^order/ && !n++ { sub(/.* : /, ""); for (i = 1; i <= NF; i++)
			print name[$i] }' "$1"
}

# ranks_are WHAT LINES PLAN: lines "RANK HOST" of all ranks, as the plan has them
ranks_are() {
	[ "$2" ] || fail "$1: there are none"
	is "$1" "$(echo "$2" | sort -n | xargs)" \
		"$(planned "$3" | awk '{ print NR - 1, $1 }' | xargs)"
}

# numbers: "RANK HOST" of each machine, of what plink-exec --dry-run showed there,
# which is nothing where the number stays
numbers() {
	for h in node1 node2 node3 node4; do
		n=$(sed -n 's/^NODE_RANK .* -> //p' out.$h)
		echo "${n:-$((${h#node} - 1))} $h"
	done
}
