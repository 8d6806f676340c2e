/* SPDX-License-Identifier: BSD-3-Clause */
/* learned.c - bus bandwidths learned from a grid of measurements (srift 4.2) */
#include "config.h"

#include "planner/srift/learned/learned.h"

#include "base/mem.h"
#include "planner/folds.h"
#include "planner/srift/learned/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One cell of that many is withheld. */
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
	size_t *cell, *part;
	size_t n;
};

static void sample_fini(struct sample *s)
{
	free(s->x);
	free(s->label);
	free(s->cell);
	free(s->part);
	memset(s, 0, sizeof(*s));
}

static int sample_init(struct sample *s, size_t n)
{
	*s = (struct sample){.n = n};
	s->x = pl_array_create(n, PL_FEATURES * sizeof(*s->x));
	s->label = pl_array_create(n, sizeof(*s->label));
	s->cell = pl_array_create(n, sizeof(*s->cell));
	s->part = pl_array_create(n, sizeof(*s->part));
	return s->x && s->label && s->cell && s->part ? 0 : -1;
}

/* A cell is a size, a machine and a number of ranks: what is measured in it, repeated or with
 * several transfers at once, is alike. */
static int compare_cells(const struct pl_grid_row *x, const struct pl_grid_row *y)
{
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	if (x->machine != y->machine)
		return x->machine < y->machine ? -1 : 1;
	if (x->ranks != y->ranks)
		return x->ranks < y->ranks ? -1 : 1;
	return 0;
}

/* By cell, then transfers; repeats in the order of the file. */
static int compare_rows(const void *a, const void *b)
{
	const struct pl_grid_row *x = *(const struct pl_grid_row *const *)a;
	const struct pl_grid_row *y = *(const struct pl_grid_row *const *)b;
	const int cells = compare_cells(x, y);

	if (cells)
		return cells;
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

/* The rows of a half, sorted. */
struct rows {
	const struct pl_grid_row **row;
	size_t *cell; /* the number of the cell of each, from 0 on */
	size_t *part; /* 0: withheld */
	size_t n, n_cells;
};

static void rows_fini(struct rows *r)
{
	free(r->row);
	free(r->cell);
	free(r->part);
}

/* The rows that have (or have not) been withheld. */
static int take(struct sample *s, const struct pl_learned *m, double base, const struct rows *r,
		int withheld)
{
	size_t n_taken = 0;

	for (size_t i = 0; i < r->n; i++)
		n_taken += (r->part[i] == 0) == withheld;
	if (sample_init(s, n_taken))
		return -1;
	for (size_t i = 0, to = 0; i < r->n; i++) {
		const struct pl_grid_row *row = r->row[i];
		const struct pl_learned_query q = {row->machine, row->bytes, row->ranks,
						   row->async};

		if ((r->part[i] == 0) != withheld)
			continue;
		pl_features_fill(m, &q, s->x + to * PL_FEATURES);
		s->cell[to] = r->cell[i];
		s->label[to++] = (float)(log(row->bytes_per_s) - base);
	}
	return 0;
}

static struct pl_boost_data data_of(const struct sample *s)
{
	return (struct pl_boost_data){s->x, s->label, s->n, PL_FEATURES};
}

/* Learns from all of the sample with what the search has chosen. */
static int learn(struct pl_learned_half *h, const struct sample *s, struct pl_err *err)
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

static int judge(struct pl_learned_half *h, const struct sample *test, struct pl_err *err)
{
	float *told = pl_array_create(test->n, sizeof(*told));
	int rc;

	if (!told)
		return pl_err_nomem(err);
	rc = pl_boost_predict(h->boost, test->x, test->n, PL_FEATURES, told, err);
	h->n_test = test->n;
	h->mape = pl_mape(told, test->label, test->n, h->least, h->most);
	free(told);
	return rc;
}

static int check_fit(const struct pl_learned_half *h, struct pl_err *err)
{
	if (isfinite(h->fit.mape))
		return 0;
	return pl_err_set(
		err, PL_EUSAGE,
		"none of the %zu combinations tried gives a finite error: try a lower --rate",
		h->fit.n_tried);
}

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Rows of a cell follow each other. */
static size_t count_cells(const struct sample *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += i == 0 || s->cell[i] != s->cell[i - 1];
	return n;
}

static int train_split(struct pl_learned_half *h, const struct pl_learned *m, const struct rows *r,
		       const struct pl_learned_options *o, struct pl_rng *rng, struct pl_err *err)
{
	struct pl_boost_search search = o->search;
	struct sample train = {0}, test = {0};
	struct pl_boost_data data;
	int rc = -1;

	if (h == &m->half[PL_HALF_LARGE])
		search.slope.n = 0;
	if (take(&train, m, h->base, r, 0) || take(&test, m, h->base, r, 1)) {
		pl_err_nomem(err);
		goto out;
	}
	search.n_folds = h->n_folds = least_of(search.n_folds, count_cells(&train));
	if (pl_folds_deal(train.cell, train.n, search.n_folds, rng, train.part)) {
		pl_err_nomem(err);
		goto out;
	}
	data = data_of(&train);
	if (pl_search_run(&h->fit, &data, train.part, &search, o->progress, err) == 0 &&
	    check_fit(h, err) == 0 && learn(h, &train, err) == 0)
		rc = judge(h, &test, err);
out:
	sample_fini(&train);
	sample_fini(&test);
	return rc;
}

static int check_rows(enum pl_half half, const struct rows *r, const struct pl_learned_options *o,
		      struct pl_err *err)
{
	const size_t least = 2 * o->search.n_folds > PL_LEARNED_ROWS_MIN ? 2 * o->search.n_folds
									 : PL_LEARNED_ROWS_MIN;
	const char *at = half == PL_HALF_SMALL ? "most" : "least";
	const unsigned long long mtu = o->mtu_bytes;

	if (r->n == 0 || (r->n >= least && r->n_cells >= TEST_SHARE))
		return 0;
	if (r->n < least)
		return pl_err_set(err, PL_EINPUT,
				  "%zu rows of at %s %llu bytes: at least %zu are needed, or none",
				  r->n, at, mtu, least);
	return pl_err_set(err, PL_EINPUT,
			  "rows of at %s %llu bytes have %zu combinations of machine, ranks and "
			  "size: at least %d are needed",
			  at, mtu, r->n_cells, TEST_SHARE);
}

/* 0, or -1: out of memory. */
static int rows_init(struct rows *r, enum pl_half half, const struct pl_grid *g, uint64_t mtu)
{
	*r = (struct rows){0};
	r->row = pl_array_create(g->n_rows, sizeof(*r->row));
	r->cell = pl_array_create(g->n_rows, sizeof(*r->cell));
	r->part = pl_array_create(g->n_rows, sizeof(*r->part));
	if (!r->row || !r->cell || !r->part)
		return -1;
	for (size_t i = 0; i < g->n_rows; i++)
		if (half == PL_HALF_SMALL ? g->row[i].bytes <= mtu : g->row[i].bytes >= mtu)
			r->row[r->n++] = &g->row[i];
	qsort(r->row, r->n, sizeof(*r->row), compare_rows);
	for (size_t i = 0; i < r->n; i++) {
		r->n_cells += i == 0 || compare_cells(r->row[i - 1], r->row[i]);
		r->cell[i] = r->n_cells - 1;
	}
	return 0;
}

static int train_half(struct pl_learned *m, enum pl_half half, const struct pl_grid *g,
		      const struct pl_learned_options *o, struct pl_err *err)
{
	struct pl_rng rng;
	struct rows r;
	int rc = -1;

	if (rows_init(&r, half, g, o->mtu_bytes)) {
		pl_err_nomem(err);
		goto out;
	}
	m->half[half].base = base_of(r.row, r.n);
	pl_rng_init(&rng, o->seed, half);
	if (pl_folds_deal(r.cell, r.n, TEST_SHARE, &rng, r.part)) {
		pl_err_nomem(err);
		goto out;
	}
	if (check_rows(half, &r, o, err) == 0)
		rc = r.n == 0 ? 0 : train_split(&m->half[half], m, &r, o, &rng, err);
out:
	rows_fini(&r);
	return rc;
}

int pl_learned_train(struct pl_learned *m, struct pl_grid *grid, const struct pl_learned_options *o,
		     struct pl_err *err)
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
