/* SPDX-License-Identifier: BSD-3-Clause */
/* risk.c - what losses and prices of spot machines make of a choice of
 * machines */
#include "config.h"

#include "planner/transient/risk.h"

#include "base/stats.h"
#include "planner/transient/interval.h"
#include "planner/transient/replay.h"

#include <math.h>

/* The price of a kind; NaN: there is none. */
static double price_of(const struct pl_market_type *type, enum pl_market_kind kind)
{
	for (size_t k = 0; k < type->n_stocks; k++)
		if (type->stock[k].kind == kind)
			return type->stock[k].price_per_hour;
	return NAN;
}

static int init_type(struct pl_risks *r, size_t i, const struct pl_lifetimes *l, const char *region,
		     struct pl_err *err)
{
	const struct pl_market_type *type = &r->market->type[i];
	const char *name = type->instance->name;
	const double price = price_of(type, PL_SPOT);
	const struct pl_life_group *g;

	if (isnan(price))
		return 0;
	g = pl_lifetimes_want(l, name, region, err);
	if (!g)
		return -1;
	if (!g->cold.n)
		return pl_err_set(err, PL_EINPUT, "no cold start of %s is recorded", name);
	if (pl_survival_make(&r->curve[i], g, l->limit_s, err))
		return -1;
	r->part[i] = (struct pl_spot_part){
		.price_per_hour = price,
		.prices = g->prices.n ? &g->prices : NULL,
		.curve = &r->curve[i],
		.launch_s = g->launch.n ? pl_history_mean_s(&g->launch) : r->rules->launch_s,
		.launches_s = g->launch_s,
		.n_launches = g->n_launches,
		.join_s = pl_history_mean_s(&g->cold),
	};
	return 0;
}

int pl_risks_init(struct pl_risks *r, const struct pl_market *market, const struct pl_lifetimes *l,
		  const char *region, const struct pl_risk_rules *rules, struct pl_err *err)
{
	r->market = market;
	r->rules = rules;
	for (size_t i = 0; i < market->n_types; i++)
		if (init_type(r, i, l, region, err)) {
			pl_risks_fini(r);
			return -1;
		}
	return 0;
}

void pl_risks_fini(struct pl_risks *r)
{
	for (size_t i = 0; i < PL_MARKET_TYPES_MAX; i++)
		pl_survival_fini(&r->curve[i]);
	*r = (struct pl_risks){0};
}

/* The spot machines of each type, then all others as one part at the price that remains. Returns
 * the number of parts; *n_spot gets that of spot machines. */
static size_t make_parts(struct pl_spot_part *part, const struct pl_risks *r,
			 const struct pl_quote *q, bool on_demand, size_t *n_spot)
{
	const struct pl_market *m = r->market;
	struct pl_spot_part others = {.price_per_hour = q->per_hour};
	size_t n = 0;

	*n_spot = 0;
	for (size_t i = 0; i < m->n_types; i++) {
		const size_t count = q->choice.count[i];
		const size_t spot = on_demand ? 0 : pl_market_count(&m->type[i], count, PL_SPOT);

		others.count += count - spot;
		if (spot == 0)
			continue;
		part[n] = r->part[i];
		part[n++].count = spot;
		*n_spot += spot;
		others.price_per_hour -= (double)spot * price_of(&m->type[i], PL_SPOT);
	}
	others.price_per_hour /= (double)others.count;
	if (others.count)
		part[n++] = others;
	for (size_t i = 0; i < n; i++)
		part[i].steps_per_s = 1 / q->seconds;
	return n;
}

/* Young's interval, in whole iterations; 0 where nothing is lost. */
static double interval(const struct pl_spot_job *job, double seconds)
{
	const double between_s = pl_spot_between_s(job);

	if (isinf(between_s))
		return 0;
	return fmin(fmax(round(pl_interval_young_s(job->save_s, between_s) / seconds), 1),
		    job->steps);
}

int pl_risk_find(struct pl_risk *risk, const struct pl_risks *r, const struct pl_srift_goal *goal,
		 const struct pl_quote *q, bool on_demand, struct pl_err *err)
{
	struct pl_spot_part part[PL_MARKET_TYPES_MAX + 1];
	struct pl_spot_job job = {
		.part = part,
		.steps = (double)goal->iterations,
		.save_s = r->rules->save_s,
		.most_steps_per_s = 1 / q->seconds,
		.replacements = SIZE_MAX,
	};
	struct pl_replays replays = {0};
	size_t at;

	*risk = (struct pl_risk){0};
	job.n_parts = make_parts(part, r, q, on_demand, &risk->n_spot);
	job.interval = interval(&job, q->seconds);
	if (pl_replay(&replays, &job, r->rules->n_replays, r->rules->seed, err))
		return -1;
	at = pl_percentile_index(replays.n, r->rules->p);
	risk->interval = job.interval;
	risk->losses = replays.losses;
	risk->mean_s = replays.n_ended == replays.n ? replays.mean_s : NAN;
	risk->mean_dollars = replays.n_ended == replays.n ? replays.mean_dollars : NAN;
	risk->p_s = replays.seconds[at];
	risk->p_dollars = replays.dollars[at];
	pl_replays_fini(&replays);
	return 0;
}
