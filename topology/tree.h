/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.h - distances by the tree of hosts, and by what each host adds of its
 * own */
#ifndef PLINK_TOPOLOGY_TREE_H
#define PLINK_TOPOLOGY_TREE_H

#include "topology/known.h"

#include <stddef.h>
#include <stdint.h>

/* Start with {0}, end with fini. */
struct pl_tree {
	size_t n;
	uint32_t *place; /* [n] of each host in a row in which the hosts of
			  * every group stand side by side */
	/* far[k * n + i]: before the 2^k places from i on and the one after
	 * them are in one group, their groups are so far apart */
	float *far;
	double *own; /* [n] what a host adds to all its distances; may be < 0 */
	double least; /* no distance is told as less */
};

/*
 * The tree of average linkage (linkage.h) over what was measured; means are
 * harmonic, since what disturbs a cell makes it larger. A host's own share is
 * the median of what its cells are beyond the tree and the shares of the
 * others; the tree is made anew without the shares, and so are they. Where
 * hosts stand in racks, rows and halls it takes few cells to know all others:
 * those of a host in each group once. It knows nothing that is not a tree.
 * Memory and time go by the links and by n log n; where there is a fourth of
 * all links or more, O(n^2) and 8 bytes a cell while it is made. Of hosts that
 * no chain of cells links the distance is INFINITY. 0, or -1: no memory.
 */
int pl_tree(struct pl_tree *t, const struct pl_known *l);
void pl_tree_fini(struct pl_tree *t);

/* What the tree says of two hosts, in the unit of the cells; 0 for one and the
 * same. */
double pl_tree_distance(const struct pl_tree *t, size_t a, size_t b);

#endif
