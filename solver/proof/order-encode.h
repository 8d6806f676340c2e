/* SPDX-License-Identifier: BSD-3-Clause */
/* order-encode.h - pseudo-boolean constraints for orders that are cheaper than a given one */
#ifndef PLINK_SOLVER_PROOF_ORDER_ENCODE_H
#define PLINK_SOLVER_PROOF_ORDER_ENCODE_H

#include "base/err.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"
#include "solver/proof/pb.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A literal that adds to - from to the cost of an order if it is true. */
struct pl_term {
	int lit;
	double from, to;
};

/* One of several sums. An order is cheap enough if all of them are. */
struct pl_term_sum {
	struct pl_term *term;
	size_t n, room;
	double constant;
	size_t n_rounded; /* most parts of one total that may each be rounded
			     down */
};

/* Which hosts may change places. Borrowed. */
struct pl_encode_problem {
	const struct pl_shape *shape;
	const struct pl_costs *costs;
	size_t alike;          /* positions of each host */
	const size_t *host_at; /* [n] the order, of cost @cost */
	double cost;
	const size_t *seat; /* [n_free] the seats whose hosts change places */
	size_t n_free;
	bool first_stays;     /* the host of seat[0] stays */
	const bool *may_lead; /* [n] hosts that may sit on seat 0; NULL: all */
};

/*
 * x[i * n_free + s]: the host of seat[i] goes to seat[s]. Further variables follow from these. In
 * sums and on paths, y[a][b] is true if the seat of host a sends to the seat of host b; in rounds,
 * z is true if the dearest hop of a round costs a given level or more. Costs are rounded down to
 * whole units.
 */
struct pl_encoding {
	struct pl_encode_problem p;
	struct pl_pb *pb;
	size_t *free_at; /* [n] by seat: index in p.seat; SIZE_MAX: stays */
	int *x;
	struct pl_term_sum *sum;
	size_t n_sums, sums_room;
	double unit;
	bool whole; /* unit 1, and all costs are whole */
};

/* Start with {0}; call fini also after a failure. 0, or -1 with @err set. */
int pl_encode(struct pl_encoding *e, const struct pl_encode_problem *p, struct pl_err *err);
void pl_encoding_fini(struct pl_encoding *e);

/*
 * Adds the constraint that orders cost less than @cost. *bound: every order
 * that costs *bound or less still meets the constraints, so that if no order
 * does, *bound is a lower bound on all of them. *bound is @cost if costs are
 * whole numbers, otherwise a little less.
 * 0, or -1 with @err set: out of memory.
 */
int pl_encoding_tighten(struct pl_encoding *e, double cost, double *bound, struct pl_err *err);

/* Writes the order that was found to host_at[n]. */
void pl_encoding_read(const struct pl_encoding *e, size_t *host_at);

#endif
