/* SPDX-License-Identifier: BSD-3-Clause */
/* order-edges.h - which seats a shape joins, and what joining them takes */
#ifndef PLINK_SOLVER_BOUND_ORDER_EDGES_H
#define PLINK_SOLVER_BOUND_ORDER_EDGES_H

#include "base/err.h"
#include "costmodels/shape.h"
#include "solver/bound/order-floor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Groups up to which sets of them are told apart. */
#define PL_EDGES_GROUPS_MAX 16

/* Two seats, a < b, that hops join. */
struct pl_edge {
	uint32_t a, b;
	uint32_t groups; /* one bit each; beyond PL_EDGES_GROUPS_MAX: none */
	double times;    /* of all its hops together */
};

/* The hops of one group between different seats. */
struct pl_edge_group {
	size_t first, end;   /* edges */
	double times, bytes; /* the least of any of its hops */
	uint32_t number;     /* the shape's */
};

struct pl_edges {
	size_t n; /* seats */
	struct pl_edge *by_group, *by_pair;
	size_t n_by_group, n_by_pair; /* an edge for each group; or once */
	struct pl_edge_group *group;
	size_t n_groups;             /* that have any */
	size_t *degree, *top, *size; /* [n] scratch */
};

/* Of a shape whose positions are seats of @alike positions each.
 * 0, or -1 with @err set and nothing to release: out of memory. */
int pl_edges_init(struct pl_edges *e, const struct pl_shape *shape,
		  size_t alike, struct pl_err *err);
void pl_edges_fini(struct pl_edges *e);

/* The most edges at one seat, all groups together. */
size_t pl_edges_degree_max(struct pl_edges *e);

/*
 * Edges of those groups that join all seats p with p XOR x, for each x of a
 * basis: they make cubes of so many dimensions, side by side. 0 where n is
 * no power of two. @masks from pl_edges_masks.
 */
size_t pl_edges_cube(const struct pl_edges *e, uint32_t groups,
		     const uint32_t *masks);

/* For each of up to PL_EDGES_GROUPS_MAX groups, masks[g * PL_EDGES_MASKS ..]:
 * the x for which it joins all seats p with p XOR x, 0 behind the last.
 * 0, or -1 with @err set: out of memory. */
#define PL_EDGES_MASKS 16
int pl_edges_masks(struct pl_edges *e, uint32_t *masks, struct pl_err *err);

/* Is each group one such x alone, and all of them make a cube? Not where there
 * are more than PL_EDGES_GROUPS_MAX. 0, or -1 with @err set: out of memory. */
int pl_edges_are_cube(struct pl_edges *e, bool *yes, struct pl_err *err);

/* What the dearest of the group's edges costs at least, once over.
 * 0, or -1 with @err set: out of memory. */
int pl_edges_floor(struct pl_edges *e, const struct pl_floor *f, size_t group,
		   double *least, struct pl_err *err);

/* The same of all edges in any of these groups (one bit each). */
int pl_edges_floor_of_set(struct pl_edges *e, const struct pl_floor *f,
			  uint32_t groups, double *least, struct pl_err *err);

#endif
