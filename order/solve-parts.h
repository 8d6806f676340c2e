/* SPDX-License-Identifier: BSD-3-Clause */
/* solve-parts.h - solvers of rings and of all other shapes */
#ifndef PLINK_ORDER_SOLVE_PARTS_H
#define PLINK_ORDER_SOLVE_PARTS_H

#include "order/model.h"
#include "order/solve.h"
#include "solver/restarts.h"

#include <stdbool.h>
#include <stddef.h>

/* How far a search is. */
struct pl_order_show {
	const struct pl_order_request *q;
	uint64_t moves;      /* in all; 0: as many as there is time for */
	int64_t deadline_ns; /* 0: none */
	double bound;        /* of the cost; not above 0: not known */
};

typedef void pl_order_show_fn(void *arg,
			      const struct pl_restarts_progress *now);

/* What is to be solved. Borrowed. */
struct pl_order_problem {
	const struct pl_order_model *m;
	const struct pl_order_request *q;
	const struct pl_stop *stop;
	size_t n; /* hosts */
	/* [n] what must be beaten: the given order, begun with a host that may
	 * come first */
	const size_t *base;
	double cost; /* of that */
	const bool
		*may_lead; /* [n hosts] NULL: all may, or it does not matter */
};

/*
 * Bound and order: fills r->host_at[n] with an order cheaper than the base by
 * more than rounding, or with the base, and all that is known about it.
 * 0, or -1 with @err set.
 */
int pl_order_solve_ring(struct pl_order_result *r,
			const struct pl_order_problem *p, struct pl_err *err);
int pl_order_solve_shape(struct pl_order_result *r,
			 const struct pl_order_problem *p, struct pl_err *err);

/* The thesis' two stages, instead: annealing, then the next. */
int pl_order_solve_thesis(struct pl_order_result *r,
			  const struct pl_order_problem *p, struct pl_err *err);

/* Asks for orders cheaper than the one in @r, until there is none. */
int pl_order_refine(struct pl_order_result *r, const struct pl_order_problem *p,
		    struct pl_err *err);

/* Raises *bound, if it can, where the shape is a sum of the hops of a ring and
 * of maxima besides: each part has a bound of its own. 0, or -1 with @err
 * set. */
int pl_order_bound_with_ring(const struct pl_order_problem *p,
			     const struct pl_stop *stop, double *bound,
			     struct pl_err *err);

/* Of the orders that cost what the one in @r does, one whose hops are few in
 * sum, where that is not the cost itself. 0, or -1 with @err set. */
int pl_order_break_ties(struct pl_order_result *r,
			const struct pl_order_problem *p,
			const struct pl_hosts *hosts, struct pl_err *err);

/* By the search for such a problem. 0, or -1 with @err set. */
int pl_order_search_for(struct pl_order_result *r,
			const struct pl_order_problem *p, struct pl_err *err);

/* r->bound alone. 0, or -1 with @err set. */
int pl_order_bound_ring(struct pl_order_result *r,
			const struct pl_order_problem *p, struct pl_err *err);
int pl_order_bound_shape(struct pl_order_result *r,
			 const struct pl_order_problem *p, struct pl_err *err);

/* The same where only some of the hosts are to be chosen; r->host_at has the
 * others behind them. */
int pl_order_choose_ring(struct pl_order_result *r,
			 const struct pl_order_problem *p, struct pl_err *err);
int pl_order_choose_bound_ring(struct pl_order_result *r,
			       const struct pl_order_problem *p,
			       struct pl_err *err);

/* A short ring through the hosts of host_at[n], which may begin with its first:
 * one more order to start from. 0, or -1 with @err set. */
int pl_order_short_ring(const double *c, size_t n, size_t *host_at,
			const struct pl_order_problem *p, struct pl_err *err);

/* For any shape, the moves that are worth their time, and an order to start
 * from: the hosts given first, some near each other, or those of a short ring,
 * whichever are cheapest once ordered, by three quarters of *moves at most,
 * which becomes how many it took; rings do not count. host_at[n] has the base.
 * 0, or -1 with @err set. */
uint64_t pl_order_choose_moves(const struct pl_order_problem *p);
int pl_order_choose_start(size_t *host_at, const struct pl_order_problem *p,
			  uint64_t *moves, struct pl_err *err);

/* The order @found, if it is cheaper than the base by more than rounding; else
 * the base. @found may be r->host_at. */
void pl_order_take(struct pl_order_result *r, const struct pl_order_problem *p,
		   const size_t *found, double cost);

/* When the first part of the work is to end: after 1 / @share of the time
 * left. */
struct pl_stop pl_order_early(const struct pl_stop *stop, int64_t share);

/* The moves of a search whose own default is @usual. */
uint64_t pl_order_moves(const struct pl_order_request *q, uint64_t usual);

/* What shows the progress of a search of so many moves for @show, which it
 * fills, and wipes it out at the end; NULL, and nothing: it is not to be
 * shown. */
pl_order_show_fn *pl_order_show(struct pl_order_show *show,
				const struct pl_order_problem *p, double bound,
				uint64_t moves);
void pl_order_show_end(struct pl_order_show *show);

double pl_order_seconds_since(int64_t start_ns);

#endif
