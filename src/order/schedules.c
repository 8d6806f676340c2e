/* SPDX-License-Identifier: BSD-3-Clause */
/* schedules.c - which schedules are written, and for which sizes */
#include "config.h"

#include "src/order/schedules.h"

#include <stdlib.h>
#include <string.h>

/* Where nothing is predicted, smaller all-reduces stay with the library, unless
 * a size was given. */
#define SIZE_MIN ((uint64_t)256 << 10)
/* of the call whose messages are taken, where no size was given */
#define PATTERN_BYTES ((uint64_t)1 << 20)

void pl_reorder_schedules_fini(struct pl_reorder_schedules *s)
{
	pl_schedules_fini(&s->file);
	pl_reorder_candidates_fini(&s->candidates);
	free(s->of);
	memset(s, 0, sizeof(*s));
}

/* The hosts as the order has them. */
static int add_hosts(struct pl_reorder_schedules *s,
		     const struct pl_reorder_answer *a, struct pl_err *err)
{
	for (size_t k = 0; k < a->in->hosts.n; k++)
		if (pl_hosts_add(&s->file.job.hosts,
				 &a->in->hosts.v[a->r->host_at[k]]))
			return pl_err_nomem(err);
	return 0;
}

static uint64_t smallest(const struct pl_order_request *q, uint64_t usual)
{
	uint64_t bytes = usual;

	for (size_t i = 0; !q->usual_sizes && i < q->n_sizes; i++)
		if (i == 0 || q->size_bytes[i] < bytes)
			bytes = q->size_bytes[i];
	return bytes;
}

/* Adds the schedule of a candidate for these sizes. */
static int add_schedule(struct pl_reorder_schedules *s, size_t candidate,
			uint64_t size_min, uint64_t pattern_bytes,
			struct pl_err *err)
{
	struct pl_schedule schedule = {0};
	struct pl_window_way way;

	if (pl_reorder_candidate_make(&s->candidates, candidate, pattern_bytes,
				      &schedule, &way, err))
		return -1;
	schedule.size_min = size_min;
	if (pl_schedules_add_take(&s->file, &schedule) == 0)
		return 0;
	pl_schedule_fini(&schedule);
	return pl_err_nomem(err);
}

int pl_reorder_schedules_find(struct pl_reorder_schedules *s,
			      const struct pl_reorder_answer *a,
			      struct pl_err *err)
{
	const struct pl_order_request *q = &a->o->request;

	if (add_hosts(s, a, err) ||
	    pl_reorder_candidates_init(&s->candidates, a, err) ||
	    add_schedule(s, 0, smallest(q, SIZE_MIN),
			 smallest(q, PATTERN_BYTES), err))
		return -1;
	return pl_schedules_check(&s->file, err);
}
