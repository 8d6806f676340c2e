/* SPDX-License-Identifier: BSD-3-Clause */
/* least.h - lower bound on the time of an iteration, with compute time and ranks within bounds */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_LEAST_H
#define PLINK_PLANNER_SRIFT_ITERATION_LEAST_H

#include "base/err.h"
#include "planner/srift/iteration/exchange-least.h"
#include "planner/srift/iteration/sim.h"

#include <stddef.h>
#include <stdint.h>

/* An all-reduce that every iteration has. */
struct pl_least_item {
	double share[2]; /* ready time as a share of both passes: least, most */
	double bytes;
	size_t size; /* index in sizes[] */
};

/* Start with {0}, end with fini. Borrows @sim. */
struct pl_least {
	struct pl_sim *sim;
	/* [n]; n is 0 if types differ in what is exchanged together */
	struct pl_least_item *item;
	struct pl_transfer_range *range; /* [n] */
	double *scratch;
	size_t n;
	double *sizes; /* [n_sizes] different bytes; the first is 0 and stands
			  for the cap */
	size_t n_sizes;
	/* [PL_SIM_RANKS_MAX + 1][n_sizes] least and most bandwidth; NULL: not asked yet */
	double (**rate)[2];
	uint64_t steps; /* done so far */
};

/* 0, or -1 with @least empty and @err set: no memory. */
int pl_least_init(struct pl_least *least, struct pl_sim *sim, struct pl_err *err);
void pl_least_fini(struct pl_least *least);

/* Choices whose slowest machine computes for compute_s[0] to [1], on average, on ranks[0] to [1]
 * ranks. */
struct pl_least_range {
	double compute_s[2];
	size_t ranks[2];
};

/*
 * *seconds becomes a lower bound on the time of an iteration of any such choice (exchange-least.h),
 * INFINITY if the network model knows none of these numbers of ranks. Narrow ranges give better
 * bounds. The function may stop once @enough_s is proved. 0, or -1 with @err set: out of memory.
 */
int pl_least_seconds(struct pl_least *least, const struct pl_least_range *r, double enough_s,
		     double *seconds, struct pl_err *err);

#endif
