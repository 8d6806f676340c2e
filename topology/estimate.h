/* SPDX-License-Identifier: BSD-3-Clause */
/* estimate.h - how far apart two hosts are that nobody measured */
#ifndef PLINK_TOPOLOGY_ESTIMATE_H
#define PLINK_TOPOLOGY_ESTIMATE_H

#include "base/err.h"
#include "topology/embed.h"
#include "topology/tree.h"

enum pl_estimate_by { PL_BY_EMBEDDING, PL_BY_TREE, PL_ESTIMATES };

/* Start with {0}, end with fini. */
struct pl_estimate {
	enum pl_estimate_by by; /* what is used; the other one is empty */
	struct pl_embedding embedding;
	struct pl_tree tree;
	size_t n_withheld;        /* pairs by which that was chosen */
	double off[PL_ESTIMATES]; /* median of |estimate / measured - 1| over
				   * these; where there are none NaN */
};

/*
 * From cell[n * n], NaN where missing: by an embedding (embed.h, defaults),
 * which takes any network there is, or by the tree of hosts (tree.h), which
 * needs fewer cells where racks stand in rows. Which one is tried: a tenth of
 * the measured pairs of hosts that have enough others is withheld, and what
 * comes nearer to these is made of all. Same cells, same bits. 0, or -1 with
 * @err set: PL_EINPUT where no chain of cells links two hosts (pl_pairs_apart);
 * PL_ESYSTEM.
 */
int pl_estimate(struct pl_estimate *e, const double *cell, size_t n,
		struct pl_err *err);

/* The same of links, by the memory that these take: some of them are missing
 * for a while, then all are there again. */
int pl_estimate_known(struct pl_estimate *e, struct pl_known *l,
		      struct pl_err *err);
void pl_estimate_fini(struct pl_estimate *e);

/* In the unit of the cells; 0 for one and the same. */
double pl_estimate_distance(const struct pl_estimate *e, size_t a, size_t b);

/* "an embedding", "a tree of the hosts". */
const char *pl_estimate_name(const struct pl_estimate *e);

#endif
