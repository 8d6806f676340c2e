/* SPDX-License-Identifier: BSD-3-Clause */
/* order-edges.c - which seats a shape joins, and what such joins need */
#include "config.h"

#include "solver/bound/order-edges.h"

#include "base/gcd.h"
#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ALL_GROUPS UINT32_MAX

/* A hop between seats. */
struct seat_hop {
	uint32_t group, a, b;
	double times, bytes;
};

static int compare(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int by_group(const void *a, const void *b)
{
	const struct seat_hop *x = a, *y = b;
	int order = compare(x->group, y->group);

	if (order == 0)
		order = compare(x->a, y->a);
	return order ? order : compare(x->b, y->b);
}

static int by_pair(const void *a, const void *b)
{
	const struct pl_edge *x = a, *y = b;
	const int order = compare(x->a, y->a);

	return order ? order : compare(x->b, y->b);
}

static size_t list_hops(const struct pl_shape *shape, size_t alike, struct seat_hop *out)
{
	size_t n = 0;

	for (size_t h = 0; h < shape->n_hops; h++) {
		const struct pl_hop *hop = &shape->hop[h];
		const uint32_t a = (uint32_t)(hop->src / alike);
		const uint32_t b = (uint32_t)(hop->dst / alike);

		if (a != b)
			out[n++] = (struct seat_hop){hop->group, a < b ? a : b, a < b ? b : a,
						     hop->times, hop->bytes};
	}
	qsort(out, n, sizeof(*out), by_group);
	return n;
}

/* Sorted hops to edges, each pair of seats once in each group. */
static void add_hops(struct pl_edges *e, const struct seat_hop *hop, size_t n)
{
	for (size_t h = 0; h < n; h++) {
		const bool new_group = h == 0 || hop[h].group != hop[h - 1].group;
		struct pl_edge_group *g;

		if (new_group)
			e->group[e->n_groups++] = (struct pl_edge_group){e->n_by_group, 0, INFINITY,
									 INFINITY, hop[h].group};
		g = &e->group[e->n_groups - 1];
		g->times = fmin(g->times, hop[h].times);
		g->bytes = fmin(g->bytes, hop[h].bytes);
		if (new_group || hop[h].a != hop[h - 1].a || hop[h].b != hop[h - 1].b)
			e->by_group[e->n_by_group++] =
				(struct pl_edge){.a = hop[h].a,
						 .b = hop[h].b,
						 .groups = e->n_groups <= PL_EDGES_GROUPS_MAX
								   ? 1U << (e->n_groups - 1)
								   : 0};
		e->by_group[e->n_by_group - 1].times += hop[h].times;
		g->end = e->n_by_group;
	}
}

static void merge_groups(struct pl_edges *e)
{
	if (e->n_by_group > 0)
		memcpy(e->by_pair, e->by_group, e->n_by_group * sizeof(*e->by_pair));
	qsort(e->by_pair, e->n_by_group, sizeof(*e->by_pair), by_pair);
	for (size_t i = 0; i < e->n_by_group; i++) {
		struct pl_edge *last = &e->by_pair[e->n_by_pair];

		if (i == 0 || by_pair(last - 1, &e->by_pair[i])) {
			*last = e->by_pair[i];
			e->n_by_pair++;
		} else {
			last[-1].groups |= e->by_pair[i].groups;
			last[-1].times += e->by_pair[i].times;
		}
	}
}

int pl_edges_init(struct pl_edges *e, const struct pl_shape *shape, size_t alike,
		  struct pl_err *err)
{
	struct seat_hop *hop = pl_array_create(shape->n_hops, sizeof(*hop));
	const size_t n = shape->n_hops;

	*e = (struct pl_edges){.n = shape->n_pos / alike};
	e->by_group = pl_array_create(n, sizeof(*e->by_group));
	e->by_pair = pl_array_create(n + 1, sizeof(*e->by_pair));
	e->group = pl_array_create(n, sizeof(*e->group));
	e->degree = pl_array_create(e->n, sizeof(*e->degree));
	e->top = pl_array_create(e->n, sizeof(*e->top));
	e->size = pl_array_create(e->n, sizeof(*e->size));
	if (!hop || !e->by_group || !e->by_pair || !e->group || !e->degree || !e->top || !e->size) {
		free(hop);
		pl_edges_fini(e);
		return pl_err_nomem(err);
	}
	add_hops(e, hop, list_hops(shape, alike, hop));
	merge_groups(e);
	free(hop);
	return 0;
}

void pl_edges_fini(struct pl_edges *e)
{
	free(e->by_group);
	free(e->by_pair);
	free(e->group);
	free(e->degree);
	free(e->top);
	free(e->size);
	memset(e, 0, sizeof(*e));
}

/* Degrees and components of those of the edges that are in the groups. */
static void survey(struct pl_edges *e, const struct pl_edge *edge, size_t n_edges, uint32_t groups)
{
	for (size_t p = 0; p < e->n; p++) {
		e->degree[p] = 0;
		e->top[p] = p;
		e->size[p] = 1;
	}
	for (size_t i = 0; i < n_edges; i++) {
		size_t a, b;

		if (groups != ALL_GROUPS && !(edge[i].groups & groups))
			continue;
		e->degree[edge[i].a]++;
		e->degree[edge[i].b]++;
		a = pl_group_top(e->top, edge[i].a);
		b = pl_group_top(e->top, edge[i].b);
		if (a == b)
			continue;
		e->top[a] = b;
		e->size[b] += e->size[a];
	}
}

/* What the surveyed degrees ask for. */
static double degree_floor(const struct pl_edges *e, const struct pl_floor *f)
{
	size_t at_least[PL_FLOOR_DEGREE_MAX + 2] = {0};
	double least = 0;

	for (size_t p = 0; p < e->n; p++)
		at_least[e->degree[p] < PL_FLOOR_DEGREE_MAX ? e->degree[p] : PL_FLOOR_DEGREE_MAX]++;
	for (size_t k = PL_FLOOR_DEGREE_MAX; k > 0; k--) {
		at_least[k] += at_least[k + 1];
		least = fmax(least, pl_floor_degree(f, k, at_least[k]));
	}
	return least;
}

static int surveyed_floor(struct pl_edges *e, const struct pl_floor *f, double *least,
			  struct pl_err *err)
{
	size_t divisor = 0, largest = 1;
	double linked;

	for (size_t p = 0; p < e->n; p++) {
		if (e->top[p] != p)
			continue;
		divisor = pl_gcd(divisor, e->size[p]);
		largest = e->size[p] > largest ? e->size[p] : largest;
	}
	if (pl_floor_components(f, divisor, largest, &linked, err))
		return -1;
	*least = fmax(linked, degree_floor(e, f));
	return 0;
}

size_t pl_edges_degree_max(struct pl_edges *e)
{
	size_t largest = 0;

	survey(e, e->by_pair, e->n_by_pair, ALL_GROUPS);
	for (size_t p = 0; p < e->n; p++)
		largest = e->degree[p] > largest ? e->degree[p] : largest;
	return largest;
}

int pl_edges_floor(struct pl_edges *e, const struct pl_floor *f, size_t group, double *least,
		   struct pl_err *err)
{
	const struct pl_edge_group *g = &e->group[group];

	survey(e, e->by_group + g->first, g->end - g->first, ALL_GROUPS);
	return surveyed_floor(e, f, least, err);
}

int pl_edges_floor_of_set(struct pl_edges *e, const struct pl_floor *f, uint32_t groups,
			  double *least, struct pl_err *err)
{
	survey(e, e->by_pair, e->n_by_pair, groups);
	return surveyed_floor(e, f, least, err);
}

int pl_edges_masks(struct pl_edges *e, uint32_t *masks, struct pl_err *err)
{
	size_t *count = pl_array_create(e->n, sizeof(*count));

	if (!count)
		return pl_err_nomem(err);
	for (size_t g = 0; g < e->n_groups && g < PL_EDGES_GROUPS_MAX; g++) {
		const struct pl_edge_group *group = &e->group[g];
		uint32_t *out = masks + g * PL_EDGES_MASKS;
		size_t n_masks = 0;

		memset(count, 0, e->n * sizeof(*count));
		memset(out, 0, PL_EDGES_MASKS * sizeof(*out));
		for (size_t i = group->first; i < group->end; i++) {
			const uint32_t x = e->by_group[i].a ^ e->by_group[i].b;

			if (x < e->n && ++count[x] == e->n / 2 && n_masks < PL_EDGES_MASKS)
				out[n_masks++] = x;
		}
	}
	free(count);
	return 0;
}

size_t pl_edges_cube(const struct pl_edges *e, uint32_t groups, const uint32_t *masks)
{
	uint32_t basis[32] = {0}; /* by highest bit */
	size_t rank = 0;

	if (e->n & (e->n - 1))
		return 0;
	for (size_t i = 0; i < PL_EDGES_GROUPS_MAX * PL_EDGES_MASKS; i++) {
		uint32_t x = groups >> i / PL_EDGES_MASKS & 1 ? masks[i] : 0;

		for (int bit = 31; bit >= 0 && x; bit--) {
			if (!(x >> bit & 1))
				continue;
			if (!basis[bit]) {
				basis[bit] = x;
				rank++;
				break;
			}
			x ^= basis[bit];
		}
	}
	return rank;
}

int pl_edges_are_cube(struct pl_edges *e, bool *yes, struct pl_err *err)
{
	uint32_t masks[PL_EDGES_GROUPS_MAX * PL_EDGES_MASKS] = {0};
	const size_t n = e->n_groups;

	*yes = false;
	if (n > PL_EDGES_GROUPS_MAX)
		return 0;
	if (pl_edges_masks(e, masks, err))
		return -1;
	*yes = pl_edges_cube(e, (uint32_t)((1ULL << n) - 1), masks) == n;
	for (size_t g = 0; g < n; g++)
		*yes = *yes && masks[g * PL_EDGES_MASKS] && !masks[g * PL_EDGES_MASKS + 1];
	return 0;
}
