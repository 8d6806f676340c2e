/* SPDX-License-Identifier: BSD-3-Clause */
/* linkage-chain.h - average linkage by nearest-neighbour chains, for any store of distances
 * (linkage.h) */
#ifndef PLINK_TOPOLOGY_LINKAGE_CHAIN_H
#define PLINK_TOPOLOGY_LINKAGE_CHAIN_H

#include "topology/linkage.h"

#include <stdbool.h>

/* A group is identified by one of its hosts. Start with init, end with fini. */
struct pl_chain {
	size_t n;
	bool *gone;    /* [n] true: was joined into another group */
	size_t *chain; /* [n] groups, each the nearest to the last */
	size_t n_chain;
	/* Returns the group nearest to group a and sets *distance, INFINITY where no distance to
	 * any group is known. Among equals it prefers the group before a in the chain, then the
	 * first. */
	size_t (*nearest)(struct pl_chain *c, size_t a, float *distance);
	/* Joins group b into group a. 0, or -1: no memory. */
	int (*join)(struct pl_chain *c, size_t a, size_t b);
};

/* 0, or -1: no memory. */
int pl_chain_init(struct pl_chain *c, size_t n);
void pl_chain_fini(struct pl_chain *c);

/* Joins all groups into one; fills merge[n - 1], sorted by rising height. 0, or -1: no memory. */
int pl_chain_link(struct pl_chain *c, struct pl_cluster_merge *merge);

/* The group before the last one in the chain; n where there is none. */
size_t pl_chain_before(const struct pl_chain *c);

#endif
