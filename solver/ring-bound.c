/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-bound.c - what no ring over these costs can undercut */
#include "config.h"

#include "solver/ring-bound.h"

#include "solver/neighbours.h"
#include "src/mem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the ascent: the fast bound visits some 5e8 cells, the full one ends
 * when the step length has shrunk to nothing. */
#define FAST_CELLS 5e8
#define FAST_STEPS_MIN 30
#define FAST_STEPS_MAX 1250
#define FULL_STEPS_MAX 5000

/* Length of the first step of each pass: where racks are told apart by a few
 * costs small steps are soon there, clustered clouds need large ones. */
#define FIRST_PASS 0.03
#define SECOND_PASS 1.0

/* The least spanning tree over w(i, j) = c[i][j] + pi[i] + pi[j], and what is
 * kept of the best multipliers. By host. */
struct ascent {
	const double *c; /* symmetric */
	double *own;     /* c, where it had to be made so */
	size_t n;
	double *pi, *best_pi;
	double *key; /* w to the parent */
	size_t *parent, *degree, *left;
	int *step;   /* degree - 2 of the last 1-tree, for momentum */
	double size; /* sum of |terms| of the last value: scales rounding */
};

static double link_cost(const struct ascent *a, size_t i, size_t j)
{
	return a->c[i * a->n + j] + a->pi[i] + a->pi[j];
}

/* Prim, dense. Fills key, parent (host 0: none), degree. */
static void span(struct ascent *a)
{
	size_t n_left = a->n - 1, last = 0;

	for (size_t h = 0; h < a->n; h++) {
		a->key[h] = INFINITY;
		a->degree[h] = 0;
		if (h > 0)
			a->left[h - 1] = h;
	}
	while (n_left > 0) {
		size_t pick = 0;

		for (size_t i = 0; i < n_left; i++) {
			const size_t h = a->left[i];
			const double w = link_cost(a, last, h);

			if (w < a->key[h]) {
				a->key[h] = w;
				a->parent[h] = last;
			}
			if (a->key[h] < a->key[a->left[pick]])
				pick = i;
		}
		last = a->left[pick];
		a->left[pick] = a->left[--n_left];
		a->degree[last]++;
		a->degree[a->parent[last]]++;
	}
}

/* The cheapest link of a leaf that the tree does not have. */
static double second_link(const struct ascent *a, size_t leaf, size_t *to)
{
	double least = INFINITY;

	for (size_t h = 0; h < a->n; h++) {
		const bool in_tree = (leaf > 0 && a->parent[leaf] == h) ||
				     (h > 0 && a->parent[h] == leaf);
		double w;

		if (h == leaf || in_tree)
			continue;
		w = link_cost(a, leaf, h);
		if (w < least) {
			least = w;
			*to = h;
		}
	}
	return least;
}

/*
 * The value of the multipliers: the larger of the 1-tree bound (any leaf with
 * its second link makes one; the dearest is best) and the cut bound. Leaves in
 * degree[] those of the 1-tree.
 */
static double value(struct ascent *a, double *one_tree)
{
	double tree = 0, potential = 0, dearest = -INFINITY, extra = -INFINITY;
	size_t leaf = 0, to = 0;

	span(a);
	a->size = 0;
	for (size_t h = 0; h < a->n; h++) {
		potential += a->pi[h];
		a->size += 4 * fabs(a->pi[h]);
		if (h > 0) {
			tree += a->key[h];
			a->size += fabs(a->key[h]);
			dearest = fmax(dearest, a->key[h]);
		}
		if (a->degree[h] == 1) {
			size_t dst = 0;
			const double w = second_link(a, h, &dst);

			if (w > extra) {
				extra = w;
				leaf = h;
				to = dst;
			}
		}
	}
	a->degree[leaf]++;
	a->degree[to]++;
	a->size += fabs(extra) + fabs(dearest);
	*one_tree = tree + extra - 2 * potential;
	return tree + fmax(extra, dearest) - 2 * potential;
}

static size_t steps_for(size_t n, enum pl_bound_effort effort)
{
	const double steps = FAST_CELLS / ((double)n * (double)n);

	if (effort == PL_BOUND_FULL)
		return FULL_STEPS_MAX;
	if (steps > FAST_STEPS_MAX)
		return FAST_STEPS_MAX;
	return steps < FAST_STEPS_MIN ? FAST_STEPS_MIN : (size_t)steps;
}

/* Moves the multipliers; returns how far the 1-tree is from a ring. */
static size_t climb(struct ascent *a, double length)
{
	size_t off = 0;

	for (size_t h = 0; h < a->n; h++) {
		const int d = (int)a->degree[h] - 2;

		off += (size_t)(d < 0 ? -d : d);
		a->pi[h] += length * (0.7 * d + 0.3 * a->step[h]);
		a->step[h] = d;
	}
	return off;
}

/* A bound that rounding has been taken off from: n sums of terms as large as
 * size err by less than this. */
static double lowered(const struct ascent *a, double bound)
{
	return bound - a->size * (double)(a->n + 8) * DBL_EPSILON;
}

/* What an ascent has come to. */
struct height {
	double best;     /* bound, lowered */
	double one_tree; /* best 1-tree, the measure of step lengths */
};

static void look(struct ascent *a, struct height *at)
{
	double one_tree;
	const double v = lowered(a, value(a, &one_tree));

	at->one_tree = fmax(at->one_tree, one_tree);
	if (v <= at->best)
		return;
	at->best = v;
	memcpy(a->best_pi, a->pi, a->n * sizeof(*a->pi));
}

enum pass_end { PASS_MORE, PASS_LAST };

/*
 * Step lengths as Volgenant and Jonker, EJOR 9 (1982): from 1/2n of the best
 * value, or the share of it that is @from, down to nothing, quadratically.
 */
static enum pass_end pass(struct ascent *a, size_t n_steps, double from,
			  const struct pl_stop *stop, struct height *at)
{
	for (size_t i = 0; i < n_steps; i++) {
		const double left = 1 - (double)i / (double)n_steps;
		const double length = from * at->one_tree / (2 * (double)a->n);

		if (climb(a, length * left * left) == 0 || pl_stop_now(stop))
			return PASS_LAST;
		look(a, at);
	}
	return PASS_MORE;
}

/* A short pass first: stopped early, it leaves a bound that is worth having. */
static double ascend(struct ascent *a, size_t n_steps,
		     const struct pl_stop *stop)
{
	const size_t first = n_steps / 8;
	struct height at = {-INFINITY, 0};

	look(a, &at);
	for (size_t h = 0; h < a->n; h++)
		a->step[h] = (int)a->degree[h] - 2;
	if (pass(a, first, FIRST_PASS, stop, &at) == PASS_MORE) {
		memcpy(a->pi, a->best_pi, a->n * sizeof(*a->pi));
		look(a, &at);
		pass(a, n_steps - first, SECOND_PASS, stop, &at);
	}
	return at.best;
}

/*
 * Every host is left once and entered once: whatever the ring, it pays out[i] for
 * leaving i and in[j] for entering j, the least that is possible, and for a hop
 * the rest c[i][j] - out[i] - in[j] >= 0. Returns the sum of both.
 */
static double reduce(const double *c, size_t n, double *out, double *in)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		out[i] = INFINITY;
		in[i] = INFINITY;
		for (size_t j = 0; j < n; j++)
			if (j != i)
				out[i] = fmin(out[i], c[i * n + j]);
		sum += out[i];
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (j != i)
				in[j] = fmin(in[j], c[i * n + j] - out[i]);
	for (size_t j = 0; j < n; j++)
		sum += in[j];
	return sum;
}

/* What is left to be paid either way between two hosts. */
static void take_rest(double *own, const double *c, size_t n, const double *out,
		      const double *in)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			own[i * n + j] = fmin(c[i * n + j] - out[i] - in[j],
					      c[j * n + i] - out[j] - in[i]);
}

/*
 * The sum of the cheapest hops out and in, and a 1-tree bound on the rest. The
 * rests are rounded by as much as the cells they come from.
 */
static double ascend_rest(struct ascent *a, const double *c, size_t n_steps,
			  const struct pl_stop *stop)
{
	const size_t n = a->n;
	double *out = a->key, *in = a->best_pi; /* not in use before ascend */
	double largest = 0, sum;

	for (size_t i = 0; i < n * n; i++)
		largest = fmax(largest, c[i]);
	sum = reduce(c, n, out, in);
	take_rest(a->own, c, n, out, in);
	for (size_t h = 0; h < n; h++)
		a->pi[h] = 0;
	return sum + fmax(0, ascend(a, n_steps, stop)) -
	       largest * (double)(8 * n) * DBL_EPSILON;
}

/* Sums of whole numbers are whole. */
static double rounded_up(const double *c, size_t n, double bound)
{
	for (size_t i = 0; i < n * n; i++)
		if (c[i] != floor(c[i]) || c[i] > 1e12)
			return bound;
	return ceil(bound);
}

/* Two hosts, one ring; what follows needs three. */
static double trivial(const double *c, size_t n)
{
	return n == 2 ? c[1] + c[2] : 0;
}

/* min(c[i][j], c[j][i]): a ring over c costs no less than over this. */
static double *cheaper_way(const double *c, size_t n)
{
	double *own = pl_array_create(n * n, sizeof(*own));

	for (size_t i = 0; own && i < n; i++)
		for (size_t j = 0; j < n; j++)
			own[i * n + j] = fmin(c[i * n + j], c[j * n + i]);
	return own;
}

static int ascent_init(struct ascent *a, const double *c, size_t n)
{
	memset(a, 0, sizeof(*a));
	a->own = pl_costs_symmetric(c, n) ? NULL : cheaper_way(c, n);
	a->c = a->own ? a->own : c;
	a->n = n;
	if (!a->own && !pl_costs_symmetric(c, n))
		return -1;
	a->pi = pl_array_create(n, sizeof(*a->pi));
	a->best_pi = pl_array_create(n, sizeof(*a->best_pi));
	a->key = pl_array_create(n, sizeof(*a->key));
	a->parent = pl_array_create(n, sizeof(*a->parent));
	a->degree = pl_array_create(n, sizeof(*a->degree));
	a->left = pl_array_create(n, sizeof(*a->left));
	a->step = pl_array_create(n, sizeof(*a->step));
	return a->pi && a->best_pi && a->key && a->parent && a->degree &&
			       a->left && a->step
		       ? 0
		       : -1;
}

static void ascent_fini(struct ascent *a)
{
	free(a->own);
	free(a->pi);
	free(a->best_pi);
	free(a->key);
	free(a->parent);
	free(a->degree);
	free(a->left);
	free(a->step);
}

int pl_ring_bound(const double *c, size_t n, enum pl_bound_effort effort,
		  const struct pl_stop *stop, double *bound, double *weight,
		  struct pl_err *err)
{
	struct ascent a;
	double best = 0;

	for (size_t h = 0; h < n; h++)
		weight[h] = 0;
	*bound = n < 3 ? trivial(c, n) : 0;
	if (n < 3 || effort == PL_BOUND_NONE)
		return 0;
	if (ascent_init(&a, c, n)) {
		ascent_fini(&a);
		return pl_err_nomem(err);
	}
	best = ascend(&a, steps_for(n, effort), stop);
	memcpy(weight, a.best_pi, n * sizeof(*weight));
	if (a.own)
		best = fmax(best,
			    ascend_rest(&a, c, steps_for(n, effort), stop));
	if (best > 0)
		*bound = rounded_up(c, n, best);
	ascent_fini(&a);
	return 0;
}
