# SPDX-License-Identifier: BSD-3-Clause
# openmpi.sh - what Open MPI's mpirun needs, by its version; source it after tap.sh.
# With $alone it uses no remote shell; $shared is its shared memory; by $on_testbed, which
# to_testbed sets, rank i runs on the emulated machine of line i of a host file.
# A start looks for no network of InfiniBand's kind, which would take as long as the rest.
: "${OMPI_MCA_pml:=^ucx,cm}"
export OMPI_MCA_pml
case $(mpirun --version 2>/dev/null) in
*'(Open MPI) '[1-4].*)
	alone='--mca plm isolated'
	shared=vader
	;;
*)
	alone=
	shared=sm
	;;
esac

# to_testbed [PORTS]: of $testbed and $prefix; what launches the job uses these ports.
# Jobs of two testbeds have the same host names and process numbers, and so would have
# their files under the same names.
to_testbed() {
	printf '#!/bin/sh\nexec "%s" rsh --prefix=%s "$@"\n' "$testbed" "$prefix" \
		>"$tmp/to-testbed"
	chmod +x "$tmp/to-testbed"
	on_testbed="--map-by seq --bind-to none --mca pml ob1 --mca btl tcp,self \
--mca btl_tcp_if_include plink0 --mca mpi_yield_when_idle 1"
	case $shared in
	vader)
		on_testbed="$on_testbed --mca plm rsh \
--mca plm_rsh_agent $tmp/to-testbed --mca plm_rsh_no_tree_spawn 1 \
--mca plm_rsh_num_concurrent 64 --mca oob_tcp_if_include plink0 \
--mca orte_tmpdir_base $tmp \
${1:+--mca oob_tcp_dynamic_ipv4_ports $1}"
		;;
	sm)
		on_testbed="$on_testbed --prtemca plm_ssh_agent $tmp/to-testbed \
--prtemca plm_ssh_no_tree_spawn 1 --prtemca plm_ssh_num_concurrent 64 \
--prtemca prte_if_include plink0 --prtemca prte_tmpdir_base $tmp \
${1:+--prtemca oob_tcp_dynamic_ipv4_ports $1}"
		;;
	esac
}
