#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0706-order-nccl.t - plink-order for NCCL: hosts as nodes, rings and trees apart
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

order=$builddir/plink-order
cd "$tmp" || exit 99

# three racks of 5, 6 and 5 hosts: 1 within one, 10 to another
awk 'BEGIN {
	split("5 6 5", size, " ")
	for (r = 1; r <= 3; r++)
		for (i = 0; i < size[r]; i++)
			rack[n++] = r
	print "# plink-matrix 1\n# quantity rtt\n# unit us"
	for (i = 0; i < n; i++) {
		printf "h%02d", i
		for (j = 0; j < n; j++)
			printf " %d", i == j ? 0 : rack[i] == rack[j] ? 1 : 10
		print ""
	}
}' >matrix
awk '!/^#/ { print $1 " slots=8" }' matrix >eights

# plan ARGS: an order for NCCL to "out", words on it to "err"
plan() {
	"$order" --matrix=matrix --impl=nccl --format=names "$@" \
		>out 2>err || echo failed >out
}
# cost ALGORITHM ORDER
cost() {
	"$order" --matrix=matrix --impl=nccl --algorithm="$1" --cost-of="$2" \
		2>/dev/null
}
# crossings ring|tree ORDER: edges between racks, of a ring or of both of
# NCCL's trees (parents by bits; the second one mirrored, 16 being even)
crossings() {
	awk -v what="$1" '
	function rack(k) { return host[k] < 5 ? 1 : host[k] < 11 ? 2 : 3 }
	function up(r, b, u) {
		for (b = 1; int(r / b) % 2 == 0; b *= 2)
			;
		u = int(r / (2 * b)) % 2 == 0 ? r + b : r - b
		return u < n ? u : r - b
	}
	{ host[n++] = substr($1, 2) + 0 }
	END {
		for (i = 0; i < n; i++)
			if (what == "ring")
				sum += rack(i) != rack((i + 1) % n)
			else if (i > 0)
				sum += (rack(i) != rack(up(i))) + \
					(rack(n - 1 - i) != rack(n - 1 - up(i)))
		print sum
	}' "$2"
}

awk '!/^#/ { print $1 }' matrix >sorted
plan
mv out ring
is "a ring keeps racks together" "$(cost ring ring)" 43
is "and crosses between them three times" "$(crossings ring ring)" 3
has "the algorithm it is for" "$(cat err)" \
	"this order is for NCCL_ALGO=AllReduce:Ring (before NCCL 2.24: Ring)"
plan --algorithm=double-binary-tree
mv out tree
has "trees: the algorithm it is for" "$(cat err)" "NCCL_ALGO=AllReduce:Tree"
is "racks one after the other are dear for trees" \
	"$(cost double-binary-tree sorted)" 80
is "they cross between racks twelve times" "$(crossings tree sorted)" 12
ok "an order for trees costs less" \
	[ "$(cost double-binary-tree tree)" -lt 80 ]
ok "and would cost more as a ring" [ "$(cost ring tree)" -gt 43 ]
plan --algorithm=double-binary-tree --min-gain=99
ok "the sorted order is kept if told to" cmp -s out sorted

# a host is a node, however many slots it has
for a in ring double-binary-tree; do
	plan --algorithm=$a
	mv out ones
	"$order" --matrix=matrix --impl=nccl --algorithm=$a --format=names \
		eights >out 2>err
	ok "$a: the same order where hosts have eight slots" cmp -s ones out
	is "$a: and the same cost" \
		"$(sed -n 's/.*, found \([0-9]*\) us.*/\1/p' err)" \
		"$(cost $a ones)"
done
has "which is said" "$(cat err)" "of a host's ranks only the lowest counts"

# hosts of different numbers of slots: no obstacle between hosts
awk '!/^#/ { print $1 " slots=" 1 + n++ % 3 }' matrix >mixed
for a in ring double-binary-tree; do
	plan --algorithm=$a
	mv out ones
	plan --algorithm=$a mixed
	ok "$a: the same order where slots differ" cmp -s ones out
	is "$a: at the same cost" \
		"$(sed -n 's/.*, found \([0-9]*\) us.*/\1/p' err)" \
		"$(cost $a ones)"
done
plan --format=hostfile mixed
is "a line for each rank" "$(uniq -c out | awk '{ print $1 }' | sort | uniq -c |
	tr -s ' \n' ' ')" " 6 1 5 2 5 3 "
plan --format=plan mixed
has "a plan with their slots" "$(cat out)" "host 2 h02 slots=3"
plan --pin=h07 mixed
is "a ring may start anywhere" "$(head -n 1 out) $(grep -c 'what --pin' err)" \
	"h07 0"
plan --collective=broadcast mixed
is "a broadcast from rank 0" "$(wc -l <out)" 16
for c in "--collective=broadcast --root=3" --collective=reduce \
	"--collective=allgather --algorithm=pat"; do
	plan $c mixed
	is "refused: $c" "$(cat out)" failed
done
"$order" --matrix=matrix --impl=nccl --predict --size=64k mixed >out 2>err
is "no predictions, and why" \
	"$(grep -c '^64k.*- *hosts have different numbers of slots' out)" 2
# bytes are a rank's part of the buffer, not a host's
cat >band <<'END'
# plink-matrix 1
# quantity rtt
# unit us
a 0 10
b 10 0
# layer p50 bandwidth bytes-per-s
a 0 1000000
b 1000000 0
END
printf 'a slots=1\nb slots=7\n' >one-seven
"$order" --matrix=band --impl=nccl --algorithm=ring --size=64 one-seven \
	>out 2>err
has "and bytes are those of a rank" "$(cat err)" "found 36 us"

# what NCCL takes
takes() {
	what=$1
	want=$2
	shift 2
	plan --moves=100 "$@"
	has "$what" "$(cat err)" "$want"
}
takes "small: trees" "warning: by its own model NCCL takes Tree, not Ring (1k, \
16 hosts of 1 GPU, over sockets at 10 Gbit/s): set NCCL_ALGO" --size=1k \
	--algorithm=ring
takes "small: trees are planned for" "NCCL takes Tree by itself" --size=1k
has "and said to be" "$(cat err)" "allreduce double-binary-tree (nccl), 1k: "
takes "small: planned for trees" "NCCL takes Tree by itself" --size=1k \
	--algorithm=double-binary-tree
takes "large: a ring" "NCCL takes Ring by itself, by its own model (64M" \
	--size=64M
takes "large: planned for trees" "warning: by its own model NCCL takes Ring, \
not Tree (64M" --size=64M --algorithm=double-binary-tree
takes "between: a faster card changes it" "NCCL takes Tree, not Ring (128k, \
16 hosts of 1 GPU, over sockets at 100 Gbit/s" --size=128k --nic=100G \
	--algorithm=ring
takes "between: nobody knows" "depends on GPUs and processors (8M, 16 hosts of \
8 GPUs, over sockets at 100 Gbit/s): set NCCL_ALGO" --size=8M --nic=100G eights
takes "of 31 ranks on 16 hosts" "NCCL takes Ring by itself, by its own model \
(64M, 16 hosts of 1.94 GPUs" --size=64M mixed
takes "all-gathers count the whole result" "by itself, by its own model (8k" \
	--collective=allgather --algorithm=pat --size=8k
takes "of as many bytes a rank" "NCCL takes Ring, not PAT (64k" \
	--collective=allgather --algorithm=pat --size=64k
takes "broadcasts have one algorithm" "NCCL takes Ring by itself" \
	--collective=broadcast --size=1k
plan
is "without a size nothing is said about that" "$(grep -c 'takes' err)" 0

json() {
	"$order" --matrix=matrix --impl=nccl --json --moves=100 "$@" \
		2>/dev/null | sed -n 's/^  "nccl_\(.*\),$/\1/p' | tr '\n' ' '
}
is "JSON without a size" "$(json)" 'algo": "Ring" '
is "JSON with one" "$(json --size=1k)" 'algo": "Tree" takes": "Tree" '
is "JSON with one, for a ring" "$(json --size=1k --algorithm=ring)" \
	'algo": "Ring" takes": "Tree" '
is "JSON where it depends" "$(json --size=8M --nic=100G eights)" \
	'algo": "Ring" takes": null '
"$order" --matrix=matrix --json --size=1k >out 2>err
is "other libraries have none of that" "$(grep -c -i nccl out err |
	tr '\n' ' ')" "out:0 err:0 "
"$order" --matrix=matrix --impl=thesis --size=1k --nic=10G >out 2>err
is "--nic without NCCL or predictions: refused" "$? $(cat out)" "2 "
"$order" --matrix=matrix --impl=nccl --nic=10G >out 2>err
is "--nic without a size: refused" "$? $(cat out)" "2 "

done_testing
