/* SPDX-License-Identifier: BSD-3-Clause */
/* help.c - what plink-order says about itself: --help, --list-algorithms */
#include "config.h"

#include "src/order/options.h"

#include "costmodels/catalogue.h"
#include "src/common/tool.h"

#include <stdio.h>

/* clang-format off */
const char pl_reorder_help[] =
"Usage: plink-order [OPTION]... [HOSTS|-|slurm]\n"
"Finds the order of hosts in which the collectives of a job take the least\n"
"time, as its library runs them, and writes it as a host file. The given\n"
"order is kept if no other is faster. Without --matrix the network\n"
"between the hosts is measured first.\n"
"\n"
"Input\n"
"  --matrix=FILE          read measurements from FILE, measure nothing\n"
"  --topology=FILE        location of the hosts by provider or fabric: order\n"
"                         by it, or compare it with a matrix\n"
"  --topology-label=KEY[,KEY]  labels of Kubernetes' nodes that say where they\n"
"                         are, widest first\n"
"  --unit=UNIT            ns, us, ms, s: of a matrix that states none (ns)\n"
"  --hosts-format=FORM    list, or seq: a line per rank (list)\n"
"  --symmetrize=HOW       none, max, mean (what the matrix recommends)\n"
"  --missing=HOW          refuse, worst, drop-host, estimate (refuse)\n"
"Probing\n"
"  --launch=TEMPLATE      command that starts a program on host %h\n"
"                         (ssh -oBatchMode=yes %h)\n"
"                         or ssh, srun, mpirun, kubectl\n"
"  --agent=COMMAND        command that starts plink-agent there\n"
"  --push[=FILE]          send FILE (plink-agent) to the hosts\n"
"  --iface=NAME|CIDR      network to measure\n"
"  --ports=LO-HI          UDP ports that the agents may use\n"
"  --fanout=K             agents that may be starting at once (64)\n"
"  --save-matrix=FILE     save the measurements, for --matrix\n"
"  --resume=FILE          measure only what is missing in that matrix\n"
"Order\n"
"  --collective=NAME,...  the calls that the order is for (allreduce)\n"
"  --impl=NAME            library: openmpi, mpich, gloo, nccl, lightgbm,\n"
"                         xgboost; or thesis, PLink's PhD thesis (by the\n"
"                         launcher: the installed mpirun's, or that of --format)\n"
"  --algorithm=NAME[:N]   which of its algorithms (the one that it selects\n"
"                         by itself at each size)\n"
"  --size=A,B,...         bytes of the calls: 4096, 64k, 8M; 64k:10 with a\n"
"                         weight (2k,64k,1M,8M)\n"
"  --stats=FILE           use the calls that the job has made:\n"
"                         plink-stats(5)\n"
"  --job=FILE             use all communicators of the job: plink-job(5)\n"
"  --accept-loss[=PCT]    allow orders in which a call is slower, by at most\n"
"                         PCT percent, if all calls together gain (no)\n"
"  --segment=BYTES        length of the algorithm's segments (its default)\n"
"  --root=RANK            of broadcasts and reduces (0)\n"
"  --list-algorithms      list collectives, libraries, algorithms\n"
"  --pin=HOST             put this host first\n"
"  --not-first=HOST,...   put none of these first\n"
"  --choose=K             choose and order the best K of the hosts, by the\n"
"                         cost of hops\n"
"  --min-gain=PCT         keep the given order if another gains less (0)\n"
"  --time=TIME            end after that time, bound included: 30s, 5m, 1h\n"
"  --moves=N              or after this many moves of the search\n"
"  --method=NAME          search, exact, thesis (search)\n"
"  --bound=EFFORT         none, fast, full (fast)\n"
"  --threads=N            (one per processor)\n"
"  --seed=N               (1)\n"
"Prediction\n"
"  --predict              write predicted times of every algorithm of the\n"
"                         library, in the given order and in its best\n"
"  --predict=FILE         instead those of the all-reduces of a schedule\n"
"  --nic=RATE             rate of every host's card: 200Mbit, 10G; with nccl\n"
"                         and a size, the rate that NCCL assumes (10G)\n"
"  --uplink=RATE          rate of every rack's uplink\n"
"  --rules=FILE           also write rules that make Open MPI use the fastest\n"
"                         algorithm at each size in this order\n"
"Output\n"
"  --format=FORMAT        hostfile, seq, rankfile, names, plan, schedule,\n"
"                         json, ompi-rules; for other launchers: mpich,\n"
"                         intelmpi, slurm, lightgbm, deepspeed, torchrun,\n"
"                         horovod, pdsh (hostfile)\n"
"  --groups=FILE          groups of hosts for schedules, from plink-groups or\n"
"                         of any form that --topology has (racks as measured)\n"
"  --connections=N        of schedules, between two processes (1)\n"
"  --aggregators=HOSTS    hosts beside the ranks, a,b,c, on which plink-hub adds\n"
"                         up what ranks send, where schedules gain by it\n"
"  --tune[=PCT]           schedules change while the job runs, when its speed\n"
"                         has changed by more than PCT percent (20)\n"
"  --job-port=N           port of the job: LightGBM (12400), rank 0 of\n"
"                         torchrun and pdsh (29500)\n"
"  --json                 --format=json\n"
"  -o, --output=FILE      (standard output)\n"
"  --plan=FILE            also write the plan\n"
"  --plan-costs           write the costs between hosts into plans, too\n"
"  --report=FILE          also draw the order: FILE.html, a page; FILE.svg\n"
"  --color=WHEN           auto, always, never: draw small orders on the\n"
"                         terminal (auto)\n"
"  --cost-of=FILE         only compute the cost of the order in FILE\n"
"  --verify               start mpirun or srun and check where ranks run\n"
"  -q, --quiet            say only what is wrong\n"
"  -v, --verbose          also the cost of hops, and a bound on it\n"
"  -h, --help             this text\n"
"  -V, --version          version of plink\n"
"\n"
"Exit: 0 done, 1 in part or the answer is no, 2 usage, 3 bad input,\n"
"4 system.\n";
/* clang-format on */

int pl_reorder_list_algorithms(void)
{
	const struct pl_algorithm *a;

	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++) {
		char name[64];

		snprintf(name, sizeof(name), "%s%s", a->name, a->takes_radix ? "[:N]" : "");
		printf("%-14s %-8s %-25s %s\n", pl_collective_name(a->collective),
		       pl_impl_name(a->impl), name, a->summary);
	}
	return pl_tool_end_output(PL_REORDER_TOOL);
}
