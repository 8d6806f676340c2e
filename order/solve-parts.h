/* SPDX-License-Identifier: BSD-3-Clause */
/* solve-parts.h - the solvers, for rings and for all other shapes */
#ifndef PLINK_ORDER_SOLVE_PARTS_H
#define PLINK_ORDER_SOLVE_PARTS_H

#include "order/model.h"
#include "order/solve.h"
#include "solver/restarts.h"

#include <stdbool.h>
#include <stddef.h>

/* The progress of a search. */
struct pl_order_show {
	const struct pl_order_request *q;
	uint64_t moves;      /* in all; 0: limited by time only */
	int64_t deadline_ns; /* 0: none */
	double bound;        /* lower bound of the cost; <= 0: not known */
};

typedef void pl_order_show_fn(void *arg, const struct pl_restarts_progress *now);

/* The problem to be solved. Borrowed. */
struct pl_order_problem {
	const struct pl_order_model *m;
	const struct pl_order_request *q;
	const struct pl_stop *stop;
	size_t n; /* hosts */
	/* [n] the order to be improved: the given one, with a host first that may be */
	const size_t *base;
	double cost; /* of the base */
	/* [n hosts] NULL: all may, or the choice costs nothing */
	const bool *may_lead;
};

/*
 * Finds a bound and an order: fills r->host_at[n] with an order that is cheaper than the base by
 * more than rounding, or with the base, and the other fields of @r with what is known about it. 0,
 * or -1 with @err set.
 */
int pl_order_solve_ring(struct pl_order_result *r, const struct pl_order_problem *p,
			struct pl_err *err);
int pl_order_solve_shape(struct pl_order_result *r, const struct pl_order_problem *p,
			 struct pl_err *err);

/* The same by the thesis' two stages: annealing, then pl_order_refine. */
int pl_order_solve_thesis(struct pl_order_result *r, const struct pl_order_problem *p,
			  struct pl_err *err);

/* Is Z3 to be asked after the search? By default for few hosts only. */
bool pl_order_refines(const struct pl_order_result *r, const struct pl_order_problem *p);
/* Asks Z3 for an order cheaper than the one in @r, again and again until there is none; fills
 * r->refined. 0, or -1 with @err set. */
int pl_order_refine(struct pl_order_result *r, const struct pl_order_problem *p,
		    struct pl_err *err);

/* Raises *bound if possible, where the cost is the sum of the hops of a ring and of maxima: each
 * part has a bound of its own. 0, or -1 with @err set. */
int pl_order_bound_with_ring(const struct pl_order_problem *p, const struct pl_stop *stop,
			     double *bound, struct pl_err *err);

/* Where only the slowest hop counts: replaces the order in @r by one of the same cost with a
 * smaller sum of hops, if it finds one. 0, or -1 with @err set. */
int pl_order_break_ties(struct pl_order_result *r, const struct pl_order_problem *p,
			const struct pl_hosts *hosts, struct pl_err *err);

/* Solves the problem by the search for its kind: a ring, a choice of hosts for a ring, or another
 * shape. 0, or -1 with @err set. */
int pl_order_search_for(struct pl_order_result *r, const struct pl_order_problem *p,
			struct pl_err *err);

/* Finds r->bound. For a ring, if that takes a search (few hosts, or a full bound), also a better
 * order in @r. 0, or -1 with @err set. */
int pl_order_bound_ring(struct pl_order_result *r, const struct pl_order_problem *p,
			struct pl_err *err);
int pl_order_bound_shape(struct pl_order_result *r, const struct pl_order_problem *p,
			 struct pl_err *err);

/* The same where only some of the hosts are chosen; r->host_at has the others after these. */
int pl_order_choose_ring(struct pl_order_result *r, const struct pl_order_problem *p,
			 struct pl_err *err);
int pl_order_choose_bound_ring(struct pl_order_result *r, const struct pl_order_problem *p,
			       struct pl_err *err);

/* Puts host_at[n] into the order of a short ring, which keeps its first host: another order to
 * start a search from. 0, or -1 with @err set. */
int pl_order_short_ring(const double *c, size_t n, size_t *host_at,
			const struct pl_order_problem *p, struct pl_err *err);

/*
 * For choosing hosts for a shape other than a ring: the number of moves that pays, and an order to
 * start the search from. The start is the cheapest of three sets, each ordered: the hosts given
 * first, hosts near each other, and those of a short ring. It uses at most three quarters of
 * *moves, which becomes the number used, without those for rings. host_at[n] holds the base and
 * keeps it if no start is cheaper. 0, or -1 with @err set.
 */
uint64_t pl_order_choose_moves(const struct pl_order_problem *p);
int pl_order_choose_start(size_t *host_at, const struct pl_order_problem *p, uint64_t *moves,
			  struct pl_err *err);

/* Sets the order of @r to @found if that is cheaper than the base by more than rounding; else to
 * the base. @found may be r->host_at. */
void pl_order_take(struct pl_order_result *r, const struct pl_order_problem *p, const size_t *found,
		   double cost);

/* The deadline of the first part of the work: after 1 / @share of the time left. */
struct pl_stop pl_order_early(const struct pl_stop *stop, int64_t share);

/* The number of moves of a search whose default is @usual. */
uint64_t pl_order_moves(const struct pl_order_request *q, uint64_t usual);

/* pl_order_show returns the function that shows the progress of a search of @moves moves, and fills
 * @show for it; NULL if progress is not shown. pl_order_show_end removes what it shows. */
pl_order_show_fn *pl_order_show(struct pl_order_show *show, const struct pl_order_problem *p,
				double bound, uint64_t moves);
void pl_order_show_end(struct pl_order_show *show);

double pl_order_seconds_since(int64_t start_ns);

#endif
