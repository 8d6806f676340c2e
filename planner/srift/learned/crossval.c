/* SPDX-License-Identifier: BSD-3-Clause */
/* crossval.c - which trees predict data best that they have not seen */
#include "config.h"

#include "planner/srift/learned/crossval.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double pl_mape(const float *told, const float *label, size_t n, float least, float most)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		const double in = fmin(fmax(told[i], least), most);

		if (!isfinite(told[i]))
			return INFINITY;
		sum += fabs(expm1(in - label[i]));
	}
	return sum / (double)n;
}

/* The rows of one fold apart from the others. */
struct fold {
	float *x, *label; /* storage of both */
	struct pl_boost_data train, withheld;
	float least, most; /* of the labels to learn from */
	float *told;       /* [withheld.n_rows] */
};

static void fold_fini(struct fold *f)
{
	free(f->x);
	free(f->label);
	free(f->told);
	memset(f, 0, sizeof(*f));
}

/* The withheld rows come last. */
static int fold_init(struct fold *f, const struct pl_boost_data *d, const size_t *part,
		     size_t number)
{
	const size_t width = d->n_columns;
	size_t first = 0, last = d->n_rows;

	*f = (struct fold){.least = INFINITY, .most = -INFINITY};
	f->x = pl_array_create(d->n_rows, width * sizeof(*f->x));
	f->label = pl_array_create(d->n_rows, sizeof(*f->label));
	f->told = pl_array_create(d->n_rows, sizeof(*f->told));
	if (!f->x || !f->label || !f->told)
		return -1;
	for (size_t i = 0; i < d->n_rows; i++) {
		const size_t to = part[i] == number ? --last : first++;

		memcpy(f->x + to * width, d->x + i * width, width * sizeof(*f->x));
		f->label[to] = d->label[i];
		if (part[i] == number)
			continue;
		f->least = fminf(f->least, d->label[i]);
		f->most = fmaxf(f->most, d->label[i]);
	}
	f->train = (struct pl_boost_data){f->x, f->label, first, width};
	f->withheld = (struct pl_boost_data){f->x + first * width, f->label + first,
					     d->n_rows - first, width};
	return 0;
}

/* Errors of one combination in one fold by number of trees. */
static int try_fold(struct fold *f, const struct pl_boost_params *params,
		    const struct pl_boost_search *s, double *mape, struct pl_err *err)
{
	struct pl_boost *b = pl_boost_create(&f->train, &f->withheld, params, err);
	int rc = b ? 0 : -1;

	for (size_t n = s->every; rc == 0 && n <= s->n_trees; n += s->every) {
		rc = pl_boost_grow(b, s->every, err) || pl_boost_watch(b, f->told, err) ? -1 : 0;
		if (rc == 0)
			*mape++ = pl_mape(f->told, f->withheld.label, f->withheld.n_rows, f->least,
					  f->most);
	}
	pl_boost_destroy(b);
	return rc;
}

static size_t n_slopes(const struct pl_boost_search *s)
{
	return s->slope.n ? s->slope.n : 1;
}

static size_t n_combinations(const struct pl_boost_search *s)
{
	return s->depth.n * s->rate.n * s->min_weight.n * n_slopes(s);
}

static struct pl_boost_params combination(const struct pl_boost_search *s, size_t i)
{
	struct pl_boost_params p;

	p.slope = s->slope.n ? s->slope.v[i % n_slopes(s)] : 0;
	i /= n_slopes(s);
	p.min_weight = s->min_weight.v[i % s->min_weight.n];
	i /= s->min_weight.n;
	p.rate = s->rate.v[i % s->rate.n];
	i /= s->rate.n;
	p.depth = (size_t)s->depth.v[i];
	return p;
}

/* @mape is [combination][number of trees][fold], a fold's of all of them at first. */
static void choose(struct pl_boost_fit *fit, const struct pl_boost_search *s, const double *mape)
{
	const size_t n_counts = s->n_trees / s->every;

	fit->n_tried = n_combinations(s) * n_counts;
	fit->mape = INFINITY;
	for (size_t i = 0; i < fit->n_tried; i++) {
		double sum = 0, least = INFINITY, most = 0;

		for (size_t k = 0; k < s->n_folds; k++) {
			const double x = mape[k * fit->n_tried + i];

			sum += x;
			least = fmin(least, x);
			most = fmax(most, x);
		}
		if (i > 0 && !(sum / (double)s->n_folds < fit->mape))
			continue;
		fit->params = combination(s, i / n_counts);
		fit->n_trees = (i % n_counts + 1) * s->every;
		fit->mape = sum / (double)s->n_folds;
		fit->mape_least = least;
		fit->mape_most = most;
	}
}

static int try_all(double *mape, const struct pl_boost_data *data, const size_t *part,
		   const struct pl_boost_search *s, const struct pl_boost_progress *progress,
		   struct pl_err *err)
{
	const size_t n_counts = s->n_trees / s->every;
	const size_t n = n_combinations(s);
	struct fold fold;
	int rc = 0;

	for (size_t k = 0; rc == 0 && k < s->n_folds; k++) {
		if (fold_init(&fold, data, part, k))
			rc = pl_err_nomem(err);
		for (size_t i = 0; rc == 0 && i < n; i++) {
			const struct pl_boost_params p = combination(s, i);

			rc = try_fold(&fold, &p, s, mape + (k * n + i) * n_counts, err);
			if (progress)
				progress->tell(progress->arg,
					       (double)(k * n + i + 1) / (double)(n * s->n_folds));
		}
		fold_fini(&fold);
	}
	return rc;
}

int pl_search_run(struct pl_boost_fit *fit, const struct pl_boost_data *data, const size_t *part,
		  const struct pl_boost_search *search, const struct pl_boost_progress *progress,
		  struct pl_err *err)
{
	const size_t n_cells =
		search->n_folds * n_combinations(search) * (search->n_trees / search->every);
	double *mape = pl_array_create(n_cells, sizeof(*mape));
	int rc;

	if (!mape)
		return pl_err_nomem(err);
	rc = try_all(mape, data, part, search, progress, err);
	if (rc == 0)
		choose(fit, search, mape);
	free(mape);
	return rc;
}
