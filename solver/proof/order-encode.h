/* SPDX-License-Identifier: BSD-3-Clause */
/* order-encode.h - orders cheaper than a given one as pseudo-boolean
 * constraints */
#ifndef PLINK_SOLVER_PROOF_ORDER_ENCODE_H
#define PLINK_SOLVER_PROOF_ORDER_ENCODE_H

#include "base/err.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"
#include "solver/proof/pb.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is true in an order and then adds to - from to its cost. */
struct pl_term {
	int lit;
	double from, to;
};

/* One of the sums that all have to be cheap enough. */
struct pl_term_sum {
	struct pl_term *term;
	size_t n, room;
	double constant;
	size_t n_rounded; /* parts that may each be rounded down at a time */
};

/* Which hosts may change places. Borrowed. */
struct pl_encode_problem {
	const struct pl_shape *shape;
	const struct pl_costs *costs;
	size_t alike;          /* positions of each host */
	const size_t *host_at; /* [n] the order, of cost @cost */
	double cost;
	const size_t *seat; /* [n_free] whose hosts change places */
	size_t n_free;
	bool first_stays;     /* the host of seat[0] does not */
	const bool *may_lead; /* [n] on seat 0, or NULL: all */
};

/*
 * x[i * n_free + s]: the host of seat[i] goes to seat[s]. What follows of
 * it for the hops is implied by further variables: y[a][b] where host a's
 * seat sends to b's in sums and on paths, z where the dearest hop of a
 * round costs as much as a level or more. Costs are rounded down to whole
 * units.
 */
struct pl_encoding {
	struct pl_encode_problem p;
	struct pl_pb *pb;
	size_t *free_at; /* [n] index in p.seat, by seat; SIZE_MAX: stays */
	int *x;
	struct pl_term_sum *sum;
	size_t n_sums, sums_room;
	double unit;
	bool whole; /* unit 1, and all costs are whole */
};

/* Start with {0}, end with fini also where it failed. 0, or -1 with @err
 * set. */
int pl_encode(struct pl_encoding *e, const struct pl_encode_problem *p,
	      struct pl_err *err);
void pl_encoding_fini(struct pl_encoding *e);

/*
 * Only orders that cost less than @cost from now on. *bound: all orders not
 * above it are among those that are left, so that where there are none it
 * bounds them all; a little below @cost, or @cost where costs are whole.
 * 0, or -1 with @err set: memory.
 */
int pl_encoding_tighten(struct pl_encoding *e, double cost, double *bound,
			struct pl_err *err);

/* The order that was found, host_at[n]. */
void pl_encoding_read(const struct pl_encoding *e, size_t *host_at);

#endif
