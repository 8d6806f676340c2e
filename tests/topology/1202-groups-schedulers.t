#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1202-groups-schedulers.t - groups for schedulers: what is written, and that reading
# it gives the same groups
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
groups=$builddir/plink-groups
cd "$tmp" || exit 99

"$builddir/plink-testbed" matrix --racks=2x2x4 --intra-us=50 --inter-us=200 \
	--far-us=800 --noise=0.1 --shuffle --seed=1 >m 2>/dev/null
# racks 0 and 1 are in one row, 2 and 3 in the other
awk '$2 == "rack" { print $3, int($4 / 2) "/" $4 }' m >planted

paia() {
	"$groups" --truth="$1" m 2>&1 | grep -v ^rack
}
truth=$(paia planted)
for format in json slurm-tree topology.yaml k8s-labels hypernode; do
	"$groups" --format=$format -o out.$format m
	is "$format: exit 0" $? 0
	is "$format, read again: the racks and rows that were planted" \
		"$(paia out.$format)" "$truth"
done
"$groups" --format=slurm-block -o out.slurm-block m
awk '{ sub("^.*/", "", $2) } { print }' planted >racks
is "slurm-block, read again: the racks" "$(paia out.slurm-block)" "$(paia racks)"
hosts_of() {
	"$groups" m | sed -n "s/^rack $1.*: //p" | tr ' ' ,
}
is "rows beside each other, and the sizes of racks and rows" \
	"$(tail -n 3 out.slurm-block)" "BlockName=rack3 Nodes=$(hosts_of 3)
BlockName=rack4 Nodes=$(hosts_of 4)
BlockSizes=4,8"
is "a switch above all" "$(tail -n 3 out.slurm-tree)" \
	"SwitchName=row1 Switches=rack1,rack2
SwitchName=row2 Switches=rack3,rack4
SwitchName=top Switches=row1,row2"

is "what a HyperNode must have" "$(python3 -c '
import json
tiers = []
for o in json.load(open("out.hypernode"))["items"]:
    assert o["apiVersion"] == "topology.volcano.sh/v1alpha1"
    assert o["kind"] == "HyperNode" and o["metadata"]["name"]
    for m in o["spec"]["members"]:
        assert m["type"] == ("Node" if o["spec"]["tier"] == 1 else "HyperNode")
        assert list(m["selector"]) == ["exactMatch"]
        assert m["selector"]["exactMatch"]["name"]
    tiers.append(o["spec"]["tier"])
print(tiers)')" "[1, 1, 1, 1, 2, 2]"
is "what a patch of a node must have, and topograph's labels" "$(python3 -c '
import json
keys = set()
for o in json.load(open("out.k8s-labels"))["items"]:
    assert o["apiVersion"] == "v1" and o["kind"] == "Node"
    assert sorted(o) == ["apiVersion", "kind", "metadata"]
    assert sorted(o["metadata"]) == ["labels", "name"]
    keys |= set(o["metadata"]["labels"])
print(*sorted(keys))')" "fabric.topograph.run/tier-0 fabric.topograph.run/tier-1"

"$groups" --groups=3 --format=slurm-tree m >out
is "groups of one size have no rows" "$(tail -n 1 out)" \
	"SwitchName=top Switches=group1,group2,group3"
printf '0 1 2\n1 0 2\n2 2 0\n' | "$groups" --format=slurm-tree - >out
is "one rack has nothing above it" "$(cat out)" "SwitchName=rack1 Nodes=1,2,3"
# five racks, one of three hosts, in rows of two and three
awk 'BEGIN {
	print "# plink-matrix 1\n# quantity rtt\n# unit us"
	for (i = 0; i < 19; i++) {
		printf "h%d", i
		for (j = 0; j < 19; j++) {
			a = int(i / 4)
			b = int(j / 4)
			far = a == b ? 50 : (a < 2) == (b < 2) ? 200 : 900
			printf " %d", i == j ? 0 : far + (i * j) % 7
		}
		print ""
	}
}' >uneven
is "blocks of the smallest size; rows of two and of three have none" \
	"$("$groups" --format=slurm-block uneven | tail -n 1)" "BlockSizes=3"

# refuses STATUS TEXT ARG...
refuses() {
	refuses_status=$1 refuses_text=$2
	shift 2
	"$groups" "$@" >out 2>err
	is "$*: exit $refuses_status, nothing on stdout" "$? $(cat out)" \
		"$refuses_status "
	has "$*: why" "$(cat err)" "$refuses_text"
}
refuses 2 "--truth needs --format=text or json" --format=slurm-tree --truth=planted m
sed 's/^h0 /H_0 /' uneven >upper
sed 's/^h0 /h0:7 /; s/^h1 /h0:8 /' uneven >ports
refuses 3 '"H_0" cannot be the name of a node of Kubernetes' --format=k8s-labels upper
refuses 3 '"H_0" cannot be the name of a node of Kubernetes' --format=hypernode upper
refuses 3 '"h0:7" cannot be the name of a node of Slurm' --format=slurm-tree ports
done_testing
