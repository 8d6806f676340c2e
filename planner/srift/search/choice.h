/* SPDX-License-Identifier: BSD-3-Clause */
/* choice.h - a choice of machines of a market: its time, its price, and comparing choices */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_CHOICE_H
#define PLINK_PLANNER_SRIFT_SEARCH_CHOICE_H

#include "planner/srift/iteration/selection.h"
#include "planner/srift/search/market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Arrays are indexed by type of the market. */
struct pl_srift_choice {
	uint32_t count[PL_MARKET_TYPES_MAX]; /* 0: none of these */
	uint8_t batch[PL_MARKET_TYPES_MAX];  /* index in batches of the type */
	uint32_t hubs;                       /* beside them; set with time and price */
};

/* A choice with its time and price. */
struct pl_quote {
	struct pl_srift_choice choice;
	double seconds;  /* of an iteration */
	double per_hour; /* dollars, of all machines, hubs among them */
};

enum pl_srift_objective { PL_OBJECTIVE_COST, PL_OBJECTIVE_TIME };

/* The goal (srift 4.4). */
struct pl_srift_goal {
	enum pl_srift_objective objective;
	uint64_t batch;      /* samples of an iteration, B_global */
	uint64_t iterations; /* N */
	double time_limit_s; /* of all iterations, T_lim; INFINITY: none */
	double budget;       /* dollars of all iterations; INFINITY: none */
};

/* For all iterations: N t, and N t sum(counts P). */
double pl_goal_seconds(const struct pl_srift_goal *goal, double seconds);
double pl_goal_dollars(const struct pl_srift_goal *goal, double seconds, double per_hour);
/* The one of both that the objective minimizes. */
double pl_goal_value(const struct pl_srift_goal *goal, double seconds, double per_hour);
/* Are both limits kept? */
bool pl_goal_allows(const struct pl_srift_goal *goal, double seconds, double per_hour);

/* Is @a better than @b? By the objective; if equal, by the other value; then by fewer types; then
 * by machines that come first in the market. */
bool pl_quote_better(const struct pl_market *m, const struct pl_srift_goal *goal,
		     const struct pl_quote *a, const struct pl_quote *b);

size_t pl_choice_types(const struct pl_market *m, const struct pl_srift_choice *c);
size_t pl_choice_ranks(const struct pl_market *m, const struct pl_srift_choice *c);
double pl_choice_per_hour(const struct pl_market *m, const struct pl_srift_choice *c);

/* Converts a choice to a selection, with prices averaged over the stocks. sel->part must have room
 * for n_types. */
void pl_choice_select(const struct pl_market *m, const struct pl_srift_choice *c,
		      struct pl_selection *sel);

#endif
