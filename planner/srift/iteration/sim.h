/* SPDX-License-Identifier: BSD-3-Clause */
/* sim.h - pl_iterate() for many choices of machines, with repeated parts
 * cached */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_SIM_H
#define PLINK_PLANNER_SRIFT_ITERATION_SIM_H

#include "planner/srift/comm/comm.h"
#include "planner/srift/iteration/iteration.h"
#include "planner/srift/search/choice.h"
#include "planner/srift/search/market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Choices with more ranks are not considered. */
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

/*
 * Borrows everything except comm[n_comms], which is one network model for all types, or one for
 * each type of the market; if types are mixed, the slowest counts. Answers of the models are
 * cached. 0, or -1 with @err set: out of memory.
 */
int pl_sim_init(struct pl_sim *sim, const struct pl_market *market, const struct pl_comm *comm,
		size_t n_comms, const struct pl_iteration_options *options, struct pl_err *err);
void pl_sim_fini(struct pl_sim *sim);

/* Drawn slowness of @count machines of a type, [options->draws], or NULL: out of memory. Borrowed
 * until the next call for that type. */
const double *pl_sim_slowness(struct pl_sim *sim, size_t type, size_t count);

/* A lower bound on the mean slowness, over the draws, of @count machines: that of the largest power
 * of two of machines that is not above @count. NaN: out of memory. */
double pl_sim_least_slowness(struct pl_sim *sim, size_t type, size_t count);

/* The first numbers of ranks from @from on, range[0] to range[1], of which not all choices of
 * @samples are considered: a network model does not know them, or they are more than
 * PL_SIM_RANKS_MAX. False: there are none. */
bool pl_sim_next_unknown(const struct pl_sim *sim, uint64_t samples, size_t from, size_t range[2]);

/* pl_iterate() of a choice, whose machines become those of @sel, which has room for all types. 1,
 * and @it ends with fini; 0 if the network model does not know that number of ranks; -1 with @err
 * set: out of memory. */
int pl_sim_iterate(struct pl_sim *sim, const struct pl_srift_choice *choice,
		   struct pl_selection *sel, struct pl_iteration *it, struct pl_err *err);

/* Fills in seconds and per_hour of q->choice, exactly as pl_iterate() computes them, and the hubs
 * of the market. Returns 1; 0 if the network model does not know that number of ranks; -1 with @err
 * set: out of memory. */
int pl_sim_quote(struct pl_sim *sim, struct pl_quote *q, struct pl_err *err);

/* The least and the most share of both passes that the forward pass takes, over all types and
 * batches. */
void pl_sim_forward_shares(const struct pl_market *m, double share[2]);

/* A lower bound on the time of an iteration, in seconds, of any choice with @ranks or more ranks
 * whose slowest machine computes for compute_s or longer. INFINITY if the model knows no such
 * number of ranks. */
double pl_sim_least(const struct pl_sim *sim, double compute_s, size_t ranks);

/* The least and the most bus bandwidth, over all network models, of an all-reduce of @bytes by
 * @ranks ranks. 0 bytes: the cap. Returns 1; 0 if no model knows that number of ranks; -1 with @err
 * set: out of memory. */
int pl_sim_bandwidths(struct pl_sim *sim, double bytes, size_t ranks, double bytes_per_s[2],
		      struct pl_err *err);

#endif
