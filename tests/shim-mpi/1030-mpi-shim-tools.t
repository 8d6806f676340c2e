#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1030-mpi-shim-tools.t - profiling tools, and what the library shows of itself
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

plan 2 '1 0' >"$tmp/plan"
tool=$builddir/libplink-test-mpi-tool.so
mpi 4 -x LD_PRELOAD="$tool $preload" -x PLINK_PLAN="$tmp/plan" "$as" 2 \
	"$ranks" >"$tmp/out"
is "a tool in front of the shim: the job ends well" $? 0
is "the ranks are those of the plan" "$(grep -v tool "$tmp/out" | sort | xargs)" \
	"0:h0:2 1:h0:3 2:h1:0 3:h1:1"
is "the tool is called, and sees the world that the program sees" \
	"$(grep tool "$tmp/out" | sort)" \
	"$(for r in 0 1 2 3; do
		echo "tool: rank $r asked 1 times, of MPI_COMM_WORLD"
	done)"

# exported for all that mpirun starts, itself included
LD_PRELOAD=$preload PLINK_PLAN=$tmp/plan mpi 4 -x LD_PRELOAD -x PLINK_PLAN \
	"$as" 2 "$ranks" >"$tmp/out" 2>"$tmp/err"
is "mpirun may have the preload, too" "$? $(sort "$tmp/out" | xargs)" \
	"0 0:h0:2 1:h0:3 2:h1:0 3:h1:1"

# an MPI library that the shim was not made for
preload_foreign="$preload $builddir/libplink-test-mpi-foreign.so"
foreign() {
	mpi 4 -x LD_PRELOAD="$preload_foreign" -x PLINK_PLAN="$tmp/plan" \
		"$as" 2 "$@" >"$tmp/out" 2>"$tmp/err"
}
major=$(mpirun --version | sed -n 's/.*(Open MPI) \([0-9]*\).*/\1/p')
foreign "$ranks"
is "another MPI: ranks stay" "$? $(sort "$tmp/out" | xargs)" \
	"0 0:h0:0 1:h0:1 2:h1:2 3:h1:3"
is "another MPI: that is said once" "$(cat "$tmp/err")" \
	"libplink-mpi: made for Open MPI $major, not for \"Any MPI v4.1.4\"; ranks \
stay as they are"
export PLINK_STRICT=1
survived foreign "$ranks"
is "another MPI, PLINK_STRICT: the job ends with 1" "$? $(cat "$tmp/out")" "1 "
has "for the reason said" "$(cat "$tmp/err")" \
	'not for "Any MPI v4.1.4"; ending the job (PLINK_STRICT)'
unset PLINK_STRICT
foreign "$builddir/tests/shim-mpi/same" "$tmp/file"
is "another MPI: the program ends well" $? 0
is "another MPI: it is given the program's own functions" \
	"$(grep "the program's$" "$tmp/out")" ""
has "and they are called" "$(cat "$tmp/out")" \
	"ok an error of a call without communicator"

# the generator: what it makes, and what it does not take
# generate BY-HAND DECLARATION [TIMED [SHADOWED]]: a hundred functions and this one to $tmp/c
generate() {
	{
		seq 100 | sed 's/.*/int MPI_F&(int x[], MPI_Comm comm);/'
		echo "$2"
	} | "${AWK:-awk}" -v by_hand="$1" -v timed="${3:-}" \
		-v shadowed="${4:-}" -f "$srcdir/shim/mpi/generate.awk" >"$tmp/c" 2>"$tmp/err"
}
ok "functions of a header" generate F7 'int MPI_G(const int a[],
	const MPI_Datatype *b, MPI_Comm one, char **c[], MPI_Comm two)
	__attribute__((__deprecated__("not so; call MPI_H(MPI_Comm x); now")));'
ok "every communicator goes through" grep -qxF \
	"	return PL_MPI_NEXT(PMPI_G)(a, b, pl_mpi_enter(one), c, \
pl_mpi_enter(two));" "$tmp/c"
is "all but those written by hand" "$(grep -c '^PL_MPI_ALIAS' "$tmp/c")" 100
ok "a pointer to one, a typedef, another result without one" generate '' \
	'typedef int (MPI_T)(MPI_Comm, int); double MPI_W(void);
	int MPI_P(MPI_Comm *comm); int PMPI_F1(int x[], MPI_Comm comm);
	int OMPI_C_MPI_FN(MPI_Comm c, int k);'
is "are left alone" "$(grep -c '^PL_MPI_ALIAS' "$tmp/c")" 100
for bad in 'int MPI_G(MPI_Comm c, void (*f)(int));' 'void *MPI_G(MPI_Comm c);'; do
	generate '' "$bad"
	is "what it cannot read is an error: $bad" "$?" 1
done
generate None ''
is "a name by hand that the header lacks is an error" "$?" 1
has "and said" "$(cat "$tmp/err")" "MPI_None is not in mpi.h"
ok "but for one that it may lack" generate 'None? F7?' \
	'int MPI_G(MPI_Comm c);'
is "all others are there" "$(grep -c '^PL_MPI_ALIAS' "$tmp/c")" 100
ok "functions that are counted" generate '' 'int MPI_Get_all(void *b, MPI_Comm c);
	int MPI_Iget_all(void *b, MPI_Comm comm, MPI_Request *r);
	int MPIX_Get_all_init(void *b, MPI_Comm comm, MPI_Info i, MPI_Request *r);
	int MPI_Bcast(MPI_Comm c);' 'Bcast Get_all'
is "all forms note the blocking one's arguments, each its own number" \
	"$(awk '/pl_stats_note/ { n = $0 } /pl_bytes_/ { print n $0 }' "$tmp/c" |
		tr -d '\t')" \
	"pl_stats_note(3, c,pl_bytes_Get_all(b, c),
pl_stats_note(4, comm,pl_bytes_Get_all(b, comm),
pl_stats_note(5, comm,pl_bytes_Get_all(b, comm),
pl_stats_note(0, c,pl_bytes_Bcast(c),"
is "by which they have names, as plans have them" "$(grep '^	{"' "$tmp/c" |
	xargs)" "{broadcast, blocking}, {broadcast, nonblocking}, {broadcast, \
persistent}, {get-all, blocking}, {get-all, nonblocking}, {get-all, persistent},"
generate '' 'int MPI_Bcast(MPI_Comm c);' 'Bcast Get_all'
is "one that the header lacks is an error" "$? $(cat "$tmp/err")" \
	"1 generate.awk: MPI_Get_all is not in mpi.h"
ok "functions that may run on a shadow" generate '' 'int MPI_Bcast(MPI_Comm c);
	int MPIX_Bcast_init(MPI_Comm comm, MPI_Request *r);' '' 'Bcast Bcast_init'
is "call ours, each by its name" "$(grep 'return pl_' "$tmp/c" | tr -d '\t')" \
	"return pl_mpi_Bcast(pl_mpi_enter(c));
return pl_mpi_Bcast_init(pl_mpi_enter(comm), r);"
generate '' 'int MPI_Bcast(MPI_Comm c);' '' 'Bcast Bcast_init'
is "one of them that the header lacks is an error" "$? $(cat "$tmp/err")" \
	"1 generate.awk: MPI_Bcast_init is not in mpi.h"
sh -c 'echo "int MPI_F(MPI_Comm c);" | "$0" -f "$1"' "${AWK:-awk}" \
	"$srcdir/shim/mpi/generate.awk" >"$tmp/c" 2>"$tmp/err"
is "and so is a header with next to nothing" "$?" 1

# the header's functions and those that are wrapped
grep -c '^PL_MPI_ALIAS' "$builddir/shim/mpi/wrappers.c" >"$tmp/n"
ok "most of MPI is wrapped ($(cat "$tmp/n"))" test "$(cat "$tmp/n")" -ge 100

done_testing
