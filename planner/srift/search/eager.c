/* SPDX-License-Identifier: BSD-3-Clause */
/* eager.c - a choice of few types of machines, if there are too many to try */
#include "config.h"

#include "planner/srift/search/search.h"

#include <math.h>

#define ROUNDING 1e-9 /* limits are kept, and no choice within them is lost */
/* A part of the work, first, for a search of all choices: where these are few, growing steps would
 * take longer. */
#define ALL_WORK 10

/* Seconds, or dollars, of a sample at the largest batch. */
static double preference(const struct pl_market_type *type, enum pl_srift_objective objective)
{
	const size_t last = type->n_batches - 1;
	const double seconds = type->mean_s[last] / (double)type->batch[last];

	return objective == PL_OBJECTIVE_TIME ? seconds : seconds * type->stock[0].price_per_hour;
}

static bool comes_before(const struct pl_market_type *a, const struct pl_market_type *b,
			 enum pl_srift_objective objective)
{
	return a->preferred == b->preferred ? preference(a, objective) < preference(b, objective)
					    : a->preferred < b->preferred;
}

static void rank(const struct pl_market *m, enum pl_srift_objective objective, size_t *order)
{
	for (size_t i = 0; i < m->n_types; i++) {
		size_t at = i;

		for (; at > 0 && comes_before(&m->type[i], &m->type[order[at - 1]], objective);
		     at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

/* More machines of the type are in no choice: each computes its least batch at least, and is paid
 * for as long. -1: out of memory. */
static int find_most(struct pl_sim *sim, const struct pl_srift_goal *goal, size_t i, size_t *most)
{
	const struct pl_market_type *type = &sim->market->type[i];
	const double least_s = type->mean_s[0] * pl_sim_least_slowness(sim, i, 1);
	const double price =
		fmin(type->stock[0].price_per_hour, type->stock[type->n_stocks - 1].price_per_hour);
	const double dollars = pl_goal_dollars(goal, least_s, price) * (1 - ROUNDING);
	const double by_batch = (double)(goal->batch / type->batch[0]);
	const double by_budget = dollars > 0 ? floor(goal->budget / dollars) : INFINITY;
	const double n = fmin(by_batch, by_budget);

	*most = n < (double)type->available ? (size_t)n : type->available;
	return isnan(least_s) ? -1 : 0;
}

int pl_search_eager(struct pl_srift_answer *a, struct pl_sim *sim, const struct pl_srift_goal *goal,
		    size_t step, const struct pl_effort *effort, struct pl_err *err)
{
	const struct pl_effort none = {.deadline_ns = INT64_MAX};
	const struct pl_effort few = {.work = effort->work / ALL_WORK,
				      .deadline_ns = effort->deadline_ns};
	const struct pl_market *m = sim->market;
	size_t order[PL_MARKET_TYPES_MAX], enabled[PL_MARKET_TYPES_MAX] = {0};
	size_t all[PL_MARKET_TYPES_MAX];

	pl_search_all(m, all);
	if (pl_search(a, sim, goal, all, &few, false, err))
		return -1;
	if (a->exact)
		return 0;
	rank(m, goal->objective, order);
	a->exact = true;
	a->bound = INFINITY;
	for (size_t i = 0; i < m->n_types && a->exact; i++) {
		size_t *here = &enabled[order[i]];
		size_t most;

		if (find_most(sim, goal, order[i], &most)) {
			pl_answer_fini(a);
			return pl_err_nomem(err);
		}
		for (size_t n = step; *here < most && a->exact; n *= 2) {
			*here = n < most ? n : most;
			if (pl_search(a, sim, goal, enabled, effort, false, err))
				return -1;
		}
	}
	return a->exact ? 0 : pl_search(a, sim, goal, all, &none, false, err);
}
