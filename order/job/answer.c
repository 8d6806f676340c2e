/* SPDX-License-Identifier: BSD-3-Clause */
/* answer.c - what was found for a job, and the slots of its hosts */
#include "config.h"

#include "order/job/order.h"

#include <stdlib.h>
#include <string.h>

size_t pl_job_fit_slots(const struct pl_job *job, struct pl_hosts *hosts)
{
	const size_t n = hosts->n, slots = job->n_ranks / n;

	if (job->n_ranks % n || pl_hosts_ranks(hosts) != n || slots <= 1)
		return 0;
	for (size_t h = 0; h < n; h++)
		hosts->v[h].slots = (int)slots;
	return slots;
}

const struct pl_job_times *pl_job_answer_times(const struct pl_job_answer *a, size_t k)
{
	return a->is_played ? &a->kind[k].played : &a->kind[k].cost;
}

void pl_job_answer_fini(struct pl_job_answer *a)
{
	free(a->kind);
	memset(a, 0, sizeof(*a));
}
