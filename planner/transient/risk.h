/* SPDX-License-Identifier: BSD-3-Clause */
/* risk.h - what losses and prices of spot machines make of a choice of
 * machines */
#ifndef PLINK_PLANNER_TRANSIENT_RISK_H
#define PLINK_PLANNER_TRANSIENT_RISK_H

#include "planner/srift/search/choice.h"
#include "planner/transient/job.h"

#include <stddef.h>
#include <stdint.h>

struct pl_risk_rules {
	double launch_s; /* of types without a recorded launch */
	double save_s;   /* that a checkpoint takes */
	double p;        /* of quantiles, above 0, up to 1 */
	size_t n_replays;
	uint64_t seed;
};

/* What spot machines of each type of a market risk; borrows market and rules. Start with {0}, end
 * with fini. */
struct pl_risks {
	const struct pl_market *market;
	const struct pl_risk_rules *rules;
	struct pl_spot_part part[PL_MARKET_TYPES_MAX]; /* by type of market */
	struct pl_survival curve[PL_MARKET_TYPES_MAX];
};

/* Of all types that have spot machines, each of which must have a life and a cold start recorded in
 * @l, which is borrowed, in @region (NULL: the only one). Prices are those of the market where @l
 * has none. 0, or -1 with @r empty and @err set. */
int pl_risks_init(struct pl_risks *r, const struct pl_market *market, const struct pl_lifetimes *l,
		  const char *region, const struct pl_risk_rules *rules, struct pl_err *err);
void pl_risks_fini(struct pl_risks *r);

/* Seconds and dollars of a job: in the mean, and what a share of p of the
 * replays does not exceed. INFINITY, and means NaN, where replays do not
 * end. */
struct pl_risk {
	double mean_s, p_s;
	double mean_dollars, p_dollars;
	double losses;   /* machines, in the mean */
	double interval; /* iterations between checkpoints; 0: there are none */
	size_t n_spot;   /* machines */
};

/*
 * Plays the job of @goal on the machines of @q (replay.h), which are up at its beginning. All of
 * them wait while one is replaced, and do again what is not saved. Checkpoints come as often as
 * Young's formula tells; where no machine is ever lost there are none. @on_demand: no machine is a
 * spot machine, and q->per_hour is their price. 0, or -1 with @err set: out of memory.
 */
int pl_risk_find(struct pl_risk *risk, const struct pl_risks *r, const struct pl_srift_goal *goal,
		 const struct pl_quote *q, bool on_demand, struct pl_err *err);

#endif
