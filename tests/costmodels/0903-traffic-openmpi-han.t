#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0903-traffic-openmpi-han.t - as 0900: what Open MPI's coll/han sends on hosts of several
# ranks
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

check=$builddir/tests/costmodels/traffic-check
traffic=$builddir/tests/costmodels/mpi-traffic
[ -x "$traffic" ] || skip_all "built without MPI"
command -v mpirun >/dev/null 2>&1 || skip_all "no mpirun here"
mpirun --version 2>/dev/null | grep -q '(Open MPI) 4\.1\.' ||
	skip_all "the patterns are of Open MPI 4.1, mpirun is of another"

# the library's own leaks are not plink's
ASAN_OPTIONS=detect_leaks=0
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# hosts are daemons of this machine: ranks of one daemon share a host
cat >"$tmp/agent" <<END
#!/bin/sh
mkdir -p "$tmp/\$1"
TMPDIR=$tmp/\$1
export TMPDIR
shift
exec /bin/sh -c "\$*"
END
chmod +x "$tmp/agent"

# mpi N SLOTS COMMAND...
mpi() {
	mpi_n=$1
	awk -v n="$1" -v slots="$2" 'BEGIN { for (i = 0; i < n; i += slots)
		print "plink-h" i, "slots=" (n - i < slots ? n - i : slots) }' \
		>"$tmp/hosts"
	shift 2
	mpirun -np "$mpi_n" --hostfile "$tmp/hosts" --map-by slot --bind-to none \
		--mca plm rsh --mca plm_rsh_agent "$tmp/agent" \
		--mca plm_rsh_no_tree_spawn 1 --mca oob_tcp_if_include lo \
		--mca btl tcp,self --mca btl_tcp_if_include lo \
		--mca mpi_yield_when_idle 1 --mca coll_han_priority 100 \
		--mca coll_tuned_use_dynamic_rules 1 "$@"
}

if ! mpi 2 1 true 2>"$tmp/err"; then
	sed 's/^/# /' "$tmp/err"
	skip_all "mpirun cannot start daemons here"
fi

# cases WHICH: those of $tmp/all that awk finds by it, to $tmp/cases
cases() {
	awk "$1" "$tmp/all" >"$tmp/cases"
}

# sent: of $tmp/sent what is of $tmp/cases
sent() {
	awk 'NR == FNR { want[$1] = 1; next } $1 == "case" { on = $2 in want } on' \
		"$tmp/cases" "$tmp/sent"
}

# two hosts; hosts of three; an odd rank; more leaders than go by one message each; all in
# one job each: as is, in shorter segments, and the simple ones
plain='$3 == "han" && $7 == 0'
segments='$7 > 0'
simple='$3 == "han-simple"'
for job in "10 2" "7 2" "6 3" "4 2"; do
	"$check" openmpi cases $job >"$tmp/all"
	for which in "$plain" "$segments" "$simple"; do
		cases "$which"
		cat "$tmp/cases" >&3
	done 3>"$tmp/run"
	mpi $job "$traffic" "$tmp/run" >"$tmp/sent"
	for which in "$plain" "$segments" "$simple"; do
		cases "$which"
		sent >"$tmp/some"
		ok "${job% *} ranks, ${job#* } a host: $(wc -l <"$tmp/cases") cases, $which" \
			"$check" openmpi compare $job "$tmp/cases" <"$tmp/some"
	done
done

# the comparison can fail where segments may overtake each other: by a size alone
cases '$3 == "han" && $2 == "broadcast" && $5 > 65536 && $7 == 0'
sent >"$tmp/some"
sed '/sizes/{s/sizes ./sizes 0/;q}' "$tmp/some" >"$tmp/other"
sed '1,/sizes/d' "$tmp/some" >>"$tmp/other"
"$check" openmpi compare $job "$tmp/cases" <"$tmp/other" >"$tmp/out"
is "other sizes are seen" $? 1
has "and said" "$(cat "$tmp/out")" "in other sizes"

done_testing
