/* SPDX-License-Identifier: BSD-3-Clause */
/* ascent.c - bounds of rings: 1-trees under prices that rise */
#include "config.h"

#include "solver/ring/ascent.h"

#include "base/mem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_symmetric(const struct pl_ascent *a)
{
	return a->enter == a->leave;
}

/* The cheaper way between two hosts; whether that is from @i to @j. */
static double link_cost(const struct pl_ascent *a, size_t i, size_t j, bool *forward)
{
	const double to = a->c[i * a->n + j] + a->leave[i] + a->enter[j];
	const double from = a->back[i * a->n + j] + a->leave[j] + a->enter[i];

	*forward = to <= from;
	return *forward ? to : from;
}

/* Counts a hop between those hosts. */
static void use(struct pl_ascent *a, size_t src, size_t dst)
{
	a->used[src]++;
	a->used[a->n_prices - a->n + dst]++;
}

/* Links @last to all that are left, where that is cheaper. Gives the cheapest that is left to be
 * linked, by its place in left[]. */
static size_t relax(struct pl_ascent *a, size_t last, size_t n_left)
{
	const double *to = a->c + last * a->n, *from = a->back + last * a->n;
	const double leave = a->leave[last], enter = a->enter[last];
	const bool symmetric = is_symmetric(a);
	double least = INFINITY;
	size_t pick = 0;

	for (size_t i = 0; i < n_left; i++) {
		const size_t h = a->left[i];
		const double out = to[h] + leave + a->enter[h];
		const double in = symmetric ? out : from[h] + a->leave[h] + enter;
		const double w = out <= in ? out : in;

		if (w < a->key[h]) {
			a->key[h] = w;
			a->parent[h] = last;
			a->entered[h] = out <= in;
		}
		if (a->key[h] < least) {
			least = a->key[h];
			pick = i;
		}
	}
	return pick;
}

/* Prim, dense. Fills key, parent (host 0: none), entered, used. */
static void span(struct pl_ascent *a)
{
	size_t n_left = a->n - 1, last = 0;

	for (size_t h = 0; h < a->n; h++)
		a->key[h] = INFINITY;
	for (size_t h = 1; h < a->n; h++)
		a->left[h - 1] = h;
	while (n_left > 0) {
		const size_t pick = relax(a, last, n_left);

		last = a->left[pick];
		a->left[pick] = a->left[--n_left];
		if (a->entered[last])
			use(a, a->parent[last], last);
		else
			use(a, last, a->parent[last]);
	}
}

/* An additional hop of a tree. */
struct extra {
	double cost;
	size_t src, dst;
};

/* The cheapest link of a leaf that the tree does not have. */
static struct extra second_link(const struct pl_ascent *a, size_t leaf)
{
	struct extra e = {.cost = INFINITY};

	for (size_t h = 0; h < a->n; h++) {
		const bool in_tree =
			(leaf > 0 && a->parent[leaf] == h) || (h > 0 && a->parent[h] == leaf);
		bool forward;
		double w;

		if (h == leaf || in_tree)
			continue;
		w = link_cost(a, leaf, h, &forward);
		if (w < e.cost)
			e = (struct extra){w, forward ? leaf : h, forward ? h : leaf};
	}
	return e;
}

static bool is_leaf(const struct pl_ascent *a, size_t h)
{
	return a->used[h] + (is_symmetric(a) ? 0 : a->used[a->n + h]) == 1;
}

/* Any leaf with its second link makes a 1-tree; the dearest is best. */
static struct extra dearest_link(const struct pl_ascent *a)
{
	struct extra best = {.cost = -INFINITY};

	for (size_t h = 0; h < a->n; h++) {
		struct extra e;

		if (!is_leaf(a, h))
			continue;
		e = second_link(a, h);
		if (e.cost > best.cost)
			best = e;
	}
	return best;
}

/* What rounding may have added: n sums of terms as large as size err by less than this. */
static double allowance(const struct pl_ascent *a)
{
	return a->size * (double)(a->n + 8) * DBL_EPSILON;
}

/* What the prices there are make of a tree; leaves in used[] the 1-tree. */
static struct pl_height value(struct pl_ascent *a)
{
	double tree = 0, paid = 0, dearest = -INFINITY;
	struct extra extra;

	memset(a->used, 0, a->n_prices * sizeof(*a->used));
	span(a);
	a->size = 0;
	for (size_t k = 0; k < a->n_prices; k++) {
		paid += a->price[k];
		a->size += 4 * fabs(a->price[k]);
	}
	for (size_t h = 1; h < a->n; h++) {
		tree += a->key[h];
		a->size += fabs(a->key[h]);
		dearest = fmax(dearest, a->key[h]);
	}
	a->size += fabs(dearest);
	tree -= (is_symmetric(a) ? 2 : 1) * paid;
	extra = dearest_link(a);
	use(a, extra.src, extra.dst);
	a->size += fabs(extra.cost);
	tree -= allowance(a);
	return (struct pl_height){tree + extra.cost, tree + dearest};
}

/* By how many hops too many? Every host is left once and entered once. */
static int excess(const struct pl_ascent *a, size_t k)
{
	return a->used[k] - (is_symmetric(a) ? 2 : 1);
}

/* Moves the prices; returns how far the 1-tree is from a ring. */
static size_t climb(struct pl_ascent *a, double length)
{
	size_t off = 0;

	for (size_t k = 0; k < a->n_prices; k++) {
		const int d = excess(a, k);

		off += (size_t)(d < 0 ? -d : d);
		a->price[k] += length * (0.7 * d + 0.3 * a->step[k]);
		a->step[k] = d;
	}
	return off;
}

static void look(struct pl_ascent *a, struct pl_height *at)
{
	const struct pl_height v = value(a);
	const double before = fmax(at->one_tree, at->cuts);

	at->one_tree = fmax(at->one_tree, v.one_tree);
	at->cuts = fmax(at->cuts, v.cuts);
	if (fmax(at->one_tree, at->cuts) > before)
		memcpy(a->best, a->price, a->n_prices * sizeof(*a->best));
}

enum pass_end { PASS_MORE, PASS_LAST };

/*
 * Step lengths as Volgenant and Jonker, EJOR 9 (1982): from 1/2n of the best value, or the share of
 * it that is @from, down to nothing, quadratically.
 */
static enum pass_end pass(struct pl_ascent *a, size_t n_steps, double from,
			  const struct pl_stop *stop, struct pl_height *at)
{
	for (size_t i = 0; i < n_steps; i++) {
		const double left = 1 - (double)i / (double)n_steps;
		const double length = from * fmax(at->one_tree, 0) / (2 * (double)a->n);

		if (climb(a, length * left * left) == 0 || pl_stop_now(stop))
			return PASS_LAST;
		look(a, at);
	}
	return PASS_MORE;
}

void pl_ascend(struct pl_ascent *a, size_t n_steps, const struct pl_ascent_pass *passes,
	       size_t n_passes, const struct pl_stop *stop, struct pl_height *at)
{
	look(a, at);
	for (size_t k = 0; k < a->n_prices; k++)
		a->step[k] = excess(a, k);
	for (size_t i = 0; i < n_passes; i++) {
		const double n = passes[i].share * (double)n_steps;

		if (i > 0) {
			memcpy(a->price, a->best, a->n_prices * sizeof(*a->price));
			look(a, at);
		}
		if (pass(a, (size_t)n, passes[i].length, stop, at) == PASS_LAST)
			return;
	}
}

int pl_ascent_init(struct pl_ascent *a, const double *c, const double *back, size_t n,
		   struct pl_err *err)
{
	*a = (struct pl_ascent){
		.c = c, .back = back ? back : c, .n = n, .n_prices = back ? 2 * n : n};
	a->price = pl_array_create(a->n_prices, sizeof(*a->price));
	a->best = pl_array_create(a->n_prices, sizeof(*a->best));
	a->key = pl_array_create(n, sizeof(*a->key));
	a->parent = pl_array_create(n, sizeof(*a->parent));
	a->left = pl_array_create(n, sizeof(*a->left));
	a->entered = pl_array_create(n, sizeof(*a->entered));
	a->used = pl_array_create(a->n_prices, sizeof(*a->used));
	a->step = pl_array_create(a->n_prices, sizeof(*a->step));
	if (!a->price || !a->best || !a->key || !a->parent || !a->left || !a->entered || !a->used ||
	    !a->step) {
		pl_ascent_fini(a);
		return pl_err_nomem(err);
	}
	a->leave = a->price;
	a->enter = a->price + a->n_prices - n;
	return 0;
}

void pl_ascent_fini(struct pl_ascent *a)
{
	free(a->price);
	free(a->best);
	free(a->key);
	free(a->parent);
	free(a->left);
	free(a->entered);
	free(a->used);
	free(a->step);
	memset(a, 0, sizeof(*a));
}
