#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1204-groups-slurm.t - groups as the switches of a real Slurm, and its tasks'
# addresses as places
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
groups=$builddir/plink-groups
cd "$tmp" || exit 99
cat >m <<'END'
# plink-matrix 1
# quantity rtt
# unit us
h1 0 900 50 901
h2 899 0 902 51
h3 51 901 0 903
h4 902 50 899 0
END
"$groups" --groups=2 --format=slurm-tree -o topology.conf m
. "$srcdir/tests/slurm.sh"

is "Slurm has the switches" "$(scontrol show topology |
	sed 's/Level=\([0-9]\) LinkSpeed=1/\1/' | sort)" \
	"SwitchName=group1 0 Nodes=h1,h3
SwitchName=group2 0 Nodes=h2,h4
SwitchName=top 1 Nodes=h[1-4] Switches=group1,group2"
job 'srun -N4 -n4 env | grep ^SLURM_TOPOLOGY_ADDR' >addr
"$groups" --groups=2 --truth=addr m >out 2>err
is "its tasks say where they are" "$(sort addr | head -n 2)" \
	"SLURM_TOPOLOGY_ADDR=top.group1.h1
SLURM_TOPOLOGY_ADDR=top.group1.h3"
is "and that is read: the same groups" "$(cat err) $(grep measured out)" \
	" PAIA measured: 1.0000 of 8 triplets"
done_testing
