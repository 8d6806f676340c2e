/* SPDX-License-Identifier: BSD-3-Clause */
/* ascent.h - 1-trees under prices that climb: bounds of rings */
#ifndef PLINK_SOLVER_RING_ASCENT_H
#define PLINK_SOLVER_RING_ASCENT_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/graph.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Whatever prices hosts have for being left and for being entered, every ring
 * pays each of them once. So the least of c[i][j] + leave[i] + enter[j] that a
 * spanning tree and one hop more, either way, can have, less all prices, is a
 * bound (Held and Karp, Math. Prog. 1 (1971)); with prices that go where hosts
 * are left or entered too often it climbs. As high, on directed costs, as the
 * linear program of all cuts.
 */
struct pl_ascent {
	struct pl_graph *graph; /* borrowed; or NULL and */
	const double *c;        /* [n * n], borrowed, no NaN */
	const double *back; /* c with rows and columns swapped; c itself where
			       it is symmetric */
	size_t n;
	/* leave[n], then enter[n]; where c is symmetric they are one and
	 * the same. Before pl_ascend those to start from */
	double *price;
	double *best; /* those of the best bound */
	size_t n_prices;
	double *leave, *enter; /* in price */
	double *key;           /* [n] of the link to the parent */
	size_t *parent, *left; /* [n] */
	bool *entered;         /* [n] by its parent; else it leaves for it */
	int *used;   /* [n_prices] how often the 1-tree pays the price */
	int *step;   /* [n_prices] how much too often it did last time */
	double size; /* sum of |terms| of the last value: scales rounding */
};

/* What an ascent has come to; start with {-INFINITY, -INFINITY}. */
struct pl_height {
	double one_tree; /* bound by 1-trees, rounding allowed for */
	double cuts;     /* by cuts, as said in ring-bound.h */
};

/* Steps, as a share of all, of which the first changes prices by about so many
 * times what half a hop of the 1-tree costs, the last by nothing. */
struct pl_ascent_pass {
	double share, length;
};

/* Prices at 0. @back as in struct pl_ascent, NULL for symmetric costs.
 * 0, or -1 with @err set and nothing to release: out of memory. */
int pl_ascent_init(struct pl_ascent *a, const double *c, const double *back,
		   size_t n, struct pl_err *err);

/*
 * The same over the links of a graph that connects all hosts, alike in both
 * directions. A bound of rings of these links alone, by cuts. The graph is
 * worked in.
 */
int pl_ascent_init_graph(struct pl_ascent *a, struct pl_graph *graph,
			 struct pl_err *err);
void pl_ascent_fini(struct pl_ascent *a);

/* Climbs from the prices there are, then for each further pass from the
 * best. */
void pl_ascend(struct pl_ascent *a, size_t n_steps,
	       const struct pl_ascent_pass *passes, size_t n_passes,
	       const struct pl_stop *stop, struct pl_height *at);

#endif
