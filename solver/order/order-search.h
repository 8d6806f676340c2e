/* SPDX-License-Identifier: BSD-3-Clause */
/* order-search.h - the cheapest order for any shape that annealing finds */
#ifndef PLINK_SOLVER_ORDER_ORDER_SEARCH_H
#define PLINK_SOLVER_ORDER_ORDER_SEARCH_H

#include "base/err.h"
#include "base/stop.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"
#include "solver/restarts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Up to this many hosts all orders are tried: the result is the optimum. */
#define PL_ORDER_EXACT_MAX 9

/* A move is one change of the order that is tried, or eight changes that a descent tries. {0}
 * except for the first three. */
struct pl_order_search_options {
	uint64_t seed;
	uint64_t moves;   /* in total, over all restarts */
	unsigned threads; /* >= 1 */
	double target;    /* end when an order costs this or less: a lower bound;
			     0: none */
	/* [n hosts] number of consecutive positions of each host (its ranks), >= 1; their sum is
	 * the n_pos of the shape. NULL: one each */
	const size_t *slots;
	const size_t *start; /* [n hosts] one more order to start from, or NULL */
	/* [n hosts] hosts that may come first; host_at[0] must be one of them. NULL: all may */
	const bool *may_lead;
	const struct pl_stop *stop; /* NULL: never */
	/* called after a restart, by any of the threads, one at a time */
	void (*progress)(void *arg, const struct pl_restarts_progress *now);
	void *progress_arg;
};

struct pl_order_search_result {
	double cost_given, cost; /* as pl_objective_full computes it */
	uint64_t moves, restarts;
	bool stopped; /* before the moves were used up */
	bool exact;   /* all orders were tried: nothing is cheaper */
};

/* The default number of moves for n hosts: more of them gain little. */
uint64_t pl_order_search_moves(size_t n);

/*
 * Improves host_at[costs->n] (in: the given order, a permutation of the hosts; out: the best order
 * found): the hosts in the order in which they take the positions of the shape. The result is never
 * dearer: host_at stays as it was unless something cheaper was found.
 *
 * Restart r draws from stream r of the seed and has its share of the moves beforehand. Restarts
 * come in generations of a few, each with twice the shares of the one before. Within a generation
 * they do not know of each other; a later one starts from the best order, or does what led to cheap
 * orders before. Their number decides from which other order they start: the given one,
 * options->start, hosts paired by nearness, or always the nearest host next. Results are compared
 * by (cost, r). So the same seed and moves give the same order for any number of threads, unless
 * *stop came first. 0, or -1 with @err set and host_at as it was: PL_EUSAGE if hosts and positions
 * do not fit, out of memory, or pl_objective_create refuses the shape.
 */
int pl_order_search(const struct pl_shape *shape, const struct pl_costs *costs,
		    const struct pl_order_search_options *options, size_t *host_at,
		    struct pl_order_search_result *result, struct pl_err *err);

/* Converts an order of hosts to the host at each position: pos_host[sum of slots]. */
void pl_order_expand(const size_t *host_at, size_t n, const size_t *slots, size_t *pos_host);

/* How many positions each of n hosts has; 0: not all as many. @slots: NULL is one each. */
size_t pl_slots_alike(const size_t *slots, size_t n);

#endif
