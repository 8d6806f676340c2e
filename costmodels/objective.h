/* SPDX-License-Identifier: BSD-3-Clause */
/* objective.h - what an order costs, kept up to date while hosts change places */
#ifndef PLINK_COSTMODELS_OBJECTIVE_H
#define PLINK_COSTMODELS_OBJECTIVE_H

#include "costmodels/shape.h"
#include "src/err.h"

#include <stdbool.h>
#include <stddef.h>

/* Between n hosts, row-major, row = source; borrowed. The diagonal is 0. */
struct pl_costs {
	size_t n;
	const double *c;        /* [n * n], in the matrix's unit, no NaN */
	const double *per_byte; /* [n * n], that unit a byte; NULL: not known */
};

struct pl_objective;

/*
 * The cost of a shape over those hosts. Keeps its own copy of the shape; the
 * costs must outlive it. NULL with @err set: memory, or a group of PL_LONGEST_PATH
 * that is no forest in either direction.
 */
struct pl_objective *pl_objective_create(const struct pl_shape *shape,
					 const struct pl_costs *costs,
					 struct pl_err *err);
void pl_objective_destroy(struct pl_objective *o);

/* The cost of the order host_at[n_pos] (a host may stand at several positions),
 * evaluated in full; changes nothing. */
double pl_objective_full(const struct pl_objective *o, const size_t *host_at);

/* Makes that the current order. Gives its cost. */
double pl_objective_set(struct pl_objective *o, const size_t *host_at);

/* The current order [n_pos] (borrowed) and its cost. */
const size_t *pl_objective_order(const struct pl_objective *o);
double pl_objective_cost(const struct pl_objective *o);

/*
 * Change the current order and give its new cost, the same bits as
 * pl_objective_full gives for it where costs are whole numbers, and otherwise
 * within rounding. swap: two positions; reverse: the positions first .. last;
 * move: the positions first .. last go to where the first of them then stands at @to
 * (in the order without them). swap costs what the hops of two positions cost.
 */
double pl_objective_swap(struct pl_objective *o, size_t a, size_t b);
double pl_objective_reverse(struct pl_objective *o, size_t first, size_t last);
double pl_objective_move(struct pl_objective *o, size_t first, size_t last,
			 size_t to);

/* Takes back the last change that has not been taken back or kept. */
void pl_objective_undo(struct pl_objective *o);

#endif
