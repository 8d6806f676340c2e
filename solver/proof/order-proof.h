/* SPDX-License-Identifier: BSD-3-Clause */
/* order-proof.h - finds cheaper orders with Z3, or proves that there is none */
#ifndef PLINK_SOLVER_PROOF_ORDER_PROOF_H
#define PLINK_SOLVER_PROOF_ORDER_PROOF_H

#include "base/err.h"
#include "base/stop.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Limits of one question to Z3. All hosts are asked about at once up to PL_PROOF_ALL_SUM hosts if
 * costs are added up, and up to PL_PROOF_ALL_MAX if rounds or paths compete. With more hosts,
 * PL_PROOF_WINDOW of them change places among themselves.
 */
#define PL_PROOF_ALL_SUM 10
#define PL_PROOF_ALL_MAX 16
#define PL_PROOF_WINDOW 8

/* If costs are not whole numbers, the bound is less than the cost by at most this part of it. */
#define PL_PROOF_PART 1e-6

/* {0} but for the first three. */
struct pl_proof_options {
	const struct pl_shape *shape;
	const struct pl_costs *costs;
	size_t alike;               /* positions of each host */
	uint64_t seed;              /* for the choice of windows */
	uint64_t work;              /* in Z3's units of work, see pb.h; 0: no limit */
	bool first_stays;           /* the first host stays in place, at no loss */
	const bool *may_lead;       /* [n] may stand first; NULL: all */
	const struct pl_stop *stop; /* NULL: never */
};

struct pl_proof_result {
	double cost;
	double bound; /* on the cost of all orders; 0: none */
	bool stopped;
	uint64_t asked, found; /* questions to Z3; cheaper orders found */
};

/* True if Z3 was built in. */
bool pl_proof_built(void);

/* The most hosts of one question. */
size_t pl_proof_hosts(enum pl_shape_kind kind);

/*
 * The second stage of the thesis (5.2.1). Asks Z3 for an order that costs less than host_at[n],
 * takes that order over, and asks again, until there is none or the time or the work is used up.
 * With more hosts than one question allows, each question is about a window of the order. If costs
 * are added up, windows are first neighbouring hosts, all along the order. After that, and for
 * other costs from the start, a window has both ends of a hop that determines the cost, and other
 * hosts at random. This ends after four windows in a row for each host without any gain.
 *
 * If there is no cheaper order among all orders, result->bound is the cost,
 * provided that costs are whole numbers and not too large; otherwise it is less
 * by at most PL_PROOF_PART, because costs are rounded down so that they add up
 * within 31 bits. The same input, seed and work give the same result with the
 * same version of Z3, unless *stop came first.
 * 0, or -1 with @err set: out of memory, Z3 is not built in,
 * pl_objective_create refuses the shape, or an error of Z3.
 */
int pl_order_prove(const struct pl_proof_options *options, size_t *host_at,
		   struct pl_proof_result *result, struct pl_err *err);

#endif
