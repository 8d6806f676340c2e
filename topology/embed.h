/* SPDX-License-Identifier: BSD-3-Clause */
/* embed.h - coordinates of hosts that reproduce measured distances */
#ifndef PLINK_TOPOLOGY_EMBED_H
#define PLINK_TOPOLOGY_EMBED_H

#include "base/err.h"
#include "topology/known.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value measured between two hosts, in either direction. A pair may occur more than once (once
 * for each direction); each occurrence counts by its weight. */
struct pl_measured_pair {
	double distance; /* finite, >= 0 */
	double weight;   /* finite, >= 0 */
	uint32_t a, b;   /* a != b */
};

#define PL_EMBED_DIMENSIONS_MAX 32
#define PL_EMBED_HOSTS_MANY 128

struct pl_embed_options {
	double alpha; /* distance = Euclidean distance to this power: 1 to 2 in
		       * steps of 1/8 */
	bool heights; /* each host adds a height of its own, h >= 0 */
	/* 0: choose 3, or 4 for PL_EMBED_HOSTS_MANY hosts or more, where each host has more cells
	 * that determine its coordinates */
	size_t dimensions;
	/* Residuals above this many times their median count linearly, not squared; 0: all are
	 * squared, as in the thesis. */
	double bend;
	/* An additional first start only corrects the weights: they become relative to the
	 * distances of that embedding where these are greater than the measured ones. */
	bool reweigh;
	size_t starts; /* random starts; the best result is kept */
	size_t steps;  /* of each start */
	uint64_t seed;
};

/*
 * The settings that came out best over all kinds of noise in bench/embed. Few dimensions average
 * noise out best, but with 2 of them hosts sometimes block each other's way to their places. A
 * height stands for the part of a host's distances that is its own. Squared residuals alone would
 * follow a few outliers instead of the many good values.
 */
#define PL_EMBED_DEFAULTS                                                                          \
	((struct pl_embed_options){                                                                \
		.alpha = 1,                                                                        \
		.heights = true,                                                                   \
		.dimensions = 0,                                                                   \
		.bend = 3,                                                                         \
		.reweigh = true,                                                                   \
		.starts = 1,                                                                       \
		.steps = 250,                                                                      \
		.seed = 1,                                                                         \
	})

/* Start with {0}, end with fini. */
struct pl_embedding {
	size_t n, dimensions;
	double alpha;
	double *at;     /* at[host * dimensions + k] */
	double *height; /* [n]; all 0 where heights are off */
	double unit;    /* a distance of 1 in at^alpha or height is this much in
			 * the pairs' unit */
	double loss;    /* weighted mean of squared residuals, in unit^2 */
};

/*
 * Finds coordinates v and heights h of n hosts that minimise the sum over pairs of
 *	weight * (|v_a - v_b|^alpha + h_a + h_b - distance)^2
 * (thesis, equation 4.1) by Adam (Kingma and Ba, 2015) from random starts. Two
 * hosts without a measured pair do not enter the sum.
 * Time is starts * steps * dimensions * P, where P is the number of pairs. If
 * at least a quarter of all pairs are measured, P is n * n / 2, and each takes
 * a quarter of the time. Memory is 24 bytes a pair, or 4 n * n in that case.
 * The same pairs, options and seed give the same bits on every machine: no
 * library function but sqrt() is called. 0, or -1 with @err set: PL_EUSAGE for
 * an option out of range; PL_EINPUT where no chain of pairs links two hosts
 * (pl_pairs_apart); PL_ESYSTEM.
 */
int pl_embed(struct pl_embedding *e, size_t n, const struct pl_measured_pair *pair, size_t n_pairs,
	     const struct pl_embed_options *o, struct pl_err *err);
void pl_embedding_fini(struct pl_embedding *e);

/* *apart is the first host that no chain of pairs with a weight above 0 links to host 0, or n where
 * there is none. 0, or -1: no memory. */
int pl_pairs_apart(size_t n, const struct pl_measured_pair *pair, size_t n_pairs, size_t *apart);

/* Distance of two hosts in the embedding, in the unit of the pairs; 0 for a host and itself. */
double pl_embedding_distance(const struct pl_embedding *e, size_t a, size_t b);

/* How much a pair's squared residual counts. */
enum pl_pair_weight {
	PL_WEIGHT_EQUAL,   /* all alike, as in the thesis */
	PL_WEIGHT_RELATIVE /* 1 / distance^2: errors grow with the distance */
};

/*
 * The measured pairs of cell[n * n], or of @l. Each direction is a pair of its
 * own; NaN and the diagonal are left out.
 * Relative weights stop growing below a twentieth of the mean distance.
 * Returns *n_pairs pairs, to be freed by the caller; NULL: no memory.
 */
struct pl_measured_pair *pl_pairs_of(const double *cell, size_t n, enum pl_pair_weight weight,
				     size_t *n_pairs);
struct pl_measured_pair *pl_pairs_of_known(const struct pl_known *l, enum pl_pair_weight weight,
					   size_t *n_pairs);

#endif
