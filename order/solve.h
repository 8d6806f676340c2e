/* SPDX-License-Identifier: BSD-3-Clause */
/* solve.h - finds an order by its cost */
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

/* Reasons why a proof is not tried, or-ed together. */
enum pl_order_lack {
	PL_ORDER_LACKS_GLPK = 1,
	PL_ORDER_LACKS_Z3 = 2,
	PL_ORDER_UNEVEN_SLOTS = 4, /* Z3 needs the same slots on all hosts */
};

/* The questions to Z3; all 0: none. */
struct pl_order_refined {
	unsigned lack; /* enum pl_order_lack */
	uint64_t asked, found;
	/* of the hops that the search was for, percent: by how much less the last answer costs than
	 * the order before, and no order costs less than that by more than this; NaN: not proved */
	double gain, slack;
	bool whole; /* all hosts at once */
};

/* Start with {0}, end with fini. Costs are in the input's unit. */
struct pl_order_result {
	size_t *host_at; /* [hosts.n], by pos; hosts left out come last */
	double cost_given, cost;
	double bound; /* NaN: not asked for */
	/* the method that proves the bound of a ring; else NULL */
	const char *proof;
	bool narrowed;      /* the first host was limited, at a possible cost */
	double part;        /* > 0: no order is cheaper by more than this share */
	bool exact;         /* no order is cheaper (of those allowed) */
	bool unchanged;     /* the given order */
	bool kept;          /* the given order, as less than --min-gain is gained */
	double gain_missed; /* the gain in that case, percent */
	bool stopped;       /* by a signal: the best so far */
	/* where only the slowest hop counts: the sum of all hops, which decided between orders of
	 * the same cost; NaN: not used */
	double hops_given, hops;
	uint64_t moves;
	unsigned threads;
	double solve_seconds, bound_seconds;
	struct pl_order_refined refined;
	/* the algorithm that a rule selects for the size; NULL: no rule was asked for */
	const struct pl_algorithm *taken;
};

/*
 * Finds a bound and an order. A pinned host stands first. If the shape is symmetric (symmetry.h),
 * that costs nothing; if not, the order to be improved is the given one with the pinned and the
 * first host exchanged. 0, or -1 with @err set.
 */
int pl_order_solve(struct pl_order_result *r, const struct pl_order_input *in,
		   const struct pl_order_model *m, const struct pl_order_request *q,
		   const struct pl_stop *stop, struct pl_err *err);
/* Finds r->bound and r->cost_given. r->host_at and r->cost are the given order and its cost, or a
 * cheaper one that was found on the way (see pl_order_bound_ring). 0, or -1 with @err set. */
int pl_order_bound(struct pl_order_result *r, const struct pl_order_input *in,
		   const struct pl_order_model *m, const struct pl_order_request *q,
		   const struct pl_stop *stop, struct pl_err *err);

/* Sets r->exact, by comparing r->cost with r->bound: it is true if they differ only by rounding, in
 * which case the bound becomes the cost, or if the gap is at most r->part of the cost. Does nothing
 * if there is no bound. */
void pl_order_settle(struct pl_order_result *r, const struct pl_order_model *m);

void pl_order_result_fini(struct pl_order_result *r);

/* cost / bound - 1; NaN if there is no bound above 0. */
double pl_order_gap(const struct pl_order_result *r);

/* By how many percent the order is cheaper than the given one. */
double pl_order_gain(double given, double cost);

#endif
