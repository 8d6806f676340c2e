#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1010-mpi-shim-plans.t - plans that cannot be followed, and processes without shim
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"

as_launched="0:h0:0 1:h1:1"
permuted="0:h0:1 1:h1:0"

# run COMMAND...: the ranks of $n processes to $tmp/out, what is said to $err
n=2
run() {
	survived run_once "$@"
	rc=$?
	out=$(sort "$tmp/out" | xargs)
	err=$(cat "$tmp/err")
}

run_once() {
	shim $n "$@" "$ranks" >"$tmp/out" 2>"$tmp/err"
}

# stays WHAT TEXT COMMAND...: ranks stay, and one line says TEXT
stays() {
	stays_what=$1
	stays_text=$2
	shift 2
	run "$@"
	is "$stays_what: ranks stay" "$rc $out" "0 $as_launched"
	is "$stays_what: that is said" "$err" \
		"libplink-mpi: $stays_text; ranks stay as they are"
}

plan 2 '1 0' >"$tmp/plan"
n=4 run "$as" 2
is "a good plan" "$rc $out $err" "0 0:h0:2 1:h0:3 2:h1:0 3:h1:1 "
plan 1 '1 0' >"$tmp/good"

rm "$tmp/plan"
stays "no such file" "cannot open $tmp/plan: No such file or directory" \
	"$as" 1
stays "none named" "PLINK_PLAN names no plan on rank 0" \
	sh -c 'unset PLINK_PLAN; exec "$@"' - "$as" 1
mkfifo "$tmp/plan"
stays "a pipe that nobody writes to" "$tmp/plan is not a regular file" "$as" 1
rm "$tmp/plan"
sed 's/: 1 0/: 1/' "$tmp/good" >"$tmp/plan"
stays "a corrupt one" \
	"$tmp/plan:4:36: this order ends after 1 of 2 hosts" "$as" 1
cp "$tmp/good" "$tmp/plan"
n=4 run "$as" 2
is "for fewer processes: ranks stay" "$rc $out" "0 0:h0:0 1:h0:1 2:h1:2 3:h1:3"
is "for fewer processes: that is said" "$err" "libplink-mpi: 2 ranks of this job run on \
host h0, and the plan says slots=1; ranks stay as they are"
plan 1 '1 2 0' >"$tmp/plan"
run "$as" 1
is "for more hosts: its order of those that are there" "$rc $out $err" \
	"0 $permuted "
sed 's/h1/x1/' "$tmp/good" >"$tmp/plan"
stays "for other hosts" "rank 1 ($(uname -n)): PLINK_HOST is \"h1\", and \
$tmp/plan has no host of that name" "$as" 1
cp "$tmp/good" "$tmp/plan"
PLINK_MPI_MODE=shade stays "an unknown mode" \
	"PLINK_MPI_MODE must be world, shadow, engine or off, not \"shade\"" "$as" 1
PLINK_REORDER=60 stays "PLINK_REORDER" "PLINK_REORDER is gone: unset it, and use engine \
mode with plink-order --tune, where schedules change while the job runs" "$as" 1
PLINK_REORDER=0 run "$as" 1
is "PLINK_REORDER=0" "$rc $out $err" "0 $permuted "
PLINK_MAX_AGE=60 stays "of unknown age" \
	"$tmp/plan does not say when it was made, and PLINK_MAX_AGE is 60: make \
a new plan, or unset PLINK_MAX_AGE" \
	"$as" 1
echo "# created 2026-01-01T00:00:00Z" >>"$tmp/plan"
PLINK_MAX_AGE=60 run "$as" 1
is "too old: ranks stay" "$rc $out" "0 $as_launched"
has "too old: that is said" "$err" "s old, and PLINK_MAX_AGE is 60: make a \
new plan, or unset PLINK_MAX_AGE; ranks stay"
PLINK_MAX_AGE=99999d run "$as" 1
is "not too old" "$rc $out" "0 $permuted"

plan 1 '3 2 1 0' >"$tmp/plan"
sed 's/ring/tree/' "$tmp/plan" >"$tmp/other"
as_launched="0:h0:0 1:h1:1 2:h2:2 3:h3:3" n=4 stays "another one on some" \
	"rank 3: PLINK_PLAN on $(uname -n) differs from the plan of rank 0: \
copy rank 0's plan there" \
	sh -c '[ $OMPI_COMM_WORLD_RANK -lt 3 ] || PLINK_PLAN=$0; exec "$@"' \
	"$tmp/other" "$as" 1
cp "$tmp/good" "$tmp/plan"
run sh -c '[ $OMPI_COMM_WORLD_RANK = 0 ] || PLINK_PLAN=/nowhere; exec "$@"' - \
	"$as" 1
is "only rank 0 can read it" "$rc $out $err" "0 $permuted "
mkfifo "$tmp/pipe"
run sh -c '[ $OMPI_COMM_WORLD_RANK = 0 ] || PLINK_PLAN=$0; exec "$@"' \
	"$tmp/pipe" "$as" 1
is "others have a pipe" "$rc $out $err" "0 $permuted "
run "$as" 9
is "all on one host: ranks stay" "$rc $out" "0 0:h0:0 1:h0:1"

plan 1 '0 1' >"$tmp/plan"
PLINK_VERBOSE=1 run "$as" 1
is "an order that changes nothing" "$rc $out" "0 $as_launched"
has "that is said with PLINK_VERBOSE" "$err" "no rank changes: standing aside"
PLINK_VERBOSE=0 run "$as" 1
is "and not without" "$err" ""
cp "$tmp/good" "$tmp/plan"
PLINK_MPI_MODE=off run "$as" 1
is "switched off" "$rc $out $err" "0 $as_launched "
PLINK_MPI_MODE=world run "$as" 1
is "switched on" "$rc $out $err" "0 $permuted "

PLINK_MPI_TIMEOUT=$(printf '1\n2') run "$as" 1
is "a time that is none" "$rc $out" "0 $permuted"
is "that is said once" "$err" "libplink-mpi: PLINK_MPI_TIMEOUT must be a time \
from 1s to 86400s, as 30 or 2m, not \"1?2\"; using 30"
PLINK_MPI_TIMEOUT=abc run "$as" 1 env -u OMPI_COMM_WORLD_RANK
is "also by another launcher" "$rc $out $(echo "$err" | wc -l)" "0 $permuted 1"
PLINK_MPI_TIMEOUT='' run "$as" 1
is "an empty one is none at all" "$rc $out $err" "0 $permuted "

# the machine of that name had another address when the plan was made
sed "s/^host 1 .*/& node=$(uname -n) addr=192.168.255.254/" "$tmp/good" >"$tmp/plan"
run "$as" 1
is "an address of another machine, but a host that is named" "$rc $out $err" \
	"0 $permuted "
if [ -n "$(hostname -I)" ]; then
	run "$as" 1 sh -c '[ $OMPI_COMM_WORLD_RANK = 0 ] || PLINK_HOST=; exec "$@"' -
	is "a machine that was replaced: ranks stay" "$rc $out" "0 0:h0:0 1::1"
	is "and that is said, once" "$err" "libplink-mpi: host h1 was measured at \
192.168.255.254, an address that $(uname -n) has not: make a new plan or, if it is \
the same machine, name it in PLINK_HOST; ranks stay as they are"
else
	skip "a machine that was replaced" "this machine has no address"
fi
cp "$tmp/good" "$tmp/plan"

# OpenSHMEM would exchange addresses by rank, and use them by the launcher's
if mpi 1 -x LD_PRELOAD=liboshmem.so.40 true 2>&1 | grep -q preloaded; then
	skip "OpenSHMEM in the program" "no liboshmem.so.40 here"
else
	preload="$preload liboshmem.so.40" stays "OpenSHMEM in the program" \
		"rank 0 ($(uname -n)): the program also uses OpenSHMEM, which \
cannot follow a plan" "$as" 1
fi

# PLINK_STRICT
rm "$tmp/plan"
PLINK_STRICT=1 run "$as" 1
is "strict, without plan: the job ends with 1" "$rc $out" "1 "
has "for the reason said" "$err" \
	"No such file or directory; ending the job (PLINK_STRICT)"
sed 's/h1/x1/' "$tmp/good" >"$tmp/plan"
PLINK_STRICT=1 run "$as" 1
is "strict, another host: the job ends with 1" "$rc $out" "1 "
has "for this reason" "$err" "no host of that name; ending the job"

# by node name: each host of the plan is a UTS namespace
cp "$tmp/good" "$tmp/plan"
cat >"$tmp/named" <<'END'
#!/bin/sh
unset PLINK_HOST
h=h$OMPI_COMM_WORLD_RANK exec unshare -u sh -c \
	'echo "$h$domain" >/proc/sys/kernel/hostname && exec "$0"' "$@"
END
chmod +x "$tmp/named"
permuted="0::1 1::0"
if unshare -u sh -c 'echo h0 >/proc/sys/kernel/hostname' 2>/dev/null; then
	run "$tmp/named"
	is "hosts known by their node names" "$rc $out $err" "0 $permuted "
	domain=.example.org run "$tmp/named"
	is "or by the start of them" "$rc $out $err" "0 $permuted "
	sed 's/h\([01]\) /x\1 node=h\1 /' "$tmp/good" >"$tmp/plan"
	run "$tmp/named"
	is "or by the node name in the plan" "$rc $out $err" "0 $permuted "
	echo "libplink-mpi: rank 0: $tmp/plan has no host with the name x0 or \
an address of it: name one in PLINK_HOST; ranks stay as they are" >"$tmp/want"
	sed 's/h/y/2' "$tmp/good" >"$tmp/plan"
	domain=x run "$tmp/named"
	is "others are not" "$rc $out" "0 0::0 1::1"
	has "and their name is said" "$err" "no host with the name h0x or an"
else
	skip "hosts known by their node names" "no UTS namespaces here"
fi

# processes without the shim; LD_PRELOAD goes to the others only
plan 2 '1 0' >"$tmp/plan"
# some RANKS: the preload in these
cat >"$tmp/some" <<'END'
#!/bin/sh
case " $1 " in
*" $OMPI_COMM_WORLD_RANK "*) LD_PRELOAD=$preload && export LD_PRELOAD ;;
esac
shift
exec "$@"
END
chmod +x "$tmp/some"
# with RANKS: the job of four, two seconds to answer
with() {
	survived with_once "$1"
	rc=$?
}

with_once() {
	mpi 4 -x preload="$preload" -x PLINK_PLAN="$tmp/plan" \
		-x PLINK_MPI_TIMEOUT=2 "$tmp/some" "$1" "$as" 2 "$ranks" \
		>"$tmp/out" 2>"$tmp/err"
}
for row in "0 2:1,3" "3:0-2"; do
	with "${row%:*}"
	is "the preload in ${row%:*} only: the job ends" "$rc" 1
	has "and names the others" "$(cat "$tmp/err")" \
		"ranks ${row#*:} have not answered"
done
with "0 1 2 3"
is "the preload in all: it runs" "$rc $(sort "$tmp/out" | xargs)" \
	"0 0:h0:2 1:h0:3 2:h1:0 3:h1:1"

# processes that come later
btl=tcp
spawn=$builddir/tests/shim-mpi/spawn
mpi 2 --mca btl_tcp_if_include lo "$spawn" >"$tmp/bare" 2>"$tmp/err"
plan 1 '1 0' >"$tmp/plan"
shim 2 --mca btl_tcp_if_include lo "$as" 1 "$spawn" "$as" 1 \
	>"$tmp/out" 2>"$tmp/err"
is "processes that start others" "$(sort "$tmp/out")" "$(sort "$tmp/bare")"
has "all find one another" "$(cat "$tmp/out")" "ok merged parents"

done_testing
