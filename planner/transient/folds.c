/* SPDX-License-Identifier: BSD-3-Clause */
/* folds.c - how well fits predict samples that they did not see */
#include "config.h"

#include "planner/transient/regress.h"

#include "base/mem.h"
#include "planner/folds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRID 10  /* values of cost and of epsilon */
#define GAMMAS 3 /* values of gamma, each 4 times the one before */
#define COST_STEP 10
#define EPSILON_STEP 0.01

/* Of each sample, which part it is of. */
struct folds {
	const struct pl_samples *all;
	size_t *part; /* [all->n] */
	size_t n;
	struct pl_samples rest; /* the others of a part, when it is judged */
};

static void append(struct pl_samples *to, const struct pl_samples *from, size_t k)
{
	const size_t f = from->n_features;

	memcpy(to->x + to->n * f, from->x + k * f, f * sizeof(*to->x));
	to->y[to->n++] = from->y[k];
}

static void folds_fini(struct folds *folds)
{
	free(folds->part);
	pl_samples_fini(&folds->rest);
}

static int folds_init(struct folds *folds, const struct pl_samples *s, size_t n, uint64_t seed,
		      struct pl_err *err)
{
	struct pl_samples *rest = &folds->rest;
	struct pl_rng rng;

	*folds = (struct folds){.all = s, .n = n};
	if (s->n < n)
		return pl_err_set(err, PL_EINPUT, "%zu samples are fewer than %zu folds", s->n, n);
	folds->part = pl_array_create(s->n, sizeof(*folds->part));
	rest->n_features = s->n_features;
	rest->x = pl_array_create(s->n * s->n_features, sizeof(*rest->x));
	rest->y = pl_array_create(s->n, sizeof(*rest->y));
	pl_rng_init(&rng, seed, 0);
	if (folds->part && rest->x && rest->y &&
	    pl_folds_deal(NULL, s->n, n, &rng, folds->part) == 0)
		return 0;
	folds_fini(folds);
	return pl_err_nomem(err);
}

/* The mean absolute error of a part, by a fit of the others. */
static int judge(double *mae, struct folds *folds, size_t part, enum pl_regress_kind kind,
		 const struct pl_svr_options *options, struct pl_err *err)
{
	const struct pl_samples *all = folds->all;
	struct pl_regress fit;
	double sum = 0;

	folds->rest.n = 0;
	for (size_t k = 0; k < all->n; k++)
		if (folds->part[k] != part)
			append(&folds->rest, all, k);
	if (pl_regress_make(&fit, kind, &folds->rest, options, err))
		return -1;
	for (size_t k = 0; k < all->n; k++)
		if (folds->part[k] == part)
			sum += fabs(pl_regress_at(&fit, all->x + k * all->n_features) - all->y[k]);
	*mae = sum / (double)(all->n - folds->rest.n);
	pl_regress_fini(&fit);
	return 0;
}

static int run_folds(struct pl_regress_error *error, struct folds *folds, enum pl_regress_kind kind,
		     const struct pl_svr_options *options, struct pl_err *err)
{
	const double n = (double)folds->n;
	double sum = 0, squares = 0;

	for (size_t i = 0; i < folds->n; i++) {
		double mae;

		if (judge(&mae, folds, i, kind, options, err))
			return -1;
		sum += mae;
		squares += mae * mae;
	}
	error->mae = sum / n;
	error->spread = sqrt(fmax(squares / n - error->mae * error->mae, 0));
	return 0;
}

int pl_regress_search(struct pl_svr_options *best, struct pl_regress_error *error,
		      enum pl_regress_kind kind, const struct pl_samples *s, size_t n_folds,
		      uint64_t seed, struct pl_err *err)
{
	const bool unscaled = kind == PL_REGRESS_RBF && best->unscaled;
	const int gammas = unscaled ? 1 : GAMMAS;
	const int n = kind == PL_REGRESS_RBF ? GRID * GRID * gammas : 1;
	struct folds folds;
	int rc = 0;

	if (folds_init(&folds, s, n_folds, seed, err))
		return -1;
	error->mae = INFINITY;
	for (int i = 0; rc == 0 && i < n; i++) {
		const struct pl_svr_options options = {
			.cost = COST_STEP * (i / GRID % GRID + 1),
			.epsilon = EPSILON_STEP * (i % GRID + 1),
			.gamma = (double)(1 << 2 * (i / (GRID * GRID))) / (double)s->n_features,
			.unscaled = unscaled,
		};
		struct pl_regress_error tried;

		rc = run_folds(&tried, &folds, kind, &options, err);
		if (rc == 0 && tried.mae < error->mae) {
			*error = tried;
			*best = options;
		}
	}
	folds_fini(&folds);
	return rc;
}
