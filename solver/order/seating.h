/* SPDX-License-Identifier: BSD-3-Clause */
/* seating.h - hosts on seats, each with its positions, and their cost */
#ifndef PLINK_SOLVER_ORDER_SEATING_H
#define PLINK_SOLVER_ORDER_SEATING_H

#include "base/err.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"
#include "solver/order/order-search.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_seating_change_kind {
	PL_EXCHANGE, /* exchanges seats a .. a + len - 1 with those from b on;
			the two do not overlap */
	PL_REVERSE,  /* reverses seats a .. a + len - 1 */
	PL_MOVE,     /* moves seats a .. a + len - 1, so that they begin at b */
};

struct pl_seating_change {
	enum pl_seating_change_kind kind;
	size_t a, b, len;
};

/*
 * Hosts sit on seats 0 .. n - 1, one on each; a host takes slots[host] consecutive positions of the
 * shape. If all hosts have the same number of slots, seats are blocks of positions and a change
 * takes only the time that the objective needs for it; otherwise each change evaluates the whole
 * order. For one thread at a time.
 */
struct pl_seating {
	size_t n;
	const size_t *slots; /* borrowed; NULL: one each */
	size_t alike;        /* positions of each host; 0: numbers differ */
	struct pl_objective *cost;
	struct pl_objective *guide; /* guide cost of the same order, or NULL */
	size_t *host_at;            /* [n] by seat */
	size_t *seat_of;            /* [n] by host */
	size_t *pos_host;           /* [n_pos] scratch */
	struct pl_seating_change last;
};

/* Checks that slots and positions fit: 0, or -1 with @err set (PL_EUSAGE). */
int pl_seating_check(const struct pl_shape *shape, size_t n, const size_t *slots,
		     struct pl_err *err);

/* @guide may be NULL. 0, or -1 with @err set and nothing to release. */
int pl_seating_init(struct pl_seating *s, const struct pl_shape *shape,
		    const struct pl_shape *guide, const struct pl_costs *costs, const size_t *slots,
		    struct pl_err *err);
void pl_seating_fini(struct pl_seating *s);

/* Copies an order. */
void pl_seating_set(struct pl_seating *s, const size_t *host_at);

/* The cost of an order, evaluated in full. */
double pl_seating_full(struct pl_seating *s, const size_t *host_at);

void pl_seating_change(struct pl_seating *s, const struct pl_seating_change *change);
/* Reverts the last change. */
void pl_seating_undo(struct pl_seating *s);

/* The seats of a hop that determines the cost (pl_objective_critical). */
int pl_seating_critical(const struct pl_seating *s, uint64_t pick, size_t seat[2]);

/*
 * Tries all orders of the hosts, beginning with the present one, and writes the cheapest to
 * best[n]. The present order counts in any case; any other one only if its first host may lead,
 * options->may_lead. *moves is the number of exchanges
 * tried, one for each other order. Heap, Comput. J. 6 (1963): each order is one exchange away from
 * the last. False: stopped, not all were tried.
 */
bool pl_order_exact(struct pl_seating *s, const struct pl_order_search_options *options,
		    size_t *best, uint64_t *moves);

/*
 * For a shape whose cost is its longest path, *guide becomes a shape whose cost is the mean of all
 * paths from a root to a leaf, as a sum. A change of one hop often leaves the longest path the
 * same, but it changes the mean. Start with {0}, release with pl_shape_fini. 0, or -1 with @err
 * set.
 */
int pl_order_guide(struct pl_shape *guide, const struct pl_shape *shape, struct pl_err *err);

#endif
