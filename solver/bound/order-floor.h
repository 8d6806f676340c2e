/* SPDX-License-Identifier: BSD-3-Clause */
/* order-floor.h - how cheap the dearest hop of a graph on the hosts can be */
#ifndef PLINK_SOLVER_BOUND_ORDER_FLOOR_H
#define PLINK_SOLVER_BOUND_ORDER_FLOOR_H

#include "base/err.h"
#include "base/stop.h"
#include "costmodels/objective.h"

#include <stddef.h>

/* Higher degrees are treated as this one. */
#define PL_FLOOR_DEGREE_MAX 64

/* A hop between two hosts costs at least the cheaper of both directions, with the least bytes that
 * a hop carries: this is a cell. Everything below is about such cells, and about graphs whose edges
 * join different hosts. */
struct pl_floor {
	size_t n, degree_max;
	double *cell;    /* [n * n] */
	double *nearest; /* [degree_max * n]: row k - 1 has every host's k-th
			    cheapest cell, ascending */
	double *link;    /* [n - 1] links of the least spanning tree, ascending */
	size_t *a, *b;   /* [n - 1] the hosts that each link joins */
	size_t *largest; /* [n - 1] size of the largest group that the links
			    before this one make */
};

/* For degrees up to @degree_max (at most PL_FLOOR_DEGREE_MAX) and hops of @bytes. 0, or -1 with
 * @err set and nothing to release: out of memory. */
int pl_floor_init(struct pl_floor *f, const struct pl_costs *costs, double bytes, size_t degree_max,
		  struct pl_err *err);
void pl_floor_fini(struct pl_floor *f);

/* Every graph with @count vertices of degree @degree or more has an edge of at least this cost. */
double pl_floor_degree(const struct pl_floor *f, size_t degree, size_t count);

/*
 * The same for graphs in which the size of each component is a multiple of
 * @divisor (an isolated vertex is a component) and one component has @largest
 * vertices.
 * 0, or -1 with @err set: out of memory.
 */
int pl_floor_components(const struct pl_floor *f, size_t divisor, size_t largest, double *least,
			struct pl_err *err);

/*
 * Lower bounds on the dearest edge of graphs in which any a vertices together
 * with their neighbours are at least need[a] vertices. Takes several such
 * needs: need i begins at need[i * (n + 1)], its bound goes to least[i]. Tries
 * the groups of hosts that the cheapest links make, until *stop; n^2 doubles,
 * O(n^2 log n) time.
 * 0, or -1 with @err set: out of memory.
 */
int pl_floor_growth(const struct pl_floor *f, const size_t *need, size_t n_needs,
		    const struct pl_stop *stop, double *least, struct pl_err *err);

/* The member at the top of a group of hosts or seats: parent[] leads there from each of them, and
 * from itself to itself. Shortens the ways it goes. */
static inline size_t pl_group_top(size_t *parent, size_t member)
{
	while (parent[member] != member) {
		parent[member] = parent[parent[member]];
		member = parent[member];
	}
	return member;
}

/* Lower bound on the total cost of any @n_edges edges without a cycle. */
double pl_floor_forest(const struct pl_floor *f, size_t n_edges);

#endif
