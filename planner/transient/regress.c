/* SPDX-License-Identifier: BSD-3-Clause */
/* regress.c - a value learned from features */
#include "config.h"

#include "planner/transient/regress.h"

#include "base/mem.h"
#include "planner/fit.h"

#include <stdlib.h>
#include <string.h>

#define COMPONENTS 2 /* of PL_REGRESS_PCA */

const char *const pl_regress_kind_name[PL_REGRESS_KINDS] = {
	[PL_REGRESS_LINEAR] = "linear",
	[PL_REGRESS_PCA] = "pca",
	[PL_REGRESS_RBF] = "rbf",
};

void pl_regress_fini(struct pl_regress *fit)
{
	pl_svr_destroy(fit->svr);
	*fit = (struct pl_regress){0};
}

static void scale(const struct pl_regress *fit, const double *x, double *out)
{
	for (size_t i = 0; i < fit->n_features; i++)
		out[i] = (x[i] - fit->least[i]) / fit->span[i];
}

/* The terms of a sample: its features, or their components. */
static void to_terms(const struct pl_regress *fit, const double *x, double *term)
{
	double scaled[PL_FEATURES_MAX];

	scale(fit, x, scaled);
	if (fit->kind != PL_REGRESS_PCA) {
		memcpy(term, scaled, fit->n_features * sizeof(*term));
		return;
	}
	for (size_t k = 0; k < fit->n_terms; k++) {
		term[k] = 0;
		for (size_t i = 0; i < fit->n_features; i++)
			term[k] += fit->axis[k][i] * (scaled[i] - fit->mean[i]);
	}
}

static int find_scale(struct pl_regress *fit, const struct pl_samples *s, struct pl_err *err)
{
	const size_t f = s->n_features;

	for (size_t i = 0; i < f; i++) {
		double least = s->x[i], most = s->x[i];

		for (size_t k = 1; k < s->n; k++) {
			const double x = s->x[k * f + i];

			least = x < least ? x : least;
			most = x > most ? x : most;
		}
		if (!(most > least))
			return pl_err_set(err, PL_EINPUT,
					  "feature %zu is the same in all %zu samples", i + 1,
					  s->n);
		fit->least[i] = fit->options.unscaled ? 0 : least;
		fit->span[i] = fit->options.unscaled ? 1 : most - least;
	}
	return 0;
}

static int find_axes(struct pl_regress *fit, const struct pl_samples *s)
{
	double a[PL_FEATURES_MAX][PL_FEATURES_MAX] = {{0}};
	const size_t f = s->n_features;

	for (size_t i = 0; i < f; i++) {
		for (size_t k = 0; k < s->n; k++)
			fit->mean[i] += (s->x[k * f + i] - fit->least[i]) / fit->span[i];
		fit->mean[i] /= (double)s->n;
	}
	for (size_t k = 0; k < s->n; k++) {
		double scaled[PL_FEATURES_MAX];

		scale(fit, s->x + k * f, scaled);
		for (size_t i = 0; i < f; i++)
			for (size_t j = 0; j < f; j++)
				a[i][j] += (scaled[i] - fit->mean[i]) * (scaled[j] - fit->mean[j]);
	}
	return pl_fit_axes(a[0], fit->axis[0], f, PL_FEATURES_MAX);
}

/* Fills in a row of terms, the constant last, for each sample. */
static void to_rows(const struct pl_regress *fit, const struct pl_samples *s, double *a, double *y)
{
	const size_t n = fit->n_terms;

	for (size_t k = 0; k < s->n; k++) {
		to_terms(fit, s->x + k * s->n_features, a + k * (n + 1));
		a[k * (n + 1) + n] = 1;
		y[k] = s->y[k];
	}
}

static int find_weights(struct pl_regress *fit, const struct pl_samples *s, struct pl_err *err)
{
	const size_t n = fit->n_terms;
	double *a = pl_array_create(s->n * (n + 1), sizeof(*a));
	double *y = pl_array_create(s->n, sizeof(*y));
	double x[PL_FEATURES_MAX + 1];
	int rc;

	if (a && y) {
		to_rows(fit, s, a, y);
		rc = pl_fit(a, y, s->n, n + 1, x);
		if (rc)
			pl_err_set(err, PL_EINPUT,
				   "the features of these %zu samples depend on each other: leave "
				   "one out",
				   s->n);
	} else {
		rc = pl_err_nomem(err);
	}
	free(a);
	free(y);
	if (rc)
		return -1;
	memcpy(fit->weight, x, n * sizeof(*x));
	fit->offset = x[n];
	return 0;
}

static int find_vectors(struct pl_regress *fit, const struct pl_samples *s, struct pl_err *err)
{
	const size_t f = s->n_features;
	double *x = pl_array_create(s->n * f, sizeof(*x));
	int rc;

	if (!x)
		return pl_err_nomem(err);
	for (size_t k = 0; k < s->n; k++)
		scale(fit, s->x + k * f, x + k * f);
	rc = pl_svr_train(&fit->svr, x, s->y, s->n, f, &fit->options, err);
	free(x);
	return rc;
}

static int make(struct pl_regress *fit, const struct pl_samples *s, struct pl_err *err)
{
	if (find_scale(fit, s, err))
		return -1;
	if (fit->kind == PL_REGRESS_RBF)
		return find_vectors(fit, s, err);
	if (fit->kind == PL_REGRESS_PCA && find_axes(fit, s))
		return pl_err_nomem(err);
	return find_weights(fit, s, err);
}

int pl_regress_make(struct pl_regress *fit, enum pl_regress_kind kind, const struct pl_samples *s,
		    const struct pl_svr_options *options, struct pl_err *err)
{
	const size_t f = s->n_features;

	*fit = (struct pl_regress){
		.kind = kind,
		.n_features = f,
		.n_terms = kind == PL_REGRESS_PCA && f > COMPONENTS ? COMPONENTS : f,
		.options = *options,
	};
	if (make(fit, s, err) == 0)
		return 0;
	pl_regress_fini(fit);
	return -1;
}

double pl_regress_at(const struct pl_regress *fit, const double *x)
{
	double term[PL_FEATURES_MAX], y = fit->offset;

	to_terms(fit, x, term);
	if (fit->svr)
		return pl_svr_at(fit->svr, term);
	for (size_t i = 0; i < fit->n_terms; i++)
		y += fit->weight[i] * term[i];
	return y;
}

void pl_regress_coefficients(const struct pl_regress *fit, double coefficient[PL_FEATURES_MAX + 1])
{
	const size_t f = fit->n_features;
	double x[PL_FEATURES_MAX];

	memcpy(x, fit->least, sizeof(x));
	coefficient[f] = pl_regress_at(fit, x);
	for (size_t i = 0; i < f; i++) {
		x[i] = fit->least[i] + fit->span[i];
		coefficient[i] =
			(pl_regress_at(fit, x) - pl_regress_at(fit, fit->least)) / fit->span[i];
		x[i] = fit->least[i];
		coefficient[f] -= coefficient[i] * fit->least[i];
	}
}
