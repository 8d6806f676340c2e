/* SPDX-License-Identifier: BSD-3-Clause */
/* order-proof.h - orders cheaper than the best so far, or that there is none,
 * by Z3 */
#ifndef PLINK_SOLVER_PROOF_ORDER_PROOF_H
#define PLINK_SOLVER_PROOF_ORDER_PROOF_H

#include "base/err.h"
#include "base/stop.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Hosts up to which it is asked about all of them at once: where costs are
 * added up, and where rounds or paths compete; and how many change places among
 * themselves where there are more. */
#define PL_PROOF_ALL_SUM 10
#define PL_PROOF_ALL_MAX 16
#define PL_PROOF_WINDOW 8

/* Where costs are no whole numbers the bound is less than the cost by no more
 * than this part of it. */
#define PL_PROOF_PART 1e-6

/* {0} but for the first three. */
struct pl_proof_options {
	const struct pl_shape *shape;
	const struct pl_costs *costs;
	size_t alike;     /* positions of each host */
	uint64_t seed;    /* of windows */
	uint64_t work;    /* in Z3's units of it, see pb.h; 0: without end */
	bool first_stays; /* the first host can stay where it is at no cost */
	const bool *may_lead;       /* [n] may stand first; NULL: all */
	const struct pl_stop *stop; /* NULL: never */
};

struct pl_proof_result {
	double cost;
	double bound; /* of all orders; 0: nothing was proved */
	bool stopped;
	uint64_t asked, found; /* questions for a cheaper order, and answers */
};

/* Does it work here? Not without Z3. */
bool pl_proof_built(void);

/* The most hosts that it asks about at once. */
size_t pl_proof_hosts(enum pl_shape_kind kind);

/*
 * The thesis' second stage (5.2.1): asks for an order that costs less than
 * host_at[n], takes it over, and asks again until there is none, or the time or
 * the work is used up. With more hosts than it can ask about at once it asks so
 * about windows of the order instead: where costs are added up, hosts next to
 * each other, all along it; then and else both ends of a hop that makes the
 * cost what it is and others at random; until four in a row for each host gave
 * nothing.
 *
 * Where there is none among all orders, result->bound is the cost, if costs are
 * whole numbers that are not too large, else less by PL_PROOF_PART at most:
 * costs are rounded down to what adds up within 31 bits. Same input, seed and
 * work, same result with the same Z3, unless *stop came first.
 * 0, or -1 with @err set: memory, no Z3, what Z3 says.
 */
int pl_order_prove(const struct pl_proof_options *options, size_t *host_at,
		   struct pl_proof_result *result, struct pl_err *err);

#endif
