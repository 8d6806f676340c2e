/* SPDX-License-Identifier: BSD-3-Clause */
/* flows.c - a job that only sends, as a problem of quadratic assignment */
#include "config.h"

#include "order/job/solve.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* More seats take too long for each step of the search. */
#define SEATS_MAX 256

bool pl_job_only_sends(const struct pl_job_cost_options *o)
{
	for (size_t k = 0; k < o->job->n_kinds; k++)
		if (pl_job_is_wanted(o, k) &&
		    o->job->kind[k].form != PL_JOB_TRAFFIC)
			return false;
	return o->seats.n == o->costs.n && o->seats.n <= SEATS_MAX;
}

static void add(struct pl_job_flows *f, const struct pl_job_cost_options *o,
		size_t k)
{
	const struct pl_job_kind *kind = &o->job->kind[k];
	const size_t n = o->seats.n;
	const double weight =
		kind->calls * kind->exposed * (o->scale ? o->scale[k] : 1);

	for (size_t i = 0; i < kind->n_sends; i++) {
		const struct pl_job_send *send = &kind->send[i];
		const size_t src = o->seats.seat_of[send->src];
		const size_t dst = o->seats.seat_of[send->dst];

		if (src == dst)
			continue;
		f->messages[src * n + dst] += weight * (double)send->messages;
		f->bytes[src * n + dst] += weight * (double)send->bytes;
	}
}

int pl_job_flows_init(struct pl_job_flows *f,
		      const struct pl_job_cost_options *o)
{
	const size_t n = o->seats.n;

	f->messages = pl_array_create(n * n, sizeof(*f->messages));
	f->bytes = pl_array_create(n * n, sizeof(*f->bytes));
	if (!f->messages || !f->bytes) {
		pl_job_flows_fini(f);
		return -1;
	}
	for (size_t k = 0; k < o->job->n_kinds; k++)
		if (pl_job_is_wanted(o, k))
			add(f, o, k);
	f->problem = (struct pl_assign_problem){.n = n,
						.messages = f->messages,
						.bytes = f->bytes,
						.costs = o->costs};
	return 0;
}

void pl_job_flows_fini(struct pl_job_flows *f)
{
	free(f->messages);
	free(f->bytes);
	memset(f, 0, sizeof(*f));
}
