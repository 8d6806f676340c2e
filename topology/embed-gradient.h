/* SPDX-License-Identifier: BSD-3-Clause */
/* embed-gradient.h - the loss of an embedding and its gradient */
#ifndef PLINK_TOPOLOGY_EMBED_GRADIENT_H
#define PLINK_TOPOLOGY_EMBED_GRADIENT_H

#include "base/err.h"
#include "topology/embed.h"

#include <stddef.h>

/* Hosts are processed in blocks of this size, so that the compiler can vectorise the loops. */
#define PL_FIT_BLOCK 32

/*
 * The measured pairs to be fitted; start with {0}. Where many pairs were measured, they are stored
 * in rows: row a holds the hosts b < a, padded with weight 0 to whole blocks. Otherwise they are
 * stored as a list.
 */
struct pl_embed_fit {
	size_t n, room;    /* hosts; the same, rounded up to whole blocks */
	size_t dimensions; /* coordinates of a host, its height not counted */
	unsigned eighths;  /* alpha * 8 */
	double unit;       /* mean distance; the unit of all fields below */
	double weight_sum;
	double bend;                   /* a residual beyond this counts linearly */
	size_t *row;                   /* [n] where each row begins; NULL: a list */
	float *distance, *weight;      /* in rows */
	struct pl_measured_pair *pair; /* the list */
	size_t n_pairs;
	double *by_host; /* [n] * (dimensions + 1), twice: scratch */
};

/* Fills @f from the pairs, with distances scaled by their mean. The pairs must have been checked.
 * 0, or -1 with @err set: no memory. */
int pl_fit_init(struct pl_embed_fit *f, size_t n, const struct pl_measured_pair *pair,
		size_t n_pairs, struct pl_err *err);
void pl_fit_fini(struct pl_embed_fit *f);

/*
 * Coordinate k of host h is x[k * room + h], its height x[dimensions * room + h]. Writes the
 * gradient of the loss in the same shape and returns the loss: the weighted sum of squared
 * residuals, linear beyond @bend (Huber's loss).
 */
double pl_fit_gradient(const struct pl_embed_fit *f, const double *x, double *gradient);

/* Median of the absolute residuals of a sample of at most PL_FIT_SAMPLE pairs whose weight is not
 * 0; off[PL_FIT_SAMPLE] is scratch. */
#define PL_FIT_SAMPLE 4096
double pl_fit_median_off(const struct pl_embed_fit *f, const double *x, double *off);

/*
 * Weights relative to the measured distance overrate pairs whose measured distance is too small by
 * chance. This makes weights relative to the distance in the embedding at @x where that one is
 * greater, but to at most PL_FIT_UNEVEN times the measured one.
 */
#define PL_FIT_UNEVEN 1.5
void pl_fit_reweigh(struct pl_embed_fit *f, const double *x);

/* d^alpha where d^2 = s; alpha in eighths, from 8 to 16. */
double pl_fit_power(double s, unsigned eighths);

#endif
