/* SPDX-License-Identifier: BSD-3-Clause */
/* help.c - what plink-order says about itself: --help, --list-algorithms */
#include "config.h"

#include "src/order/help.h"

#include "costmodels/catalogue.h"
#include "src/common/tool.h"
#include "src/order/options.h"

#include <stdio.h>

static const char help[] =
	"Usage: plink-order [OPTION]... [HOSTS|-|slurm]\n"
	"Finds the order of hosts in which the collectives of a job take the "
	"least\n"
	"time, as its library runs them, and writes it as a host file. The "
	"given\n"
	"order is kept where no other is faster. Without --matrix the network\n"
	"between the hosts is measured first.\n"
	"\n"
	"Input\n"
	"  --matrix=FILE          read what was measured, do not measure\n"
	"  --topology=FILE        where hosts are, as the provider or the "
	"fabric\n"
	"                         tells: order by that, or compare it with a "
	"matrix\n"
	"  --topology-ratio=R     a level is R times as far (1 more a level)\n"
	"  --unit=UNIT            ns, us, ms, s: of a matrix that does not say "
	"(ns)\n"
	"  --hosts-format=FORM    list, or seq: a line per rank (list)\n"
	"  --symmetrize=HOW       none, max, mean (what the matrix "
	"recommends)\n"
	"  --missing=HOW          refuse, worst, drop-host, estimate (refuse)\n"
	"  --bandwidth-layer=NAME which of the matrix's: alone, together (the "
	"first)\n"
	"Probing\n"
	"  --launch=TEMPLATE      how a command is started on host %h\n"
	"                         (ssh -oBatchMode=yes %h)\n"
	"                         or ssh, srun, mpirun, kubectl\n"
	"  --agent=COMMAND        what starts plink-agent there\n"
	"  --push[=FILE]          send FILE (plink-agent) to hosts that have "
	"none\n"
	"  --iface=NAME|CIDR      network to measure\n"
	"  --ports=LO-HI          UDP ports the agents may take\n"
	"  --fanout=K             agents that may be starting at once (64)\n"
	"  --tree[=K]             start agents by relays, hosts that start "
	"those of K\n"
	"  --save-matrix=FILE     keep what was measured, for --matrix\n"
	"  --doctor               only ask all hosts what a run needs there, "
	"and\n"
	"                         say what is wrong (--time=S: a host's, 30)\n"
	"Order\n"
	"  --collective=NAME,...  the calls that the order is for (allreduce)\n"
	"  --impl=NAME            library: openmpi, mpich, gloo, nccl, "
	"lightgbm; or\n"
	"                         thesis, PLink's PhD thesis (that of the "
	"launcher:\n"
	"                         the installed mpirun's, or by --format)\n"
	"  --algorithm=NAME[:N]   which of its algorithms (what it takes by\n"
	"                         itself at each size)\n"
	"  --size=A,B,...         bytes of the calls: 4096, 64k, 8M; 64k:10 "
	"with "
	"a\n"
	"                         weight (2k,64k,1M,8M)\n"
	"  --stats=FILE           the calls are those that the job has made:\n"
	"                         plink-stats(5)\n"
	"  --accept-loss[=PCT]    an order may make a call slower, by so many "
	"percent\n"
	"                         at most, if all together gain (none)\n"
	"  --segment=BYTES        length of the segments in which the "
	"algorithm\n"
	"                         sends (its default)\n"
	"  --root=RANK            of broadcasts and reduces (0)\n"
	"  --list-algorithms      list collectives, libraries, algorithms\n"
	"  --pin=HOST             this host first\n"
	"  --not-first=HOST,...   none of these first\n"
	"  --choose=K             the best K of the hosts, and their order, by "
	"the "
	"cost\n"
	"                         of hops\n"
	"  --min-gain=PCT         keep the given order if less is gained (0)\n"
	"  --time=S               work that long at most, bound included\n"
	"  --moves=N              or: this many moves of the search\n"
	"  --method=NAME          search, exact, thesis (search)\n"
	"  --bound=EFFORT         none, fast, full (fast)\n"
	"  --threads=N            (one per processor)\n"
	"  --seed=N               (1)\n"
	"Prediction\n"
	"  --predict              write predicted times of every algorithm of "
	"the\n"
	"                         library, in the given order and in its own\n"
	"  --nic=RATE             what a host's card passes: 200Mbit, 10G; "
	"with nccl\n"
	"                         and a size what NCCL takes it for (10G)\n"
	"  --uplink=RATE          what a rack's uplink passes\n"
	"  --rules=FILE           write Open MPI's rules for the order as "
	"well:\n"
	"                         the algorithm that is fastest at each size\n"
	"Output\n"
	"  --format=FORMAT        hostfile, seq, rankfile, names, plan, json,\n"
	"                         ompi-rules; for other launchers: mpich, "
	"slurm,\n"
	"                         lightgbm, deepspeed, torchrun, horovod, "
	"pdsh\n"
	"                         (hostfile)\n"
	"  --job-port=N           where the job listens: LightGBM (12400), "
	"rank 0\n"
	"                         of torchrun and pdsh (29500)\n"
	"  --json                 --format=json\n"
	"  -o, --output=FILE      (standard output)\n"
	"  --plan=FILE            write the plan as well\n"
	"  --report=FILE          draw the order: FILE.html, a page; .svg, "
	".png\n"
	"  --color=WHEN           auto, always, never: draw small orders on "
	"the\n"
	"                         terminal (auto)\n"
	"  --cost-of=FILE         only tell what the hops of the order in FILE "
	"cost\n"
	"  --verify               start mpirun or srun and see where its ranks "
	"are\n"
	"  -v, --verbose          also the cost of hops, and a bound on it\n"
	"      --help, --version\n"
	"\n"
	"Exit: 0 done, 1 in part or the answer is no, 2 usage, 3 bad input,\n"
	"4 system.\n";

int pl_order_help(void)
{
	return pl_tool_help(PL_ORDER_TOOL, help);
}

int pl_order_list_algorithms(void)
{
	const struct pl_algorithm *a;

	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++) {
		char name[64];

		snprintf(name, sizeof(name), "%s%s", a->name,
			 a->takes_radix ? "[:N]" : "");
		printf("%-14s %-8s %-25s %s\n",
		       pl_collective_name(a->collective), pl_impl_name(a->impl),
		       name, a->summary);
	}
	return pl_tool_end_output(PL_ORDER_TOOL);
}
