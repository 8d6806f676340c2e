/* SPDX-License-Identifier: BSD-3-Clause */
/* removed.c - options that tools had once, and what to use instead */
#include "config.h"

#include "src/common/options.h"

#include <string.h>

#define AGAIN                                                                                      \
	"run plink-order again when calls have become slower, and restart in "                     \
	"the order found"

#define BUDGET "--time is a time, --max-probes a number of probes"

#define CAPTURE "capture with tcpdump on each host, and name the files"

#define DIRECTLY "agents are started directly, --fanout at once (srun takes less than ssh)"

#define BY_UDP                                                                                     \
	"agents measure by UDP (--push sends them), and plink-probe-mpi in the way of an MPI job"

#define FLOW "a flow ends when its rate has settled, after 1 second or 256 MiB at the latest"

#define PAIR "a pair that has MIN of --probes ends after 1 second"

#define PRECISION "10 us are added to --precision"

#define SECOND                                                                                     \
	"up to a tenth of the pairs, those that look disturbed, and 16 of the first are always "   \
	"measured again"

static const struct {
	const char *tool, *name, *instead;
} removed[] = {
	{"plink-audit", "launch", CAPTURE},
	{"plink-audit", "agent", CAPTURE},
	{"plink-audit", "capture", CAPTURE},
	{"plink-audit", "announce", CAPTURE},
	{"plink-audit", "iface", CAPTURE},
	{"plink-audit", "filter", CAPTURE},
	{"plink-audit", "start-time", CAPTURE},
	{"plink-audit", "end-time", CAPTURE},
	{"plink-audit", "save", CAPTURE},
	{"plink-audit", "w", CAPTURE},
	{"plink-audit", "rtt", "measure with plink-probe"},
	{"plink-audit", "min-samples", "measure with plink-probe"},
	{"plink-exec", "print", "--dry-run does the same"},
	{"plink-mpirun", "print", "--dry-run does the same"},
	{"plink-probe", "method", BY_UDP},
	{"plink-probe", "calibrate", BY_UDP},
	{"plink-probe", "tree", DIRECTLY},
	{"plink-order", "tree", DIRECTLY},
	{"plink-agent", "relay", DIRECTLY},
	{"plink-order", "watch", AGAIN},
	{"plink-order", "restart-cost", AGAIN},
	{"plink-order", "left", AGAIN},
	{"plink-order", "share", AGAIN},
	{"plink-order", "bandwidth-layer",
	 "the first layer of bandwidths in a matrix counts: put the wanted one there"},
	{"plink-order", "masters",
	 "each schedule has the rule that is predicted to be the fastest, and is named"},
	{"plink-order", "topology-ratio",
	 "levels count as 1 farther each; how much farther they are, a --matrix tells"},
	{"plink-probe", "budget", BUDGET},
	{"plink-probe", "pair-time", PAIR},
	{"plink-probe", "silence", "a pair is given up after 5 seconds without a reply"},
	{"plink-probe", "again", SECOND},
	{"plink-probe", "drift", SECOND},
	{"plink-probe", "flow-time", FLOW},
	{"plink-probe", "flow-bytes", FLOW},
	{"plink-probe", "precision-us", PRECISION},
	{"plink-probe", "insecure-4byte", "all packets have 32 bytes and a tag: leave it out"},
	{"plink-probe-mpi", "budget", BUDGET},
	{"plink-probe-mpi", "pair-time", PAIR},
	{"plink-probe-mpi", "again", SECOND},
	{"plink-probe-mpi", "drift", SECOND},
	{"plink-probe-mpi", "precision-us", PRECISION},
	{"plink-probe-mpich", "budget", BUDGET},
	{"plink-probe-mpich", "pair-time", PAIR},
	{"plink-probe-mpich", "again", SECOND},
	{"plink-probe-mpich", "drift", SECOND},
	{"plink-probe-mpich", "precision-us", PRECISION},
};

const char *pl_option_removed(const char *tool, const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(removed) / sizeof(*removed); i++)
		if (strcmp(removed[i].tool, tool) == 0 && strlen(removed[i].name) == len &&
		    memcmp(removed[i].name, name, len) == 0)
			return removed[i].instead;
	return NULL;
}
