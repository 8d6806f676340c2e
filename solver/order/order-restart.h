/* SPDX-License-Identifier: BSD-3-Clause */
/* order-restart.h - one restart of the search for any shape: annealing */
#ifndef PLINK_SOLVER_ORDER_ORDER_RESTART_H
#define PLINK_SOLVER_ORDER_ORDER_RESTART_H

#include "base/rng.h"
#include "base/stop.h"
#include "solver/neighbours.h"
#include "solver/order/order-descent.h"
#include "solver/order/seating.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a restart anneals. */
enum pl_order_way {
	PL_ORDER_ALONE,   /* the start */
	PL_ORDER_DESCENT, /* what a descent gives (order-descent.h) */
	PL_ORDER_HOSTS,   /* what one of hosts alone gives */
	PL_ORDER_FINE,    /* what a fine one gives */
};

/* What one restart is to do. Borrowed for the call. */
struct pl_order_job {
	uint64_t seed, number; /* it draws from stream @number of @seed */
	const size_t *start;   /* [n] */
	enum pl_order_way way;
	uint64_t moves;
	double heat;          /* at first, in mean costs of a change: 0.1 */
	double guide;         /* its weight at first; it goes down to nothing */
	double target;        /* good enough: end there; 0: none */
	const bool *may_lead; /* [n] by host: may it sit on seat 0? NULL: all */
	const struct pl_stop *stop;
	/* not wanted any more once this is <= number; may change meanwhile */
	const atomic_uint_fast64_t *limit;
};

enum pl_order_end {
	PL_ORDER_SPENT,   /* all moves */
	PL_ORDER_REACHED, /* the target */
	PL_ORDER_STOPPED, /* by stop or limit */
};

/* One thread's room for restarts, one after the other. The neighbours are
 * borrowed and only read. */
struct pl_order_restart {
	struct pl_seating seating;
	const struct pl_neighbours *nb;
	struct pl_order_descent descent;
	const size_t *base; /* [n] the hosts as the descent numbers them */
	/* Most hops join neighbouring seats: what lies between two seats is
	 * worth turning round or shifting. */
	bool in_chains;
	struct pl_rng rng;
	size_t *best; /* [n] result of the last run */
	double best_cost;
	uint64_t moves; /* done in the last run */
};

/*
 * Does one; the result is in best, best_cost, moves. What it gives depends on
 * the job alone unless it is stopped. Kirkpatrick, Gelatt, Vecchi, Science 220
 * (1983); thresholds instead of the exponential by Dueck, Scheuer, J. Comput.
 * Phys. 90 (1990): nothing but sums and products, so the same on every machine.
 */
enum pl_order_end pl_order_restart_run(struct pl_order_restart *r,
				       const struct pl_order_job *job);

#endif
