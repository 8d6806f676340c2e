/* SPDX-License-Identifier: BSD-3-Clause */
/* why.c - which limit leaves no choice of machines, and by how much */
#include "config.h"

#include "planner/srift/search/why.h"

#include "base/gcd.h"
#include "planner/srift/search/boxes.h"

#include <math.h>

static uint64_t divisor(const struct pl_market *m)
{
	uint64_t of_all = 0;

	for (size_t i = 0; i < m->n_types; i++)
		of_all = pl_gcd(of_all, m->type[i].batch[0]);
	return of_all;
}

static double capacity(const struct pl_market *m)
{
	double sum = 0;

	for (size_t i = 0; i < m->n_types; i++) {
		const struct pl_market_type *type = &m->type[i];

		sum += (double)type->available * (double)type->batch[type->n_batches - 1];
	}
	return sum;
}

/* The best by that objective within these limits; of a whole job, INFINITY: none. */
static int best(double *value, double *bound, struct pl_sim *sim, const struct pl_srift_goal *goal,
		const struct pl_effort *effort, struct pl_err *err)
{
	size_t available[PL_MARKET_TYPES_MAX];
	struct pl_srift_answer a = {0};

	pl_search_all(sim->market, available);
	if (pl_search_bounded(&a, sim, goal, available, effort, false, err))
		return -1;
	*value = a.found ? pl_goal_value(goal, a.best.seconds, a.best.per_hour) : INFINITY;
	*bound = a.bound;
	pl_answer_fini(&a);
	return 0;
}

static int both(struct pl_why *why, struct pl_sim *sim, const struct pl_srift_goal *goal,
		const struct pl_effort *effort, struct pl_err *err)
{
	struct pl_srift_goal fast = *goal, cheap = *goal;
	double bound;

	fast.objective = PL_OBJECTIVE_TIME;
	fast.time_limit_s = INFINITY;
	cheap.objective = PL_OBJECTIVE_COST;
	cheap.budget = INFINITY;
	why->binding = PL_BINDS_BOTH;
	return best(&why->seconds_in_budget, &bound, sim, &fast, effort, err) ||
			       best(&why->dollars_in_time, &bound, sim, &cheap, effort, err)
		       ? -1
		       : 0;
}

/* Does this limit alone leave no choice? 1, 0, or -1 with @err set. */
static int alone(struct pl_why *why, enum pl_binding binding, double limit, struct pl_sim *sim,
		 const struct pl_srift_goal *goal, const struct pl_effort *effort,
		 struct pl_err *err)
{
	const struct pl_srift_goal free_goal = {
		.objective = binding == PL_BINDS_TIME ? PL_OBJECTIVE_TIME : PL_OBJECTIVE_COST,
		.batch = goal->batch,
		.iterations = goal->iterations,
		.time_limit_s = INFINITY,
		.budget = INFINITY,
	};

	why->binding = binding;
	why->limit = limit;
	if (best(&why->needed, &why->proved, sim, &free_goal, effort, err))
		return -1;
	if (!(why->needed < INFINITY))
		why->binding = why->proved < INFINITY ? PL_BINDS_NOTHING : PL_BINDS_SUM;
	return why->needed > limit || !(why->needed < INFINITY);
}

int pl_why_none(struct pl_why *why, struct pl_sim *sim, const struct pl_srift_goal *goal,
		const struct pl_effort *effort, struct pl_err *err)
{
	const uint64_t of_all = divisor(sim->market);
	const double most = capacity(sim->market);
	int found;

	*why = (struct pl_why){.needed = (double)goal->batch};
	if ((double)goal->batch > most) {
		why->binding = PL_BINDS_SAMPLES;
		why->limit = most;
		return 0;
	}
	if (goal->batch % of_all) {
		why->binding = PL_BINDS_DIVISOR;
		why->limit = (double)of_all;
		return 0;
	}
	found = alone(why, PL_BINDS_TIME, goal->time_limit_s, sim, goal, effort, err);
	if (found == 0)
		found = alone(why, PL_BINDS_BUDGET, goal->budget, sim, goal, effort, err);
	if (found)
		return found < 0 ? -1 : 0;
	if (both(why, sim, goal, effort, err))
		return -1;
	if (why->seconds_in_budget <= goal->time_limit_s || why->dollars_in_time <= goal->budget ||
	    !(why->seconds_in_budget < INFINITY) || !(why->dollars_in_time < INFINITY))
		why->binding = PL_BINDS_NOTHING;
	return 0;
}
