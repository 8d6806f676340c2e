#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0759-order-alltoall.t - plink-order: all-to-alls, in which an order gains only where
# the algorithm goes in rounds, or the job's communicators are parts of it
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

order=$builddir/plink-order
cd "$tmp" || exit 99

# racks of four, one after the other: 20 us within, 2 ms across; 1 Gbit/s
awk 'BEGIN {
	print "# plink-matrix 1\n# quantity rtt\n# unit us"
	for (i = 0; i < 16; i++) {
		printf "h%d", i
		for (j = 0; j < 16; j++)
			printf " %d", i == j ? 0 : int(i / 4) == int(j / 4) ? 20 : 2000
		print ""
	}
}' >racks
run() {
	"$order" --matrix=racks --nic=1G --moves=7000 "$@" >out 2>err
	rc=$?
}
# less SIZE: percent that this call takes less
less() {
	awk -v s="$1" '$2 == s { print ($NF == "more" ? "-" : "") $(NF - 2) }' err
}
same="all pairs of ranks send at once: no order of these hosts is faster than another"

run --collective=alltoall --impl=openmpi
is "what Open MPI takes: done" $rc 0
is "sizes are those of blocks, of buffers as large as usual" \
	"$(awk '$(NF - 5) == "->" { print $2, $3 }' err)" "128 modified-bruck
4k linear-sync
64k linear-sync
512k linear-sync"
has "where no order gains it is said" "$(cat err)" "alltoall 4k, 64k, 512k: $same"
run --collective=alltoall --impl=openmpi --size=64k
has "and the given order kept" "$(cat err)" "is surely as fast at every size"
is "as it is" "$(cut -d' ' -f1 out | tr '\n' ' ')" "$(seq -f 'h%.0f' -s ' ' 0 15) "

# in rounds: from hosts in an order that means nothing
for i in 7 2 13 0 10 5 15 8 1 12 6 11 3 14 9 4; do
	echo h$i
done >mixed
run --collective=alltoall --impl=openmpi --size=256 mixed
ok "Bruck's gains" test "$(less 256 | cut -d. -f1)" -ge 10
is "rounds are not all pairs at once" "$(grep -c "$same" err)" 0
run --collective=alltoall --format=mpich --size=64k mixed
ok "and MPICH's pairs" test "$(less 64k | cut -d. -f1)" -ge 5
for impl in gloo mpich; do
	run --collective=alltoall --impl=$impl --size=4k
	has "$impl: no order" "$(cat err)" "$same"
done
run --collective=alltoall --impl=nccl --size=4k
has "NCCL: no order" "$(cat err)" "$same"
for impl in nccl gloo; do
	run --collective=alltoall --impl=$impl --size=4k --json
	is "$impl: none is searched" "$(sed -n 's/^  "moves": \(.*\),/\1/p' out)" 0
done
is "nor an algorithm that could be chosen" "$(grep -c NCCL_ALGO err)" 0

# rules count all blocks of a rank, the comments one
run --collective=alltoall --impl=openmpi --rules=rules
is "rules: of MPI_Alltoall" "$(sed -n 's/ # alltoall$//p' rules)" 3
ok "rules: bytes of all blocks" sh -c "awk '/ms at/ {
	at = \$0; sub(/.* at /, \"\", at); sub(/ .*/, \"\", at)
	if (\$1 && \$1 != at * 8) bad = 1; n++ } END { exit bad || !n }' rules"
run --collective=alltoall --impl=openmpi --algorithm=pairwise --size=1k
has "an algorithm's setting" "$(cat err)" "--mca coll_tuned_alltoall_algorithm 2 "
run --collective=alltoall --impl=openmpi --predict --size=512
ok "all algorithms are predicted" test "$(grep -c '^512 .* %' out)" -ge 5

# what a job has made: bytes to all ranks are counted
cat >stats <<'END'
# plink-stats 1
# ranks 16
collective kind ranks size_min size_max calls bytes processes seconds_mean seconds_min seconds_max
alltoall blocking 16 2048 4095 160 327680 16 0.1 0.1 0.1
END
run --impl=openmpi --stats=stats
has "a job's calls: of 128 bytes to each" "$(cat err)" "128  modified-bruck"

# experts: four communicators of four ranks, given across the racks
cat >job <<'END'
# plink-job 1
ranks 16
mesh dp=4 ep=4
kind experts alltoall 64k calls=4 along=ep
END
for impl in openmpi mpich gloo nccl; do
	"$order" --matrix=racks --impl=$impl --job=job --format=names >out 2>err
	is "$impl: each group of experts gets a rack" "$(awk '{
		rack = int(substr($1, 2) / 4)
		if (NR > 4 && rack != of[NR % 4]) bad++
		of[NR % 4] = rack }
		END { print NR, bad + 0 }' out)" "16 0"
done
sed 's/along=ep/along=dp,ep/' job >whole
"$order" --matrix=racks --impl=gloo --job=whole >out 2>err
has "of all ranks there is nothing to gain" "$(cat err)" \
	"no order of these hosts is faster than another"

done_testing
