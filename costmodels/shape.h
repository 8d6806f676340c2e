/* SPDX-License-Identifier: BSD-3-Clause */
/* shape.h - the hops that determine the cost of a collective, and how their costs add up */
#ifndef PLINK_COSTMODELS_SHAPE_H
#define PLINK_COSTMODELS_SHAPE_H

#include "base/err.h"
#include "costmodels/pattern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_shape_kind {
	PL_SUM, /* the sum of all hops: a ring of eager messages */
	/* the sum over the groups of the most expensive hop in each */
	PL_SUM_OF_MAXIMA,
	/* the most expensive path between a root and a leaf, over all groups */
	PL_LONGEST_PATH,
	PL_SLOWEST, /* the most expensive hop alone */
};

/* A hop between two positions. With the hosts a and b there it costs times * (c[a][b] + bytes /
 * bandwidth[a][b]), without the last term if the bandwidth is not known. */
struct pl_hop {
	uint32_t src, dst; /* positions */
	uint32_t group;    /* 0 .. n_groups - 1: the round or the tree */
	double times;      /* how often the hop is taken */
	double bytes;      /* of each message */
};

/*
 * Start with {0}, end with fini. Each group of PL_LONGEST_PATH is a forest: either all its hops
 * lead from parents to children, as in a broadcast, and no position is the dst of two hops; or all
 * lead from children to parents, as in a reduce, and no position is the src of two.
 */
struct pl_shape {
	enum pl_shape_kind kind;
	size_t n_pos, n_groups;
	struct pl_hop *hop;
	size_t n_hops, hops_room;
	bool no_memory; /* for a hop of pl_shape_put */
};

void pl_shape_fini(struct pl_shape *shape);

/* Adds a hop and raises n_groups if its group is new. 0, or -1 with @err set and *shape empty: out
 * of memory. */
int pl_shape_add(struct pl_shape *shape, struct pl_hop hop, struct pl_err *err);
/* The same; a failure shows in no_memory, which pl_algorithm_shape reports. */
void pl_shape_put(struct pl_shape *shape, struct pl_hop hop);

/*
 * Adds a closed ring of n hops: a copy of @hop, with src and dst filled in, from each position to
 * the one @step further on, modulo n. A ring of one position has no hops. 0, or -1 with @err set
 * and *shape empty: out of memory.
 */
int pl_shape_add_ring(struct pl_shape *shape, size_t n, size_t step, struct pl_hop hop,
		      struct pl_err *err);

/* 0, or -1 with @err set (PL_EUSAGE): a pattern of a message between all of n positions has too
 * many of them. */
int pl_shape_check_pairs(size_t n, struct pl_err *err);
/* Makes *shape the most expensive hop between any two of n positions, each a copy of @hop. 0, or -1
 * as pl_shape_check_pairs and with the shape's no_memory. */
int pl_shape_of_pairs(struct pl_shape *shape, size_t n, struct pl_hop hop, struct pl_err *err);

/* If the hops of each group are those between all pairs of some positions, all alike: how many
 * positions these are. Hosts may change places there at no cost. 0: they are not. */
size_t pl_shape_all_pairs(const struct pl_shape *shape);

/* Changes the hops of more than @eager_bytes: they take their latency @trips
 * times and their bytes once (times is multiplied and bytes divided by
 * @trips). */
void pl_shape_weigh(struct pl_shape *shape, double eager_bytes, double trips);

/* Makes *shape the sum over the pattern's rounds of the most expensive hop in each. 0, or -1 with
 * @err set and *shape empty: out of memory. */
int pl_shape_of_rounds(struct pl_shape *shape, const struct pl_pattern *p, struct pl_err *err);

#endif
