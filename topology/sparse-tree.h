/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-tree.h - the search for near hosts: its state (sparse.h) */
#ifndef PLINK_TOPOLOGY_SPARSE_TREE_H
#define PLINK_TOPOLOGY_SPARSE_TREE_H

#include "base/rng.h"
#include "topology/sparse-own.h"
#include "topology/sparse-pairs.h"
#include "topology/sparse-split.h"
#include "topology/sparse.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_sparse_seat {
	PL_SEAT_OPEN,  /* looks for its part of the node */
	PL_SEAT_LEFT,  /* was near to no part of it */
	PL_SEAT_TAKEN, /* has found it, or the node is not parted */
};

struct pl_sparse_host {
	uint32_t node;
	uint32_t part; /* of the node, once taken; else the nearest so far */
	uint32_t first, tried; /* parts are tried in a circle */
	float best;            /* how near that was */
	float doubt; /* the nearest was so near; to be confirmed; NAN: no */
	float own;   /* more than the usual host, in each of its pairs */
	enum pl_sparse_seat seat;
	bool gone;
	uint32_t step, load; /* pairs in that step */
};

struct pl_sparse_part {
	uint32_t *member;
	size_t n, room, next; /* next to be asked, in a circle */
};

enum pl_sparse_stage {
	PL_STAGE_SEEDS, /* seeds are measured against one another */
	PL_STAGE_SWEEP, /* others look for their parts */
	PL_STAGE_AGAIN, /* so are seeds of those left over */
	PL_STAGE_CHECK, /* small parts are measured against the others */
	PL_STAGE_FULL,  /* all pairs are measured */
	PL_STAGE_MIXED, /* some are, by chance */
	PL_STAGE_DONE,
};

/* A group of hosts that is being parted. */
struct pl_sparse_node {
	uint32_t *member; /* [n] */
	size_t n;
	enum pl_sparse_stage stage;
	unsigned sweeps;
	uint32_t *seed; /* [n_seeds] */
	size_t n_seeds;
	struct pl_sparse_part *part;
	size_t n_parts, parts_room;
	size_t child; /* the first of n_parts; 0: none */
	struct pl_sparse_scale scale;
	size_t test, n_tests; /* in the tree's list */
	bool waits;           /* for what was asked */
};

/* A host tries a part of its node. */
struct pl_sparse_test {
	uint32_t host, part, member;
};

struct pl_sparse {
	struct pl_sparse_options options;
	struct pl_sparse_pairs pairs;
	struct pl_sparse_host *host; /* [n] */
	struct pl_sparse_own *own;   /* [n] scratch */
	size_t n, budget, n_asked;   /* pairs: at most, so far */
	struct pl_sparse_node *node;
	size_t n_nodes, nodes_room;
	size_t first_node; /* those before it are done */
	struct pl_sparse_test *test;
	size_t n_tests, tests_room;
	struct pl_sample_pair *batch;
	size_t n_batch, batch_room, n_steps;
	unsigned n_polished;
	bool fills; /* groups that are not parted are measured, too */
	struct pl_rng rng;
};

/* A new node of those hosts; what a node asks for next; what it makes of what
 * came out: parts, nodes of these. 0, or -1: no memory. */
int pl_sparse_node_add(struct pl_sparse *s, const uint32_t *member, size_t n);
int pl_sparse_node_ask(struct pl_sparse *s, struct pl_sparse_node *node);
int pl_sparse_node_judge(struct pl_sparse *s, size_t k);

/* Groups that seemed to have no parts, where others of their parent's have, are
 * parted by what separates those. 0, or -1: no memory. */
int pl_sparse_node_compare(struct pl_sparse *s);

/* What hosts that are seated add to each of their pairs, by those between
 * parts. 0, or -1: no memory. */
int pl_sparse_own_fit(struct pl_sparse *s, struct pl_sparse_node *node);

/* Asks for a pair unless it is known or was asked for, the budget is spent or a
 * host gone. 0, or -1: no memory. */
int pl_sparse_ask(struct pl_sparse *s, size_t a, size_t b);

/* A host of that part for @host to be measured against, of little load;
 * PL_SPARSE_END: there is none that it does not know, PL_SPARSE_BUSY: all that
 * there are have enough to do in this step. */
#define PL_SPARSE_BUSY (PL_SPARSE_END - 1)
uint32_t pl_sparse_pick(struct pl_sparse *s, struct pl_sparse_part *part,
			size_t host);

int pl_sparse_part_add(struct pl_sparse_part *part, size_t host);

/* The host has found its part of the node, and is in it. 0, or -1: no
 * memory. */
int pl_sparse_seat(struct pl_sparse *s, struct pl_sparse_node *node,
		   size_t host, uint32_t part);

/* Whether the host may be in further pairs. */
bool pl_sparse_may_ask(const struct pl_sparse *s, size_t host);

/* Whether it is in enough pairs of this step. */
bool pl_sparse_is_busy(const struct pl_sparse *s, size_t host);

/* Asks for the pair of @host and a member of that part, and notes what it is
 * for. 0, or -1: no memory. */
int pl_sparse_try(struct pl_sparse *s, struct pl_sparse_node *node,
		  uint32_t host, uint32_t part, uint32_t member);

/* Small parts may be pieces of others: asks for a pair with each; joins them.
 * 0, or -1: no memory. */
int pl_sparse_join_ask(struct pl_sparse *s, struct pl_sparse_node *node);
int pl_sparse_join_judge(struct pl_sparse *s, struct pl_sparse_node *node);

/* A node's sweep: asks for tests; judges what came out: hosts that have found
 * their part join it. 0, or -1: no memory. */
int pl_sparse_sweep_ask(struct pl_sparse *s, struct pl_sparse_node *node);
int pl_sparse_sweep_judge(struct pl_sparse *s, struct pl_sparse_node *node);

/* Asks for pairs of neighbours' neighbours; asks for none where that is
 * over. */
int pl_sparse_polish(struct pl_sparse *s);

#endif
