/* SPDX-License-Identifier: BSD-3-Clause */
/* sim.h - times of many choices of machines: pl_iterate(), with what repeats
 * kept */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_SIM_H
#define PLINK_PLANNER_SRIFT_ITERATION_SIM_H

#include "planner/srift/comm/comm.h"
#include "planner/srift/iteration/iteration.h"
#include "planner/srift/search/choice.h"
#include "planner/srift/search/market.h"

#include <stddef.h>
#include <stdint.h>

/* Choices of more ranks are not looked at. */
#define PL_SIM_RANKS_MAX 4096

struct pl_sim_memo;

/* Start with init, end with fini. One thread at a time. */
struct pl_sim {
	const struct pl_market *market;
	const struct pl_iteration_options *options;
	struct pl_sim_memo *memo;
	uint64_t base; /* pl_iteration_base() */
	uint64_t n_simulated;
};

/* Borrows all but comm[n_comms]: one network of all types, or one of each type
 * of the market, of which the slowest counts where they are mixed. Answers of
 * theirs are kept. 0, or -1 with @err set: no memory. */
int pl_sim_init(struct pl_sim *sim, const struct pl_market *market,
		const struct pl_comm *comm, size_t n_comms,
		const struct pl_iteration_options *options, struct pl_err *err);
void pl_sim_fini(struct pl_sim *sim);

/* Drawn slowness of so many machines of a type, [options->draws], or NULL: no
 * memory. Borrowed until the next call for that type. */
const double *pl_sim_slowness(struct pl_sim *sim, size_t type, size_t count);

/* A mean over the draws that is not above that of as many machines. NaN: no
 * memory. */
double pl_sim_least_slowness(struct pl_sim *sim, size_t type, size_t count);

/*
 * Fills in seconds and per_hour of q->choice, exactly as pl_iterate() has it.
 * 1 where that is done; 0: the network's model does not know so many ranks; -1
 * with @err set: no memory.
 */
int pl_sim_quote(struct pl_sim *sim, struct pl_quote *q, struct pl_err *err);

/*
 * Seconds, not above what an iteration takes of any choice of @ranks or more of
 * them whose slowest machine computes for compute_s or longer. INFINITY where
 * the model knows no such number.
 */
double pl_sim_least(const struct pl_sim *sim, double compute_s, size_t ranks);

/*
 * The least and the most bus bandwidth of an all-reduce of so many bytes by so
 * many ranks, of those that choices may have: of all networks. 0 bytes: the
 * cap. 1; 0 where none knows so many ranks; -1 with @err set: no memory.
 */
int pl_sim_bandwidths(struct pl_sim *sim, double bytes, size_t ranks,
		      double bytes_per_s[2], struct pl_err *err);

#endif
