/* SPDX-License-Identifier: BSD-3-Clause */
/* boost-none.c - in place of boost.c where XGBoost is not built in */
#include "config.h"

#include "planner/srift/learned/boost.h"

static int fault(struct pl_err *err)
{
	return pl_err_set(
		err, PL_EUSAGE,
		"learned bandwidths are not built in: plink was configured without XGBoost");
}

const char *pl_boost_version(void)
{
	return NULL;
}

struct pl_boost *pl_boost_create(const struct pl_boost_data *train,
				 const struct pl_boost_data *watched,
				 const struct pl_boost_params *params, struct pl_err *err)
{
	(void)train;
	(void)watched;
	(void)params;
	fault(err);
	return NULL;
}

void pl_boost_destroy(struct pl_boost *b)
{
	(void)b;
}

int pl_boost_grow(struct pl_boost *b, size_t n_trees, struct pl_err *err)
{
	(void)b;
	(void)n_trees;
	return fault(err);
}

int pl_boost_watch(struct pl_boost *b, float *out, struct pl_err *err)
{
	(void)b;
	(void)out;
	return fault(err);
}

int pl_boost_predict(const struct pl_boost *b, const float *x, size_t n_rows, size_t n_columns,
		     float *out, struct pl_err *err)
{
	(void)b;
	(void)x;
	(void)n_rows;
	(void)n_columns;
	(void)out;
	return fault(err);
}

char *pl_boost_save(struct pl_boost *b, struct pl_err *err)
{
	(void)b;
	fault(err);
	return NULL;
}

struct pl_boost *pl_boost_load(const char *s, size_t len, size_t n_columns, struct pl_err *err)
{
	(void)s;
	(void)len;
	(void)n_columns;
	fault(err);
	return NULL;
}
