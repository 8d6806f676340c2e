/* SPDX-License-Identifier: BSD-3-Clause */
/* network.h - network models for choices that are not known yet */
#ifndef PLINK_SRC_SRIFT_NETWORK_H
#define PLINK_SRC_SRIFT_NETWORK_H

#include "planner/srift/comm/busbw.h"
#include "planner/srift/comm/comm-hubs.h"
#include "planner/srift/learned/learned.h"
#include "planner/srift/search/market.h"
#include "src/srift/options.h"
#include "src/srift/plans.h"

#include <jansson.h>
#include <stdio.h>

/* Start with {0}, end with fini. */
struct srift_network {
	/* One for all types, or one for each type of the market; empty: for single accelerators
	 * only, or with a learned model. */
	struct pl_busbw table[PL_MARKET_TYPES_MAX];
	struct pl_learned learned;
	struct pl_learned_net net[PL_MARKET_TYPES_MAX];
	struct srift_plans plans; /* that tables were predicted for */
	/* One for all types, or one for each type of the market. */
	struct pl_comm comm[PL_MARKET_TYPES_MAX];
	size_t n_comms;
};

/* Reads the profiles of the model, with o->straggler if it is given. 0, or -1 with @err set. */
int srift_profile_load(struct pl_profile *profile, const struct srift_options *o,
		       struct pl_err *err);

/* Reads the tables, or a learned model, or predicts tables from matrix and plans in the orders that
 * the plans have found, for the ranks of the plans, or takes the rated bandwidth. 0, or -1 with
 * @err set. */
int srift_network_read(struct srift_network *net, const struct srift_options *o,
		       const struct pl_market *market, struct pl_err *err);
void srift_network_fini(struct srift_network *net);

/* What the cards of @n hubs move together, in cards of the machines. */
double srift_hub_cards(const struct srift_options *o, size_t n);

/* The same models with hubs. Start with {0}, end with fini; borrows the network that it was made
 * of. */
struct srift_hub_network {
	struct pl_busbw table[PL_MARKET_TYPES_MAX];
	struct pl_comm_hubs with[PL_MARKET_TYPES_MAX];
	struct pl_comm comm[PL_MARKET_TYPES_MAX]; /* as above */
	size_t n_comms;
};

/* 0, or -1 with @err set. */
int srift_hub_network_init(struct srift_hub_network *h, const struct srift_network *net,
			   const struct srift_options *o, const struct pl_market *market,
			   size_t n_hubs, struct pl_err *err);
void srift_hub_network_fini(struct srift_hub_network *h);

/* The line of a text that says that rated bandwidths are a rough start; nothing if they were not
 * given. */
void srift_write_rated(const struct srift_options *o, FILE *out);
/* The same for an object: its member rated_bytes_per_s. */
void srift_set_rated(json_t **object, const struct srift_options *o);

/* Are bandwidths of n_ranks of market->type[@type] interpolated? As pl_busbw_between(). */
bool srift_network_between(const struct srift_network *net, size_t type, size_t n_ranks,
			   size_t between[2]);

#endif
