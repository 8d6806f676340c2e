/* SPDX-License-Identifier: BSD-3-Clause */
/* estimate.h - estimates the distance of two hosts that was not measured */
#ifndef PLINK_TOPOLOGY_ESTIMATE_H
#define PLINK_TOPOLOGY_ESTIMATE_H

#include "base/err.h"
#include "topology/embed.h"
#include "topology/tree.h"

enum pl_estimate_by { PL_BY_EMBEDDING, PL_BY_TREE, PL_ESTIMATES };

/* Start with {0}, end with fini. */
struct pl_estimate {
	enum pl_estimate_by by; /* the method used; the other one is empty */
	struct pl_embedding embedding;
	struct pl_tree tree;
	size_t n_withheld;        /* withheld pairs by which the method was chosen */
	double off[PL_ESTIMATES]; /* median of |estimate / measured - 1| over
				   * these pairs, by method; NaN where there are
				   * none */
};

/*
 * Makes an estimate from cell[n * n], NaN where missing. There are two methods: an embedding
 * (embed.h, defaults), which suits any network, and the tree of hosts (tree.h), which needs fewer
 * cells where racks stand in rows. Both are tried: a tenth of the measured pairs is withheld, from
 * hosts that keep enough others, and the method that predicts the withheld pairs better is used on
 * all pairs. The same cells give the same bits. 0, or -1 with @err set: PL_EINPUT where no chain of
 * cells links two hosts (pl_pairs_apart); PL_ESYSTEM.
 */
int pl_estimate(struct pl_estimate *e, const double *cell, size_t n, struct pl_err *err);

/* The same from known cells, in memory proportional to their number. Some cells of @l are set to
 * NaN meanwhile; all are restored before the return. */
int pl_estimate_known(struct pl_estimate *e, struct pl_known *l, struct pl_err *err);
void pl_estimate_fini(struct pl_estimate *e);

/* The estimated distance, in the unit of the cells; 0 for a host and itself. */
double pl_estimate_distance(const struct pl_estimate *e, size_t a, size_t b);

/* The method used: "an embedding" or "a tree of the hosts"; static. */
const char *pl_estimate_name(const struct pl_estimate *e);

#endif
