/* SPDX-License-Identifier: BSD-3-Clause */
/* risk.h - recommend --spot-history: choices of machines, some of which are taken away */
#ifndef PLINK_SRC_SRIFT_RISK_H
#define PLINK_SRC_SRIFT_RISK_H

#include "planner/srift/search/search.h"
#include "planner/transient/lifetimes.h"
#include "planner/transient/risk.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#define SRIFT_REPLAYS 1000

struct srift_advice;

/* A choice, and how a job on it may end. */
struct srift_row {
	struct pl_quote quote; /* without losses */
	bool on_demand;        /* all machines are */
	bool allowed;          /* the quantiles keep the limits */
	struct pl_risk risk;
};

/* Start with {0}, end with fini. */
struct srift_risks {
	struct pl_lifetimes lives;
	struct pl_market_cap *cap; /* types without lives, as spot machines */
	struct pl_risk_rules rules;
	struct pl_market on_demand; /* the market's types, on demand only */
	/* the best choice without losses, then others that no other one beats in both time and cost
	 * without losses */
	struct srift_row *row;
	size_t n_rows, chosen;
};
void srift_risks_fini(struct srift_risks *r);

/* Reads the lifetimes before the market is made: recorded prices replace those of the catalogue,
 * and *rule gets caps. 0, or -1 with @err set. */
int srift_risks_read(struct srift_advice *a, struct pl_market_rule *rule, struct pl_err *err);

/* Plays the job on the choices, and makes the best one that keeps the limits the answer, in place
 * of the one found. 0, or -1 with @err set; PL_EPARTIAL: none does. */
int srift_risks_find(struct srift_advice *a, struct pl_sim *sim, const struct pl_market_rule *rule,
		     struct pl_err *err);

/* The market of the machines that are recommended. */
const struct pl_market *srift_risks_market(const struct srift_advice *a);

/* May machines of the best choice without losses be lost, or is another one recommended? */
bool srift_risks_has_losses(const struct srift_advice *a);

/* Nothing, or null, without --spot-history. */
void srift_write_risks(const struct srift_advice *a, FILE *out);
json_t *srift_risks_json(const struct srift_advice *a);

#endif
