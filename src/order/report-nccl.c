/* SPDX-License-Identifier: BSD-3-Clause */
/* report-nccl.c - whether NCCL will do what an order is for */
#include "config.h"

#include "src/order/report.h"

#include "base/text/size.h"
#include "costmodels/nccl.h"
#include "src/order/nccl-takes.h"

#include <stdio.h>
#include <string.h>

/* "64k, 16 hosts of 8 GPUs, over sockets at 10 Gbit/s" */
static void describe(char *buf, size_t room, const struct pl_reorder_answer *a)
{
	const struct pl_hosts *hosts = &a->in->hosts;
	const double gpus = (double)pl_hosts_ranks(hosts) / (double)hosts->n;
	const double bps = a->o->request.nic_bps > 0 ? a->o->request.nic_bps : PL_NCCL_BPS;
	char size[PL_SIZE_CHARS];

	pl_size_format(size, a->o->request.what.bytes);
	snprintf(buf, room, "%s, %zu hosts of %.3g GPU%s, over sockets at %g Gbit/s", size,
		 hosts->n, gpus, gpus == 1 ? "" : "s", bps / 1e9);
}

static void say_choice(const struct pl_reorder_answer *a, const char *algo, const char *takes)
{
	char job[160];

	describe(job, sizeof(job), a);
	if (!takes)
		pl_reorder_say("what NCCL takes by itself depends on GPUs and processors (%s): set "
			       "NCCL_ALGO",
			       job);
	else if (strcmp(takes, algo) == 0)
		pl_reorder_say("NCCL takes %s by itself, by its own model (%s)", takes, job);
	else
		pl_reorder_warn("warning: by its own model NCCL takes %s, not %s (%s): set "
				"NCCL_ALGO, or plan for what it takes",
				takes, algo, job);
}

void pl_reorder_report_nccl(const struct pl_reorder_answer *a)
{
	const char *algo = pl_reorder_nccl_algo(a), *takes;

	if (!algo || a->in->hosts.n < 2)
		return;
	pl_reorder_say("this order is for NCCL_ALGO=%s:%s (before NCCL 2.24: %s); of a host's "
		       "ranks only the lowest counts",
		       pl_nccl_function(a->o->request.what.a->collective), algo, algo);
	if (pl_reorder_nccl_takes(a, &takes))
		say_choice(a, algo, takes);
}
