/* SPDX-License-Identifier: BSD-3-Clause */
/* boost.c - gradient boosted trees by XGBoost; no other file uses its
 * library */
#include "config.h"

#include "planner/srift/learned/boost.h"

#include "base/mem.h"
#include "base/text/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xgboost/c_api.h>

struct pl_boost {
	BoosterHandle booster;
	DMatrixHandle train, watched; /* NULL: not any more, none */
	size_t n_watched;
	int n_trees;
};

const char *pl_boost_version(void)
{
	static char version[32];
	int major, minor, patch;

	XGBoostVersion(&major, &minor, &patch);
	snprintf(version, sizeof(version), "%d.%d.%d", major, minor, patch);
	return version;
}

/* The first line of what XGBoost says; the rest is its stack. */
static int fault(struct pl_err *err, enum pl_code code)
{
	const char *s = XGBGetLastError();
	const char *colon = strstr(s, ": ");

	if (*s == '[' && colon)
		s = colon + 2;
	return pl_err_set(err, code, "XGBoost: %.*s",
			  (int)(strcspn(s, "\n") < 300 ? strcspn(s, "\n") : 300), s);
}

static int matrix(DMatrixHandle *m, const float *x, size_t n_rows, size_t n_columns)
{
	return XGDMatrixCreateFromMat_omp(x, n_rows, n_columns, NAN, m, 1);
}

static int set_number(BoosterHandle b, const char *name, double value)
{
	char s[PL_DOUBLE_CHARS];

	return XGBoosterSetParam(b, name, pl_double_format(s, value));
}

static int set(BoosterHandle b, const struct pl_boost_params *p)
{
	const bool huber = p->slope > 0;

	return XGBoosterSetParam(b, "verbosity", "0") || XGBoosterSetParam(b, "nthread", "1") ||
	       XGBoosterSetParam(b, "tree_method", "hist") ||
	       XGBoosterSetParam(b, "base_score", "0") ||
	       XGBoosterSetParam(b, "objective",
				 huber ? "reg:pseudohubererror" : "reg:squarederror") ||
	       (huber && set_number(b, "huber_slope", p->slope)) ||
	       set_number(b, "max_depth", (double)p->depth) || set_number(b, "eta", p->rate) ||
	       set_number(b, "min_child_weight", p->min_weight);
}

static int start(struct pl_boost *b, const struct pl_boost_data *train,
		 const struct pl_boost_data *watched, const struct pl_boost_params *params)
{
	DMatrixHandle cached[2];

	if (matrix(&b->train, train->x, train->n_rows, train->n_columns) ||
	    XGDMatrixSetFloatInfo(b->train, "label", train->label, train->n_rows))
		return -1;
	if (watched && matrix(&b->watched, watched->x, watched->n_rows, watched->n_columns))
		return -1;
	b->n_watched = watched ? watched->n_rows : 0;
	cached[0] = b->train;
	cached[1] = b->watched;
	return XGBoosterCreate(cached, watched ? 2 : 1, &b->booster) || set(b->booster, params);
}

struct pl_boost *pl_boost_create(const struct pl_boost_data *train,
				 const struct pl_boost_data *watched,
				 const struct pl_boost_params *params, struct pl_err *err)
{
	struct pl_boost *b = pl_array_create(1, sizeof(*b));

	if (!b) {
		pl_err_nomem(err);
		return NULL;
	}
	if (!start(b, train, watched, params))
		return b;
	fault(err, PL_ESYSTEM);
	pl_boost_destroy(b);
	return NULL;
}

void pl_boost_destroy(struct pl_boost *b)
{
	if (!b)
		return;
	if (b->booster)
		XGBoosterFree(b->booster);
	if (b->train)
		XGDMatrixFree(b->train);
	if (b->watched)
		XGDMatrixFree(b->watched);
	free(b);
}

int pl_boost_grow(struct pl_boost *b, size_t n_trees, struct pl_err *err)
{
	for (size_t i = 0; i < n_trees; i++)
		if (XGBoosterUpdateOneIter(b->booster, b->n_trees++, b->train))
			return fault(err, PL_ESYSTEM);
	return 0;
}

static int predict(BoosterHandle booster, DMatrixHandle m, size_t n_rows, float *out,
		   struct pl_err *err)
{
	static const char config[] = "{\"type\": 0, \"training\": false, \"iteration_begin\": 0, "
				     "\"iteration_end\": 0, \"strict_shape\": false}";
	bst_ulong const *shape;
	bst_ulong n_dims;
	float const *result;

	if (XGBoosterPredictFromDMatrix(booster, m, config, &shape, &n_dims, &result))
		return fault(err, PL_ESYSTEM);
	if (n_dims != 1 || shape[0] != n_rows)
		return pl_err_set(err, PL_EINPUT, "the trees do not give one number for each row");
	memcpy(out, result, n_rows * sizeof(*out));
	return 0;
}

int pl_boost_watch(struct pl_boost *b, float *out, struct pl_err *err)
{
	return predict(b->booster, b->watched, b->n_watched, out, err);
}

int pl_boost_predict(const struct pl_boost *b, const float *x, size_t n_rows, size_t n_columns,
		     float *out, struct pl_err *err)
{
	DMatrixHandle m;
	int rc;

	if (matrix(&m, x, n_rows, n_columns))
		return fault(err, PL_ESYSTEM);
	rc = predict(b->booster, m, n_rows, out, err);
	XGDMatrixFree(m);
	return rc;
}

char *pl_boost_save(struct pl_boost *b, struct pl_err *err)
{
	bst_ulong len;
	char const *s;
	char *copy;

	if (XGBoosterSaveModelToBuffer(b->booster, "{\"format\": \"json\"}", &len, &s)) {
		fault(err, PL_ESYSTEM);
		return NULL;
	}
	copy = pl_string_copy(s, len);
	if (!copy)
		pl_err_nomem(err);
	return copy;
}

struct pl_boost *pl_boost_load(const char *s, size_t len, size_t n_columns, struct pl_err *err)
{
	struct pl_boost *b = pl_array_create(1, sizeof(*b));
	bst_ulong n;

	if (!b) {
		pl_err_nomem(err);
		return NULL;
	}
	if (XGBoosterCreate(NULL, 0, &b->booster) ||
	    XGBoosterSetParam(b->booster, "verbosity", "0") ||
	    XGBoosterSetParam(b->booster, "nthread", "1")) {
		fault(err, PL_ESYSTEM);
		goto fail;
	}
	if (XGBoosterLoadModelFromBuffer(b->booster, s, len) ||
	    XGBoosterGetNumFeature(b->booster, &n)) {
		fault(err, PL_EINPUT);
		goto fail;
	}
	if (n == n_columns)
		return b;
	pl_err_set(err, PL_EINPUT, "trees of %llu features, not of %zu", (unsigned long long)n,
		   n_columns);
fail:
	pl_boost_destroy(b);
	return NULL;
}
