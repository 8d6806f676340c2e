/* SPDX-License-Identifier: BSD-3-Clause */
/* embed-gradient.h - how far an embedding is off, and which way is better */
#ifndef PLINK_TOPOLOGY_EMBED_GRADIENT_H
#define PLINK_TOPOLOGY_EMBED_GRADIENT_H

#include "base/err.h"
#include "topology/embed.h"

#include <stddef.h>

/* Hosts are dealt with in blocks of so many, for the compiler to vectorise. */
#define PL_FIT_BLOCK 32

/*
 * What is to be fitted; start with {0}. Where many pairs are there they lie in
 * rows: row a holds hosts b < a, filled up with weight 0 to whole blocks.
 */
struct pl_embed_fit {
	size_t n, room;    /* hosts; and that rounded up to whole blocks */
	size_t dimensions; /* and a last one for heights */
	unsigned eighths;  /* alpha * 8 */
	double unit;       /* mean distance; all below is in it */
	double weight_sum;
	double bend;              /* what is amiss by more counts linearly */
	size_t *row;              /* [n] where each begins; NULL: a list */
	float *distance, *weight; /* rows */
	struct pl_measured_pair *pair; /* the list */
	size_t n_pairs;
	double *by_host; /* [n] * (dimensions + 1), twice: scratch */
};

/* Weighs and scales. The pairs have been checked. 0, or -1: no memory. */
int pl_fit_init(struct pl_embed_fit *f, size_t n,
		const struct pl_measured_pair *pair, size_t n_pairs,
		struct pl_err *err);
void pl_fit_fini(struct pl_embed_fit *f);

/*
 * Coordinate k of host h is x[k * room + h], its height x[dimensions * room +
 * h]. Writes the gradient of the loss in the same shape; gives the loss: the
 * weighted sum of squares, linear from @bend on (Huber's).
 */
double pl_fit_gradient(const struct pl_embed_fit *f, const double *x,
		       double *gradient);

/* Median of what is amiss, of a sample of at most PL_FIT_SAMPLE pairs of
 * weight; off[PL_FIT_SAMPLE] is scratch. */
#define PL_FIT_SAMPLE 4096
double pl_fit_median_off(const struct pl_embed_fit *f, const double *x,
			 double *off);

/*
 * Weights that are relative to what was measured count what chance made small
 * for too much: they become relative to what the embedding at @x has, where
 * that is more, up to PL_FIT_UNEVEN times as much.
 */
#define PL_FIT_UNEVEN 1.5
void pl_fit_reweigh(struct pl_embed_fit *f, const double *x);

/* d^alpha of d^2 = s, alpha in eighths from 8 to 16. */
double pl_fit_power(double s, unsigned eighths);

#endif
