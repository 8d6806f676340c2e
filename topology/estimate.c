/* SPDX-License-Identifier: BSD-3-Clause */
/* estimate.c - estimates distances of hosts that were not measured */
#include "config.h"

#include "topology/estimate.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { ONE_IN = 10, KEPT_LEAST = 3, SEED = 1 };

/* A measured pair that is withheld, a > b. */
struct held {
	size_t a, b;
	double there, back;
};

/* The pairs that are withheld from the links, until they are restored. */
struct trial {
	struct pl_known *l;
	size_t *n_known; /* [n] pairs that a host is still in */
	struct held *held;
	size_t n_held;
	double *off; /* [n_held] */
};

static double both_ways(double to, double back)
{
	if (isnan(to) || isnan(back))
		return isnan(to) ? back : to;
	return (to + back) / 2;
}

static void set(const struct pl_known *l, const struct held *h, double there, double back)
{
	struct pl_known_pair *forth = pl_known_find(l, h->a, h->b);
	struct pl_known_pair *other = pl_known_find(l, h->b, h->a);

	forth->there = other->back = there;
	forth->back = other->there = back;
}

/* The last few pairs of a host are never withheld. */
static void withhold(struct trial *t, size_t a, const struct pl_known_pair *link)
{
	const struct held held = {a, link->to, link->there, link->back};

	if (t->n_known[a] <= KEPT_LEAST || t->n_known[held.b] <= KEPT_LEAST ||
	    !(both_ways(held.there, held.back) > 0)) /* false for NaN */
		return;
	t->n_known[a]--;
	t->n_known[held.b]--;
	set(t->l, &held, NAN, NAN);
	t->held[t->n_held++] = held;
}

/* A tenth of all pairs, whether or not they are there. */
static void withhold_some(struct trial *t)
{
	const struct pl_known *l = t->l;
	struct pl_rng rng;

	pl_rng_init(&rng, SEED, l->n);
	for (size_t a = 0; a < l->n; a++) {
		size_t k = l->begin[a];

		for (size_t b = 0; b < a; b++) {
			const bool taken = pl_rng_below(&rng, ONE_IN) == 0;

			if (k == l->begin[a + 1] || l->pair[k].to != b)
				continue;
			if (taken)
				withhold(t, a, &l->pair[k]);
			k++;
		}
	}
}

static int trial_init(struct trial *t, struct pl_known *l)
{
	const size_t n = l->n;

	*t = (struct trial){.l = l};
	t->n_known = pl_array_create(n, sizeof(*t->n_known));
	t->held = pl_array_create(l->begin[n] / 2 + 1, sizeof(*t->held));
	if (!t->n_known || !t->held)
		return -1;
	for (size_t a = 0; a < n; a++)
		t->n_known[a] = l->begin[a + 1] - l->begin[a];
	withhold_some(t);
	t->off = pl_array_create(t->n_held + 1, sizeof(*t->off));
	return t->off ? 0 : -1;
}

static void trial_fini(struct trial *t)
{
	for (size_t k = 0; k < t->n_held; k++)
		set(t->l, &t->held[k], t->held[k].there, t->held[k].back);
	free(t->n_known);
	free(t->held);
	free(t->off);
}

static int make(struct pl_estimate *e, enum pl_estimate_by by, const struct pl_known *l,
		struct pl_err *err)
{
	const struct pl_embed_options options = PL_EMBED_DEFAULTS;
	struct pl_measured_pair *pair;
	size_t n_pairs = 0;
	int rc;

	e->by = by;
	if (by == PL_BY_TREE)
		return pl_tree(&e->tree, l) ? pl_err_nomem(err) : 0;
	pair = pl_pairs_of_known(l, PL_WEIGHT_RELATIVE, &n_pairs);
	if (!pair)
		return pl_err_nomem(err);
	rc = pl_embed(&e->embedding, l->n, pair, n_pairs, &options, err);
	free(pair);
	return rc;
}

/* The error of the estimates for the pairs withheld. */
static double judge(const struct trial *t, const struct pl_estimate *e)
{
	for (size_t k = 0; k < t->n_held; k++) {
		const struct held *h = &t->held[k];

		t->off[k] = fabs(
			pl_estimate_distance(e, h->a, h->b) / both_ways(h->there, h->back) - 1);
	}
	return pl_median(t->off, t->n_held);
}

/* Tries both; an embedding that cannot be of what is left stays untried: of hosts that nothing
 * links, make() refuses one in the end. */
static int choose(struct pl_estimate *e, struct pl_known *l, struct pl_err *err)
{
	struct trial t;
	int rc = trial_init(&t, l);

	if (rc)
		pl_err_nomem(err);
	e->n_withheld = t.n_held;
	for (int by = 0; rc == 0 && t.n_held > 0 && by < PL_ESTIMATES; by++) {
		struct pl_estimate tried = {0};
		struct pl_err why = {0};

		rc = make(&tried, (enum pl_estimate_by)by, l, &why);
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

int pl_estimate_known(struct pl_estimate *e, struct pl_known *l, struct pl_err *err)
{
	enum pl_estimate_by by = PL_BY_EMBEDDING;

	*e = (struct pl_estimate){.off = {NAN, NAN}};
	if (choose(e, l, err))
		return -1;
	if (e->off[PL_BY_TREE] < e->off[PL_BY_EMBEDDING])
		by = PL_BY_TREE;
	return make(e, by, l, err);
}

int pl_estimate(struct pl_estimate *e, const double *cell, size_t n, struct pl_err *err)
{
	struct pl_known l;
	int rc;

	*e = (struct pl_estimate){.off = {NAN, NAN}};
	rc = pl_known_of(&l, cell, n) ? pl_err_nomem(err) : pl_estimate_known(e, &l, err);
	pl_known_fini(&l);
	return rc;
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
