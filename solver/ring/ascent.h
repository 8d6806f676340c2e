/* SPDX-License-Identifier: BSD-3-Clause */
/* ascent.h - lower bounds on rings by 1-trees under prices that ascend */
#ifndef PLINK_SOLVER_RING_ASCENT_H
#define PLINK_SOLVER_RING_ASCENT_H

#include "base/err.h"
#include "base/stop.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Every host has a price for being left and one for being entered. Whatever the prices, every ring
 * pays each of them once. So the least sum of c[i][j] + leave[i] + enter[j] over a spanning tree
 * and one more hop, in either direction, minus the sum of all prices, is a lower bound on rings
 * (Held and Karp, Math. Prog. 1 (1971)). Prices rise for hosts that the tree leaves or enters too
 * often, and fall for others, so that the bound ascends. On directed costs it can reach the bound
 * of the linear programme with all cuts.
 */
struct pl_ascent {
	const double *c;    /* [n * n], borrowed, no NaN */
	const double *back; /* c transposed; c itself if it is symmetric */
	size_t n;
	/* leave[n], then enter[n]; if c is symmetric they are the same. Before pl_ascend: the
	 * prices to start from */
	double *price;
	double *best; /* the prices of the best bound */
	size_t n_prices;
	double *leave, *enter; /* in price */
	double *key;           /* [n] cost of the link to the parent, with prices */
	size_t *parent, *left; /* [n] */
	bool *entered;         /* [n] does the hop lead from the parent? else to it */
	int *used;             /* [n_prices] how often the 1-tree pays the price */
	int *step;             /* [n_prices] how much too often in the last step */
	double size;           /* sum of |terms| of the last value: scales rounding */
};

/* The result of an ascent; start with {-INFINITY, -INFINITY}. */
struct pl_height {
	double one_tree; /* bound by 1-trees; allows for rounding */
	double cuts;     /* bound by cuts, see ring-bound.h */
};

/* One pass of an ascent: its share of all steps, and the length of its first step in units of half
 * the mean hop of the best 1-tree bound so far. The length falls to 0. */
struct pl_ascent_pass {
	double share, length;
};

/* Sets all prices to 0. @back as in struct pl_ascent, NULL for symmetric costs. 0, or -1 with @err
 * set and nothing to release: out of memory. */
int pl_ascent_init(struct pl_ascent *a, const double *c, const double *back, size_t n,
		   struct pl_err *err);

void pl_ascent_fini(struct pl_ascent *a);

/* Ascends from the present prices in the first pass, and from the best prices in each further
 * pass. */
void pl_ascend(struct pl_ascent *a, size_t n_steps, const struct pl_ascent_pass *passes,
	       size_t n_passes, const struct pl_stop *stop, struct pl_height *at);

#endif
