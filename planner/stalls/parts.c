/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.c - the stalls of a run, what an epoch takes and costs */
#include "config.h"

#include "planner/stalls/parts.h"

#include <math.h>
#include <string.h>

#define HOUR_S 3600.0

const char *pl_stall_name(enum pl_stall stall)
{
	static const char *const names[] = {"interconnect", "network", "prep", "fetch"};

	return names[stall];
}

double pl_stall_seconds(const struct pl_stall_run *run, enum pl_stall_step step)
{
	if (step == PL_STALL_T2 && run->gpus == 1 && isnan(run->t_s[step]))
		return run->t_s[PL_STALL_T1];
	return run->t_s[step];
}

/* Of a difference of two steps. */
static double error_of(const struct pl_stall_run *run, enum pl_stall_step a, enum pl_stall_step b)
{
	const bool alone = run->gpus == 1 && isnan(run->t_s[PL_STALL_T2]);

	a = alone && a == PL_STALL_T2 ? PL_STALL_T1 : a;
	b = alone && b == PL_STALL_T2 ? PL_STALL_T1 : b;
	return a == b ? 0 : hypot(run->error_s[a], run->error_s[b]);
}

struct pl_stall_parts pl_stall_parts_of(const struct pl_stall_run *run)
{
	struct pl_stall_parts p;
	double t[PL_STALL_STEPS], whole;

	for (int i = 0; i < PL_STALL_STEPS; i++)
		t[i] = pl_stall_seconds(run, (enum pl_stall_step)i);
	p.s[PL_STALL_INTERCONNECT] = t[PL_STALL_T2] - t[PL_STALL_T1];
	p.s[PL_STALL_NETWORK] = t[PL_STALL_T5] - t[PL_STALL_T2];
	p.s[PL_STALL_PREP] = t[PL_STALL_T4] - t[PL_STALL_T2];
	p.s[PL_STALL_FETCH] = t[PL_STALL_T3] - t[PL_STALL_T4];
	whole = isnan(t[PL_STALL_T3]) ? t[PL_STALL_T4] : t[PL_STALL_T3];
	p.share[PL_STALL_INTERCONNECT] = p.s[PL_STALL_INTERCONNECT] / t[PL_STALL_T1];
	p.share[PL_STALL_NETWORK] = p.s[PL_STALL_NETWORK] / t[PL_STALL_T2];
	p.share[PL_STALL_PREP] = p.s[PL_STALL_PREP] / whole;
	p.share[PL_STALL_FETCH] = p.s[PL_STALL_FETCH] / whole;
	p.error_s[PL_STALL_INTERCONNECT] = error_of(run, PL_STALL_T2, PL_STALL_T1);
	p.error_s[PL_STALL_NETWORK] = error_of(run, PL_STALL_T5, PL_STALL_T2);
	p.error_s[PL_STALL_PREP] = error_of(run, PL_STALL_T4, PL_STALL_T2);
	p.error_s[PL_STALL_FETCH] = error_of(run, PL_STALL_T3, PL_STALL_T4);
	return p;
}

/* The step that is nearest to the training itself: data in memory after the first epoch. */
static enum pl_stall_step usual_step(const struct pl_stall_run *run)
{
	if (!isnan(run->t_s[PL_STALL_T4]))
		return PL_STALL_T4;
	return isnan(run->t_s[PL_STALL_T3]) ? PL_STALL_T2 : PL_STALL_T3;
}

struct pl_stall_epoch pl_stall_epoch_of(const struct pl_stall_run *run, bool apart, double price)
{
	struct pl_stall_epoch e = {.s = NAN, .dollars = NAN, .step = usual_step(run)};
	const double together = (double)run->batch * (double)run->gpus;
	double t_s = pl_stall_seconds(run, e.step);

	if (apart) {
		e.added = e.step != PL_STALL_T2;
		t_s += run->t_s[PL_STALL_T5] - pl_stall_seconds(run, PL_STALL_T2);
	}
	if (run->samples == 0 || run->batch == 0)
		return e;
	e.s = ceil((double)run->samples / together) * t_s;
	e.dollars = e.s / HOUR_S * price * (apart ? (double)run->machines : 1.0);
	return e;
}

double pl_stall_price(const struct pl_catalogue *c, const char *instance, const char *region,
		      enum pl_market_kind kind)
{
	double least = NAN;

	for (size_t i = 0; i < c->n; i++) {
		const struct pl_offer *o = &c->offer[i];

		if (strcmp(o->instance, instance) == 0 &&
		    (!region || strcmp(o->region, region) == 0))
			least = fmin(least, o->price[kind]);
	}
	return least;
}
