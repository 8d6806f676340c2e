/* SPDX-License-Identifier: BSD-3-Clause */
/* choice.c - a choice of a market's machines: its time and cost, and which of two is better */
#include "config.h"

#include "planner/srift/search/choice.h"

#define SECONDS_PER_HOUR 3600

double pl_goal_seconds(const struct pl_srift_goal *goal, double seconds)
{
	return (double)goal->iterations * seconds;
}

double pl_goal_dollars(const struct pl_srift_goal *goal, double seconds, double per_hour)
{
	return pl_goal_seconds(goal, seconds) * per_hour / SECONDS_PER_HOUR;
}

double pl_goal_value(const struct pl_srift_goal *goal, double seconds, double per_hour)
{
	return goal->objective == PL_OBJECTIVE_TIME ? pl_goal_seconds(goal, seconds)
						    : pl_goal_dollars(goal, seconds, per_hour);
}

bool pl_goal_allows(const struct pl_srift_goal *goal, double seconds, double per_hour)
{
	return pl_goal_seconds(goal, seconds) <= goal->time_limit_s &&
	       pl_goal_dollars(goal, seconds, per_hour) <= goal->budget;
}

size_t pl_choice_types(const struct pl_market *m, const struct pl_srift_choice *c)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_types; i++)
		n += c->count[i] > 0;
	return n;
}

size_t pl_choice_ranks(const struct pl_market *m, const struct pl_srift_choice *c)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_types; i++)
		n += c->count[i] * m->type[i].instance->ranks;
	return n;
}

double pl_choice_per_hour(const struct pl_market *m, const struct pl_srift_choice *c)
{
	double sum = m->hubs_per_hour;

	for (size_t i = 0; i < m->n_types; i++)
		if (c->count[i])
			sum += pl_market_price(&m->type[i], c->count[i]);
	return sum;
}

bool pl_quote_better(const struct pl_market *m, const struct pl_srift_goal *goal,
		     const struct pl_quote *a, const struct pl_quote *b)
{
	const double a_s = a->seconds, a_cost = a->seconds * a->per_hour;
	const double b_s = b->seconds, b_cost = b->seconds * b->per_hour;
	const bool time_first = goal->objective == PL_OBJECTIVE_TIME;
	const size_t a_types = pl_choice_types(m, &a->choice);
	const size_t b_types = pl_choice_types(m, &b->choice);

	if (time_first && a_s != b_s)
		return a_s < b_s;
	if (a_cost != b_cost)
		return a_cost < b_cost;
	if (a_s != b_s)
		return a_s < b_s;
	if (a_types != b_types)
		return a_types < b_types;
	for (size_t i = 0; i < m->n_types; i++) {
		const struct pl_srift_choice *x = &a->choice, *y = &b->choice;

		if (x->count[i] != y->count[i])
			return x->count[i] > y->count[i];
		if (x->count[i] && x->batch[i] != y->batch[i])
			return x->batch[i] > y->batch[i];
	}
	return false;
}

void pl_choice_select(const struct pl_market *m, const struct pl_srift_choice *c,
		      struct pl_selection *sel)
{
	sel->n_parts = 0;
	for (size_t i = 0; i < m->n_types; i++) {
		const struct pl_market_type *type = &m->type[i];
		struct pl_selection_part *part = &sel->part[sel->n_parts];
		double batch;

		if (c->count[i] == 0)
			continue;
		batch = (double)type->batch[c->batch[i]];
		*part = (struct pl_selection_part){
			.instance = type->instance,
			.count = c->count[i],
			.batch = type->batch[c->batch[i]],
			.price_per_hour = pl_market_price(type, c->count[i]) / c->count[i],
			.forward_s = pl_profile_seconds(&type->instance->forward, batch),
			.backward_s = pl_profile_seconds(&type->instance->backward, batch),
		};
		sel->n_parts++;
	}
}
