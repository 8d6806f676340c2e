#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1096-mpi-abi.t - the shims in programs of an MPI library that they were not made for
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

abi=$builddir/tests/shim-mpi/abi
ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
LD_LIBRARY_PATH=$abi
export ASAN_OPTIONS LD_LIBRARY_PATH
unset LD_PRELOAD PLINK_PLAN PLINK_HOST PLINK_MPI_MODE PLINK_STRICT PLINK_STATS \
	OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK PALS_RANKID SLURM_PROCID
export PLINK_PLAN="$tmp/no-plan"

# run VARIABLE=VALUE... PROGRAM ARGUMENT...: with the shim
run() {
	env LD_PRELOAD="$shim" "$@" >"$tmp/out" 2>"$tmp/err"
}

# says REST: what the shim says of the double
says() {
	echo "$name: made for $made_for, not for \"$text\" with the standard ABI; $1"
}

check() {
	for how in init thread session; do
		for program in direct indirect; do
			what="$name, $program, $how"
			run "$abi/$program" $how 'a  b' ''
			is "$what: as without" "$? $(cat "$tmp/out")" \
				"0 ok - - [$abi/$program] [$how] [a  b] []"
			is "$what: that is said once" "$(cat "$tmp/err")" \
				"$(says 'ranks stay as they are')"
			run PLINK_STRICT=1 "$abi/$program" $how
			is "$what, PLINK_STRICT: the job ends with 1" \
				"$? $(cat "$tmp/out")" "1 "
			is "$what, PLINK_STRICT: for the reason said" \
				"$(cat "$tmp/err")" \
				"$(says 'ending the job (PLINK_STRICT)')"
		done
		run "$abi/loads" $how
		is "$name, loaded later, $how: the job ends" \
			"$? $(cat "$tmp/out")" "1 "
		is "$name, loaded later, $how: for the reason said" \
			"$(cat "$tmp/err")" \
			"$(says 'ending the job, which would crash')"
	done

	for rank in PMI_RANK PMIX_RANK PALS_RANKID SLURM_PROCID; do
		run $rank=1 "$abi/direct" init
		is "$name, $rank=1: nothing is said" "$? $(cat "$tmp/err")" "0 "
	done
	run PMI_RANK=0 SLURM_PROCID=1 "$abi/direct" init
	is "$name, the first rank says it" "$(cat "$tmp/err")" \
		"$(says 'ranks stay as they are')"
	run PLINK_MPI_MODE=off PLINK_STRICT=1 "$abi/direct" init
	is "$name, off: nothing is said" "$? $(cat "$tmp/err")" "0 "
	run PLINK_MPI_MODE=off PLINK_STATS="$tmp/stats" "$abi/direct" init
	is "$name, off, but counting: that it does not" "$? $(cat "$tmp/err")" \
		"0 $(says 'ranks stay as they are')"

	# what a script before it was told by the shim (early.c)
	run OMPI_COMM_WORLD_RANK=3 PMIX_RANK=0 "$abi/direct" init
	case $name in
	libplink-mpi) want=0 ;;
	*) want=3 ;;
	esac
	is "$name: the rank in the environment is the launcher's" \
		"$(cut -d' ' -f2 "$tmp/out")" $want
	run LD_PRELOAD="libm.so.6 $shim:libdl.so.2" "$abi/direct" init
	is "$name: other preloads stay" "$(cut -d' ' -f3 "$tmp/out")" \
		libm.so.6:libdl.so.2
	loader=$(readelf -l "$abi/direct" | sed -n 's/.*interpreter: \(.*\)]/\1/p')
	run "$loader" "$abi/direct" init x
	is "$name, started by the dynamic linker: as without" \
		"$? $(sed 's/.*\[init/[init/' "$tmp/out")" "0 [init] [x]"
	# where LD_PRELOAD has not brought it, the program cannot be started anew
	"$loader" --preload "$shim" "$abi/direct" init >"$tmp/out" 2>"$tmp/err"
	rc=$?
	case $name in
	libplink-mpi) want="0 ok $(says 'ranks stay as they are')" ;;
	*) want="1 $(says 'ending the job, which would crash')" ;;
	esac
	is "$name, brought in another way: as its handles allow" \
		"$(echo "$rc" "$(cut -d' ' -f1 "$tmp/out")" "$(cat "$tmp/err")" |
			tr -s ' ')" "$want"
	run /bin/sh -c "echo \$LD_PRELOAD"
	is "$name, a program without MPI: it keeps the preload" \
		"$(cat "$tmp/out" "$tmp/err")" "$shim"

	# what it is, it says, or its name does
	cp "$abi/libmpi_abi.so.0" "$tmp/libmpi.so.12"
	run LD_PRELOAD="$shim $tmp/libmpi.so.12" "$abi/direct" init
	is "$name, the ABI by another name: as without" "$? $(cat "$tmp/err")" \
		"0 $(says 'ranks stay as they are')"
	run TEST_MPI_ABI=no "$abi/direct" init
	is "$name, a draft of the ABI: as without" "$? $(cat "$tmp/err")" \
		"0 $(says 'ranks stay as they are')"
}

# made_for SHIM: "Open MPI 4", as plink-mpirun learns it
made_for() {
	PMI_RANK=0 "$builddir/plink-mpi-check" "$1" |
		sed -n 's/^plink-check 0 made-for //p'
}

"$builddir/plink-mpi-check" x 2>"$tmp/err"
is "plink-mpi-check by hand: exit 2" "$? $(cat "$tmp/err")" \
	"2 plink-mpi-check: plink-mpirun(1) starts this"
for name in libplink-mpi libplink-mpich; do
	shim=$builddir/$name.so
	if ! [ -e "$shim" ]; then
		skip "$name" "not built"
		continue
	fi
	made_for=$(made_for "$shim")
	case $name in
	libplink-mpi) text="Open MPI v${made_for##* }.9.9" ;;
	*) text="MPICH Version: ${made_for##* }.9.9" ;;
	esac
	export TEST_MPI_TEXT="$text, of nobody"
	check
done
# a name, a version and no word of the ABI: only the handles are wider
if [ -e "$builddir/libplink-mpich.so" ]; then
	run LD_PRELOAD="$shim $tmp/libmpi.so.12" TEST_MPI_ABI=no "$abi/direct" init
	is "libplink-mpich, wider handles: the job ends" "$? $(cat "$tmp/out")" "1 "
	is "libplink-mpich, wider handles: for the reason said" "$(cat "$tmp/err")" \
		"$name: made for $made_for, not for \"$text\" with other handles; ending \
the job, which would crash"
	# a shell with the preload is no program of MPI, whatever MPI came with it
	mkdir "$tmp/lib"
	cp "$abi/libmpi_abi.so.0" "$tmp/lib/$(readelf -d "$shim" |
		sed -n 's/.*NEEDED.*\[\(libmpi.*\)]/\1/p')"
	run LD_LIBRARY_PATH="$tmp/lib" TEST_MPI_TEXT="MPICH Version: 3.0" \
		TEST_MPI_ABI=no /bin/sh -c 'echo $LD_PRELOAD'
	is "libplink-mpich, another MPICH, no program of MPI: it keeps the preload" \
		"$(cat "$tmp/out" "$tmp/err")" "$shim"
else
	skip "wider handles" "built without MPICH"
fi

done_testing
