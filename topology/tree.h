/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.h - distances by the tree of hosts, and by what each host adds to all
 * of its own */
#ifndef PLINK_TOPOLOGY_TREE_H
#define PLINK_TOPOLOGY_TREE_H

#include "topology/known.h"

#include <stddef.h>
#include <stdint.h>

/* Start with {0}, end with fini. */
struct pl_tree {
	size_t n;
	uint32_t *place; /* [n] position of each host in a row in which the
			  * hosts of every group stand side by side */
	/* far[k * n + i]: the largest distance at which groups are joined between positions i and i
	 * + 2^k of the row */
	float *far;
	double *own;  /* [n] what a host adds to all its distances; may be < 0 */
	double least; /* lower bound of all distances returned */
};

/*
 * Builds the tree of average linkage (linkage.h) over the measured cells. Means
 * are harmonic, since a disturbance makes a cell larger. A host's own share is
 * the median of what its cells exceed the tree's distance and the other hosts'
 * shares by. The tree is then built again from cells without the shares, and
 * the shares again from the tree. Where hosts stand in racks, rows and halls,
 * few cells determine all others: one cell of a host with each group. A network
 * that is not a tree is not represented well.
 * Memory and time grow with the number of cells and with n log n; where a
 * fourth of all cells or more are known, O(n^2) and 8 bytes a cell while the
 * tree is built. The distance of two hosts that no chain of cells links is
 * INFINITY. 0, or -1: no memory; call fini in either case.
 */
int pl_tree(struct pl_tree *t, const struct pl_known *l);
void pl_tree_fini(struct pl_tree *t);

/* Distance of two hosts, in the unit of the cells; 0 for a host and itself. */
double pl_tree_distance(const struct pl_tree *t, size_t a, size_t b);

#endif
