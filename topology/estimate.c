/* SPDX-License-Identifier: BSD-3-Clause */
/* estimate.c - how far apart two hosts are that nobody measured */
#include "config.h"

#include "topology/estimate.h"

#include "src/mem.h"
#include "src/rng.h"
#include "src/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ONE_IN = 10, KEPT_LEAST = 3, SEED = 1 };

/* A copy of the cells, and what is withheld from it. */
struct trial {
	const double *cell;
	size_t n;
	double *known;   /* [n * n] */
	size_t *n_known; /* [n] pairs that a host is still in */
	size_t *held;    /* a * n + b, a > b */
	size_t n_held;
	double *off; /* [n_held] */
};

static double both_ways(const double *cell, size_t n, size_t a, size_t b)
{
	const double to = cell[a * n + b], back = cell[b * n + a];

	if (isnan(to) || isnan(back))
		return isnan(to) ? back : to;
	return (to + back) / 2;
}

static void count(struct trial *t)
{
	memset(t->n_known, 0, t->n * sizeof(*t->n_known));
	for (size_t a = 0; a < t->n; a++)
		for (size_t b = 0; b < a; b++)
			if (!isnan(both_ways(t->cell, t->n, a, b))) {
				t->n_known[a]++;
				t->n_known[b]++;
			}
}

/* Never the last few of a host. */
static void withhold(struct trial *t, size_t a, size_t b)
{
	if (t->n_known[a] <= KEPT_LEAST || t->n_known[b] <= KEPT_LEAST ||
	    !(both_ways(t->cell, t->n, a, b) > 0)) /* false for NaN */
		return;
	t->n_known[a]--;
	t->n_known[b]--;
	t->known[a * t->n + b] = t->known[b * t->n + a] = NAN;
	t->held[t->n_held++] = a * t->n + b;
}

static int trial_init(struct trial *t, const double *cell, size_t n)
{
	const size_t most = n * (n - 1) / 2 + 1;
	struct pl_rng rng;

	*t = (struct trial){.cell = cell, .n = n};
	t->known = pl_array_create(n, n * sizeof(*t->known));
	t->n_known = pl_array_create(n, sizeof(*t->n_known));
	t->held = pl_array_create(most, sizeof(*t->held));
	if (!t->known || !t->n_known || !t->held)
		return -1;
	memcpy(t->known, cell, n * n * sizeof(*cell));
	count(t);
	pl_rng_init(&rng, SEED, n);
	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < a; b++)
			if (pl_rng_below(&rng, ONE_IN) == 0)
				withhold(t, a, b);
	t->off = pl_array_create(t->n_held + 1, sizeof(*t->off));
	return t->off ? 0 : -1;
}

static void trial_fini(struct trial *t)
{
	free(t->known);
	free(t->n_known);
	free(t->held);
	free(t->off);
}

static int make(struct pl_estimate *e, enum pl_estimate_by by,
		const double *cell, size_t n, struct pl_err *err)
{
	const struct pl_embed_options options = PL_EMBED_DEFAULTS;
	struct pl_pair *pair;
	size_t n_pairs = 0;
	int rc;

	e->by = by;
	if (by == PL_BY_TREE)
		return pl_tree(&e->tree, cell, n) ? pl_err_nomem(err) : 0;
	pair = pl_pairs_of(cell, n, PL_WEIGHT_RELATIVE, &n_pairs);
	if (!pair)
		return pl_err_nomem(err);
	rc = pl_embed(&e->embedding, n, pair, n_pairs, &options, err);
	free(pair);
	return rc;
}

/* How far off what was withheld is. */
static double judge(const struct trial *t, const struct pl_estimate *e)
{
	for (size_t k = 0; k < t->n_held; k++) {
		const size_t a = t->held[k] / t->n, b = t->held[k] % t->n;

		t->off[k] = fabs(pl_estimate_distance(e, a, b) /
					 both_ways(t->cell, t->n, a, b) -
				 1);
	}
	return pl_median(t->off, t->n_held);
}

/* Tries both; an embedding that cannot be of what is left stays untried. */
static int choose(struct pl_estimate *e, const double *cell, size_t n,
		  struct pl_err *err)
{
	struct trial t;
	int rc = trial_init(&t, cell, n);

	if (rc)
		pl_err_nomem(err);
	e->n_withheld = t.n_held;
	for (int by = 0; rc == 0 && t.n_held > 0 && by < PL_ESTIMATES; by++) {
		struct pl_estimate tried = {0};
		struct pl_err why = {0};

		rc = make(&tried, (enum pl_estimate_by)by, t.known, n, &why);
		if (rc == 0)
			e->off[by] = judge(&t, &tried);
		else if (why.code == PL_EINPUT)
			rc = 0;
		else
			pl_err_nomem(err);
		pl_estimate_fini(&tried);
	}
	trial_fini(&t);
	return rc;
}

int pl_estimate(struct pl_estimate *e, const double *cell, size_t n,
		struct pl_err *err)
{
	enum pl_estimate_by by = PL_BY_EMBEDDING;
	struct pl_pair *pair;
	size_t n_pairs = 0, apart = n;
	int rc;

	*e = (struct pl_estimate){.off = {NAN, NAN}};
	pair = pl_pairs_of(cell, n, PL_WEIGHT_RELATIVE, &n_pairs);
	rc = pair ? pl_pairs_apart(n, pair, n_pairs, &apart) : -1;
	free(pair);
	if (rc)
		return pl_err_nomem(err);
	if (apart < n)
		return pl_err_set(err, PL_EINPUT,
				  "hosts 0 and %zu: no chain of pairs links "
				  "them",
				  apart);
	if (choose(e, cell, n, err))
		return -1;
	if (e->off[PL_BY_TREE] < e->off[PL_BY_EMBEDDING])
		by = PL_BY_TREE;
	return make(e, by, cell, n, err);
}

void pl_estimate_fini(struct pl_estimate *e)
{
	pl_embedding_fini(&e->embedding);
	pl_tree_fini(&e->tree);
}

double pl_estimate_distance(const struct pl_estimate *e, size_t a, size_t b)
{
	return e->by == PL_BY_TREE ? pl_tree_distance(&e->tree, a, b)
				   : pl_embedding_distance(&e->embedding, a, b);
}

const char *pl_estimate_name(const struct pl_estimate *e)
{
	return e->by == PL_BY_TREE ? "a tree of the hosts" : "an embedding";
}
