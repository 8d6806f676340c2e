/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - what an objective is made of; for its own files alone */
#ifndef PLINK_COSTMODELS_OBJECTIVE_PARTS_H
#define PLINK_COSTMODELS_OBJECTIVE_PARTS_H

#include "costmodels/objective.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_NO_BIN UINT32_MAX

/*
 * A sum that terms are added to and taken from for as long as one likes: hi is
 * the sum, lo what hi's rounding lost, so that an addition errs by 2^-104 of
 * it.
 */
struct pl_running_sum {
	double hi, lo;
};

/* A hop of the shape; of a longest path, also which of its ends is the
 * parent. */
struct pl_own_hop {
	uint32_t src, dst, group;
	bool upward; /* from child to parent */
	double times, bytes;
};

/* A hop as one of its positions sees it. */
struct pl_incident {
	uint32_t hop, other;
};

enum pl_objective_change_kind {
	PL_CHANGE_NONE,
	PL_EXCHANGE,
	PL_REVERSE,
	PL_MOVE
};

struct pl_objective_change {
	enum pl_objective_change_kind kind;
	size_t first, last; /* exchange: the first positions of both */
	size_t to;          /* exchange: how many */
};

struct pl_old_cost {
	double cost;
	uint32_t hop;
};

/*
 * Terms that a maximum is taken of share a bin: the hops of a group, or for a
 * longest path those of one parent in a group, each with what
 * follows below the child; the last bin of a longest path has a term for each
 * root. A bin of n terms is a tournament: 2n nodes of which n .. 2n - 1 are the
 * terms, each other one the larger of nodes 2i and 2i + 1, and node 1 the
 * maximum. Hops are numbered so that those of a bin follow each other.
 */
struct pl_objective {
	enum pl_shape_kind kind;
	struct pl_costs costs;
	bool symmetric; /* costs: both ways alike */
	bool plain;     /* a hop costs its cell */
	size_t n_pos, n_hops, n_roots, n_bins;

	struct pl_own_hop *hop; /* [n_hops] */
	uint32_t *bin;          /* [n_hops] */
	size_t *bin_start; /* [n_bins + 1] first term; behind n_hops: roots */
	double *node; /* [2 * terms], those of bin b from 2 * bin_start[b] */

	/* of a longest path */
	uint32_t *below;    /* [n_hops] bin of the child; PL_NO_BIN: a leaf */
	uint32_t *above;    /* [n_bins - 1] term that it feeds */
	uint32_t *downward; /* [n_bins - 1] bins, each behind its parent */
	uint32_t *root;     /* [n_roots] bins */

	/* those that leave pos are at incident_from[2 * pos], those that
	 * enter it at incident_from[2 * pos + 1], up to the next; [2 * n_pos +
	 * 1] */
	struct pl_incident *incident;
	size_t *incident_from;

	size_t *at;   /* [n_pos] host */
	double *cost; /* [n_hops] */
	struct pl_running_sum total;

	struct pl_objective_change
		change; /* the last one, and what it replaced: */
	struct pl_running_sum old_total;
	struct pl_old_cost *old; /* [n_hops] of which n_old */
	size_t n_old;

	double *fresh;   /* [2 * largest degree] scratch */
	double *longest; /* [n_bins] scratch of full evaluation */
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
static inline double pl_hop_cost(const struct pl_objective *o, size_t h,
				 size_t a, size_t b)
{
	const size_t cell = a * o->costs.n + b;
	const struct pl_own_hop *hop = &o->hop[h];

	if (o->plain)
		return o->costs.c[cell];
	if (!o->costs.per_byte)
		return hop->times * o->costs.c[cell];
	return hop->times *
	       (o->costs.c[cell] + hop->bytes * o->costs.per_byte[cell]);
}

/* A term more; negative ones take away. Knuth's two-sum. */
static inline void pl_sum_add(struct pl_running_sum *sum, double x)
{
	const double s = sum->hi + x, part = s - sum->hi;
	const double lost = (sum->hi - (s - part)) + (x - part);
	const double lo = sum->lo + lost;

	sum->hi = s + lo;
	sum->lo = lo - (sum->hi - s);
}

/* bins.c: sorts the hops into bins; for longest paths links them. 0, or -1 with
 * @err set. */
int pl_bins_build(struct pl_objective *o, struct pl_err *err);

/* values.c: all of node and total from cost. */
void pl_values_set(struct pl_objective *o);
/* One hop has another cost now. */
void pl_values_put(struct pl_objective *o, uint32_t hop, double cost);
/* The cost from node and total. */
double pl_values_cost(const struct pl_objective *o);

#endif
