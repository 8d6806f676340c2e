/* SPDX-License-Identifier: BSD-3-Clause */
/* order-edges.h - which seats a shape joins, and what that costs at least */
#ifndef PLINK_SOLVER_BOUND_ORDER_EDGES_H
#define PLINK_SOLVER_BOUND_ORDER_EDGES_H

#include "base/err.h"
#include "costmodels/shape.h"
#include "solver/bound/order-floor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most groups for which sets of groups are told apart. */
#define PL_EDGES_GROUPS_MAX 16

/* Two seats, a < b, that hops join. */
struct pl_edge {
	uint32_t a, b;
	uint32_t groups; /* one bit for each group; groups beyond
			    PL_EDGES_GROUPS_MAX have none */
	double times;    /* sum over all its hops */
};

/* The hops of one group that join different seats. */
struct pl_edge_group {
	size_t first, end;   /* edges first .. end - 1 of by_group */
	double times, bytes; /* least value of any of its hops */
	uint32_t number;     /* its number in the shape */
};

struct pl_edges {
	size_t n; /* seats */
	struct pl_edge *by_group, *by_pair;
	size_t n_by_group, n_by_pair; /* by_group: an edge once for each group;
					 by_pair: once */
	struct pl_edge_group *group;
	size_t n_groups;             /* groups that have edges */
	size_t *degree, *top, *size; /* [n] scratch */
};

/* Lists the edges of a shape whose seats have @alike positions each. 0, or -1 with @err set and
 * nothing to release: out of memory. */
int pl_edges_init(struct pl_edges *e, const struct pl_shape *shape, size_t alike,
		  struct pl_err *err);
void pl_edges_fini(struct pl_edges *e);

/* The largest number of edges at one seat, all groups together. */
size_t pl_edges_degree_max(struct pl_edges *e);

/*
 * The number of dimensions of the cubes, side by side, that the edges of these groups make. A group
 * counts for x if its edges join all seats p with p XOR x; the result is the rank of all such x. 0
 * if n is not a power of two. @masks comes from pl_edges_masks.
 */
size_t pl_edges_cube(const struct pl_edges *e, uint32_t groups, const uint32_t *masks);

/* For each of up to PL_EDGES_GROUPS_MAX groups g, masks[g * PL_EDGES_MASKS ..] gets each x for
 * which the group joins all seats p with p XOR x; 0 follows the last. 0, or -1 with @err set: out
 * of memory. */
#define PL_EDGES_MASKS 16
int pl_edges_masks(struct pl_edges *e, uint32_t *masks, struct pl_err *err);

/* *yes: each group joins all seats p with p XOR x for exactly one x, and all groups together make a
 * cube. False if there are more than PL_EDGES_GROUPS_MAX groups. 0, or -1 with @err set: out of
 * memory. */
int pl_edges_are_cube(struct pl_edges *e, bool *yes, struct pl_err *err);

/* *least becomes a lower bound on the dearest edge of the group, counted once. 0, or -1 with @err
 * set: out of memory. */
int pl_edges_floor(struct pl_edges *e, const struct pl_floor *f, size_t group, double *least,
		   struct pl_err *err);

/* The same for all edges in any of these groups (one bit each). */
int pl_edges_floor_of_set(struct pl_edges *e, const struct pl_floor *f, uint32_t groups,
			  double *least, struct pl_err *err);

#endif
