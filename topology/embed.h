/* SPDX-License-Identifier: BSD-3-Clause */
/* embed.h - places for hosts whose distances agree with the measured ones */
#ifndef PLINK_TOPOLOGY_EMBED_H
#define PLINK_TOPOLOGY_EMBED_H

#include "base/err.h"
#include "topology/known.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was measured between two hosts, of no direction; a pair may come again
 * (the other direction): each counts by its weight. */
struct pl_measured_pair {
	double distance; /* finite, >= 0 */
	double weight;   /* finite, >= 0 */
	uint32_t a, b;   /* a != b */
};

#define PL_EMBED_DIMENSIONS_MAX 32
#define PL_EMBED_HOSTS_MANY 128

struct pl_embed_options {
	double alpha; /* distances are Euclid's to this power: 1 to 2 by
		       * eighths */
	bool heights; /* each host adds a share of its own, h >= 0 */
	/* 0: 3, and 4 of PL_EMBED_HOSTS_MANY hosts or more, where each has
	 * more cells to tell its place by */
	size_t dimensions;
	/* what is amiss by more than so many times its median counts linearly
	 * and not squared; 0: all is squared, as the thesis has it */
	double bend;
	/* a first start is for weights alone: they become relative to what it
	 * has, where that is more than what was measured */
	bool reweigh;
	size_t starts; /* at random; the best one is kept */
	size_t steps;  /* of each start */
	uint64_t seed;
};

/*
 * What came out best over all kinds of noise in bench/embed. Of few dimensions
 * noise is averaged out best, 2 are at times too few to find a way past one
 * another; heights stand for what a host has in common with none; and squares
 * alone follow a few outliers rather than the many.
 */
#define PL_EMBED_DEFAULTS                                                      \
	((struct pl_embed_options){                                            \
		.alpha = 1,                                                    \
		.heights = true,                                               \
		.dimensions = 0,                                               \
		.bend = 3,                                                     \
		.reweigh = true,                                               \
		.starts = 1,                                                   \
		.steps = 250,                                                  \
		.seed = 1,                                                     \
	})

/* Start with {0}, end with fini. */
struct pl_embedding {
	size_t n, dimensions;
	double alpha;
	double *at;     /* at[host * dimensions + k] */
	double *height; /* by host; all 0 where there are none */
	double unit; /* the distance that 1 of at^alpha and height stands for */
	double loss; /* weighted mean of squares of what is amiss, in unit^2 */
};

/*
 * Finds coordinates v and heights h of n hosts that minimise the sum over pairs
 * of
 *	weight * (|v_a - v_b|^alpha + h_a + h_b - distance)^2
 * (thesis, equation 4.1) by Adam (Kingma and Ba, 2015) from several random
 * starts. What is not among the pairs has no part in it.
 * Time starts * steps * dimensions * P, where P is the number of pairs, or n *
 * n / 2 if at least a quarter of all pairs are there, each then taking a
 * quarter of the time. Memory 24 bytes a pair, or 4 n * n in that case. Same
 * pairs, options and seed, same bits on every machine: no function but sqrt()
 * is called. 0, or -1 with @err set: PL_EUSAGE for an option out of range;
 * PL_EINPUT where no chain of pairs links two hosts (pl_pairs_apart);
 * PL_ESYSTEM.
 */
int pl_embed(struct pl_embedding *e, size_t n,
	     const struct pl_measured_pair *pair, size_t n_pairs,
	     const struct pl_embed_options *o, struct pl_err *err);
void pl_embedding_fini(struct pl_embedding *e);

/* The first host that no chain of pairs of weight links with host 0, n where
 * there is none: *apart. 0, or -1: no memory. */
int pl_pairs_apart(size_t n, const struct pl_measured_pair *pair,
		   size_t n_pairs, size_t *apart);

/* What the embedding says of two hosts, in the unit of the pairs; 0 for one and
 * the same. */
double pl_embedding_distance(const struct pl_embedding *e, size_t a, size_t b);

/* Whether what is amiss with a pair is held against its distance. */
enum pl_pair_weight {
	PL_WEIGHT_EQUAL,   /* no, as the thesis has it */
	PL_WEIGHT_RELATIVE /* 1 / distance^2: errors grow with the distance */
};

/*
 * The pairs of cell[n * n], or of links, each direction by itself, NaN and the
 * diagonal left out.
 * Relative weights do not grow on below a twentieth of the mean distance.
 * *n_pairs of them, to be freed; NULL: no memory.
 */
struct pl_measured_pair *pl_pairs_of(const double *cell, size_t n,
				     enum pl_pair_weight weight,
				     size_t *n_pairs);
struct pl_measured_pair *pl_pairs_of_known(const struct pl_known *l,
					   enum pl_pair_weight weight,
					   size_t *n_pairs);

#endif
