/* SPDX-License-Identifier: BSD-3-Clause */
/* objective-parts.h - the parts of an objective, for its own files only */
#ifndef PLINK_COSTMODELS_OBJECTIVE_PARTS_H
#define PLINK_COSTMODELS_OBJECTIVE_PARTS_H

#include "costmodels/objective.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_NO_BIN UINT32_MAX

/*
 * A sum to which terms are added, and from which they are subtracted, any number of times: hi is
 * the sum, lo the part that rounding took from hi, so that the relative error of an addition is
 * 2^-104.
 */
struct pl_running_sum {
	double hi, lo;
};

/* A hop of the shape; for a longest path also its direction in the tree. */
struct pl_own_hop {
	uint32_t src, dst, group;
	bool upward; /* from child to parent */
	double times, bytes;
};

/* A hop in the list of one of its positions; other is the position at its other end. */
struct pl_incident {
	uint32_t hop, other;
};

enum pl_objective_change_kind { PL_CHANGE_NONE, PL_EXCHANGE, PL_REVERSE, PL_MOVE };

struct pl_objective_change {
	enum pl_objective_change_kind kind;
	size_t first, last; /* exchange: the first position of each range */
	size_t to;          /* exchange: the length of the ranges */
};

struct pl_old_cost {
	double cost;
	uint32_t hop;
};

/* A maximum's smooth counterpart: the sum of its terms' powers, in 1 / unit, of what they are in 1
 * / scale; and what both were before the last change. */
struct pl_bin_norm {
	uint64_t sum, old_sum;
	double norm, old_norm, scale, unit;
	bool is_dirty;
};

struct pl_bin_norms {
	struct pl_bin_norm *bin; /* [n_bins] */
	uint32_t *dirty;         /* [n_bins] those that the last change changed */
	size_t n_dirty;
	struct pl_running_sum total, before;
};

/*
 * The terms of one maximum share a bin. A bin has the hops of a group; for a longest path, the hops
 * of one parent in a group, each with the most expensive path below its child added. The last bin
 * of a longest path has one term for each root. A bin of n terms is a tournament of 2n nodes: nodes
 * n .. 2n - 1 are the terms, each other node is the larger of nodes 2i and 2i + 1, and node 1 is
 * the maximum. Hops are numbered so that those of a bin follow each other.
 */
struct pl_objective {
	enum pl_shape_kind kind;
	struct pl_costs costs;
	bool symmetric; /* all costs are the same in both directions */
	bool plain;     /* a hop costs just its cell of costs.c */
	bool alike;     /* all hops have these: */
	double times, bytes;
	size_t n_pos, n_hops, n_roots, n_bins;

	struct pl_own_hop *hop; /* [n_hops] */
	uint32_t *bin;          /* [n_hops] */
	/* [n_bins + 1] first term of each bin; terms from n_hops on are
	 * roots */
	size_t *bin_start;
	/* [2 * terms]; the nodes of bin b begin at 2 * bin_start[b] */
	double *node;

	/* for a longest path only */
	uint32_t *below; /* [n_hops] bin of the child; PL_NO_BIN: a leaf */
	uint32_t *above; /* [n_bins - 1] the term that its maximum is part of */
	/* [n_bins - 1] bins in an order that puts each one behind its parent */
	uint32_t *downward;
	uint32_t *root; /* [n_roots] bins */

	/* The hops that leave pos begin at incident_from[2 * pos], those that enter pos at
	 * incident_from[2 * pos + 1]; each list ends where the next one begins. incident_from has 2
	 * * n_pos + 1 entries. */
	struct pl_incident *incident;
	size_t *incident_from;

	size_t *at;   /* [n_pos] host */
	double *cost; /* [n_hops] */
	struct pl_running_sum total;

	struct pl_objective_change change; /* the last change, and the values that it replaced: */
	struct pl_running_sum old_total;
	struct pl_old_cost *old; /* [n_hops], of which n_old are in use */
	size_t n_old;

	struct pl_bin_norms *norms; /* NULL: not asked for */

	double *fresh;   /* [2 * largest degree] scratch */
	double *longest; /* [n_bins] scratch of pl_objective_full */
};

static inline size_t pl_bin_size(const struct pl_objective *o, size_t b)
{
	return o->bin_start[b + 1] - o->bin_start[b];
}

/* The maximum of a bin. */
static inline double pl_bin_top(const struct pl_objective *o, size_t b)
{
	return o->node[2 * o->bin_start[b] + 1];
}

/* What hop @h costs from host @a to host @b. */
static inline double pl_hop_cost(const struct pl_objective *o, size_t h, size_t a, size_t b)
{
	const size_t cell = a * o->costs.n + b;
	const double times = o->alike ? o->times : o->hop[h].times;

	if (o->plain)
		return o->costs.c[cell];
	if (!o->costs.per_byte)
		return times * o->costs.c[cell];
	return times * (o->costs.c[cell] +
			(o->alike ? o->bytes : o->hop[h].bytes) * o->costs.per_byte[cell]);
}

/* Adds x + lo, which may be negative; lo is what rounding took from x. Knuth's two-sum. */
static inline void pl_sum_add_both(struct pl_running_sum *sum, double x, double lo)
{
	const double s = sum->hi + x, part = s - sum->hi;
	const double lost = (sum->hi - (s - part)) + (x - part);

	lo = sum->lo + (lost + lo);
	sum->hi = s + lo;
	sum->lo = lo - (sum->hi - s);
}

/* Adds a term, which may be negative. */
static inline void pl_sum_add(struct pl_running_sum *sum, double x)
{
	pl_sum_add_both(sum, x, 0);
}

/* Another value for a term. The difference does not depend on the sum: what waits for the sum
 * before is one addition, not two. */
static inline void pl_sum_replace(struct pl_running_sum *sum, double before, double after)
{
	const double d = after - before, part = d - after;

	pl_sum_add_both(sum, d, (after - (d - part)) - (before + part));
}

/* objective-norms.c: computes all norms from cost[]. */
void pl_norms_set(struct pl_objective *o);
/* Between begin and end, put takes in what hops cost now; undo reverts these. */
void pl_norms_begin(struct pl_objective *o);
void pl_norms_put(struct pl_objective *o, uint32_t hop, double before, double after);
void pl_norms_end(struct pl_objective *o);
void pl_norms_undo(struct pl_objective *o);
void pl_norms_destroy(struct pl_bin_norms *s);

#endif
