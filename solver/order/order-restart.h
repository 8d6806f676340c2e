/* SPDX-License-Identifier: BSD-3-Clause */
/* order-restart.h - one restart of the search for any shape: annealing */
#ifndef PLINK_SOLVER_ORDER_ORDER_RESTART_H
#define PLINK_SOLVER_ORDER_ORDER_RESTART_H

#include "base/rng.h"
#include "base/stop.h"
#include "solver/neighbours.h"
#include "solver/order/order-descent.h"
#include "solver/order/seating.h"
#include "solver/restarts.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a restart begins with, before it anneals. */
enum pl_order_way {
	PL_ORDER_ALONE,   /* job->start */
	PL_ORDER_AGAIN,   /* the same, which is good: without the first annealing */
	PL_ORDER_DESCENT, /* the result of a descent (order-descent.h) */
	PL_ORDER_FINE,    /* the result of a descent with fine */
};

/* What one restart is to do. Borrowed for the call. */
struct pl_order_job {
	uint64_t seed, number; /* random numbers: stream @number of @seed */
	const size_t *start;   /* [n] */
	enum pl_order_way way;
	uint64_t moves;
	double heat;          /* at first, in units of the mean cost of a change */
	double guide;         /* weight of the guide at first; falls to 0 */
	double target;        /* end at this cost or less; 0: no target */
	const bool *may_lead; /* [n] by host: may it sit on seat 0? NULL: all */
	const struct pl_stop *stop;
	/* the restart is no longer wanted once *limit <= number; other threads may change *limit */
	const atomic_uint_fast64_t *limit;
};

/* One thread's room for restarts, one after the other. The neighbours are borrowed and only
 * read. */
struct pl_order_restart {
	struct pl_seating seating;
	const struct pl_neighbours *nb;
	struct pl_order_descent descent;
	const size_t *base; /* [n] the hosts as the descent numbers them */
	/* Most hops join neighbouring seats, so that reversing or shifting the seats between two of
	 * them is worth a try. */
	bool in_chains;
	bool norms; /* the seating's objective has norms: they are its guide */
	struct pl_rng rng;
	size_t *best; /* [n] result of the last run */
	double best_cost;
	uint64_t moves; /* done in the last run */
};

/*
 * Does one restart; the result is in best, best_cost and moves. It depends on the job alone unless
 * the restart is stopped. Kirkpatrick, Gelatt, Vecchi, Science 220 (1983); thresholds instead of
 * the exponential: Dueck, Scheuer, J. Comput. Phys. 90 (1990). Thresholds need only sums and
 * products, so that the result is the same on every machine.
 */
enum pl_restart_end pl_order_restart_run(struct pl_order_restart *r,
					 const struct pl_order_job *job);

#endif
