/* SPDX-License-Identifier: BSD-3-Clause */
/* svr-none.c - support vector regression, where libsvm is missing */
#include "config.h"

#include "planner/transient/svr.h"

#include <math.h>

bool pl_svr_is_built_in(void)
{
	return false;
}

int pl_svr_train(struct pl_svr **svr, const double *x, const double *y, size_t n, size_t n_features,
		 const struct pl_svr_options *options, struct pl_err *err)
{
	(void)svr, (void)x, (void)y, (void)n, (void)n_features, (void)options;
	return pl_err_set(err, PL_EUSAGE,
			  "support vector regression needs libsvm, without which plink was built");
}

double pl_svr_at(const struct pl_svr *svr, const double *x)
{
	(void)svr, (void)x;
	return NAN;
}

size_t pl_svr_vectors(const struct pl_svr *svr)
{
	(void)svr;
	return 0;
}

void pl_svr_destroy(struct pl_svr *svr)
{
	(void)svr;
}
