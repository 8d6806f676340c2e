/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-tree.h - the state of the search for near hosts (sparse.h) */
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
	PL_SEAT_OPEN,  /* still searches for its part of the node */
	PL_SEAT_LEFT,  /* was near to no part of the node */
	PL_SEAT_TAKEN, /* has found its part, or the node is not divided */
};

struct pl_sparse_host {
	uint32_t node;
	uint32_t part;         /* its part of the node once taken; else the nearest so
				* far */
	uint32_t first, tried; /* parts are tried in a circle: the first one,
				* how many */
	float best;            /* distance to the nearest part so far */
	float doubt;           /* distance to a part that is still to be confirmed; NAN:
				* none */
	float own;             /* what it adds to each of its pairs */
	enum pl_sparse_seat seat;
	bool gone;
	uint32_t step, load; /* load: its pairs in step number "step" */
};

struct pl_sparse_part {
	uint32_t *member;
	size_t n, room, next; /* next: whom to ask next */
};

enum pl_sparse_stage {
	PL_STAGE_SEEDS, /* seeds are measured against one another */
	PL_STAGE_SWEEP, /* the others search for their parts */
	PL_STAGE_AGAIN, /* seeds among the hosts left over are measured against
			 * one another */
	PL_STAGE_CHECK, /* small parts are measured against the others */
	PL_STAGE_FULL,  /* all pairs are measured */
	PL_STAGE_MIXED, /* random pairs are measured */
	PL_STAGE_DONE,
};

/* A group of hosts that is being divided into parts. */
struct pl_sparse_node {
	uint32_t *member; /* [n] */
	size_t n;
	enum pl_sparse_stage stage;
	unsigned sweeps;
	uint32_t *seed; /* [n_seeds] */
	size_t n_seeds;
	struct pl_sparse_part *part;
	size_t n_parts, parts_room;
	size_t child; /* the first of n_parts child nodes; 0: none */
	struct pl_sparse_scale scale;
	size_t test, n_tests; /* its tests in the list of the tree: the first,
			       * how many */
	bool waits;           /* waits for results of pairs that were asked for */
};

/* Host @host is measured against @member to test whether it is in @part. */
struct pl_sparse_test {
	uint32_t host, part, member;
};

struct pl_sparse {
	struct pl_sparse_options options;
	struct pl_sparse_pairs pairs;
	struct pl_sparse_host *host; /* [n] */
	struct pl_sparse_own *own;   /* [n] scratch */
	size_t n, budget, n_asked;   /* pairs: the limit, how many so far */
	struct pl_sparse_node *node;
	size_t n_nodes, nodes_room;
	size_t first_node; /* nodes before this one are done */
	struct pl_sparse_test *test;
	size_t n_tests, tests_room;
	struct pl_sample_pair *batch;
	size_t n_batch, batch_room, n_steps;
	unsigned n_polished;
	bool fills; /* true: pairs within groups that are not divided are
		     * measured, too */
	struct pl_rng rng;
};

/* Adds a node of these hosts; asks for the next pairs of a node; evaluates the results of node @k:
 * parts, and child nodes for them. 0, or -1: no memory. */
int pl_sparse_node_add(struct pl_sparse *s, const uint32_t *member, size_t n);
int pl_sparse_node_ask(struct pl_sparse *s, struct pl_sparse_node *node);
int pl_sparse_node_judge(struct pl_sparse *s, size_t k);

/* Divides groups that showed no gap of their own by the scale of those of their siblings that did.
 * 0, or -1: no memory. */
int pl_sparse_node_compare(struct pl_sparse *s);

/* Estimates what each host that is in a part adds to all its pairs, from the pairs between parts of
 * @node. 0, or -1: no memory. */
int pl_sparse_own_fit(struct pl_sparse *s, struct pl_sparse_node *node);

/* Asks for a pair, unless it is known or was asked for already, the budget is spent, or one of its
 * hosts is gone. 0, or -1: no memory. */
int pl_sparse_ask(struct pl_sparse *s, size_t a, size_t b);

/* A member of that part with a low load for @host to be measured against. PL_SPARSE_END: @host has
 * been measured against all of them; PL_SPARSE_BUSY: the others have enough pairs in this step. */
#define PL_SPARSE_BUSY (PL_SPARSE_END - 1)
uint32_t pl_sparse_pick(struct pl_sparse *s, struct pl_sparse_part *part, size_t host);

int pl_sparse_part_add(struct pl_sparse_part *part, size_t host);

/* Records that the host has found its part of the node. 0, or -1: no memory. */
int pl_sparse_seat(struct pl_sparse *s, struct pl_sparse_node *node, size_t host, uint32_t part);

/* May the host be in further pairs at all? */
bool pl_sparse_may_ask(const struct pl_sparse *s, size_t host);

/* Is the host in enough pairs of this step already? */
bool pl_sparse_is_busy(const struct pl_sparse *s, size_t host);

/* Asks for the pair of @host and a member of that part, and records the test. 0, or -1: no
 * memory. */
int pl_sparse_try(struct pl_sparse *s, struct pl_sparse_node *node, uint32_t host, uint32_t part,
		  uint32_t member);

/* Small parts may be fragments of others: ask() measures them against each larger part, judge()
 * joins the fragments. 0, or -1: no memory. */
int pl_sparse_join_ask(struct pl_sparse *s, struct pl_sparse_node *node);
int pl_sparse_join_judge(struct pl_sparse *s, struct pl_sparse_node *node);

/* The sweep of a node: ask() asks for tests; judge() evaluates them and seats the hosts that have
 * found their part. 0, or -1: no memory. */
int pl_sparse_sweep_ask(struct pl_sparse *s, struct pl_sparse_node *node);
int pl_sparse_sweep_judge(struct pl_sparse *s, struct pl_sparse_node *node);

/* Asks for pairs of hosts and their neighbours' neighbours; for none when the rounds of this are
 * over. 0, or -1: no memory. */
int pl_sparse_polish(struct pl_sparse *s);

#endif
