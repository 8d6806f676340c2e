/* SPDX-License-Identifier: BSD-3-Clause */
/* values.c - maxima, longest paths and sums, kept while hops change their
 * costs */
#include "config.h"

#include "costmodels/objective/parts.h"

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* Gives a term its value and the maxima above it theirs, up to the first that
 * stays. Is the bin's maximum another one now? */
static bool put_term(struct pl_objective *o, size_t b, size_t term, double x)
{
	double *node = o->node + 2 * o->bin_start[b];
	size_t i = pl_bin_size(o, b) + term - o->bin_start[b];

	if (node[i] == x)
		return false;
	node[i] = x;
	while (i > 1) {
		i /= 2;
		x = larger(node[2 * i], node[2 * i + 1]);
		if (node[i] == x)
			return false;
		node[i] = x;
	}
	return true;
}

/* All maxima of a bin from its terms. */
static void build_bin(struct pl_objective *o, size_t b)
{
	double *node = o->node + 2 * o->bin_start[b];

	for (size_t i = pl_bin_size(o, b) - 1; i > 0; i--)
		node[i] = larger(node[2 * i], node[2 * i + 1]);
}

static double *term_of(struct pl_objective *o, size_t b, size_t term)
{
	return &o->node[o->bin_start[b] + pl_bin_size(o, b) + term];
}

static double with_below(const struct pl_objective *o, size_t hop)
{
	return o->below[hop] == PL_NO_BIN ? o->cost[hop]
					  : o->cost[hop] + pl_bin_top(o, o->below[hop]);
}

static void set_paths(struct pl_objective *o)
{
	const size_t last = o->n_bins - 1;

	for (size_t k = last; k-- > 0;) {
		const size_t b = o->downward[k];

		for (size_t h = o->bin_start[b]; h < o->bin_start[b + 1]; h++)
			*term_of(o, b, h) = with_below(o, h);
		build_bin(o, b);
	}
	for (size_t r = 0; r < o->n_roots; r++)
		*term_of(o, last, o->n_hops + r) = pl_bin_top(o, o->root[r]);
	build_bin(o, last);
}

static void set_maxima(struct pl_objective *o)
{
	for (size_t h = 0; h < o->n_hops; h++)
		*term_of(o, o->bin[h], h) = o->cost[h];
	for (size_t b = 0; b < o->n_bins; b++) {
		build_bin(o, b);
		pl_sum_add(&o->total, pl_bin_top(o, b));
	}
}

void pl_values_set(struct pl_objective *o)
{
	o->total = (struct pl_running_sum){0, 0};
	if (o->n_hops == 0)
		return;
	if (o->kind == PL_SUM)
		for (size_t h = 0; h < o->n_hops; h++)
			pl_sum_add(&o->total, o->cost[h]);
	else if (o->kind == PL_LONGEST_PATH)
		set_paths(o);
	else
		set_maxima(o);
}

/* From a hop upward, as far as longest paths change. */
static void put_path(struct pl_objective *o, uint32_t hop)
{
	size_t term = hop, b = o->bin[hop];
	double x = with_below(o, hop);

	while (put_term(o, b, term, x) && b != o->n_bins - 1) {
		x = pl_bin_top(o, b);
		term = o->above[b];
		b = o->n_bins - 1;
		if (term < o->n_hops) {
			x += o->cost[term];
			b = o->bin[term];
		}
	}
}

static void put_maximum(struct pl_objective *o, uint32_t hop, double cost)
{
	const size_t b = o->bin[hop];
	const double before = pl_bin_top(o, b);

	if (!put_term(o, b, hop, cost))
		return;
	pl_sum_replace(&o->total, before, pl_bin_top(o, b));
}

void pl_values_put(struct pl_objective *o, uint32_t hop, double cost)
{
	const double before = o->cost[hop];

	o->cost[hop] = cost;
	if (o->kind == PL_SUM) {
		pl_sum_replace(&o->total, before, cost);
	} else if (o->kind == PL_LONGEST_PATH) {
		put_path(o, hop);
	} else {
		put_maximum(o, hop, cost);
	}
}

double pl_values_cost(const struct pl_objective *o)
{
	if (o->n_hops == 0)
		return 0;
	if (o->kind == PL_LONGEST_PATH || o->kind == PL_SLOWEST)
		return pl_bin_top(o, o->n_bins - 1);
	return o->total.hi;
}
