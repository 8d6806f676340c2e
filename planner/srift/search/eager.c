/* SPDX-License-Identifier: BSD-3-Clause */
/* eager.c - a choice of few types of machines, if there are too many to try */
#include "config.h"

#include "planner/srift/search/search.h"

#include <string.h>

/* Seconds, or dollars, of a sample at the largest batch. */
static double preference(const struct pl_market_type *type,
			 enum pl_srift_objective objective)
{
	const size_t last = type->n_batches - 1;
	const double seconds = type->mean_s[last] / (double)type->batch[last];

	return objective == PL_OBJECTIVE_TIME
		       ? seconds
		       : seconds * type->stock[0].price_per_hour;
}

static void rank(const struct pl_market *m, enum pl_srift_objective objective,
		 size_t *order)
{
	for (size_t i = 0; i < m->n_types; i++) {
		const double p = preference(&m->type[i], objective);
		size_t at = i;

		for (; at > 0 &&
		       preference(&m->type[order[at - 1]], objective) > p;
		     at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

int pl_search_eager(struct pl_srift_answer *a, struct pl_sim *sim,
		    const struct pl_srift_goal *goal, size_t step,
		    const struct pl_effort *effort, struct pl_err *err)
{
	const struct pl_effort none = {.deadline_ns = INT64_MAX};
	const struct pl_market *m = sim->market;
	size_t order[PL_MARKET_TYPES_MAX], enabled[PL_MARKET_TYPES_MAX] = {0};
	size_t all[PL_MARKET_TYPES_MAX];

	rank(m, goal->objective, order);
	a->exact = true;
	for (size_t i = 0; i < m->n_types && a->exact; i++) {
		size_t *here = &enabled[order[i]];
		const size_t most = m->type[order[i]].available;

		while (*here < most && a->exact) {
			*here = most - *here > step ? *here + step : most;
			if (pl_search(a, sim, goal, enabled, effort, false,
				      err))
				return -1;
		}
	}
	pl_search_all(m, all);
	return a->exact ? 0 : pl_search(a, sim, goal, all, &none, false, err);
}
