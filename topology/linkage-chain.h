/* SPDX-License-Identifier: BSD-3-Clause */
/* linkage-chain.h - chains of nearest groups, whatever keeps the distances
 * (linkage.h) */
#ifndef PLINK_TOPOLOGY_LINKAGE_CHAIN_H
#define PLINK_TOPOLOGY_LINKAGE_CHAIN_H

#include "topology/linkage.h"

#include <stdbool.h>

/* Groups are known by one of their hosts. Begin with init, end with fini. */
struct pl_chain {
	size_t n;
	bool *gone;    /* [n] is in another group now */
	size_t *chain; /* [n] each the nearest of the one before */
	size_t n_chain;
	/* The group that is nearest to a, and how far that is, INFINITY where
	 * none is known; of equals the one before in the chain, else the
	 * first. */
	size_t (*nearest)(struct pl_chain *c, size_t a, float *distance);
	/* b goes into a: 0, or -1: no memory. */
	int (*join)(struct pl_chain *c, size_t a, size_t b);
};

/* 0, or -1: no memory. */
int pl_chain_init(struct pl_chain *c, size_t n);
void pl_chain_fini(struct pl_chain *c);

/* Joins all groups; merge[n - 1] by rising height. 0, or -1: no memory. */
int pl_chain_link(struct pl_chain *c, struct pl_cluster_merge *merge);

/* The group before the last in the chain; n: there is none. */
size_t pl_chain_before(const struct pl_chain *c);

#endif
