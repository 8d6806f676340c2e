/* SPDX-License-Identifier: BSD-3-Clause */
/* network.h - network models for choices that are not known yet */
#ifndef PLINK_SRC_SRIFT_NETWORK_H
#define PLINK_SRC_SRIFT_NETWORK_H

#include "base/plan/plan.h"
#include "planner/srift/comm/busbw.h"
#include "planner/srift/learned/learned.h"
#include "planner/srift/search/market.h"
#include "src/srift/options.h"

/* Start with {0}, end with fini. */
struct srift_network {
	struct pl_busbw table; /* empty: for single accelerators only */
	struct pl_learned learned;
	struct pl_learned_net net[PL_MARKET_TYPES_MAX];
	/* One for all types, or one for each type of the market. */
	struct pl_comm comm[PL_MARKET_TYPES_MAX];
	size_t n_comms;
};

/* Reads the profiles of the model, with o->straggler if it is given. 0, or -1
 * with @err set. */
int srift_profile_load(struct pl_profile *profile,
		       const struct srift_options *o, struct pl_err *err);

/* Predicts the table *found for all-reduces of up to @bytes in the order that
 * the plan has found, from o->matrix, whose rates of cards and uplinks it
 * reports on stderr; and *given, unless that is NULL, for the given order. 0,
 * or -1 with @err set. */
int srift_plan_predict(const struct srift_options *o,
		       const struct pl_plan *plan, uint64_t bytes,
		       struct pl_busbw *found, struct pl_busbw *given,
		       struct pl_err *err);

/* Reads the tables, or a learned model, or predicts a table from matrix and
 * plan in the order that the plan has found, for the ranks of the plan. 0, or
 * -1 with @err set. */
int srift_network_read(struct srift_network *net, const struct srift_options *o,
		       const struct pl_market *market, struct pl_err *err);
void srift_network_fini(struct srift_network *net);

#endif
