/* SPDX-License-Identifier: BSD-3-Clause */
/* svr.h - support vector regression, of libsvm */
#ifndef PLINK_PLANNER_TRANSIENT_SVR_H
#define PLINK_PLANNER_TRANSIENT_SVR_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct pl_svr;

struct pl_svr_options {
	double cost, epsilon;
	double gamma;  /* of the kernel exp(-gamma |u - v|^2) */
	bool unscaled; /* features are taken as they are (pl_regress) */
};

/* Is it built in? */
bool pl_svr_is_built_in(void);

/* Learns from x[n * n_features] and y[n], which are copied. 0, or -1 with @err
 * set: PL_EUSAGE if it is not built in, PL_ESYSTEM. Not from several threads
 * at once. */
int pl_svr_train(struct pl_svr **svr, const double *x, const double *y, size_t n, size_t n_features,
		 const struct pl_svr_options *options, struct pl_err *err);

/* The value at x[n_features]. */
double pl_svr_at(const struct pl_svr *svr, const double *x);
size_t pl_svr_vectors(const struct pl_svr *svr);
void pl_svr_destroy(struct pl_svr *svr);

#endif
