/* SPDX-License-Identifier: BSD-3-Clause */
/* learned.c - bus bandwidths learned from a grid of measurements (srift 4.2) */
#include "config.h"

#include "planner/srift/learned/learned.h"

#include "base/mem.h"
#include "planner/srift/learned/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One row of that many is withheld. */
#define TEST_SHARE 10

void pl_learned_fini(struct pl_learned *m)
{
	pl_categories_fini(m);
	for (size_t i = 0; i < m->n_machines; i++)
		pl_grid_machine_fini(&m->machine[i]);
	free(m->machine);
	for (int i = 0; i < PL_HALVES; i++)
		pl_boost_destroy(m->half[i].boost);
	memset(m, 0, sizeof(*m));
}

/* Rows of one half as the trees take them. */
struct sample {
	float *x, *label; /* label: ln of the bandwidth, less the half's base */
	size_t *part;
	size_t n;
};

static void sample_fini(struct sample *s)
{
	free(s->x);
	free(s->label);
	free(s->part);
	memset(s, 0, sizeof(*s));
}

static int sample_init(struct sample *s, size_t n)
{
	*s = (struct sample){.n = n};
	s->x = pl_array_create(n, PL_FEATURES * sizeof(*s->x));
	s->label = pl_array_create(n, sizeof(*s->label));
	s->part = pl_array_create(n, sizeof(*s->part));
	return s->x && s->label && s->part ? 0 : -1;
}

/* Strata: size, machine, ranks, transfers; repeats in the order of the file. */
static int compare_rows(const void *a, const void *b)
{
	const struct pl_grid_row *x = *(const struct pl_grid_row *const *)a;
	const struct pl_grid_row *y = *(const struct pl_grid_row *const *)b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	if (x->machine != y->machine)
		return x->machine < y->machine ? -1 : 1;
	if (x->ranks != y->ranks)
		return x->ranks < y->ranks ? -1 : 1;
	if (x->async != y->async)
		return x->async < y->async ? -1 : 1;
	return x < y ? -1 : x > y;
}

static double base_of(const struct pl_grid_row *const *row, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += log(row[i]->bytes_per_s);
	return n ? sum / (double)n : 0;
}

/* The rows that have (or, with part 0 only, have not) been withheld. */
static int take(struct sample *s, const struct pl_learned *m, double base,
		const struct pl_grid_row *const *row, const size_t *part,
		size_t n, int withheld)
{
	size_t n_taken = 0;

	for (size_t i = 0; i < n; i++)
		n_taken += (part[i] == 0) == withheld;
	if (sample_init(s, n_taken))
		return -1;
	for (size_t i = 0, to = 0; i < n; i++) {
		const struct pl_learned_query q = {row[i]->machine,
						   row[i]->bytes, row[i]->ranks,
						   row[i]->async};

		if ((part[i] == 0) != withheld)
			continue;
		pl_features_fill(m, &q, s->x + to * PL_FEATURES);
		s->label[to++] = (float)(log(row[i]->bytes_per_s) - base);
	}
	return 0;
}

static struct pl_boost_data data_of(const struct sample *s)
{
	return (struct pl_boost_data){s->x, s->label, s->n, PL_FEATURES};
}

/* Learns from all of the sample with what the search has chosen. */
static int learn(struct pl_learned_half *h, const struct sample *s,
		 struct pl_err *err)
{
	const struct pl_boost_data data = data_of(s);

	h->least = INFINITY;
	h->most = -INFINITY;
	for (size_t i = 0; i < s->n; i++) {
		h->least = fminf(h->least, s->label[i]);
		h->most = fmaxf(h->most, s->label[i]);
	}
	h->n_rows = s->n;
	h->boost = pl_boost_create(&data, NULL, &h->fit.params, err);
	return h->boost ? pl_boost_grow(h->boost, h->fit.n_trees, err) : -1;
}

static int judge(struct pl_learned_half *h, const struct sample *test,
		 struct pl_err *err)
{
	float *told = pl_array_create(test->n, sizeof(*told));
	int rc;

	if (!told)
		return pl_err_nomem(err);
	rc = pl_boost_predict(h->boost, test->x, test->n, PL_FEATURES, told,
			      err);
	h->n_test = test->n;
	h->mape = pl_mape(told, test->label, test->n, h->least, h->most);
	free(told);
	return rc;
}

static int check_fit(const struct pl_learned_half *h, struct pl_err *err)
{
	if (isfinite(h->fit.mape))
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "none of the %zu combinations tried gives a finite "
			  "error: try a lower --rate",
			  h->fit.n_tried);
}

/* @part: 0 for what is withheld. */
static int train_split(struct pl_learned_half *h, const struct pl_learned *m,
		       const struct pl_grid_row *const *row, size_t n,
		       const size_t *part, const struct pl_learned_options *o,
		       struct pl_rng *rng, struct pl_err *err)
{
	struct pl_boost_search search = o->search;
	struct sample train = {0}, test = {0};
	struct pl_boost_data data;
	int rc = -1;

	if (h == &m->half[PL_HALF_LARGE])
		search.slope.n = 0;
	if (take(&train, m, h->base, row, part, n, 0) ||
	    take(&test, m, h->base, row, part, n, 1)) {
		pl_err_nomem(err);
		goto out;
	}
	pl_strata_deal(train.n, search.n_folds, rng, train.part);
	data = data_of(&train);
	if (pl_search_run(&h->fit, &data, train.part, &search, o->progress,
			  err) == 0 &&
	    check_fit(h, err) == 0 && learn(h, &train, err) == 0)
		rc = judge(h, &test, err);
out:
	sample_fini(&train);
	sample_fini(&test);
	return rc;
}

static int check_rows(enum pl_half half, size_t n,
		      const struct pl_learned_options *o, struct pl_err *err)
{
	const size_t least = 2 * o->search.n_folds > PL_LEARNED_ROWS_MIN
				     ? 2 * o->search.n_folds
				     : PL_LEARNED_ROWS_MIN;

	if (n == 0 || n >= least)
		return 0;
	return pl_err_set(
		err, PL_EINPUT,
		"%zu rows of %s %llu bytes: at least %zu are needed, or none",
		n, half == PL_HALF_SMALL ? "at most" : "at least",
		(unsigned long long)o->mtu_bytes, least);
}

static size_t rows_of(enum pl_half half, const struct pl_grid *g, uint64_t mtu,
		      const struct pl_grid_row **row)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n_rows; i++)
		if (half == PL_HALF_SMALL ? g->row[i].bytes <= mtu
					  : g->row[i].bytes >= mtu)
			row[n++] = &g->row[i];
	qsort(row, n, sizeof(*row), compare_rows);
	return n;
}

static int train_half(struct pl_learned *m, enum pl_half half,
		      const struct pl_grid *g,
		      const struct pl_learned_options *o, struct pl_err *err)
{
	const struct pl_grid_row **row =
		pl_array_create(g->n_rows, sizeof(*row));
	size_t *part = pl_array_create(g->n_rows, sizeof(*part));
	struct pl_rng rng;
	size_t n = 0;
	int rc = -1;

	if (!row || !part) {
		pl_err_nomem(err);
		goto out;
	}
	n = rows_of(half, g, o->mtu_bytes, row);
	m->half[half].base = base_of(row, n);
	pl_rng_init(&rng, o->seed, half);
	pl_strata_deal(n, TEST_SHARE, &rng, part);
	if (check_rows(half, n, o, err) == 0)
		rc = n == 0 ? 0
			    : train_split(&m->half[half], m, row, n, part, o,
					  &rng, err);
out:
	free(row);
	free(part);
	return rc;
}

int pl_learned_train(struct pl_learned *m, struct pl_grid *grid,
		     const struct pl_learned_options *o, struct pl_err *err)
{
	m->machine = grid->machine;
	m->n_machines = grid->n_machines;
	grid->machine = NULL;
	grid->n_machines = grid->machine_room = 0;
	m->mtu_bytes = o->mtu_bytes;
	if (pl_categories_find(m)) {
		pl_err_nomem(err);
		goto fail;
	}
	for (int i = 0; i < PL_HALVES; i++)
		if (train_half(m, i, grid, o, err))
			goto fail;
	return 0;
fail:
	pl_learned_fini(m);
	return -1;
}
