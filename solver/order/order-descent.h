/* SPDX-License-Identifier: BSD-3-Clause */
/* order-descent.h - an order found from large blocks of hosts down to single ones */
#ifndef PLINK_SOLVER_ORDER_ORDER_DESCENT_H
#define PLINK_SOLVER_ORDER_ORDER_DESCENT_H

#include "base/err.h"
#include "base/rng.h"
#include "solver/order/levels.h"
#include "solver/order/smooth.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One thread's room for descents, one after the other. */
struct pl_order_descent {
	const struct pl_levels *levels; /* borrowed */
	struct pl_smooth smooth[PL_LEVELS_MAX];
	size_t *order; /* [hosts] by seat, as numbered by the lowest level */
	size_t *above; /* [hosts] the same for the level above */
};

/* What one descent is to do. Borrowed for the call. */
struct pl_order_descent_job {
	uint64_t moves; /* half of them for single hosts, or all of them */
	double heat;
	/* Blocks of PL_ORDER_BLOCK hosts are good already: order those, and then the hosts with
	 * job->fine of smooth.h, at a lower heat. */
	bool fine;
	bool keep_first;
	bool (*stop)(const void *arg); /* called now and then */
	const void *arg;
};

/* 0, or -1 with @err set and nothing to release. */
int pl_order_descent_init(struct pl_order_descent *d, const struct pl_levels *levels,
			  struct pl_err *err);
void pl_order_descent_fini(struct pl_order_descent *d);

/*
 * Orders the largest blocks by annealing, then those half as large, ..., then the hosts. The result
 * is d->order, where host k is the one that pl_levels_init had at seat k. If racks are blocks, a
 * few moves settle which racks exchange data with each other, and what is left are exchanges inside
 * racks. With job->fine the blocks smaller than
 * PL_ORDER_BLOCK are skipped. Returns the number of moves done.
 */
uint64_t pl_order_descent_run(struct pl_order_descent *d, const struct pl_order_descent_job *job,
			      struct pl_rng *rng);

#endif
