# SPDX-License-Identifier: BSD-3-Clause
# engine.sh - programs in engine mode; source it after mpi.sh
PLINK_MPI_MODE=engine
PLINK_STRICT=1
export PLINK_MPI_MODE PLINK_STRICT

# schedule RACKS [OPTION...]: to $tmp/plan, for every size, in short chunks, or of $chunk
# bytes, and over two connections
schedule() {
	"$builddir/plink-testbed" matrix --racks="$1" --intra-us=100 \
		--inter-us=500 >"$tmp/matrix" 2>"$tmp/err"
	shift
	sed -n 's/^# rack \([^ ]*\) .*/\1/p' "$tmp/matrix" |
		sed "s/\$/${slots:+ slots=$slots}/" >"$tmp/hosts"
	"$builddir/plink-order" --matrix="$tmp/matrix" --format=schedule \
		--connections=2 "$@" "$tmp/hosts" >"$tmp/made" 2>>"$tmp/err" || cat "$tmp/err"
	sed '/^schedule/s/[0-9]*- chunk=[0-9]* window=[0-9]*/0- chunk='${chunk:-1000}' window=3/' \
		"$tmp/made" >"$tmp/plan"
}

# compare WHAT N COMMAND...: bare, each such command once, and in engine mode. $lives: how
# many communicators come and go in engine mode; without, few say the same lines
compare() {
	what=$1
	n=$2
	shift 2
	bare=$tmp/bare-$(echo "$n $* $OMPI_MCA_pml" | cksum | cut -d' ' -f1)
	[ -e "$bare" ] || {
		mpi "$n" "$@" ${lives:+5 5 2} >"$bare"
		echo $? >"$bare.rc"
	}
	is "$what: the program ends well without" "$(cat "$bare.rc")" 0
	# shellcheck disable=SC2086 # a word for each number
	shim "$n" "$as" 1 "$@" $lives >"$tmp/with" 2>"$tmp/err"
	is "$what: and with" "$? $(cat "$tmp/err")" "0 "
	is "$what: all is as without" "$(cat "$tmp/with")" "$(cat "$bare")"
	relay "$what" "$tmp/with"
}

# unequal WHAT: a rank all-reduces fewer elements than the others
unequal() {
	shim 3 "$as" 1 "$programs/unequal" >"$tmp/out" 2>"$tmp/err"
	is "unequal buffers, $1: all learn that it fails" "$(sort "$tmp/out")" \
		"$(printf 'rank %d: failed\n' 0 1 2)"
	has "unequal buffers, $1: and are told why" "$(cat "$tmp/err")" "buffers differ"
}

# unseen WHAT N COMMAND...: none of its all-reduces of many elements are the library's
unseen() {
	what=$1
	n=$2
	shift 2
	preload_alone=$preload
	case $library in
	openmpi) preload="$preload $builddir/libplink-test-mpi-seen.so" ;;
	mpich) preload="$preload $builddir/libplink-test-mpich-seen.so" ;;
	esac
	shim "$n" "$as" 1 "$@" >"$tmp/with" 2>"$tmp/err"
	is "$what: no all-reduce is the library's" "$? $(cat "$tmp/err")" "0 "
	is "$what: all are right" "$(grep '^not ok' "$tmp/with")" ""
	# Open MPI's own nonblocking all-reduces crash in 1 of 100 runs (libnbc)
	PLINK_MPI_MODE=off survived shim "$n" "$as" 1 "$@" >"$tmp/with" 2>"$tmp/err"
	for form in _Allreduce _Iallreduce _Allreduce_init; do
		has "$what: without the mode, it sees all forms" "$(cat "$tmp/err")" \
			"the library has seen PMPI$([ $library$form$shared = openmpi_Allreduce_initvader ] &&
				echo X)$form"
	done
	preload=$preload_alone
}
