/* SPDX-License-Identifier: BSD-3-Clause */
/* help.c - what plink-order says about itself: --help, --list-algorithms */
#include "config.h"

#include "src/order/help.h"

#include "costmodels/catalogue.h"
#include "src/order/options.h"
#include "src/tool.h"

#include <stdio.h>

static const char help[] =
	"Usage: plink-order [OPTION]... [HOSTS|-|slurm]\n"
	"Finds the order of hosts in which a collective, a ring all-reduce by\n"
	"default, is cheapest, and writes it as a host file. Without --matrix "
	"the\n"
	"network between the hosts is measured first.\n"
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
	"  --collective=NAME      what is to be cheap (allreduce)\n"
	"  --impl=NAME            whose: thesis, openmpi, mpich, gloo, nccl,\n"
	"                         lightgbm (thesis)\n"
	"  --algorithm=NAME[:N]   which of its algorithms (what it takes; of "
	"the "
	"thesis\n"
	"                         a ring)\n"
	"  --size=BYTES           of the buffer: 4096, 64k, 8M (of default: "
	"8M)\n"
	"  --segment=BYTES        what the algorithm cuts it into (its "
	"default)\n"
	"  --root=RANK            of a broadcast or a reduce (0)\n"
	"  --list-algorithms      list these names and end\n"
	"  --pin=HOST             this host first\n"
	"  --not-first=HOST,...   none of these first\n"
	"  --choose=K             the best K of the hosts, and their order\n"
	"  --min-gain=PCT         keep the given order if less is gained (0)\n"
	"  --time=S               work that long at most, bound included\n"
	"  --moves=N              or: this many moves of the search\n"
	"  --method=NAME          search, exact, thesis (search)\n"
	"  --bound=EFFORT         none, fast, full (fast)\n"
	"  --threads=N            (one per processor)\n"
	"  --seed=N               (1)\n"
	"Prediction\n"
	"  --predict              write predicted seconds of every algorithm "
	"(of\n"
	"                         openmpi) in the given order and in its own\n"
	"  --size=A,B,...         sizes to predict (2k,64k,256k,1M,8M)\n"
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
	"  --cost-of=FILE         only tell what the order in FILE costs\n"
	"  --verify               start mpirun or srun and see where its ranks "
	"are\n"
	"  -v, --verbose\n"
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
