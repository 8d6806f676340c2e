/* SPDX-License-Identifier: BSD-3-Clause */
/* objective.h - the cost of an order, kept up to date while hosts change places */
#ifndef PLINK_COSTMODELS_OBJECTIVE_H
#define PLINK_COSTMODELS_OBJECTIVE_H

#include "base/err.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Costs between n hosts: borrowed matrices, row-major, row = source. The diagonal is 0. */
struct pl_costs {
	size_t n;
	const double *c; /* [n * n], in the matrix's unit; finite, >= 0 */
	/* [n * n], in that unit per byte; NULL: not known */
	const double *per_byte;
	/* both are the same in both directions; false: not known, so that whoever uses them
	 * looks */
	bool symmetric;
};

struct pl_objective;

/*
 * Computes the cost of a shape over these hosts. The objective keeps its own copy of the shape; the
 * matrices in @costs must outlive it. At first host 0 stands at every position. NULL with @err set:
 * PL_ESYSTEM for memory, PL_EUSAGE for a group of PL_LONGEST_PATH that is not a forest in either
 * direction.
 */
struct pl_objective *pl_objective_create(const struct pl_shape *shape, const struct pl_costs *costs,
					 struct pl_err *err);
void pl_objective_destroy(struct pl_objective *o);

/* The cost of the order host_at[n_pos], computed from all hops; a host may stand at several
 * positions. The current order does not change. Not thread-safe: two threads must not call it with
 * the same objective at once. */
double pl_objective_full(const struct pl_objective *o, const size_t *host_at);

/* Makes host_at[n_pos] the current order and returns its cost. */
double pl_objective_set(struct pl_objective *o, const size_t *host_at);

/* The current order [n_pos] (borrowed) and its cost. */
const size_t *pl_objective_order(const struct pl_objective *o);
double pl_objective_cost(const struct pl_objective *o);

/*
 * These functions change the current order and return its new cost. If all costs are whole numbers,
 * the result has the same bits as that of pl_objective_full; otherwise it differs by rounding only,
 * however many changes came before. Time of a change: the number of hops at the positions whose
 * host changes, times the logarithm of the number of hops that compete in one maximum.
 *
 * exchange: exchanges the hosts of the positions a .. a + len - 1 with those of
 * b .. b + len - 1, which must not overlap;
 * reverse: reverses the positions first .. last; move: takes the hosts of the
 * positions first .. last out and puts them in again so that the first of them
 * stands at @to (in 0 .. n_pos - 1 - (last - first)).
 */
double pl_objective_exchange(struct pl_objective *o, size_t a, size_t b, size_t len);
double pl_objective_reverse(struct pl_objective *o, size_t first, size_t last);
double pl_objective_move(struct pl_objective *o, size_t first, size_t last, size_t to);

/* Puts @host at position @pos, whether or not it also stands elsewhere. The same time as above; it
 * is undone by putting the other host back. */
double pl_objective_put(struct pl_objective *o, size_t pos, size_t host);

/* Asks the memory for the costs that a put of @host at @pos reads: those of one put are far apart,
 * and the memory answers several puts at the same time if all are asked for before the first.
 * Changes nothing. */
void pl_objective_fetch(const struct pl_objective *o, size_t pos, size_t host);

/* Undoes the last exchange, reverse or move. Only one change can be undone: it must not be called
 * twice in a row, nor after pl_objective_set or pl_objective_put. */
void pl_objective_undo(struct pl_objective *o);

/*
 * For maxima (PL_SUM_OF_MAXIMA, PL_SLOWEST) a smooth cost beside the cost: the sum over the maxima
 * of the norm of their terms, (sum of x^p)^(1/p). Most changes leave every maximum as it is; the
 * norm tells how many terms are near it. Once added, it is kept up to date by set, exchange,
 * reverse, move and undo; put is not allowed. The first set tells for which costs it is exact, see
 * norms.c. 0, or -1 with @err set: out of memory.
 */
int pl_objective_add_norms(struct pl_objective *o, struct pl_err *err);
double pl_objective_norms(const struct pl_objective *o);

/*
 * Finds one of the hops that determine the cost and sets ends[] to its two positions, source first:
 * the most expensive hop of a group, a hop on the longest path, or any hop of a sum. @pick, a
 * random number, chooses among them evenly. 0, or -1 if there is no hop at all.
 */
int pl_objective_critical(const struct pl_objective *o, uint64_t pick, size_t ends[2]);

#endif
