#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0756-order-workload.t - plink-order by default: for what the launcher's library runs
# by itself, at several sizes, by predicted seconds
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

order=$builddir/plink-order
cd "$tmp" || exit 99
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
path=$PATH
mkdir bin

# mpirun_is VERSION: a launcher that says so
mpirun_is() {
	printf '#!/bin/sh\nprintf "%s\\n"\n' "$1" >bin/mpirun
	chmod +x bin/mpirun
	PATH=$tmp/bin:$path
}
# run ARG...: status in $rc, output in out, messages in err; cards are known
run() {
	"$order" --moves=1000 --nic=1G "$@" >out 2>err
	rc=$?
}
# far ARG...: the same where delays alone decide, of which predictions are sure
far() {
	"$order" --moves=1000 "$@" >out 2>err
	rc=$?
}
# is_for WHAT LIBRARY FORMAT [ARG...]: no launcher but that in bin is found
is_for() {
	what=$1
	want=$2
	shift 2
	PATH=$tmp/bin "$order" --matrix=few --nic=1G --moves=100 --format="$@" \
		>out 2>err
	is "$what" "$? $(sed -n 's/.*order; \(.*\):$/\1/p' err)" \
		"0 allreduce of $want, the algorithms it takes by itself"
}
# net SEED K: the K-th network drawn, and its hosts as given
net() {
	"$builddir/bench/drawn-network" --seed="$1" --network="$2" >net
	sed -n 's/^\(h[0-9]*\) .*/\1/p' net >given
}
# less SIZE: percent that this call takes less
less() {
	awk -v s="$1" '$2 == s { print ($NF == "more" ? "-" : "") $(NF - 2) }' err
}

# whose collectives, of four hosts
"$builddir/plink-testbed" matrix --racks=2x2 --intra-us=500 --inter-us=1000 >few \
	2>err
mpirun_is "mpirun (Open MPI) 4.1.4"
for f in hostfile seq rankfile names plan json slurm; do
	is_for "$f: of the MPI that is installed" "Open MPI 4.1.4" $f
done
is_for "mpich: whatever is installed" MPICH mpich
is_for "horovod: Gloo" Gloo horovod
is_for "a library that is named" LightGBM hostfile --impl=lightgbm
awk '/^h/ { print "# host", $1, "addr=10.0.0." ++n }' few >addresses
sed '/^# plink-matrix/r addresses' few >addressed
"$order" --matrix=addressed --format=lightgbm >out 2>err
has "lightgbm: its own" "$(cat err)" "; allreduce of LightGBM, "
for f in torchrun deepspeed pdsh; do
	run --matrix=few --size=8M --format=$f
	has "$f: NCCL, by hops" "$(cat err)" "allreduce ring (nccl), 8M: given "
done
mpirun_is 'HYDRA build details:\\n  Version:   4.0.2'
is_for "Hydra: MPICH" "MPICH's Hydra 4.0.2" hostfile
rm bin/mpirun
is_for "no mpirun: Open MPI" "Open MPI" hostfile
mpirun_is "mpirun (Open MPI) 4.1.4"

# the settings that a command needs, and no others
run --matrix=few --format=slurm
is "nothing named: no setting" "$(grep -c -e --mca -e OMPI_MCA_ err)" 0
run --matrix=few --algorithm=ring
has "an algorithm of Open MPI" "$(cat err)" "--mca \
coll_tuned_use_dynamic_rules 1 --mca coll_tuned_allreduce_algorithm 4 ./app"
run --matrix=few --algorithm=ring --format=slurm
has "for srun: variables" "$(cat err)" "OMPI_MCA_coll_tuned_use_dynamic_rules=1 \
OMPI_MCA_coll_tuned_allreduce_algorithm=4 srun "
run --matrix=few --format=mpich
is "MPICH: no setting" "$(grep -c -e -genv err)" 0
run --matrix=few --format=mpich --algorithm=recursive-doubling
has "an algorithm of MPICH" "$(cat err)" \
	"-genv MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM recursive_doubling ./app"
"$order" --matrix=few --format=torchrun >out 2>err
is "NCCL: no setting" "$(grep -c 'env NCCL_ALGO' err)" 0
"$order" --matrix=few --format=torchrun --algorithm=double-binary-tree >out 2>err
has "an algorithm of NCCL" "$(cat err)" "env NCCL_ALGO=AllReduce:Tree torchrun"
"$order" --matrix=few --algorithm=bcube:2 --size=64k >out 2>err
has "what only the thesis has: by hops" "$(cat err)" "bcube:2 (thesis), 64k: given"

# JSON: each call by itself
net 1 1
run --matrix=net --json
is "JSON: the calls" "$rc $(python3 -c 'import json
j = json.load(open("out"))
gain = sum(c["weight"] * (1 - c["seconds"] / c["seconds_given"]) for c in j["calls"])
assert abs(100 * gain - j["gain_percent"]) < 1e-9
assert all(c["seconds_least"] <= c["seconds"] for c in j["calls"])
print(j["unit"], *[(c["collective"], c["size"], c["taken"]) for c in j["calls"]])
')" "0 None ('allreduce', 2048, 'recursive-doubling') \
('allreduce', 65536, 'rabenseifner') ('allreduce', 1048576, 'rabenseifner') \
('allreduce', 8388608, 'rabenseifner')"
run --matrix=net --json --size=8M
is "JSON: hops of a single call in the matrix's unit" "$rc $(python3 -c 'import json
j = json.load(open("out"))
print(j["unit"], j["taken"], j["bound"] <= j["cost"] < j["cost_given"])')" \
	"0 us rabenseifner True"

# several collectives: a line of the plan for each, the same order
run --matrix=net --collective=allreduce,broadcast --format=plan
is "several collectives: orders" "$(sed -n 's/^order \([a-z]*\) .*/\1/p' out |
	paste -sd' ' -) $(sed -n 's/^order.* : //p' out | sort -u | wc -l)" \
	"allreduce broadcast 1"
has "several collectives: a row for each size of each" "$(cat err)" \
	"  broadcast 64k  linear "
run --matrix=net --collective=barrier,allreduce --size=8k
is "a barrier first: sizes are the others'" "$rc $(grep -c ' [0-9.]* % ' err)" "0 3"
for list in allreduce, ,allreduce allreduce,,reduce allreduce,reduce,allreduce; do
	run --matrix=net --collective=$list
	is "--collective=$list: usage" "$rc $(cat out)" "2 "
done
run --matrix=net --collective=reduce --root=8
is "a root that is no rank" "$rc $(cat err)" \
	"2 plink-order: root 8 is not one of the 8 ranks"

# all searches together; of up to 8 hosts all orders are tried instead
net 1 2
run --matrix=net --json
ok "no more moves than asked for" test \
	"$(sed -n 's/^  "moves": \([0-9]*\),$/\1/p' out)" -le 1000

# weights
for seed_k in "1 8" "1 5"; do
	net $seed_k
	run --nic=200M --accept-loss --matrix=net --size=2k:100,8M:1
	small="$(less 2k) $(less 8M)"
	run --nic=200M --accept-loss --matrix=net --size=2k:1,8M:100
	large="$(less 2k) $(less 8M)"
	ok "network $seed_k, by weights: $small or $large % less" awk -v \
		s="$small" -v l="$large" 'BEGIN {
			split(s, a, " ")
			split(l, b, " ")
			exit !(a[1] > b[1] + 1 || b[2] > a[2] + 1)
		}'
done

# what a job has sent
cat >job.stats <<'END'
# plink-stats 1
collective kind ranks size_min size_max calls bytes processes
allreduce blocking 8 2048 4095 8000 16384000 8
broadcast blocking 8 8388608 16777215 16 134217728 8
allreduce blocking 4 2048 4095 400000 819200000 8
send blocking 8 64 127 10 640 8
END
{
	printf '{"plink_stats": 1, "rows": ['
	awk 'NR > 2 {
		printf "%s{\"collective\": \"%s\", \"kind\": \"%s\", ", sep, $1, $2
		printf "\"ranks\": %d, \"calls\": %d, \"bytes\": %d, ", $3, $6, $7
		printf "\"processes\": %d}", $8
		sep = ", "
	}' job.stats
	echo ']}'
} >job.json
net 1 1
for f in stats json; do
	run --matrix=net --stats=job.$f --json
	is "job.$f: calls of all ranks, weighed by their time; it is for the largest" \
		"$rc $(python3 -c 'import json
j = json.load(open("out"))
calls = j["calls"]
n = {"allreduce": 1000, "broadcast": 2}
time = [n[c["collective"]] * c["seconds_given"] for c in calls]
assert all(abs(c["weight"] - t / sum(time)) < 1e-9 for c, t in zip(calls, time))
print(j["collective"], *[(c["collective"], c["size"]) for c in calls])')" \
		"0 broadcast ('allreduce', 2048) ('broadcast', 8388608)"
done
# bad TEXT MESSAGE: a file of statistics that is refused
bad() {
	printf '%b' "$1" >bad
	run --matrix=net --stats=bad
	is "statistics \"$1\": refused" "$rc $(cat out)" "3 "
	has "statistics \"$1\": why" "$(cat err)" "plink-order: bad$2"
}
sed 's/^broadcast blocking/broadcast nonblocking/' job.stats >mixed
run --matrix=net --stats=mixed --json
is "what is not blocking runs otherwise: not taken" \
	"$rc $(grep -c '"collective": "broadcast"' out)" "0 0"
run --matrix=net --stats=job.stats
has "what is left out is said" "$(cat err)" " 98 % of the calls in job.stats are not \
among these, as no order is found for them: most are blocking allreduce of 4 ranks"
sed '/^allreduce/d' job.stats >one
run --matrix=net --stats=one --json
is "one kind of call: that is what is told" \
	"$(sed -n 's/^  "\(collective\|size\)": "*\([a-z0-9]*\).*/\2/p' out | paste -sd' ')" \
	"broadcast 8388608"
bad 'x\n' ":1:1: this is a host list, not statistics of a job"
bad '# plink-stats 1\nallreduce blocking 8\n' ":2:21: a row has 8 columns"
bad '# plink-stats 1\nallreduce blocking 8 0 1 x 1 8\n' ':2:26: "x" is not a whole'
bad '# plink-stats 2\n' ":1:1: not a file of plink-stats(5), version 1"
bad '{"rows": [}\n' ":1:11: "
bad '{"rows": []}\n' ": not a file of plink-stats(5), version 1"
bad '# plink-stats 1\nallreduce blocking 4 0 1 8 8 8\n' \
	": no collective among all 8 ranks"
run --matrix=net --stats=none
is "no such file" "$rc $(cat out)" "4 "
for a in --size=1k --collective=reduce --algorithm=ring --impl=thesis --predict; do
	run --matrix=net --stats=job.stats $a
	is "--stats $a: usage" "$rc $(cat out)" "2 "
done

# found: the order in the JSON in out
found() {
	sed -n '/"order"/,/\]/s/^    "\(.*\)",*/\1/p' out
}
# given_times: of each size in the order that out's answer was given
given_times() {
	python3 -c 'import json
for c in json.load(open("out"))["calls"]:
    print(c["size"], c["seconds_given"])'
}
# ms ORDER: predicted milliseconds of each size in it
ms() {
	"$order" --matrix=net --nic=1G --predict --algorithm=default --moves=1 \
		--bound=none "$1" 2>/dev/null | awk '$2 == "default" {
			print $1, $3 ~ /^\(/ ? $4 : $3 }'
}
# slower nowhere, as predicted anew where it is given, and the order found is kept
for seed_k in "1 1" "1 4" "1 7" "1 10" "7 1" "7 4" "7 7" "7 10"; do
	net $seed_k
	run --matrix=net --json
	found >found
	given_times >given.s
	run --matrix=net --json found
	given_times >found.s
	is "network $seed_k: slower at no size" "$(paste given.s found.s |
		awk '$1 == $3 { n += $4 <= 1.01 * $2 } END { print n }')" 4
	found >order
	ok "network $seed_k: the order found is kept" cmp -s found order
	has "network $seed_k: so in JSON" "$(cat out)" '"kept": true,'
	has "network $seed_k: and that is said" "$(cat err)" \
		"gains 1 % or more and is surely as fast at every size: the given order"
done

# an order that is better in all and loses somewhere
net 1 4
far --matrix=net --nic=10G --collective=reduce
cp out careful
loss=$(sed -n 's/.* more at 2k: --accept-loss=\([0-9]*\) allows such/\1/p' err)
ok "a loss of more than a tenth: refused, and said" [ "${loss:-0}" -gt 10 ]
is "the order that is written loses nowhere" "$(grep -c ' % more$' err)" 0
far --matrix=net --nic=10G --collective=reduce --accept-loss=$((loss - 2))
ok "less is accepted: the same order" cmp -s careful out
for a in --accept-loss="$loss" --accept-loss; do
	far --matrix=net --nic=10G --collective=reduce $a
	ok "$a: another order" sh -c '! cmp -s careful out'
	said=$(sed -n 's/.*slower than the given one by \([0-9]*\)[.]/\1/p' err)
	is "$a: what it costs is said" "$said" \
		"$((loss - 1))${said#"$((loss - 1))"}"
	has "$a: and that it is allowed" "$said" \
		" % at 2k, which --accept-loss allows"
	ok "$a: it gains in all" grep -q 'in all [0-9.]* % less' err
done
# trade: of the answer in JSON, taken and at which size
trade() {
	far --matrix=net --nic=10G --collective=reduce --json "$@"
	python3 -c 'import json
j = json.load(open("out"))
t = j["trade"]
print(j["kept"], t and (t["taken"], j["calls"][t["call"]]["size"],
	t["gain_percent"] > j["gain_percent"] - 1e-9, t["loss_percent"] > 10))'
}
is "JSON: what was not taken" "$(trade)" "False (False, 2048, True, True)"
is "JSON: what is accepted" "$(trade --accept-loss)" "False (True, 2048, True, True)"
far --matrix=net --nic=10G careful --collective=reduce --pin=h5 --accept-loss=1
has "a host pinned costs more than is accepted" "$(cat err)" \
	": that is what --pin costs"
far --matrix=net --nic=10G careful --collective=reduce --pin=h5
is "a host pinned: first" "$rc $(head -n 1 out)" "0 h5"
has "a host pinned: what that costs is said" "$(cat err)" \
	": that is what --pin costs"

# a ring that is named may begin anywhere: there, what else the library runs is cheap;
# two racks in a line each, the first host given is the second of its line
awk 'BEGIN {
	print "# plink-matrix 1\n# quantity one-way\n# unit us"
	for (i = 0; i < 8; i++) {
		printf "h%d", i
		for (j = 0; j < 8; j++) {
			a = (i + 1) % 8
			b = (j + 1) % 8
			d = a < b ? b - a : a - b
			same = int(a / 4) == int(b / 4)
			printf " %d", d == 0 ? 0 : same ? 400 + 100 * d : \
				d == 1 || d == 7 ? 4500 : 5000
		}
		print ""
	}
}' >net
printf 'h%d\n' 0 3 1 4 2 5 7 6 >given
"$order" --matrix=net --impl=thesis given >unturned 2>err
run --matrix=net --algorithm=ring --size=8M given
cp out turned
for o in unturned turned; do
	"$order" --matrix=net --impl=thesis --cost-of=$o >$o.cost 2>err
	ms $o >$o.ms
done
ok "a ring: at the same cost" cmp unturned.cost turned.cost
is "a ring: recursive doubling of 2k gains by that" "$(join unturned.ms turned.ms |
	awk '$1 == "2k" { print $3 < 0.9 * $2 }')" 1

# hosts of the matrix that are not in the job send nothing through its uplinks
"$builddir/plink-testbed" matrix --racks=8+4 --intra-us=500 --inter-us=1000 \
	--nic=1G --uplink=500M --shuffle >net 2>/dev/null
sed -n 's/^# rack \(h[0-9]*\) 0$/\1/p' net | tail -n 6 >absent
sed -n 's/^\(h[0-9]*\) .*/\1/p' net | grep -vxFf absent >given
awk 'NR == FNR { absent[$1]; next }
	$2 == "rack" || $2 == "card" { if ($3 in absent) next; host[n++] = $3 }
	/^#/ { print; next }
	{ row[$1] = $0; name[++k] = $1 }
	END {
		for (i = 1; i <= k; i++) {
			if (name[i] in absent) continue
			split(row[name[i]], cell, " ")
			line = name[i]
			for (j = 1; j <= k; j++)
				if (!(name[j] in absent)) line = line " " cell[j + 1]
			print line
		}
	}' absent net >cut
for m in net cut; do
	far --matrix=$m --json given
	grep '"hops\|"cost\|"order\|"h[0-9]' out >$m.json
done
ok "hosts that are not in the job change nothing" cmp -s net.json cut.json

# what is to be proved is the call itself, not what else the library runs
net 1 1
far --matrix=net --size=64k --method=exact --json
is "one call: its order is the cheapest" \
	"$(sed -n 's/^  "exact": \([a-z]*\),/\1/p' out)" true
far --matrix=net --json
is "several: relative to the given order" \
	"$(sed -n 's/^  "cost_given": \(.*\),/\1/p' out)" 1

# what was measured is not written over
cp net kept
far --matrix=net -o ./net given
is "onto the matrix: refused" "$rc $(cmp net kept && echo kept)" "2 kept"

# what is not known
net 1 1
# promised: sizes in the table, what is promised in all, what is not
promised() {
	sed -n 's/^plink-order: *\([0-9]*[kM]\) .* -> .*/\1/p
		s/^plink-order: \(in all\) .*/\1/p
		s/^plink-order: no time is predicted for \(.*\): .*/no \1/p' err | xargs
}
far --matrix=net --json
is "no rates: small sizes alone are promised" "$(promised)" "2k 64k in all no 1M, 8M"
is "no rates: so in JSON" "$(python3 -c '
import json
j = json.load(open("out"))
print([c["size"] for c in j["calls"]], [c["size"] for c in j["not_promised"]],
      [c["weight"] for c in j["calls"]], j["gain_percent"] is not None)')" \
	"[2048, 65536] [1048576, 8388608] [0.5, 0.5] True"
has "no rates: what would tell them" "$(cat err)" \
	"plink-probe measures rates, unless told not to; --nic and --uplink tell them"
cp out known
far --matrix=net --size=2k,64k --json
is "no rates: the order is for what is promised" \
	"$(sed -n '/"order"/,/]/p' out)" "$(sed -n '/"order"/,/]/p' known)"
far --matrix=net --size=1M,8M --json
is "no size that is promised: none" "$rc $(promised)" "0 no 1M, 8M"
has "no size that is promised: by round trips" "$(cat err)" " by round trips alone"
is "no size that is promised: no gain, no costs" "$(python3 -c '
import json
j = json.load(open("out"))
print(j["calls"], [c["size"] for c in j["not_promised"]], j["gain_percent"])')" \
	"[] [1048576, 8388608] None"
# a card alone that is not known, and then its rate
sed '/^# unit/r /dev/stdin' net >part <<END
$(sed -n 's/^\(h[0-9]*\) .*/# card \1 10G 10G/p' net | sed 1d)
END
far --matrix=part
is "one card is not known" "$(promised)" "2k 64k in all no 1M, 8M"
far --matrix=part --nic=1G
is "all are known" "$(promised)" "2k 64k 1M 8M in all"
# cards, but no flow passed from one rack to another
sed '/^# unit/r /dev/stdin' net >part <<END
$(sed -n 's/^\(h[0-9]*\) .*/# card \1 1G 1G/p' net)
END
far --matrix=part
is "uplinks were no limit" "$(promised)" "2k 64k 1M 8M in all"
echo "# cell h0 h1 few: cannot connect: Connection refused" >>part
echo "# cell h1 h0 few: cannot connect: Connection refused" >>part
far --matrix=part --json
is "flows through uplinks failed" "$(promised)" "2k 64k 1M in all no 8M"
has "flows through uplinks failed: why" "$(cat err)" \
	"plink-order: missing: flow from h0 to h1 and 1 more: cannot connect: Connection"
has "flows through uplinks failed: what to do" "$(cat err)" \
	"if a firewall stops TCP between these hosts, open all ports"
is "flows through uplinks failed: why, in JSON" "$(python3 -c '
import json
print(json.load(open("out"))["rates_missing"])')" \
	"['missing: flow from h0 to h1 and 1 more: cannot connect: Connection refused']"
sed -i 's/few: cannot.*/few: h0: its agent has not answered for 10 s/' part
far --matrix=part
is "a host was lost: no word of firewalls" "$(promised) $(grep -c firewall err)" \
	"2k 64k 1M in all no 8M 0"
awk '{ print $1, "zone/rack" NR % 2 }' given >places
"$order" --topology=places given >out 2>err
has "places alone: hops" "$(cat err)" \
	"allreduce of Open MPI 4.1.4, the algorithms it takes by itself (no times: "
has "places alone: in levels" "$(cat err)" " levels -> "
is "places alone: no percentage of seconds" "$(grep -c 'predicted time' err)" 0

# a signal: the best so far
net 1 12
"$order" --matrix=net --nic=1G --time=1000 --threads=1 >out 2>err &
pid=$!
catches $pid
sleep 0.2
kill -TERM $pid
wait $pid
is "interrupted: exit 1, all hosts" "$? $(sort -u out | wc -l)" "1 16"
has "interrupted: said" "$(cat err)" "interrupted: this is the best order so far"

done_testing
