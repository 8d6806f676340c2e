/* SPDX-License-Identifier: BSD-3-Clause */
/* trees.h - the trees along which Open MPI broadcasts and reduces */
/*
 * Ranks are counted from the root (shifted = rank - root mod n), except in the
 * in-order binary tree, whose root is always the last rank.
 *
 * chains of 9, 3 of them         binary, of 7       in-order binary, of 9
 *
 *        0                            0                      8
 *     /  |  \                       /   \                  /   \
 *    1   4   7                     1     2                7     3
 *    |   |   |                    / \   / \              / \   / \
 *    2   5   8                   3   5 4   6            6   5 2   1
 *    |   |                                                 /     /
 *    3   6                                                4     0
 *
 * binomial, of 8            in-order binomial, of 8   k-nomial of 10, radix 4
 *
 *       0                          0                         0
 *     / | \                      / | \                  / /  |  \  \
 *    1  2  4                    1  2  4                4  8  1   2  3
 *   /|  |                          |  | \             /|\  \
 *  3 5  6                          3  5  6           5 6 7  9
 *  |                                     |
 *  7                                     7
 *
 * Children stand from left to right in the order in which they are served.
 */
#ifndef PLINK_COSTMODELS_OPENMPI_TREES_H
#define PLINK_COSTMODELS_OPENMPI_TREES_H

#include <stddef.h>

enum pl_openmpi_tree_kind {
	PL_OPENMPI_CHAINS,
	PL_OPENMPI_BINARY,
	PL_OPENMPI_IN_ORDER_BINARY,
	PL_OPENMPI_BINOMIAL,
	PL_OPENMPI_IN_ORDER_BINOMIAL,
	PL_OPENMPI_KNOMIAL,
};

/* The most chains that Open MPI can build; it takes this many if more are asked
 * for. */
#define PL_OPENMPI_CHAINS_MAX 32

struct pl_openmpi_tree {
	enum pl_openmpi_tree_kind kind;
	/* n >= 1 ranks, root < n; in-order binary: root is n - 1 */
	size_t n, root;
	size_t fanout; /* chains: their number, 0 means 1; k-nomial: k >= 2 */
};

/* A rank's place in its tree. */
struct pl_openmpi_node {
	size_t parent; /* rank; of the root: SIZE_MAX */
	size_t n_children;
	size_t depth; /* of the root: 0 */
	/* used by pl_openmpi_child */
	struct pl_openmpi_tree tree;
	size_t shifted, unit;
};

struct pl_openmpi_node pl_openmpi_node(const struct pl_openmpi_tree *tree, size_t rank);

/* The rank of child @i; i < n_children. Time: at most the logarithm of the
 * ranks. */
size_t pl_openmpi_child(const struct pl_openmpi_node *node, size_t i);

/* The greatest depth of a rank. */
size_t pl_openmpi_tree_depth(const struct pl_openmpi_tree *tree);

#endif
