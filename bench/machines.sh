# SPDX-License-Identifier: BSD-3-Clause
# machines.sh - for benches: programs on emulated machines. Source it where $build,
# $prefix and $keep are set and die() is there, then machines_begin.

# machines_begin [FOLDER]: sets up $tmp, which goes when the script ends, as the cluster
# does; before that, what is in its FOLDER is copied to $keep, if that is set. $build may
# become another name for the same.
machines_begin() {
	kept=${1:-.} running='' child='' up=no
	tmp=$(mktemp -d)
	trap machines_end EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	# Neither LD_PRELOAD nor plm_rsh_agent can quote a blank or colon in a path.
	case $build in
	*[[:space:]:]*)
		ln -s "$build" "$tmp/build"
		build=$tmp/build
		;;
	esac
	testbed=$build/plink-testbed user=''
}

# machines_user: sets $user, as whom all runs on the machines: who has called sudo, or
# else one who may do nothing. Only where that one cannot run what was built it is root.
machines_user() {
	user=${SUDO_USER:-nobody}
	HOME=$tmp SHELL=/bin/sh # mpirun warns of nobody, who has no shell
	export HOME SHELL
	find "$tmp" -type d -exec chown "$user" {} +
	if ! setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups \
		test -x "$testbed" 2>/dev/null; then
		echo "${0##*/}: $user cannot run $testbed: the machines' user is root" >&2
		user=root
		OMPI_ALLOW_RUN_AS_ROOT=1
		OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
		export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
	fi
}

# make_dir DIR...: in which programs on the machines write
make_dir() {
	mkdir -p "$@"
	[ -z "$user" ] || chown "$user" "$@"
}

# What is still running is ended by its number, the cluster by its own name, and with it
# the processes $running on its machines.
machines_end() {
	status=$?
	trap '' INT TERM HUP
	[ -z "$child" ] || kill "$child" 2>/dev/null || :
	[ "$up" = no ] || "$testbed" down --prefix="$prefix" >/dev/null || :
	[ -z "$running" ] || wait $running || :
	[ ! -h "$tmp/build" ] || rm "$tmp/build"
	if [ -n "$keep" ] && mkdir -p "$keep" && [ -d "$tmp/$kept" ]; then
		cp -R "$tmp/$kept/." "$keep/"
	fi
	rm -rf "$tmp"
	exit "$status"
}

# run COMMAND...: so that a signal to this script is acted upon at once
run() {
	rc=0
	"$@" &
	child=$!
	wait "$child" || rc=$?
	child=''
	return "$rc"
}

need_cluster() {
	why=$("$build/plink-testbed" check 2>&1) ||
		die "no emulated cluster can be made here: $why"
}

# what on_machines launches, and by what
need_openmpi() {
	[ -x "$build/bench/allreduce" ] ||
		die "built without Open MPI: install libopenmpi-dev"
	command -v mpirun >/dev/null 2>&1 ||
		die "no mpirun here: install openmpi-bin"
}

# machines_up MATRIX [OPTION...]: as of plink-testbed up
machines_up() {
	up=yes
	machines_of=$1
	shift
	[ "$user" ] || machines_user
	run "$testbed" up --matrix="$machines_of" --prefix="$prefix" --user="$user" "$@" \
		>"$tmp/up" 2>&1 || {
		cat "$tmp/up" >&2
		die "the cluster did not come up"
	}
}

machines_down() {
	"$testbed" down --prefix="$prefix" >/dev/null || die "it did not go down"
	up=no
}

on_h0() {
	run "$testbed" exec --prefix="$prefix" h0 -- "$@"
}

# The hosts of a host file, in one line.
hosts_of() {
	sed -e 's/#.*//' -e 's/[[:space:]:].*//' -e '/^$/d' "$1" | paste -sd' ' -
}

# on_machines HOSTFILE WORD...: Open MPI's mpirun on h0, rank i on line i, with what
# these machines need and nothing else. $preload, if set, is preloaded; with a $yield_us
# idle ranks sleep. Nothing hangs for longer than ten minutes.
on_machines() {
	hostfile=$1
	shift
	preloads=${preload:-}
	[ "$yield_us" = 0 ] || {
		preloads=${preloads:+$preloads:}$build/libplink-bench-yield.so
		set -- -x PLINK_YIELD_US="$yield_us" "$@"
	}
	[ -z "$preloads" ] || set -- -x LD_PRELOAD="$preloads" "$@"
	case $(mpirun --version) in
	*'(Open MPI) '[1-4].*)
		set -- --mca plm rsh --mca plm_rsh_no_tree_spawn 1 \
			--mca plm_rsh_num_concurrent 64 \
			--mca orte_tmpdir_base "$tmp" \
			--mca plm_rsh_agent "$testbed rsh --prefix=$prefix" "$@"
		;;
	*)
		set -- --prtemca plm_ssh_no_tree_spawn 1 \
			--prtemca plm_ssh_num_concurrent 64 \
			--prtemca prte_tmpdir_base "$tmp" \
			--prtemca plm_ssh_agent "$testbed rsh --prefix=$prefix" "$@"
		;;
	esac
	on_h0 timeout -k 5 600 mpirun --hostfile "$hostfile" --map-by seq \
		-np "$(wc -l <"$hostfile")" --bind-to none --mca pml ob1 --mca btl tcp,self --mca mpi_yield_when_idle 1 "$@"
}
