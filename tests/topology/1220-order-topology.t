#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1220-order-topology.t - plink-order by what a provider tells, without probes
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

. "$srcdir/tests/thesis.sh"
seeds=$srcdir/tests/fuzz/seeds/places
cd "$tmp" || exit 99

# run ARG...: plink-order; $status, files out and err
run() {
	"$order" "$@" >out 2>err
	status=$?
}

# racks FILE: the first letters of the names, each run of one letter once
racks() {
	cut -c1 "$1" | uniq | tr -d '\n'
}

printf 'a[1-3] z1/r1\nb[1-3] z1/r2\nc[1-3] z2/r1 # another r1\n' >plain
printf 'a1\nb1\nc1\na2\nb2\nc2\na3\nb3\nc3\n' >hosts
run --topology=plain --format=names hosts
is "without a matrix: exit 0" $status 0
is "rack after rack" "$(racks out | wc -c | tr -d ' ')" 3
is "every host is there" "$(sort out | tr '\n' ' ')" \
	"$(sort hosts | tr '\n' ' ')"
has "nothing was measured, and that is said" "$(cat err)" \
	"nothing was measured: distances of 72 pairs by plain (plain, 2 levels)"
# 6 hops in racks, one between r1 and r2, two between zones
has "costs are levels" "$(cat err)" "found 14 levels"
run --topology=plain --json hosts
has "JSON: nothing measured" "$(cat out)" '"pairs_measured": 0'
has "JSON: in levels" "$(cat out)" '"unit": "levels"'
has "JSON: of that form" "$(tr -d ' \n' <out)" \
	'"topology":{"form":"plain","levels":2,"hosts_unknown":0,"pairs_told":72}'
run --topology=- --format=names hosts <plain
is "from standard input" "$(racks out | wc -c | tr -d ' ')" 3
run --topology=plain --algorithm=double-binary-tree --format=names hosts
is "other algorithms have an order, too" $status/"$(wc -l <out)" 0/9
run --topology=plain --choose=6 --format=names hosts
is "--choose: of two racks in one zone" "$(racks out | wc -c | tr -d ' ')" 2
has "said for those chosen" "$(cat err)" "nothing was measured"

# told, kept, ordered again
run --topology=plain --format=names --save-matrix=kept hosts
cp out first
has "distances can be kept" "$(cat kept)" "# quantity distance"
run --matrix=kept --format=names
cp err err2
is "and ordered" "$(racks out | wc -c | tr -d ' ')" 3
run --matrix=kept --predict hosts
has "which are still not measured" "$(cat err2)" \
	"nothing was measured: distances of 72 pairs by kept, 0 missing"
is "seconds cannot be predicted from them" $status 3
has "which is said" "$(cat err)" "distances by levels"
run --topology=plain --cost-of=first hosts
is "what an order costs by it" "$(cat out)" 14
has "which nobody measured" "$(cat err)" "nothing was measured"
run --topology=plain --format=plan hosts
has "a plan of them" "$(cat out)" "cost=14 "

# hosts that the file does not have
printf 'a1\na02\nx\nb1\n' >some
run --topology=plain --format=names some
is "unknown hosts are refused" $status/"$(cat out)" 1/
has "a reason is seen" "$(cat err)" 'host a02 is not there, but "a2" is'
has "or none" "$(cat err)" "host x is not among its 9 hosts"
has "how many" "$(cat err)" "the places of 2 of 4 hosts are not in plain"
run --topology=plain --format=names --missing=drop-host some
is "or left out" $status/"$(sort out | tr '\n' ' ')" "0/a1 b1 "
run --topology=plain --format=names --missing=worst some
is "or taken for far" $status/"$(wc -l <out)" 0/4

node='{"metadata":{"name":"%s","labels":{%s}}}\n'
r='"cloud.provider.com/topology-rack":"r'
printf "$node" a1 "${r}1\"" b1 "${r}2\"" c1 '"a":"b"' >few
printf 'a1\nb1\nc1\n' >three
run --topology=few three
is "hosts without a place are unknown, too" "$status $(head -n 2 err)" "1 plink-order: few: host \
c1 has no place there (no label that says where it is)
plink-order: the places of 1 of 3 hosts are not in few (see --missing)"
printf 'a1 r1\nb1 r2\nc1 r3\n' >equal
run --topology=equal --format=names three
has "a file that tells nothing of these hosts" "$(cat err)" \
	"equal: all 3 hosts are equally far from each other there"

printf 'n1.a r1\nn1.b r2\n' >twice
printf 'n1\n' >list
run --topology=twice list
has "two hosts of one name" "$(cat err)" "n1 is the name of several hosts"
printf 'n1.a\nn1.b\n' >list
run --topology=twice list
is "which the domain tells apart" $status 0
printf 'a1 1\nb1 1\na1 2\nb1 2\n' >list
run --topology=plain --format=names list
is "two machines on one host" $status/"$(wc -l <out)" 0/4

# every form, by hosts that each knows: what the ring costs
try() {
	printf '%s\n' $2 >list
	run --topology="$seeds/$1" --format=names list
	is "$1: exit 0" $status 0
	has "$1: distances by $3" "$(cat err)" " ($3, "
	has "$1: $4 levels" "$(cat err)" "found $4 levels"
}
try ec2 "i-01 i-02.us-west-2.compute.internal i-03" ec2 5
try ec2 "i-01 i-05 ip-10-0-0-2" ec2 14
try gcp "vm-1 vm-4 vm-2 vm-3" gcp 11
try gcp-hosts "a b c" gcp 8
try kubernetes "10.0.0.1 c b" kubernetes 12
try kubernetes-pods "pi-0.pi.x.svc 10.1.1.4 n2 pi-3" kubernetes 6
try slurm-tree "n01 n07 n02 n04" slurm 9
try slurm-block "n1 n3 n2 n4" slurm 6
try slurm-scontrol "cn001 cn004 cn002 cn005" slurm 6
try slurm-scontrol-blocks "n1 n3 n2 n4" slurm 6
try ftree "n1 n4 n2 n3" ftree 6
try ibnetdiscover "n1 n4 n2 n3" ibnetdiscover 9
try plain "n01 x1 n02 y" plain 12
printf 'ip-10-0-0-1\ni-02\n' >list
printf '[{"InstanceId": "i-02", "NetworkNodes": ["nn-1"]}]' >ids
run --topology=ids list
has "instance ids and other names" "$(cat err)" "describe-instances"

# faults of the file
printf 'a r1\nb\n' >bad
run --topology=bad hosts
is "a bad file: exit 3" $status 3
has "with its place" "$(cat err)" "bad:2:2: a place must follow"
head -c 100 "$seeds/ec2" >cut
run --topology=cut hosts
is "a file cut off: exit 3" $status 3
has "with its place" "$(cat err)" "cut:4:"
for start in 'apiVersion: v1' '---' 'items:'; do
	printf '# nodes\n%s\n' "$start" >yaml
	run --topology=yaml hosts
	is "YAML ($start): exit 3" $status 3
	has "YAML ($start): what to print instead" "$(cat err)" \
		"yaml:1:1: of YAML, only Slurm's topology.yaml is read: have Kubernetes"
done
cat >yaml <<'END'
- topology: net
  block:
    blocks:
    - {block: x, nodes: "a[1-3]"}
    - {block: y, nodes: "b[1-3],c[1-3]"}
END
run --topology=yaml --format=names hosts
is "Slurm's topology.yaml is read: block after block" \
	"$status $(cut -c1 out | tr bc yy | uniq | xargs)" "0 a y"
for default in "False True" "no YES" "0 on"; do
	printf -- '- topology: %s\n  cluster_default: %s\n  block: {blocks: [{block: x, nodes: "%s"}]}\n' \
		first "${default% *}" 'c[1-3]' second "${default#* }" 'a[1-3],b[1-3],c[1-3]' >yaml
	run --topology=yaml hosts
	is "Slurm's booleans: $default" $status 0
done
sed 's/: on/: perhaps/' yaml >yaml2
run --topology=yaml2 hosts
has "and nothing else" "$(cat err)" "yaml2:5:20: true or false"
printf '[fd00::1]\n[fd00::]\n[fd00::2]\n' >list
printf 'fd00:: r1\nfd00::1 r2\nfd00::2 r2\n' >six
run --topology=six list
is "an address with a colon at its end is a host" $status 0
printf '[fd00::] r1\n[fd00::1],[fd00::2] r2\n' >six
run --topology=six --format=names list
is "addresses in brackets, as in host lists" \
	"$status $(grep -c '(plain, 1 levels), 0 missing' err)" "0 1"
run --topology=none hosts
is "no file: exit 4" $status 4

# options that contradict each other
for o in --predict --launch=x --agent=x --rules=r; do
	run --topology=plain $o hosts
	is "$o does not go with it" $status 2
done
run --topology=plain
is "HOSTS is needed" $status 2
run --topology=- -
is "standard input is one file" $status 2

# against what was measured: c3 is in the rack of the a
awk 'BEGIN {
	n = split("a1 a2 a3 b1 b2 b3 c1 c2 c3", name, " ")
	print "# plink-matrix 1\n# quantity rtt\n# unit us"
	for (i = 1; i <= n; i++) {
		printf "%s", name[i]
		for (j = 1; j <= n; j++) {
			x = i == 9 ? "a" : substr(name[i], 1, 1)
			y = j == 9 ? "a" : substr(name[j], 1, 1)
			printf " %d", i == j ? 0 : x == y ? 100 + i + j : 500 + i + j
		}
		print ""
	}
}' >matrix
run --matrix=matrix --topology=plain --format=names
is "beside a matrix: exit 0" $status 0
has "the order is by what was measured" "$(cat err)" "pairs: 72 measured"
has "one host disagrees" "$(cat err)" \
	"of 9 hosts that could be compared 1 are measured nearer"
has "and is named" "$(cat err)" \
	"c3: told in z2/r1, measured near z1/r1 (medians 516 and 111 us)"
has "and how well both fit" "$(cat err)" "in 79.63 % of cases (PAIA)"
run --matrix=matrix --topology=plain --json
has "JSON: the same" "$(tr -d ' \n' <out)" \
	'"hosts_compared":9,"hosts_misplaced":1,"misplaced":[{"host":"c3","told":"z2/r1","near":"z1/r1","own_cost":516.0,"near_cost":111.0}]'
has "JSON: pairs were measured" "$(cat out)" '"pairs_measured": 72'
# names that are no UTF-8, which JSON is
printf 's/ z/ caf\351\377z/\n' >latin.sed
LC_ALL=C sed -f latin.sed plain >latin1
{
	cat matrix
	printf '# method caf\351\n# cell a1 b1 caf\351\377\n'
} >noted
run --matrix=noted --topology=latin1 --json
is "bytes that are no UTF-8, and JSON: exit 0" $status 0
is "they are question marks" \
	"$(python3 -c 'import json, sys
print(json.load(sys.stdin)["topology"]["misplaced"][0]["told"])' <out)" \
	"caf??z2/r1"

printf 'a1\na2\nq\n' >list
sed 's/^b1/q/' matrix >other
run --matrix=other --topology=plain --format=names list
is "a host that is not in the file is no fault then" $status 0
has "but named" "$(cat err)" "host q is not among its 9 hosts"

# many hosts
awk 'BEGIN { for (i = 0; i < 100000; i++)
	printf "h%d z%d/p%d/r%d\n", i, i % 4, i % 64, i % 4096 }' >many
awk 'BEGIN { for (i = 0; i < 500; i++) print "h" (i * 7919) % 100000 }' >list
run --topology=many --format=names --moves=1000 list
is "500 of 100 000 hosts" $status/"$(sort -u out | wc -l)" 0/500

done_testing
