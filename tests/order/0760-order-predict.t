#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0760-order-predict.t - plink-order: predictions, and rules that Open MPI takes
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

order=$builddir/plink-order
cd "$tmp" || exit 99
real=$PATH
PATH=$tmp/bin:$PATH
mkdir bin
printf '#!/bin/sh\necho "mpirun (Open MPI) 4.1.4"\n' >bin/mpirun
chmod +x bin/mpirun
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# run ARGS: status in $rc, output in out, messages in err
run() {
	"$order" "$@" >out 2>err
	rc=$?
}
# ms SIZE ALGORITHM given|found: of the table in out
ms() {
	awk -v s="$1" -v a="$2" -v c="$3" '
		$1 == s && $2 == a {
			k = $3 ~ /^\(/ ? 4 : 3
			print $(c == "given" ? k : k + 1)
		}' out
}
# less A B: is the number A less than B?
less() {
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && b != "" && a + 0 < b + 0) }'
}

# 8 hosts in 2 racks, taken in turns: 500 us within, 5 ms across, one way; fast cards
awk 'BEGIN {
	print "# plink-matrix 1\n# quantity one-way\n# unit us\n# tcp cubic"
	for (i = 0; i < 8; i++) {
		print "# rack h" i, i % 2
		print "# card h" i, "1000G 1000G"
	}
	for (i = 0; i < 8; i++) {
		printf "h%d", i
		for (j = 0; j < 8; j++)
			printf " %d", i == j ? 0 : i % 2 == j % 2 ? 500 : 5000
		print ""
	}
}' >racks
grep -v '^# rack' racks >plain

run --matrix=racks --predict
cp out table
is "--predict: done" $rc 0
is "a row for every algorithm at every size" \
	"$(grep -c -v '^#' out)" \
	"$((1 + 4 * $("$order" --list-algorithms | grep -c '^allreduce *openmpi')))"
ok "the order found for the ring is faster" \
	less "$(ms 2k ring found)" "$(ms 2k ring given)"
# a ring of 8: 14 steps; around the racks in turns each of them is 5 ms
ok "about what the steps take" less "$(ms 2k ring given)" 85
ok "and no less" less 69 "$(ms 2k ring given)"
has "what it waits for" "$(grep '^2k *ring' out)" "latency"
for s in 2k 64k 1M 8M; do
	best=$(awk -v s=$s '$1 == s {
			k = $3 ~ /^\(/ ? 4 : 3
			m = $k < $(k + 1) ? $k : $(k + 1)
			if (best == "" || m < best)
				best = m
		}
		END { print best }' out)
	has "best at $s: the least of its rows" \
		"$(grep "^# $s: best is" out)" " order, $best ms"
done
grep -v '^# card' racks >unrated
run --matrix=unrated --predict
has "without rates: that is told" "$(cat out)" "nor --nic tells a rate"
is "without rates: what depends on them is not predicted" \
	"$(awk '/ring .*depends on rates that are not known$/ { print $1 }' out | sort -u |
		xargs)" "1M 8M"
is "without rates: nor is anything best there" \
	"$(sed -n 's/^# \([0-9]*[kM]\): best is .*/\1/p' out)" 2k
run --matrix=unrated --predict --size=8M --json
has "without rates: so in JSON" "$(cat out)" \
	'"unknown": "depends on rates that are not known"'
run --matrix=unrated --rules=rules
has "without rates: rules leave it to the library" "$(cat rules)" \
	"left to the library: what it takes depends on rates that are not known"
for pair in segmented-ring:gloo-tcp bcube:gloo-tcp ring:gloo-buffers \
	bcube:2:gloo-buffers; do
	run --matrix=racks --predict --impl=gloo --algorithm="${pair%:*}" \
		--size=64k
	has "Gloo's ${pair%:*} by ${pair##*:}" "$(head -n 1 out)" \
		", ${pair##*:}"
done
run --matrix=racks --predict
ok "the same bytes again" cmp out table
run --matrix=racks --predict --plan=plan -o table2
is "to a file" $rc 0
ok "the same table" cmp table table2
has "and the plan has the order" "$(cat plan)" "order allreduce default openmpi 0-"
"$order" --matrix=racks --format=plan 2>/dev/null | sed '/^# created/d' >plan2
ok "the order that is written without predictions" \
	sh -c "sed '/^# created/d' plan | cmp - plan2"

run --matrix=racks --predict --json --size=8M
is "--json: done" $rc 0
has "--json: the order as ever" "$(cat out)" '"algorithm": "default",'
has "--json: the prediction" "$(cat out)" '"protocol": "openmpi-tcp"'
tr -d ' \n' <out >flat
is "--json: milliseconds are seconds" \
	"$(sed 's/.*"algorithm":"ring","seconds":{"given":\([0-9.e-]*\),.*/\1/' flat |
		awk '{ printf "%.3f", 1000 * $1 }')" \
	"$(cp table out; ms 8M ring given)"
has "half a megabyte and more: raise the eager limit above it" "$(cat flat)" \
	'"eager_limit":2097152'
has "with options to be copied" "$(cat flat)" \
	"--mcabtl_tcp_eager_limit2097152--mcabtl_tcp_max_send_size2097152"
sed 's/^# tcp .*/# tcp bbr/' racks >paced
run --matrix=paced --predict --json --size=8M
is "under BBR eager messages are not foreseen well: no limit is raised" \
	"$rc $(grep -c eager_limit out)" "0 0"
for name in '' 'bbr cubic'; do
	sed "s/^# tcp .*/# tcp $name/" racks >paced
	run --matrix=paced --predict --json --size=8M
	has "\"# tcp $name\": refused, and where" "$rc $(cat err)" \
		"3 plink-order: paced:4:7: \"# tcp $name\": exactly one name must follow"
done
sed 's/^# tcp .*/&\n# tcp bbr/' racks >paced
run --matrix=paced --predict --json --size=8M
has "two names: refused" "$rc $(cat err)" \
	'3 plink-order: paced:5:7: "# tcp bbr": another line says cubic'
run --matrix=racks --predict --json --size=2k
is "small messages are eager: nothing to raise" "$(grep -c eager_limit out)" 0

# rates
run --matrix=racks --predict --algorithm=ring --size=8M
free_ms=$(ms 8M ring found)
run --matrix=racks --predict --algorithm=ring --size=8M --nic=200Mbit
nic_ms=$(ms 8M ring found)
ok "slower cards: slower" less "$free_ms" "$nic_ms"
is "one algorithm was named: one row" "$(grep -c '^8M' out)" 1
has "the rate stands in the table" "$(cat out)" "cards of 200 Mbit/s"
run --matrix=racks --predict --algorithm=ring --size=8M --nic=200Mbit \
	--uplink=100Mbit
ok "slow uplinks: slower still" less "$nic_ms" "$(ms 8M ring found)"
run --matrix=racks --predict --impl=thesis --algorithm=ring --size=8M \
	--nic=20Mbit
has "where nothing else counts: it waits for the cards" \
	"$(grep '^8M' out)" "nic"
# the same rates from the matrix's lines, of the hosts that are left: all but h7
seq 0 6 | sed 's/^/h/' >seven
run --matrix=racks --predict --algorithm=ring --size=8M --nic=200Mbit \
	--uplink=100Mbit seven
told_ms=$(ms 8M ring given)
awk '/^# rack/ { print "# card", $3, "200Mbit 200Mbit" } { print }
	END { print "# uplink 0 100Mbit 100Mbit\n# uplink 1 100Mbit 100Mbit" }
' unrated | grep -v '^h' >rates
grep '^h' unrated >>rates
run --matrix=rates --predict --algorithm=ring --size=8M seven
is "rates in the matrix: as if told" "$(ms 8M ring given)" "$told_ms"
run --matrix=plain --predict --uplink=100Mbit
is "uplinks without racks: bad input" "$rc $(cat out)" "3 "
has "uplinks without racks: said" "$(cat err)" "the matrix names no racks"

# few hosts, other libraries, sizes that cannot be
head -n 3 plain >one
echo 'h0 0' >>one
run --matrix=one --predict --size=64k
is "one host: done" $rc 0
is "one host: no time" "$(ms 64k ring given) $(ms 64k ring found)" "0.000 0.000"
printf 'h0\nh1\n' >two
run --matrix=plain --predict --size=64k two
is "two hosts: done" $rc 0
printf 'h0 slots=2\nh1 slots=2\nh2 slots=1\n' >slots
run --matrix=plain --predict --size=64k slots
is "slots: done" $rc 0
has "slots: ranks and hosts" "$(cat out)" "5 ranks on 3 hosts"
printf 'h0\nh1\nh0\n' >seq
run --matrix=plain --predict --size=64k --hosts-format=seq seq
is "a line per rank: done" $rc 0
run --matrix=plain --predict --impl=thesis --size=64k
has "thesis: an ideal network" "$(cat out)" "8 hosts, ideal"
ok "thesis: all of its algorithms" grep -q '^64k *halving-doubling' out
run --matrix=plain --predict --size=6
is "a size of no whole elements: usage" "$rc $(cat out)" "2 "
run --matrix=plain --predict --size=64k,6
is "as one of several: usage" "$rc $(cat out)" "2 "
has "as one of several: said" "$(cat err)" "not a whole number of elements"
run --matrix=plain --predict --collective=barrier
is "a barrier: one row each" \
	"$rc $(grep -c '^- ' out)" \
	"0 $("$order" --list-algorithms | grep -c '^barrier *openmpi')"
run --matrix=plain --predict --collective=broadcast --size=64k,1M
is "broadcasts" $rc 0
run --matrix=plain --predict --collective=broadcast --algorithm=pipeline \
	--segment=8k --size=1M --json
has "segments: the setting has them" "$(cat out)" \
	"coll_tuned_bcast_algorithm_segmentsize 8192"
run --matrix=plain --predict --collective=broadcast --algorithm=chain:2 \
	--size=1M --json
has "chains: the setting has their number" "$(cat out)" \
	"coll_tuned_bcast_algorithm_chain_fanout 2"
run --matrix=plain --predict --collective=broadcast --algorithm=knomial:3 \
	--segment=64k --size=1M --json
has "k-nomial: the setting has the radix" "$(cat out)" \
	"coll_tuned_bcast_algorithm_segmentsize 65536 --mca coll_tuned_bcast_algorithm_knomial_radix 3"
# another function of Open MPI, with numbers of its own
run --matrix=plain --predict --collective=reduce-scatter \
	--algorithm=block-recursive-doubling --size=1M --json
has "blocks: the setting is theirs" "$(cat out)" \
	"coll_tuned_reduce_scatter_block_algorithm 2"
run --matrix=plain --predict --collective=reduce-scatter --size=2k,64k,1M
ok "blocks are predicted" grep -q '^64k *block-linear ' out
is "but not advised to who does not call them" \
	"$rc $(grep -c '^# .*\(best is\|takes\) block' out)" "0 0"
sed 's/^h3 5000/h3 nan/' plain >hole
run --matrix=hole --predict --size=2k
is "missing cells: refused" "$rc $(cat out)" "1 "
run --matrix=hole --predict --size=2k --missing=worst
is "missing cells: or filled" $rc 0
run --matrix=hole --predict --size=2k --missing=drop-host
has "missing cells: or left out" "$(cat out)" "7 ranks"

# the examples of the manual that need a matrix and nothing else
sed -n '/^\.SH EXAMPLES/,$p' "$builddir/man/plink-order.1" |
	sed -e ':a' -e '/\\e$/{N;s/\\e\n *//;ba' -e '}' |
	sed -n '/order.*matrix=matrix\|plink.-groups/s/\\-/-/gp' |
	grep -v -e --verify -e --stats >examples
ok "plink-order(1) has examples to try" test "$(wc -l <examples)" -ge 3
cp racks matrix
while read -r example; do
	ok "$example" env PATH="$builddir:$PATH" sh -c "$example"
done <examples

# what does not go together
mkdir sub
ln -s plain linked
while read -r message; do
	read -r args
	# shellcheck disable=SC2086
	run --matrix=plain $args
	is "$args: usage" "$rc $(cat out)" "2 "
	has "$args: said" "$(cat err)" "$message"
done <<'END'
cannot be combined with --cost-of
--predict --cost-of=two
cannot be combined with --cost-of
--predict --verify
cannot be combined with --cost-of
--predict --time=1
writes a table, or --json
--predict --format=seq
only where times are predicted
--nic=1G --impl=thesis
wants bits per second
--predict --nic=fast
wants bits per second
--predict --uplink=0
not bytes
--predict --size=1k,,2k
rules are Open MPI's
--rules=r --impl=thesis
either --rules or
--rules=r --format=ompi-rules
must differ
--rules=r --plan=r
rules cannot be combined with
--rules=r --cost-of=two
rules cannot be combined with
--rules=r --time=1
rules cannot be combined with
--format=ompi-rules --time=1
must differ
--rules=r -o ./r
must differ
--rules=sub/../r --plan=r
must differ
--rules=plain -o linked
sends no segments
--predict --algorithm=ring --segment=4k
sends no segments
--predict --collective=allgather --segment=4k
sends no segments
--rules=r --collective=allgather --segment=4k
END

# rules: numbers in the library's grammar, for these ranks and no others
run --matrix=racks --rules=rules --algorithm=recursive-doubling --size=64k
is "--rules: done" $rc 0
is "--rules: the order is written as ever" "$(wc -l <out)" 8
has "--rules: the command has both" "$(cat err)" \
	"mpirun --hostfile $tmp/out --map-by seq -np 8 --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename rules ./app"
run --matrix=racks --format=ompi-rules --algorithm=recursive-doubling --size=64k
ok "--format=ompi-rules: the same" cmp out rules
has "--format=ompi-rules: the command" "$(cat err)" \
	"--hostfile hostfile --map-by seq -np 8 --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename $tmp/out ./app"
sed 's/#.*//' rules | tr -s ' \n' '\n\n' | grep . >numbers
is "rules are numbers" "$(grep -c '[^0-9]' numbers)" 0
is "and as many as they say" "$(awk '
	{ v[n++] = $1 }
	END {
		at = 1
		for (c = 0; c < v[0]; c++) {
			sizes = v[at + 1]
			at += 2
			for (s = 0; s < sizes; s++) {
				first = v[at + 2]
				if (first != 0)
					print "not from 0 on"
				at += 2 + 4 * v[at + 1]
			}
		}
		print at - n
	}' numbers)" 0

# Open MPI reads them: what it sends in the order is the algorithm of the rule
why=
# MPICH: its own algorithms, handshake and settings, and no rules
run --matrix=racks --impl=mpich --predict --size=2k,64k
is "MPICH: done" $rc 0
is "MPICH: a row for every algorithm at every size" "$(grep -c -v '^#' out)" \
	"$((1 + 2 * $("$order" --list-algorithms | grep -c '^allreduce *mpich')))"
ok "MPICH: up to its limit a latency a round" \
	less "$(ms 2k recursive-doubling given)" 10
ok "MPICH: five above it" less 25 "$(ms 64k recursive-doubling given)"
ok "MPICH: its order keeps what has handshakes within the racks" \
	less "$(ms 64k default found)" 20
has "MPICH: what it takes by itself" "$(grep '^64k *default' out)" \
	"(reduce-scatter-allgather)"
has "MPICH: the setting that takes another" "$(cat out)" \
	"with: -genv MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM recursive_doubling"
is "MPICH: none of Open MPI's" "$(grep -c -e --mca out)" 0
run --matrix=racks --impl=mpich --predict --size=64k --json
has "MPICH: as JSON" "$(cat out)" \
	'"setting": "-genv MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM recursive_doubling"'
run --matrix=racks --impl=mpich --format=ompi-rules
is "MPICH: no rules" $rc 2
has "MPICH: whose they are" "$(cat err)" "rules are Open MPI's"

check=$builddir/tests/costmodels/traffic-check
traffic=$builddir/tests/costmodels/mpi-traffic
[ -x "$traffic" ] || why="built without MPI"
[ -n "$why" ] || PATH=$real command -v mpirun >/dev/null || why="no mpirun here"
faked=$PATH PATH=$real
. "$srcdir/tests/openmpi.sh"
PATH=$faked
[ -n "$why" ] || [ $shared = vader ] || why="the algorithms are of Open MPI 4.1"
mpi() {
	PATH=$real ASAN_OPTIONS=detect_leaks=0 mpirun -np "$1" --oversubscribe \
		$alone --mca btl $shared,self \
		--mca mpi_yield_when_idle 1 --mca pml_monitoring_enable 1 \
		--mca coll_base_verbose 10 \
		--mca coll_tuned_use_dynamic_rules 1 \
		--mca coll_tuned_dynamic_rules_filename "$tmp/$2" \
		"$traffic" "$tmp/cases" 2>mpi.err
}
[ -n "$why" ] || PATH=$real mpirun --oversubscribe -np 2 $alone \
	true 2>mpi.err || why="mpirun cannot start processes here"
if [ -n "$why" ]; then
	skip "Open MPI takes the rules" "$why"
	done_testing
	exit
fi

# whatever is predicted, rules for one function name no algorithm of another
run --matrix=racks --collective=reduce-scatter --format=ompi-rules
is "rules for MPI_Reduce_scatter" "$rc $(sed -n 3p out)" "0 12 # reduce_scatter"
is "rules for MPI_Reduce_scatter: its algorithms" "$(grep -c '# block' out)" 0
run --matrix=racks --collective=reduce-scatter --algorithm=block-default \
	--size=64k --format=ompi-rules
is "rules for MPI_Reduce_scatter_block" "$rc $(sed -n 3p out)" \
	"0 13 # reduce_scatter_block"
is "rules for MPI_Reduce_scatter_block: its algorithms" \
	"$(grep -c '^[0-9]* [1-9] 0 .*# [a-z-]*:' out)" \
	"$(grep -c '^[0-9]* [1-4] 0 .*# block-[a-z-]*:' out)"
# segments are predicted as they are ruled
run --matrix=racks --nic=200Mbit --collective=broadcast --format=ompi-rules \
	--algorithm=linear
cp out whole
run --matrix=racks --nic=200Mbit --collective=broadcast --format=ompi-rules \
	--algorithm=linear --segment=4k
is "rules with segments: done" $rc 0
ok "rules with segments: a pipeline pays" grep -q '# pipeline:' out
ok "rules without segments: it would not" sh -c '! grep -q "# pipeline:" whole'
is "rules with segments: none for what sends none" \
	"$(grep -cE '^[0-9]+ (0|1|8|9) 0 [^0]' out)" 0

# cases FILE: a case in each rule's range; setting 0 forces nothing
cases() {
	sed -n '/the ranks of the order/,/# more: /p' "$1" |
		awk '/^[0-9]+ [0-9]+ 0 [0-9]+ # [a-z]/ {
			a = $6
			sub(":", "", a)
			if ($2 == 0)
				a = "default"
			print n++, "allreduce", a, 0, $1 + 4 - $1 % 4, 4, 0, 0, 0
		}' >cases
}
cases rules
ok "there are rules" test -s cases
ok "among them other algorithms than the library's own" grep -qv default cases
mpi 8 rules >sent
is "Open MPI runs with the rules" $? 0
ok "and takes the algorithms they name" "$check" openmpi compare 8 1 "$tmp/cases" <sent
is "without a complaint" "$(grep -ciE 'rules? ?file|cannot|could not|error' mpi.err)" 0
# every algorithm once, whatever is predicted
{
	printf '1\n2\n3\n0 1\n0 0 0 0\n8 5\n'
	printf '0 3 0 0\n4096 4 0 0\n16384 6 0 0\n65536 1 0 0\n262144 5 0 65536\n'
	printf '9 1\n0 0 0 0\n'
} >five
{
	echo 0 allreduce recursive-doubling 0 1024 4 0 0 0
	echo 1 allreduce ring 0 4096 4 0 0 0
	echo 2 allreduce rabenseifner 0 16384 4 0 0 0
	echo 3 allreduce linear 0 65536 4 0 0 0
	echo 4 allreduce segmented-ring 0 1048576 4 65536 0 0
} >cases
mpi 8 five >sent
ok "Open MPI reads the grammar as it is written" \
	"$check" openmpi compare 8 1 "$tmp/cases" <sent
sed -i 's/recursive-doubling/ring/' cases
"$check" openmpi compare 8 1 "$tmp/cases" <sent >out
is "another algorithm would be seen" $? 1
# fewer and more ranks than the order's are left alone
for n in 7 9; do
	echo 0 allreduce default 0 4096 4 0 0 0 >cases
	mpi $n five >sent
	ok "$n ranks: the library's own choice" \
		"$check" openmpi compare $n 1 "$tmp/cases" <sent
done

done_testing
