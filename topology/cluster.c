/* SPDX-License-Identifier: BSD-3-Clause */
/* cluster.c - a given number of groups of near hosts, of about one size */
#include "config.h"

#include "topology/cluster.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS_MAX 100

/* Sequence of random numbers that chooses among tries; the tries have those from 0 on. */
#define STREAM_CHOICE UINT64_MAX

struct trying {
	const struct pl_cluster_points *p;
	const struct pl_cluster_options *o;
	double *middle;  /* [k * dimensions] */
	double *square;  /* [n * k]: from host to middle */
	int64_t *cost;   /* [n * k]: the same in whole numbers */
	double *nearest; /* [n]: to the nearest middle so far */
	size_t *size;    /* [k] */
	size_t *group;   /* [n] */
	size_t *best;    /* [n]: of this try */
};

size_t pl_cluster_default_k(size_t n)
{
	return (size_t)(sqrt((double)n) + 0.5);
}

struct pl_assign_sizes pl_cluster_sizes(size_t n, size_t k, double elasticity)
{
	const double even = (double)n / (double)k;
	struct pl_assign_sizes sizes = {
		.least = (size_t)floor(even / elasticity),
		.most = (size_t)ceil(even * elasticity),
	};

	if (sizes.least < 1)
		sizes.least = 1;
	return sizes;
}

static double square_to(const struct trying *t, size_t i, size_t c)
{
	const size_t n_dims = t->p->dimensions;
	const double *x = t->p->at + i * n_dims, *m = t->middle + c * n_dims;
	double sum = 0;

	for (size_t d = 0; d < n_dims; d++)
		sum += (x[d] - m[d]) * (x[d] - m[d]);
	return sum;
}

static void put_middle(struct trying *t, size_t c, size_t host)
{
	const size_t n_dims = t->p->dimensions;

	memcpy(t->middle + c * n_dims, t->p->at + host * n_dims, n_dims * sizeof(*t->middle));
	for (size_t i = 0; i < t->p->n; i++)
		t->nearest[i] = fmin(t->nearest[i], square_to(t, i, c));
}

/* A host by chance, in proportion to its squared distance. */
static size_t draw(const struct trying *t, struct pl_rng *rng)
{
	double sum = 0, mark;

	for (size_t i = 0; i < t->p->n; i++)
		sum += t->nearest[i];
	mark = sum * pl_rng_double(rng);
	for (size_t i = 0; i < t->p->n; i++) {
		mark -= t->nearest[i];
		if (mark < 0)
			return i;
	}
	return pl_rng_below(rng, t->p->n); /* all hosts are in the places of
					    * middles */
}

/* k-means++ (Arthur and Vassilvitskii, 2007). */
static void start(struct trying *t, struct pl_rng *rng)
{
	for (size_t i = 0; i < t->p->n; i++)
		t->nearest[i] = INFINITY;
	put_middle(t, 0, pl_rng_below(rng, t->p->n));
	for (size_t c = 1; c < t->o->k; c++)
		put_middle(t, c, draw(t, rng));
}

/* Hosts to middles, at the least sum of squares: *sum. */
static int assign(struct trying *t, double *sum, struct pl_err *err)
{
	const size_t n = t->p->n, k = t->o->k;
	double most = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t c = 0; c < k; c++) {
			t->square[i * k + c] = square_to(t, i, c);
			most = fmax(most, t->square[i * k + c]);
		}
	for (size_t p = 0; p < n * k; p++)
		t->cost[p] =
			most > 0 ? (int64_t)(t->square[p] / most * (double)PL_ASSIGN_COST_MAX) : 0;
	if (pl_assign(t->cost, n, k, t->o->sizes, t->group, err))
		return -1;
	*sum = 0;
	for (size_t i = 0; i < n; i++)
		*sum += t->square[i * k + t->group[i]];
	return 0;
}

static void find_middles(struct trying *t)
{
	const size_t n_dims = t->p->dimensions, k = t->o->k;

	memset(t->middle, 0, k * n_dims * sizeof(*t->middle));
	memset(t->size, 0, k * sizeof(*t->size));
	for (size_t i = 0; i < t->p->n; i++) {
		t->size[t->group[i]]++;
		for (size_t d = 0; d < n_dims; d++)
			t->middle[t->group[i] * n_dims + d] += t->p->at[i * n_dims + d];
	}
	for (size_t c = 0; c < k; c++)
		for (size_t d = 0; d < n_dims; d++)
			t->middle[c * n_dims + d] /= (double)t->size[c];
}

/* Fills t->best, at *cost. */
static int try_once(struct trying *t, size_t number, double *cost, struct pl_err *err)
{
	struct pl_rng rng;

	pl_rng_init(&rng, t->o->seed, number);
	start(t, &rng);
	*cost = INFINITY;
	for (size_t round = 0; round < ROUNDS_MAX; round++) {
		double sum;

		if (assign(t, &sum, err))
			return -1;
		if (!(sum < *cost))
			break;
		*cost = sum;
		memcpy(t->best, t->group, t->p->n * sizeof(*t->best));
		find_middles(t);
	}
	return 0;
}

/* The sum of squared sizes: the less, the more even. @size [k] is scratch. */
static uint64_t diversity(const size_t *group, size_t n, size_t *size, size_t k,
			  struct pl_cluster_result *r)
{
	uint64_t sum = 0;

	memset(size, 0, k * sizeof(*size));
	for (size_t i = 0; i < n; i++)
		size[group[i]]++;
	r->smallest = n;
	r->largest = 0;
	for (size_t c = 0; c < k; c++) {
		sum += size[c] * size[c];
		r->smallest = size[c] < r->smallest ? size[c] : r->smallest;
		r->largest = size[c] > r->largest ? size[c] : r->largest;
	}
	return sum;
}

/* Which of the tries, all[try * n + host]. */
static size_t choose(struct trying *t, const size_t *all, const double *cost,
		     struct pl_cluster_result *r)
{
	uint64_t least = UINT64_MAX, n_equal = 0;
	double cheapest = INFINITY;
	struct pl_rng rng;
	size_t chosen = 0;

	pl_rng_init(&rng, t->o->seed, STREAM_CHOICE);
	for (size_t a = 0; a < t->o->tries; a++)
		cheapest = fmin(cheapest, cost[a]);
	for (size_t a = 0; a < t->o->tries; a++) {
		struct pl_cluster_result it = {.cost = cost[a]};
		uint64_t uneven;

		if (cost[a] > (1 + t->o->slack) * cheapest)
			continue;
		uneven = diversity(all + a * t->p->n, t->p->n, t->size, t->o->k, &it);
		if (uneven > least)
			continue;
		n_equal = uneven < least ? 1 : n_equal + 1;
		least = uneven;
		if (pl_rng_below(&rng, n_equal) == 0) {
			chosen = a;
			*r = it;
		}
	}
	return chosen;
}

size_t pl_group_renumber(size_t *group, size_t n, size_t *map)
{
	size_t n_groups = 0;

	for (size_t i = 0; i < n; i++)
		map[i] = n;
	for (size_t i = 0; i < n; i++) {
		if (map[group[i]] == n)
			map[group[i]] = n_groups++;
		group[i] = map[group[i]];
	}
	return n_groups;
}

static int make_room(struct trying *t)
{
	const size_t n = t->p->n, k = t->o->k;

	t->middle = pl_array_create(k, t->p->dimensions * sizeof(*t->middle));
	t->square = pl_array_create(n, k * sizeof(*t->square));
	t->cost = pl_array_create(n, k * sizeof(*t->cost));
	t->nearest = pl_array_create(n, sizeof(*t->nearest));
	t->size = pl_array_create(k, sizeof(*t->size));
	t->group = pl_array_create(n, sizeof(*t->group));
	return t->middle && t->square && t->cost && t->nearest && t->size && t->group ? 0 : -1;
}

static void free_room(struct trying *t)
{
	free(t->middle);
	free(t->square);
	free(t->cost);
	free(t->nearest);
	free(t->size);
	free(t->group);
}

int pl_cluster(const struct pl_cluster_points *p, const struct pl_cluster_options *o, size_t *group,
	       struct pl_cluster_result *r, struct pl_err *err)
{
	struct trying t = {.p = p, .o = o};
	size_t *all = pl_array_create(o->tries, p->n * sizeof(*all));
	double *cost = pl_array_create(o->tries, sizeof(*cost));
	int rc = -1;

	if (o->k < 1 || o->sizes.least < 1 || o->tries < 1) {
		pl_err_set(err, PL_EUSAGE,
			   "a clustering needs at least one group, one host per group and one try");
		goto out;
	}
	if (!all || !cost || make_room(&t)) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t a = 0; a < o->tries; a++) {
		t.best = all + a * p->n;
		if (try_once(&t, a, &cost[a], err))
			goto out;
	}
	memcpy(group, all + choose(&t, all, cost, r) * p->n, p->n * sizeof(*group));
	pl_group_renumber(group, p->n, t.group);
	rc = 0;
out:
	free_room(&t);
	free(all);
	free(cost);
	return rc;
}
