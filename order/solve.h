/* SPDX-License-Identifier: BSD-3-Clause */
/* solve.h - from costs to an order and what is known about it */
#ifndef PLINK_ORDER_SOLVE_H
#define PLINK_ORDER_SOLVE_H

#include "base/err.h"
#include "base/stop.h"
#include "order/input.h"
#include "order/model.h"
#include "order/request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What keeps a proof from being tried, or-ed together. */
enum pl_order_lack {
	PL_ORDER_LACKS_GLPK = 1,
	PL_ORDER_LACKS_Z3 = 2,
	PL_ORDER_UNEVEN_SLOTS = 4, /* Z3 knows only hosts that are alike */
};

/* What Z3 was asked for; all 0: nothing. */
struct pl_order_refined {
	unsigned lack; /* enum pl_order_lack */
	uint64_t asked, found;
	double before;            /* the cost it began with */
	bool none_cheaper, whole; /* of all hosts at once */
};

/* Start with {0}, end with fini. Costs are in the input's unit. */
struct pl_order_result {
	size_t *host_at; /* [hosts.n], by pos; those left out behind */
	double cost_given, cost;
	double bound;       /* NaN: not asked for */
	const char *proof;  /* what proves the bound of a ring; else NULL */
	bool narrowed;      /* not every host could come first, which matters */
	double part;        /* > 0: no order costs less but by this part */
	bool exact;         /* no order is cheaper (of those that could be) */
	bool unchanged;     /* the given order */
	bool kept;          /* less than --min-gain could be gained */
	double gain_missed; /* what was found then, percent */
	bool stopped;       /* by a signal: best so far */
	/* where the slowest hop alone counts: the sum of all hops, by which
	 * orders that cost the same were told apart; NaN: it was not */
	double hops_given, hops;
	uint64_t moves;
	unsigned threads;
	double solve_seconds, bound_seconds;
	struct pl_order_refined refined;
	/* what a rule takes for the size; NULL where no rule was asked for */
	const struct pl_algorithm *taken;
};

/*
 * Bound and order. A pinned host stands first: where the shape is symmetric
 * (symmetry.h) that is free; where not, the given order is then the one with it
 * and the first host exchanged. 0, or -1 with @err set.
 */
int pl_order_solve(struct pl_order_result *r, const struct pl_order_input *in,
		   const struct pl_order_model *m,
		   const struct pl_order_request *q, const struct pl_stop *stop,
		   struct pl_err *err);
/* Only the bound and the given order with its cost. 0, or -1 with @err set. */
int pl_order_bound(struct pl_order_result *r, const struct pl_order_input *in,
		   const struct pl_order_model *m,
		   const struct pl_order_request *q, const struct pl_stop *stop,
		   struct pl_err *err);

/* Compares r->cost with r->bound: where they differ by rounding alone, no order
 * is cheaper, and the bound is made the cost. Where they differ by r->part
 * at most, none is cheaper by more: the bound stays what it is. */
void pl_order_settle(struct pl_order_result *r, const struct pl_order_model *m);

void pl_order_result_fini(struct pl_order_result *r);

/* cost / bound - 1; NaN where there is no bound to speak of. */
double pl_order_gap(const struct pl_order_result *r);

/* By how much of the given cost the order is cheaper, in percent. */
double pl_order_gain(double given, double cost);

#endif
