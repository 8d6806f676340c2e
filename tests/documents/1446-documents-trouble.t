#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1446-documents-trouble.t - plink-troubleshooting(7): its commands on emulated
# machines, and its symptoms, made, with the messages that it quotes
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/shim-mpi/mpi.sh"
. "$srcdir/tests/machines.sh"

cd "$tmp" || exit 99
. "$srcdir/tests/documents/machines.sh"
python3 "$srcdir/tests/documents/blocks.py" man \
	"$builddir/man/plink-troubleshooting.7" blocks >list
is "plink-troubleshooting(7): its examples have names" "$?" 0
mkdir of-plink.7
python3 "$srcdir/tests/documents/blocks.py" man "$builddir/man/plink.7" of-plink.7 \
	>/dev/null
cp of-plink.7/file.hosts.txt hosts.txt
cp of-plink.7/run.measure blocks/

# quoted NAME FILE: what a program said in the file is what the page quotes
quoted() {
	is "$1: the page quotes what is said" "$(python3 \
		"$srcdir/tests/documents/messages.py" --in "$2" \
		"blocks/says.$1")" ""
}

# typed STATUS COMMAND...: on the first machine; to out and err
typed() {
	want=$1
	shift
	echo "$*" >typed
	on node1 typed >out 2>err
	is "$*: exit $want" "$?" "$want"
}

run measure
sed '/^# card/d; /^# uplink/d' net.matrix >rtt.matrix
typed 0 plink-order --matrix=rtt.matrix
quoted no-rates err
sed '$r /dev/stdin' rtt.matrix >flows.matrix <<'END'
# cell node1 node2 few: cannot connect: Connection refused
END
typed 0 plink-order --matrix=flows.matrix
quoted flows err
cp net.matrix full.matrix
while read -r kind name; do
	case $kind in
	run | everywhere) ;;
	*) continue ;;
	esac
	# a machine is lost before, where that is what it is about
	case $name in
	resume | missing)
		echo node4 >away
		typed 1 plink-probe -o net.matrix hosts.txt
		quoted partial err
		rm away
		;;
	estimate)
		awk '$1 == "node1" { $3 = "nan" }
			$1 == "node2" { $2 = "nan" } 1' full.matrix >net.matrix
		;;
	esac
	$kind "$name"
	case $name in
	doctor) ok "$name: a table of what is well" grep -Eq '^udp ' out ;;
	verify) has "$name: kept" "$(cat err)" verified ;;
	check) is "$name: ranks are shown" "$(grep -c ' -> ' out)" 4 ;;
	no-gain)
		is "$name: groups, and predictions" \
			"$(grep -c '^rack' out) $(grep -c '^# 8M: best' out)" \
			"2 1"
		;;
	resume)
		has "$name: the rest was measured" "$(cat err)" \
			"6 pairs measured, 0 missing"
		;;
	missing)
		has "$name: without it" "$(cat err)" "host node4 left out"
		;;
	estimate) has "$name: estimated" "$(cat err)" " estimated from the others" ;;
	agent | ports | iface)
		has "$name: all pairs" "$(cat err)" "12 pairs measured, 0 missing"
		;;
	older) has "$name: compared" "$(cat err)" "gap" ;;
	hang)
		is "$name: one plan everywhere" "$(grep -h job.plan out.* |
			sort -u | wc -l)" 1
		ranks_are "$name: each has a number" "$(numbers)" job.plan
		;;
	slower) ok "$name: statistics" grep -q barrier stats.json ;;
	slower-stats)
		has "$name: the order is for what was called" "$(cat err)" " barrier "
		;;
	*) fail "$kind $name: an example that no test looks at" ;;
	esac
	case $name in
	missing | estimate) cp full.matrix net.matrix ;;
	esac
done <list

# the symptoms
cat >bin/mpirun <<END
#!/bin/sh
[ "\$1" = --version ] || sort -r -o "\$2" "\$2"
exec $(command -v mpirun) "\$@"
END
chmod +x bin/mpirun
typed 1 plink-order --matrix=net.matrix --verify hosts.txt
quoted verify err
rm bin/mpirun
there="-np 4 --hostfile hosts.txt"
cp "$preload" lib.so && echo "no library" >none.so
typed 125 plink-mpirun --library=none.so --plan=job.plan $there ./app
quoted load err
sed 's/^host \([0-9]*\) node/host \1 other/; s/ node=[^ ]*//; s/ addr=[^ ]*//' \
	job.plan >other.plan
typed 125 plink-mpirun --plan=other.plan $there ./app
quoted host err
sed 's/^\(order .*\) : .*/\1 : 0 1 2 3/' job.plan >same.plan
typed 0 plink-mpirun --plan=same.plan --check-only $there ./app
typed 0 plink-mpirun --plan=same.plan $there ./app
quoted nothing err
sed 's/^created.*//; s/ \(100\|3000\)/ 2000/g' delays >flat
typed 0 plink-order --matrix=flat
quoted no-gain err
typed 0 plink-order --matrix=net.matrix --min-gain=99
quoted no-gain err
typed 0 plink-order --matrix=net.matrix --impl=nccl --algorithm=ring --size=4k
echo node1 >away
typed 4 "echo node1 | plink-probe -"
quoted agent err
rm away
typed 3 "echo node9 | plink-order --matrix=net.matrix -"
quoted older err
sed 's/^# created .*/# created 2020-01-01T00:00:00Z by plink-order/' job.plan >old.plan
typed 125 PLINK_MAX_AGE=60 plink-exec --plan=old.plan -s env true
quoted older err
ok "down" "$testbed" down --prefix=$prefix

# two machines between which no packet passes
printf '# plink-matrix 1\n# quantity one-way\n# unit us\nnode1 0 nan\nnode2 nan 0\n' \
	>apart
ok "up again" testbed_up --matrix=apart
typed 1 "head -n 2 hosts.txt | plink-probe -"
quoted udp out
ok "down again" "$testbed" down --prefix=$prefix

done_testing
