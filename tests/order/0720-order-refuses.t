#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0720-order-refuses.t - plink-order: bad input and bad options, all told
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

. "$srcdir/tests/thesis.sh"
cd "$tmp" || exit 99
unset SLURM_JOB_NODELIST SLURM_TASKS_PER_NODE
PATH=$tmp/bin:$PATH
mkdir "$tmp/bin"
printf '#!/bin/sh\necho "mpirun (Open MPI) 4.1.4"\n' >bin/mpirun
chmod +x bin/mpirun

printf '# plink-matrix 1\n# quantity rtt\n# unit us\na 0 1\nb 1 0\n' >good
printf 'a\nb\n' >hosts

# refuses STATUS MESSAGE ARGS...: exit status, one message, nothing on stdout
refuses() {
	status=$1
	message=$2
	shift 2
	"$order" "$@" >out 2>err </dev/null
	is "plink-order $*: exit $status" "$?" "$status"
	has "plink-order $*: says why" "$(cat err)" "$message"
	is "plink-order $*: nothing on stdout" "$(cat out)" ""
}

# options
refuses 2 "no HOSTS and no --matrix"
refuses 2 "unknown option --forecast" --forecast --matrix=good
refuses 2 "unknown option -x" -x
refuses 2 "--matrix needs a value" --matrix
refuses 2 "--matrix is empty" --matrix=
refuses 2 "more than one host list: c" --matrix=good hosts c
refuses 2 "no algorithm \"oak\" for allreduce of thesis; there are: ring" \
	--matrix=good --algorithm=oak
refuses 2 "no implementation \"mvapich\"; there are: thesis, openmpi" \
	--matrix=good --impl=mvapich
refuses 2 "no collective \"bcast\"; there are: allreduce, broadcast" \
	--matrix=good --collective=bcast
refuses 2 "not one of hostfile, seq, rankfile, names, plan, json" \
	--matrix=good --format=lsf
refuses 2 "not one of refuse, worst, drop-host, estimate" --matrix=good --missing=guess
refuses 2 "not one of none, max, mean" --matrix=good --symmetrize=min
refuses 2 "not one of none, fast, full" --matrix=good --bound=slow
refuses 2 "not one of ns, us, ms, s" --matrix=good --unit=h
refuses 2 "not one of list, seq" --matrix=good --hosts-format=csv
refuses 3 "HOSTS is slurm, but SLURM_JOB_NODELIST is not set" slurm
refuses 2 "wants a number from 0 to 100" --matrix=good --min-gain=101
refuses 2 "wants a number" --matrix=good --min-gain=nan
refuses 2 "--time wants a time" --matrix=good --time=-1
refuses 2 "--time wants a time" --matrix=good --time=1e400
refuses 2 "wants a whole number" --matrix=good --moves=1.5
refuses 2 "wants a whole number" --matrix=good --moves=99999999999999999999
refuses 2 "wants a whole number" --matrix=good --threads=0
refuses 2 "wants a whole number" --matrix=good --seed=x
refuses 2 "either --time or --moves" --matrix=good --time=1 --moves=1
refuses 2 "wants LO-HI" --ports=9-8 hosts
refuses 2 "wants LO-HI" --ports=1-65536 hosts
refuses 2 "cannot be combined with --matrix" --matrix=good --launch=ssh
refuses 2 "cannot be combined with --matrix" --matrix=good --fanout=2
refuses 2 "wants a whole number" --fanout=0 hosts
refuses 2 "--verify takes no value" --matrix=good --verify=yes
refuses 2 "--verbose takes no value" --matrix=good --verbose=1
refuses 2 "--m can be --" --m=good
refuses 2 "only one of" --matrix=- -
refuses 2 "only one of" --matrix=- --cost-of=-
refuses 2 "only one of" --matrix=good --cost-of=- -
refuses 2 "must differ" --matrix=good --plan=-
refuses 2 "must differ" --matrix=good --plan=x -o x
refuses 2 "must differ" --save-matrix=- hosts
refuses 2 "must differ" --save-matrix=x --plan=x hosts
refuses 2 "--cost-of cannot be combined with" --matrix=good --cost-of=hosts --verify
refuses 2 "--cost-of cannot be combined with" --matrix=good --cost-of=hosts --pin=b
refuses 2 "--cost-of cannot be combined with" --matrix=good --cost-of=hosts --not-first=b
refuses 2 "--cost-of cannot be combined with" --matrix=good --cost-of=hosts --min-gain=0
refuses 2 "--cost-of cannot be combined with" --matrix=good --cost-of=hosts --moves=9
refuses 2 "--cost-of writes a number" --matrix=good --cost-of=hosts --format=seq

# matrices
refuses 4 "No such file" --matrix=absent
refuses 3 "stdin" --matrix=-
refuses 4 "No such file" --matrix=good absent
printf '' >m
refuses 3 "m:" --matrix=m
printf '# plink-matrix 9\na 0 1\nb 1 0\n' >m
refuses 3 "m:1:" --matrix=m
printf '# plink-matrix 1\n# quantity rtt\n# unit parsec\na 0 1\nb 1 0\n' >m
refuses 3 "m:3:8: " --matrix=m
printf '# plink-matrix 1\n# quantity rtt\n# unit us\na 0 1\nb x 0\n' >m
refuses 3 "m:5:3: " --matrix=m
printf '# plink-matrix 1\n# quantity rtt\n# unit us\na 0 -1\nb 1 0\n' >m
refuses 3 "m:4:5: " --matrix=m
printf '# plink-matrix 1\n# quantity rtt\n# unit us\na 0 inf\nb 1 0\n' >m
refuses 3 "m:4:5: " --matrix=m
printf '# plink-matrix 1\n# quantity rtt\n# unit us\na 0 1 2\nb 1 0 2\n' >m
refuses 3 "m:" --matrix=m
printf '# plink-matrix 1\n# quantity rtt\n# unit us\na 0 1\n' >m
refuses 3 "m:" --matrix=m
head -c 3000 /dev/urandom >m
refuses 3 "m" --matrix=m
printf '# plink-matrix 1\n# quantity bandwidth\n# unit bytes-per-s\n' >m
printf 'a 0 1\nb 1 0\n' >>m
refuses 3 "holds a bandwidth, not a cost" --matrix=m
printf '# plink-matrix 1\n# quantity rtt\n# unit us\na 0 1e300\nb 1e300 0\n' >m
refuses 3 "too large to be added up" --matrix=m
printf '# plink-matrix 1\n# quantity rtt\n# unit us\na 0 nan\nb nan 0\n' >m
refuses 1 "2 of 2 cells are missing" --matrix=m
refuses 1 "no pair was measured" --matrix=m --missing=worst
refuses 1 "no measured pairs link them" --matrix=m --missing=estimate
refuses 1 "fewer than two hosts" --matrix=m --missing=drop-host

refuses 2 "--plan-costs has an effect only with --plan" --matrix=good --plan-costs

# host lists
printf '# nobody\n' >h
refuses 3 "h:" --matrix=good h
printf 'a\nb\na\n' >h
refuses 3 "h:3:1: " --matrix=good h
printf 'a slots=0\n' >h
refuses 3 "h:1:" --matrix=good h
printf 'a\nc\n' >h
refuses 3 '"c" is not in the matrix' --matrix=good h
refuses 3 '--pin: host "c"' --matrix=good --pin=c
printf 'a\nb\na\n' >h
refuses 3 "a plan has each host once" \
	--matrix=good --hosts-format=seq --format=plan h
refuses 3 "a plan has each host once" --launch=false --hosts-format=seq \
	--plan=p h
printf '# plink-matrix 1\n# quantity rtt\n# unit us\na:1 0 1\na:2 1 0\n' >two
echo a >h
refuses 3 'host "a": the matrix has it with several ports' --matrix=two h
echo a 2203 >h
refuses 3 'host "a port 2203" is not in the matrix' --matrix=two h

awk 'BEGIN { for (i = 0; i < 16385; i++) print "a" }' >h
refuses 3 "h: 16385 entries: at most 16384" --matrix=good --hosts-format=seq h

# outputs: what was there stays, nothing half-written is left
echo before >kept
"$order" --matrix=m -o kept >out 2>err
is "a failure leaves an older output alone" "$(cat kept)" before
refuses 4 "cannot write" --matrix=good -o /nowhere/hostfile
refuses 4 "cannot write" --matrix=good --plan=/nowhere/plan
"$order" --matrix=good -o new --plan=/nowhere/plan >out 2>err
is "no plan: no host file either" "$(ls new* 2>/dev/null)" ""
if [ -w /dev/full ]; then
	"$order" --matrix=good >/dev/full 2>err
	is "a full disk on stdout is noticed" $? 4
	"$order" --matrix=good --plan=full.plan >/dev/full 2>err
	is "a full disk on stdout: no plan either" "$(ls full* 2>/dev/null)" ""
else
	skip "a full disk on stdout is noticed" "no /dev/full here"
fi

{
	sleep 1
	"$order" --matrix=good --plan=pipe.plan 2>err
	echo $? >rc
} | true
is "nobody reads: exit 4" "$(cat rc)" 4
has "nobody reads: said" "$(cat err)" "standard output: Broken pipe"
is "nobody reads: no plan, nothing left beside it" "$(ls pipe* 2>/dev/null)" ""

# cost-of
printf '# plink-plan 1\nhost 0 a\n' >p
refuses 3 "p:" --matrix=good --cost-of=p
refuses 4 "No such file" --matrix=good --cost-of=absent

# probing: nobody to be reached
refuses 4 "no host could be reached" --launch='false %h' hosts

done_testing
