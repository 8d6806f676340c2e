/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-placement.c - any bytes as the ranks of a job: each on a host, or an error */
#include "config.h"

#include "audit/placement.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct pl_placement *job)
{
	if (job->n_ranks < 1 || job->n_ranks > PL_PLACEMENT_RANKS_MAX ||
	    pl_placement_slots(job) < 1 ||
	    pl_placement_is_spread(job) != (job->node.n == job->n_ranks))
		abort();
	for (size_t i = 0; i < job->n_ranks; i++)
		if (job->node_of[i] >= job->node.n)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_placement job = {.n_ranks = 0};
	struct pl_text text;
	struct pl_err err = {0};

	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return 0;
	if (pl_placement_parse(&job, &text, &err) == 0)
		check(&job);
	else if (err.code != PL_EINPUT || job.n_ranks || job.node_of)
		abort();
	pl_placement_fini(&job);
	pl_text_fini(&text);
	return 0;
}
