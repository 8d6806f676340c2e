/* SPDX-License-Identifier: BSD-3-Clause */
/* shape.h - which hops of a collective its cost depends on, and how they add
 * up */
#ifndef PLINK_COSTMODELS_SHAPE_H
#define PLINK_COSTMODELS_SHAPE_H

#include "base/err.h"
#include "costmodels/pattern.h"

#include <stddef.h>
#include <stdint.h>

enum pl_shape_kind {
	PL_SUM,           /* of all hops: a ring of eager messages */
	PL_SUM_OF_MAXIMA, /* over groups, of the dearest hop in each */
	PL_LONGEST_PATH,  /* of all from a root to a leaf, in whichever group */
	PL_SLOWEST,       /* the dearest hop alone */
};

/* A hop between two positions. What it costs for hosts a and b there is
 * times * (c[a][b] + bytes / bandwidth[a][b]), without the bandwidth where
 * it is not known. */
struct pl_hop {
	uint32_t src, dst; /* positions */
	uint32_t group;    /* 0 .. n_groups - 1: the round or the tree */
	double times;      /* how often it is taken */
	double bytes;      /* each time */
};

/*
 * Start with {0}, end with fini. A group of PL_LONGEST_PATH is a forest whose
 * hops all lead from parents to children, as in a broadcast (no position is the
 * dst of two), or all from children to parents, as in a reduce (no position is
 * the src of two).
 */
struct pl_shape {
	enum pl_shape_kind kind;
	size_t n_pos, n_groups;
	struct pl_hop *hop;
	size_t n_hops, hops_room;
};

void pl_shape_fini(struct pl_shape *shape);

/* Adds a hop; n_groups grows to hold its group. 0, or -1 with @err set. */
int pl_shape_add(struct pl_shape *shape, struct pl_hop hop, struct pl_err *err);

/*
 * A closed ring: that hop (src and dst are filled in) from each of n positions
 * to the one @step further on, round n; of one position none. 0, or -1 with
 * @err set and *shape empty.
 */
int pl_shape_add_ring(struct pl_shape *shape, size_t n, size_t step,
		      struct pl_hop hop, struct pl_err *err);

/* Makes hops of more bytes than that take @trips as often, their bytes but
 * once. */
void pl_shape_weigh(struct pl_shape *shape, double eager_bytes, double trips);

/* The sum over the pattern's rounds of their dearest hop. 0, or -1 with @err
 * set and *shape empty. */
int pl_shape_of_rounds(struct pl_shape *shape, const struct pl_pattern *p,
		       struct pl_err *err);

#endif
