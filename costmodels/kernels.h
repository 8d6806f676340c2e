/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels.h - collectives as kernels: what one rank of a communicator calls, in flavours */
/*
 * Libraries run the same few algorithms with small differences. A kernel is one of these
 * algorithms, the flavours (pl_algorithm.how) are the differences, and a row of a library's table
 * names a kernel with its flavours. What a library alone has is a kernel in the library's file.
 */
#ifndef PLINK_COSTMODELS_KERNELS_H
#define PLINK_COSTMODELS_KERNELS_H

#include "costmodels/comm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- halving: exchanges with ranks at distances 1, 2, 4, ..., or the other way round */

/* Of a folded rank, step by step: whom it exchanges with, what it keeps of the part that both have,
 * and what it gives. */
struct pl_halving {
	size_t n; /* steps */
	size_t peer[64];
	struct pl_range kept[64], given[64];
};
enum pl_halves {
	PL_HALVE_ELEMENTS, /* of an odd number, the upper half has one more */
	PL_HALVE_BLOCKS,   /* as many as ranks remain */
	PL_HALVE_RANKS,    /* the blocks of all ranks, those that one stands for together */
};
/* @farthest: the farthest rank first. */
struct pl_halving pl_halving(const struct pl_rank *r, const struct pl_fold *f, size_t folded,
			     enum pl_halves halves, bool farthest);
/* Reduces, step by step; and gathers, in the other order. Give the round after the last. */
uint32_t pl_halve(const struct pl_rank *r, const struct pl_halving *h, uint32_t round,
		  enum pl_taking taking);
uint32_t pl_unhalve(const struct pl_rank *r, const struct pl_halving *h, uint32_t round);

/* ---- parts of kernels; each gives the round after its last */

/* Round the ring: in each step a rank sends a block on, @block first, and receives the one that it
 * sends next. */
struct pl_lap {
	struct pl_blocks blocks;
	size_t block, n_steps;
	uint32_t round;
	bool down; /* to the rank before */
	enum pl_taking taking;
};
uint32_t pl_ring_lap(const struct pl_rank *r, struct pl_lap lap);

/* Recursive doubling among any number of ranks, counted from the root: at distance 1, 2, 4, ...
 * groups exchange what they have. Where a group is not whole, ranks without a partner get what they
 * lack from those of their own group. A reduce-scatter exchanges all but what the groups have, and
 * adds it up. PL_PLACES. */
enum { PL_ROUNDS_AS_NEEDED = PL_OWN_FLAVOUR /* else as if all groups lacked something */ };
void pl_double_up(const struct pl_rank *r, const struct pl_blocks *b, uint32_t round);

/* Blocks scattered down a binomial tree, then gathered by recursive doubling, or: */
enum { PL_GATHERS_IN_RING = PL_OWN_FLAVOUR << 1 };
void pl_scatter_gather(const struct pl_rank *r, struct pl_blocks b);

/* Blocks gathered from the rank 1, 2, 4, ... further on, and in the end turned round: */
enum {
	PL_TURNS_IN_PLACE = PL_OWN_FLAVOUR,  /* in the buffer itself, that is all twice */
	PL_TURNS_PART = PL_OWN_FLAVOUR << 1, /* by way of a buffer for a part; not by rank 0 */
};
void pl_gather_bruck(const struct pl_rank *r, const struct pl_blocks *b, uint32_t round);

/* As pl_kernel_halving. */
uint32_t pl_scatter_halving(const struct pl_rank *r);

/* BCube's groups: how many ranks exchange in each round, of @base as long as that divides what is
 * left of n, then all the rest. Gives the number of rounds. */
unsigned pl_bcube_groups(size_t group[64], size_t n, size_t base);

/* ---- kernels */

/* Broadcast down a binomial tree, one send after the other, the farthest rank first. */
pl_kernel_fn pl_kernel_broadcast_binomial;
/* All-gather once round; PL_PLACES. */
pl_kernel_fn pl_kernel_gather_ring;
/* All-gather by Bruck (pl_gather_bruck); PL_PLACES. */
pl_kernel_fn pl_kernel_gather_bruck;
/* All-gather or reduce-scatter by recursive doubling (pl_double_up); PL_OWN_LAST: and a copy of the
 * own block in the end. */
pl_kernel_fn pl_kernel_doubling;
/* All-to-all or reduce-scatter, with one rank in each round; PL_OWN_LAST. */
enum { PL_PAIRS = PL_OWN_FLAVOUR /* of 2^k ranks those whose numbers XOR give the round's */ };
pl_kernel_fn pl_kernel_pairwise;
/* All-to-all by Bruck: half of the blocks to the rank 1, 2, 4, ... further on. */
enum { PL_PACKS = PL_OWN_FLAVOUR /* before it sends, not unpacks after it */ };
pl_kernel_fn pl_kernel_alltoall_bruck;
/* All-to-all with all ranks at once, or with as many as the row's radix. */
enum {
	PL_UPWARDS = PL_OWN_FLAVOUR,        /* to the next rank first, not to the one before */
	PL_IN_TURN = PL_OWN_FLAVOUR << 1,   /* a send, a receive, a send, ... */
	PL_OWN_STAYS = PL_OWN_FLAVOUR << 2, /* nothing is copied */
};
pl_kernel_fn pl_kernel_all_at_once;
/* Barrier: to the rank 1, 2, 4, ... further on. */
pl_kernel_fn pl_kernel_dissemination;
/* All-reduce: whole buffers exchanged at distances 1, 2, 4, ..., by folded ranks. */
pl_kernel_fn pl_kernel_reduce_doubling;
/* All-reduce or reduce: halves, the nearest rank first, then gathered by all or by the root. */
enum {
	PL_HALVES_ELEMENTS = PL_OWN_FLAVOUR, /* PL_HALVE_ELEMENTS, not PL_HALVE_BLOCKS */
	/* a pair adds up half of its buffers each before one stays out */
	PL_PAIRS_SHARE = PL_OWN_FLAVOUR << 1,
};
pl_kernel_fn pl_kernel_rabenseifner;
/* Reduce-scatter: halves, the farthest rank first; PL_PLACES, PL_ROUNDS_UP, PL_OWN_LAST. */
pl_kernel_fn pl_kernel_halving;
/* All-reduce in groups of call.radix ranks, or as many as the row says, then across them.
 * PL_ROUNDS_UP: parts are, of elements; else blocks are divided, one for each rank. */
enum { PL_FROM_FIRST = PL_OWN_FLAVOUR /* posts in the order of ranks, not from the own one on */ };
pl_kernel_fn pl_kernel_bcube;

/* ---- trees (trees.c) */

/*
 * Ranks are counted from the root, except in the in-order binary tree, whose root is the last rank.
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

#define PL_NO_RANK UINT32_MAX

/* The most chains that Open MPI can build; it takes this many if more are asked for. */
#define PL_CHAINS_MAX 32

/* Arrays are by rank. The fields may be read. */
struct pl_span_tree {
	size_t n, root, radix;
	uint32_t *parent; /* [n]; of the root: PL_NO_RANK */
	uint32_t *depth;  /* [n]; of the root: 0 */
	/* those of rank r are child[first[r]] .. child[first[r + 1] - 1] */
	uint32_t *child, *first;
	uint32_t deepest;
	uint32_t *order; /* private: ranks as they were planted */
	size_t n_planted;
};

/* Puts rank @v below rank @parent, both counted from t->root; @parent may be PL_NO_RANK. What a
 * pl_plant_fn calls for every rank, for siblings in their order. */
void pl_span_tree_plant(struct pl_span_tree *t, size_t v, size_t parent);

pl_plant_fn pl_plant_chains; /* radix: how many, at least one */
pl_plant_fn pl_plant_binary;
pl_plant_fn pl_plant_in_order_binary;
pl_plant_fn pl_plant_binomial;
pl_plant_fn pl_plant_in_order_binomial;
pl_plant_fn pl_plant_knomial; /* radix: k >= 2 */

/* A tree of n >= 1 ranks; end with fini. 0, or -1 with @err set and nothing to release: memory. */
int pl_span_tree_init(struct pl_span_tree *t, pl_plant_fn *plant, size_t n, size_t root,
		      size_t radix, struct pl_err *err);
void pl_span_tree_fini(struct pl_span_tree *t);
size_t pl_span_tree_n_children(const struct pl_span_tree *t, size_t rank);

/* pl_shape_put of a hop like @hop for each edge, from the parent, or from the child if @up; the
 * edges of each level in a group of their own, from hop.group on, or all in that. */
void pl_shape_put_tree(struct pl_shape *shape, const struct pl_span_tree *t, struct pl_hop hop,
		       bool up, bool by_level);

/* ---- objectives (trees.c) */

/* The sum of the hops round a ring: pl_algorithm.laps. */
pl_objective_fn pl_ring_objective;
/* The pattern's messages as one tree; or their rounds, of an algorithm that has levels where hosts
 * have several ranks. */
pl_objective_fn pl_tree_objective;
/* The longest path of the algorithm's tree, or of two with half of the buffer each. */
pl_objective_fn pl_trees_objective;

#endif
