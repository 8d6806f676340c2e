/* SPDX-License-Identifier: BSD-3-Clause */
/* objective.h - what an order costs, kept up to date while hosts change
 * places */
#ifndef PLINK_COSTMODELS_OBJECTIVE_H
#define PLINK_COSTMODELS_OBJECTIVE_H

#include "base/err.h"
#include "costmodels/shape.h"

#include <stddef.h>
#include <stdint.h>

/* Between n hosts, row-major, row = source; borrowed. The diagonal is 0. */
struct pl_costs {
	size_t n;
	const double *c; /* [n * n], in the matrix's unit; finite, >= 0 */
	const double *per_byte; /* [n * n], that unit a byte; NULL: not known */
};

struct pl_objective;

/*
 * The cost of a shape over those hosts. Keeps its own copy of the shape; the
 * costs must outlive it. NULL with @err set: memory, or a group of
 * PL_LONGEST_PATH that is no forest in either direction.
 */
struct pl_objective *pl_objective_create(const struct pl_shape *shape,
					 const struct pl_costs *costs,
					 struct pl_err *err);
void pl_objective_destroy(struct pl_objective *o);

/* The cost of the order host_at[n_pos] (a host may stand at several positions),
 * evaluated in full; the current order stays. Not by two threads at once. */
double pl_objective_full(const struct pl_objective *o, const size_t *host_at);

/* Makes that the current order. Gives its cost. */
double pl_objective_set(struct pl_objective *o, const size_t *host_at);

/* The current order [n_pos] (borrowed) and its cost. */
const size_t *pl_objective_order(const struct pl_objective *o);
double pl_objective_cost(const struct pl_objective *o);

/*
 * Change the current order and give its new cost, the same bits as
 * pl_objective_full gives for it where costs are whole numbers, and otherwise
 * within rounding, however many changes there were. What a change costs is the
 * hops of the positions whose host it changes, times the logarithm of how many
 * compete in a maximum.
 * swap: two positions; exchange: the positions a .. a + len - 1 with those from
 * b on, which do not overlap; reverse: the positions first .. last; move: the
 * positions first .. last go to where the first of them then stands at @to (in
 * 0 .. n_pos - 1 - (last - first)).
 */
double pl_objective_swap(struct pl_objective *o, size_t a, size_t b);
double pl_objective_exchange(struct pl_objective *o, size_t a, size_t b,
			     size_t len);
double pl_objective_reverse(struct pl_objective *o, size_t first, size_t last);
double pl_objective_move(struct pl_objective *o, size_t first, size_t last,
			 size_t to);

/* Takes back the last change; one alone: not after pl_objective_set, nor
 * twice. */
void pl_objective_undo(struct pl_objective *o);

/*
 * One of the hops that make the cost what it is, by its ends (positions): the
 * dearest of a group, one on the longest path, any of a sum. Different @pick
 * give different ones, evenly. -1 where there is no hop at all.
 */
int pl_objective_critical(const struct pl_objective *o, uint64_t pick,
			  size_t ends[2]);

#endif
