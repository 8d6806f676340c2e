#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0730-order-verify.t - plink-order --verify: made-up launchers and the real one
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

. "$srcdir/tests/thesis.sh"
cd "$tmp" || exit 99
path=$PATH
mkdir bin own
cat >matrix <<'END'
# plink-matrix 1
# quantity rtt
# unit us
# host hB node=node-b.example
hA 0 20 90 10 90
hB 20 0 10 90 90
hC 90 10 0 20 90
hD 10 90 20 0 90
10.0.0.9 90 90 90 90 0
END
printf 'hA\nhC slots=2\nhB\nhD\n' >hosts

# fake RANKS...: an mpirun that answers as if rank I ran on the I-th host
fake() {
	{
		echo '#!/bin/sh'
		echo 'if [ "$1" = --version ]; then'
		echo '	echo "mpirun (Open MPI) 4.1.4"; exit; fi'
		echo 'echo "$@" >>args'
		echo 'for a; do [ -f "$a" ] && cp "$a" given; done'
		echo 'echo some words of its own'
		i=0
		for h; do
			echo "echo plink-rank $i $h"
			i=$((i + 1))
		done
	} >bin/mpirun
	chmod +x bin/mpirun
}
# verify ARGS: status in $rc
verify() {
	PATH=$tmp/bin:$path TMPDIR=$tmp/own OMPI_ALLOW_RUN_AS_ROOT=1 \
		OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$order" \
		--matrix=matrix --verify "$@" >out 2>err
	rc=$?
}

# the order found is hA hD hC hC hB
fake hA hD hC.example hC node-b
verify hosts
is "kept: exit 0" $rc 0
has "kept: said" "$(cat err)" "verified: all 5 ranks are on their hosts"
ok "the launcher was given what was written" cmp out given
has "and the command that was printed" "$(cat err)" \
	"mpirun --hostfile $tmp/out $(cut -d' ' -f3-6 args | tail -n 1) ./app"

fake hA hD hC.example hC node-b
TMPDIR=/proc/nowhere PATH=$tmp/bin:$path "$order" --matrix=matrix --verify \
	hosts >out 2>err
has "TMPDIR cannot be written: verified all the same" "$? $(cat err)" \
	"verified: all 5 ranks are on their hosts"

fake hA hD
verify --choose=2
has "the best two: they alone are started" "$rc $(cat err)" \
	"verified: all 2 ranks are on their hosts"
is "the best two: and given" "$(tr '\n' ' ' <given)" "hA hD "

# names with domains: n1.a n2.b are what machines call n1.corp n2.corp, unless two could be
sed -n 's/^# [pqu]/&/p; s/^hA/n1.a/; s/^hB/n2.b/; s/^hC/n3.c/; s/^hD/n3.d/; /^n/s/ [^ ]*$//p' \
	matrix >domains
# by HOST...: verified, with hosts n1.a n2.b n3.c n3.d as they call themselves
by() {
	fake "$@"
	PATH=$tmp/bin:$path TMPDIR=$tmp/own "$order" --matrix=domains --verify >out 2>err
	rc=$?
}
by n1.corp n2 n3.c n3.d
is "other domains, and none" $rc 0
has "Open MPI 4 is told to keep names whole" "$(cat err)" "--mca orte_keep_fqdn_hostnames 1 "
by n1.corp n2 n3.d n3.d
has "a namesake is another host" "$rc $(cat err)" "rank 2 is on n3.d, not on n3.c"
by n1 n2 n3.corp n3.corp
has "two could be it" "$rc $(cat err)" "cannot verify: rank 2 is on a machine that calls itself n3"

fake hA hC hD hC node-b
verify hosts
is "not kept: exit 1" $rc 1
has "not kept: which rank is elsewhere" "$(cat err)" \
	"rank 1 is on hC, not on hD"
has "not kept: how many" "$(cat err)" "2 of 5 ranks are elsewhere"
is "not kept: the order is written all the same" "$(wc -l <out)" 5

fake hA hD hC hC
verify hosts
is "a rank is silent: exit 1" $rc 1
has "a rank is silent: said" "$(cat err)" "1 of 5 ranks did not report"

fake hA hD hC hC node-b hC
verify hosts
is "a rank too many: exit 1" $rc 1

echo 'exit 7' >>bin/mpirun
verify hosts
is "mpirun fails: exit 1" $rc 1
has "mpirun fails: its status" "$(cat err)" "mpirun ended with status 7"
has "mpirun fails: its words" "$(cat err)" "some words of its own"

printf 'hA\n10.0.0.9\n' >numeric
fake hA vm
verify numeric
is "an address without a node name cannot be compared" $rc 1
has "and that is said" "$(cat err)" "the node name of 10.0.0.9 is not known"

printf '#!/bin/sh\necho strange launcher\n' >bin/mpirun
verify hosts
is "unknown launcher: exit 1" $rc 1

has "unknown launcher: its name" "$(cat err)" "mpirun (strange launcher)"

fake hA hD hC hC
printf '%s\n' "printf 'plink-rank 4 \033[2Jx'" >>bin/mpirun
verify hosts
is "a host of an odd name: exit 1" $rc 1
has "a host of an odd name: the terminal does not obey" "$(cat err)" "?[2Jx"
printf '%s\n' "printf '\0'" >>bin/mpirun
verify hosts
is "a zero byte: exit 1" $rc 1
echo 'exec yes' >>bin/mpirun
verify hosts
is "no end of output: exit 1" $rc 1
has "no end of output: said" "$(cat err)" "too much output"

verify --format=rankfile hosts
is "temporary files are gone" "$(ls own)" ""

# The real mpirun on made-up hosts: its remote shell only changes the name.
real=$(PATH=$path command -v mpirun)
why=
[ -n "$real" ] || why="no mpirun here"
[ -n "$why" ] || "$real" --version 2>/dev/null | grep -q 'Open MPI' ||
	why="mpirun is not Open MPI's"
[ -n "$why" ] || unshare -u hostname plink-test 2>/dev/null ||
	why="no UTS namespaces: $(unshare -u true 2>&1 | head -n 1)"
if [ -n "$why" ]; then
	skip "Open MPI keeps the order of hosts" "$why"
	done_testing
	exit
fi

cat >rsh <<'END'
#!/bin/sh
h=$1
shift
exec unshare -u sh -c "hostname $h; $*"
END
chmod +x rsh
OMPI_MCA_plm=rsh
OMPI_MCA_plm_rsh_agent=$tmp/rsh
PRTE_MCA_plm_ssh_agent=$tmp/rsh # from version 5 on
OMPI_MCA_oob_tcp_if_include=lo
OMPI_MCA_btl_tcp_if_include=lo
export OMPI_MCA_plm OMPI_MCA_plm_rsh_agent OMPI_MCA_oob_tcp_if_include \
	OMPI_MCA_btl_tcp_if_include PRTE_MCA_plm_ssh_agent
local=$(hostname)
for middle in plink-d "$local"; do
	cat >matrix <<END
# plink-matrix 1
# quantity rtt
# unit us
plink-b 0 1 2
$middle 1 0 1
plink-a 2 1 0
END
	printf 'plink-b slots=2\n%s slots=2\nplink-a\n' "$middle" >hosts
	case $middle in
	"$local") what="launching host in the middle" ;;
	*) what="launching host not in the list" ;;
	esac
	for f in hostfile rankfile; do
		# slots of a rank file are processors: not more than there are
		if [ $f = rankfile ] && [ "$(nproc)" -lt 2 ]; then
			skip "$what, $f" "one processor"
			continue
		fi
		"$order" --matrix=matrix --verify --format=$f hosts \
			>out 2>err
		is "Open MPI keeps the order: $what, $f" $? 0
		has "and says so: $what, $f" "$(cat err)" "verified: all 5"
	done
done

# what a plain host file would do: the command matters
cat >bin/mpirun <<END
#!/bin/sh
if [ "\$1" = --version ]; then exec "$real" --version; fi
for a; do
	shift
	case \$a in
	--map-by|seq) ;;
	*) set -- "\$@" "\$a" ;;
	esac
done
exec "$real" "\$@"
END
chmod +x bin/mpirun
PATH=$tmp/bin:$path "$order" --matrix=matrix --verify hosts >out 2>err
rc=$?
if [ $rc = 0 ]; then
	skip "without --map-by seq the order is lost" "kept by this version"
else
	is "without --map-by seq the order is lost, and noticed" $rc 1
	has "ranks elsewhere are named" "$(cat err)" "is on $local"
fi

done_testing
