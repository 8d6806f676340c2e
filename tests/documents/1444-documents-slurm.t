#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1444-documents-slurm.t - what plink(7) has its readers type in a job of Slurm, typed
# in one
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
cp "$srcdir/packaging/slurm/cli_filter.lua" "$tmp/"
. "$srcdir/tests/slurm.sh"
unset PLINK_PLAN

mkdir bin blocks
python3 "$srcdir/tests/documents/blocks.py" man "$builddir/man/plink.7" blocks >list
is "plink(7): its examples have names" "$?" 0
is "and all those of Slurm are typed here" "$(grep '^slurm' list | xargs)" \
	"slurm srun slurm plink-exec slurm filter"
mv list names

# All nodes are this machine: agents meet at its own address, and a process is told
# which node it stands for.
cat >bin/plink-order <<END
#!/bin/sh
exec "$builddir/plink-order" --iface=lo "\$@"
END
cat >bin/plink-exec <<END
#!/bin/sh
PLINK_HOST=\$SLURMD_NODENAME exec "$builddir/plink-exec" "\$@"
END
cat >app <<'END'
#!/bin/sh
echo "$SLURM_PROCID $SLURMD_NODENAME"
END
chmod +x bin/* app
PATH=$tmp/bin:$PATH

job "sh -e ./blocks/slurm.srun" >out 2>err
is "srun: done" "$?" 0
sed 's/^/# /' err
has "srun: the order is kept" "$(cat err)" "verified: all 7 ranks are on their hosts"
is "srun: all nodes" "$(sort -u list | xargs)" "h1 h2 h3 h4"
is "srun: tasks stand as in the list" "$(sort -n out | cut -d' ' -f2 | xargs)" \
	"$(xargs <list)"

# an order that Slurm would not take by itself, of the same hosts
{
	grep -E '^(# plink-plan|host)' job.plan
	echo "order allreduce ring thesis 0- : 3 1 0 2"
} >other && mv other job.plan
job "sh -e ./blocks/slurm.plink-exec" >out 2>err
is "plink-exec: done" "$?" 0
sed 's/^/# /' err
is "plink-exec: tasks have the plan's numbers" \
	"$(sort -n out | cut -d' ' -f2 | uniq | xargs)" "h4 h2 h1 h3"
is "plink-exec: all of them" "$(sort -n out | cut -d' ' -f1 | xargs)" \
	"0 1 2 3 4 5 6"
job "sh -e ./blocks/slurm.filter" >out 2>err
is "filter: done" "$?" 0
sed 's/^/# /' err
is "filter: tasks stand in the plan's order" \
	"$(sort -n out | cut -d' ' -f2 | xargs)" "h4 h2 h2 h1 h1 h3 h3"

done_testing
