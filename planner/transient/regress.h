/* SPDX-License-Identifier: BSD-3-Clause */
/* regress.h - a value learned from features: step times and checkpoint times as in sections III and
 * IV of the paper on CM-DARE */
#ifndef PLINK_PLANNER_TRANSIENT_REGRESS_H
#define PLINK_PLANNER_TRANSIENT_REGRESS_H

#include "base/err.h"
#include "planner/transient/samples.h"
#include "planner/transient/svr.h"

#include <stddef.h>
#include <stdint.h>

/* Features are scaled first so that the samples' go from 0 to 1 (min-max); those of support vectors
 * unless their options say otherwise. */
enum pl_regress_kind {
	PL_REGRESS_LINEAR, /* y = a . x + b, least squares (equation 1) */
	PL_REGRESS_PCA,    /* the same of the two principal components of x */
	/* support vectors, kernel exp(-gamma |u - v|^2) (equation 3) */
	PL_REGRESS_RBF,
};
#define PL_REGRESS_KINDS 3
extern const char *const pl_regress_kind_name[PL_REGRESS_KINDS];

/* What a fit is; start with {0}, end with fini. */
struct pl_regress {
	enum pl_regress_kind kind;
	size_t n_features, n_terms; /* terms: features, or components */
	double least[PL_FEATURES_MAX], span[PL_FEATURES_MAX];
	double mean[PL_FEATURES_MAX];                  /* of scaled features, for PCA */
	double axis[PL_FEATURES_MAX][PL_FEATURES_MAX]; /* [term][feature] */
	double weight[PL_FEATURES_MAX], offset;        /* a, b */
	struct pl_svr *svr;                            /* NULL: linear */
	struct pl_svr_options options;                 /* of svr */
};
void pl_regress_fini(struct pl_regress *fit);

/* Learns from all samples; @options counts for support vectors only. 0, or -1 with @fit empty and
 * @err set: PL_EINPUT if the samples do not tell (too few, or features that depend on each other),
 * PL_EUSAGE if this kind is not built in, PL_ESYSTEM. */
int pl_regress_make(struct pl_regress *fit, enum pl_regress_kind kind, const struct pl_samples *s,
		    const struct pl_svr_options *options, struct pl_err *err);

/* The value at features @x[n_features]. */
double pl_regress_at(const struct pl_regress *fit, const double *x);

/* A linear fit in the units of the samples: y = coefficient[0] x[0] + ... +
 * coefficient[n_features]. */
void pl_regress_coefficients(const struct pl_regress *fit, double coefficient[PL_FEATURES_MAX + 1]);

/* How well a kind of fit predicts samples that it did not see. */
struct pl_regress_error {
	double mae, spread; /* mean of the folds, and their standard deviation */
};

/* Mean absolute error over @n_folds parts of the samples, drawn at random by
 * @seed, each predicted by a fit of the others. *best gets the options of
 * support vectors with the least error: cost 10 to 100 by 10, epsilon 0.01 to
 * 0.1 by 0.01, as in section III-B, which does not say sigma: gamma 1, 4 and 16
 * over the number of features, or 1 over it if best->unscaled, which is the
 * caller's. Linear kinds have none. 0, or -1 with @err set
 * as by pl_regress_make, and if there are fewer samples than folds. */
int pl_regress_search(struct pl_svr_options *best, struct pl_regress_error *error,
		      enum pl_regress_kind kind, const struct pl_samples *s, size_t n_folds,
		      uint64_t seed, struct pl_err *err);

#endif
