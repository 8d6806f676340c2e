/* SPDX-License-Identifier: BSD-3-Clause */
/* bisect.c - a graph in two parts of given sizes, with little between them */
#include "config.h"

#include "solver/assign/bisect.h"

#include "base/mem.h"
#include "solver/assign/refine.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* So few vertices are not contracted, and are divided so often. */
#define VERTICES_MIN 60
#define TRIES 8

/* The largest vertex made of others: this part of all. */
#define LARGEST 30

static uint32_t size_of(const struct pl_bisect_graph *g, size_t v)
{
	return g->size ? g->size[v] : 1;
}

/* Each vertex and its heaviest neighbour that has none become one, in random order: coarse[n].
 * Returns how many. */
static uint32_t contract(const struct pl_bisect_graph *g, size_t *order, struct pl_rng *rng,
			 uint32_t *coarse)
{
	uint64_t sum = 0;
	uint32_t n = 0;

	for (size_t v = 0; v < g->n; v++) {
		order[v] = v;
		coarse[v] = NONE;
		sum += size_of(g, v);
	}
	pl_rng_shuffle(rng, order, g->n);
	for (size_t k = 0; k < g->n; k++) {
		const size_t v = order[k];
		uint32_t best = NONE;
		double most = 0;

		if (coarse[v] != NONE)
			continue;
		for (size_t i = g->first[v]; i < g->first[v + 1]; i++) {
			const uint32_t u = g->edge[i].to;
			const double x = g->edge[i].weight / size_of(g, u);

			if (coarse[u] == NONE && u != v && x > most &&
			    (uint64_t)(size_of(g, u) + size_of(g, v)) * LARGEST <= sum) {
				most = x;
				best = u;
			}
		}
		coarse[v] = n;
		if (best != NONE)
			coarse[best] = n;
		n++;
	}
	return n;
}

static void graph_fini(struct pl_bisect_graph *g)
{
	free(g->first);
	free(g->size);
	free(g->edge);
}

/* The vertices of each coarse one follow each other in order[]: both [n]. */
static void sort_by_coarse(const uint32_t *coarse, size_t n, size_t n_coarse, size_t *first,
			   size_t *order)
{
	for (size_t v = 0; v < n; v++)
		first[coarse[v] + 1]++;
	for (size_t c = 0; c < n_coarse; c++)
		first[c + 1] += first[c];
	for (size_t v = 0; v < n; v++)
		order[first[coarse[v]]++] = v;
	for (size_t c = n_coarse; c > 0; c--)
		first[c] = first[c - 1];
	first[0] = 0;
}

/* Makes the graph of @n coarse vertices; order[g->n] and at[n] are scratch. */
static int make_coarse(const struct pl_bisect_graph *g, const uint32_t *coarse, size_t n,
		       size_t *order, struct pl_bisect_graph *to)
{
	size_t *begin = pl_array_create(n + 1, sizeof(*begin));
	size_t *at = pl_array_create(n, sizeof(*at));
	size_t used = 0;
	int rc = -1;

	to->n = n;
	to->first = pl_array_create(n + 1, sizeof(*to->first));
	to->size = pl_array_create(n, sizeof(*to->size));
	to->edge = pl_array_create(g->first[g->n], sizeof(*to->edge));
	if (!begin || !at || !to->first || !to->size || !to->edge)
		goto out;
	sort_by_coarse(coarse, g->n, n, begin, order);
	for (size_t c = 0; c < n; c++) {
		to->first[c] = used;
		for (size_t k = begin[c]; k < begin[c + 1]; k++) {
			const size_t v = order[k];

			to->size[c] += size_of(g, v);
			for (size_t i = g->first[v]; i < g->first[v + 1]; i++) {
				const uint32_t d = coarse[g->edge[i].to];

				if (d == c)
					continue;
				/* at[d] - 1 is its edge, if it has one here */
				if (at[d] <= to->first[c]) {
					to->edge[used++].to = d;
					at[d] = used;
				}
				to->edge[at[d] - 1].weight += g->edge[i].weight;
			}
		}
	}
	to->first[n] = used;
	rc = 0;
out:
	free(begin);
	free(at);
	if (rc)
		graph_fini(to);
	return rc;
}

/* Grows the first part from a vertex, always by the vertex that is joined most to it; @gain: [n]
 * scratch. */
static void grow(const struct pl_bisect_graph *g, uint64_t want, size_t start, bool *second,
		 double *gain)
{
	uint64_t have = 0;
	size_t v = start;

	for (size_t u = 0; u < g->n; u++) {
		second[u] = true;
		gain[u] = 0;
		for (size_t i = g->first[u]; i < g->first[u + 1]; i++)
			gain[u] -= g->edge[i].weight;
	}
	while (have < want) {
		size_t best = g->n;

		second[v] = false;
		have += size_of(g, v);
		for (size_t i = g->first[v]; i < g->first[v + 1]; i++)
			gain[g->edge[i].to] += 2 * g->edge[i].weight;
		for (size_t u = 0; u < g->n; u++)
			if (second[u] && (best == g->n || gain[u] > gain[best]))
				best = u;
		if (best == g->n)
			break;
		v = best;
	}
}

/* The best of several parts grown from random vertices. */
static int divide(const struct pl_bisect_graph *g, uint64_t want, struct pl_rng *rng, bool *second)
{
	bool *try = pl_array_create(g->n, sizeof(*try));
	double *gain = pl_array_create(g->n, sizeof(*gain));
	double least = 0;
	int rc = try && gain ? 0 : -1;

	for (int k = 0; rc == 0 && k < TRIES; k++) {
		double cut;

		grow(g, want, pl_rng_below(rng, g->n), try, gain);
		rc = pl_bisect_refine(g, want, try, &cut);
		if (rc == 0 && (k == 0 || cut < least)) {
			least = cut;
			memcpy(second, try, g->n * sizeof(*second));
		}
	}
	free(try);
	free(gain);
	return rc;
}

static int bisect(const struct pl_bisect_graph *g, uint64_t want, struct pl_rng *rng, bool *second)
{
	uint32_t *coarse = pl_array_create(g->n, sizeof(*coarse));
	size_t *order = pl_array_create(g->n, sizeof(*order));
	struct pl_bisect_graph c = {.n = 0};
	bool *part = NULL;
	size_t n = g->n;
	double cut;
	int rc = -1;

	if (!coarse || !order)
		goto out;
	if (g->n > VERTICES_MIN)
		n = contract(g, order, rng, coarse);
	if (n + n / 20 >= g->n) {
		rc = divide(g, want, rng, second);
		goto out;
	}
	part = pl_array_create(n, sizeof(*part));
	if (!part || make_coarse(g, coarse, n, order, &c))
		goto out;
	rc = bisect(&c, want, rng, part);
	for (size_t v = 0; rc == 0 && v < g->n; v++)
		second[v] = part[coarse[v]];
	if (rc == 0)
		rc = pl_bisect_refine(g, want, second, &cut);
	graph_fini(&c);
out:
	free(coarse);
	free(order);
	free(part);
	return rc;
}

int pl_bisect(const struct pl_bisect_graph *g, uint64_t want, struct pl_rng *rng, bool *second,
	      struct pl_err *err)
{
	if (g->n == 0)
		return 0;
	return bisect(g, want, rng, second) ? pl_err_nomem(err) : 0;
}
