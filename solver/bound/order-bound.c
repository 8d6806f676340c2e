/* SPDX-License-Identifier: BSD-3-Clause */
/* order-bound.c - a lower bound on the cost of orders, for any shape */
#include "config.h"

#include "solver/bound/order-bound.h"

#include "base/mem.h"
#include "base/stats.h"
#include "solver/bound/cube-bound.h"
#include "solver/bound/forest.h"
#include "solver/bound/order-edges.h"
#include "solver/bound/order-floor.h"
#include "solver/bound/bottleneck.h"
#include "solver/bound/order-tree.h"
#include "solver/order/seating.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Edges looked at, at most, for all sets of groups together. */
#define SETS_WORK 2e8

/* Groups up to which each gets cells for its own bytes. */
#define OWN_BYTES_MAX 32

struct bounding {
	const struct pl_shape *shape;
	const struct pl_costs *costs;
	const struct pl_stop *stop;
	struct pl_edges edges;
	struct pl_floor floor; /* for the least bytes that any hop carries */
};

static double least_bytes(const struct pl_edges *e)
{
	double least = INFINITY;

	for (size_t g = 0; g < e->n_groups; g++)
		least = fmin(least, e->group[g].bytes);
	return least;
}

static double least_times(const struct pl_edges *e)
{
	double least = INFINITY;

	for (size_t g = 0; g < e->n_groups; g++)
		least = fmin(least, e->group[g].times);
	return least;
}

/* The largest times of each seat's edges, descending: row[seat * k_max ...]. */
static void fill_rows(const struct pl_edges *e, size_t k_max, double *row)
{
	for (size_t i = 0; i < 2 * e->n_by_pair; i++) {
		const struct pl_edge *edge = &e->by_pair[i / 2];
		double *at = row + k_max * (i % 2 ? edge->a : edge->b);
		double x = edge->times;

		for (size_t k = 0; k < k_max; k++)
			if (at[k] < x) {
				const double t = at[k];

				at[k] = x;
				x = t;
			}
	}
}

/*
 * The edges of a seat are taken t1 >= t2 >= ... times. Any host on this seat
 * pays at least t1 / 2 times its cheapest cell, t2 / 2 times its second
 * cheapest, and so on (half, because both ends of an edge count it). For each
 * k the sum over the seats is least if the largest t_k meet the hosts with the
 * cheapest k-th cells.
 */
static int bound_sum(struct bounding *b, double *bound, struct pl_err *err)
{
	const size_t n = b->edges.n, k_max = b->floor.degree_max;
	double *row = pl_array_create(n * k_max, sizeof(*row));
	double *column = pl_array_create(n, sizeof(*column));

	*bound = 0;
	if (!row || !column) {
		free(row);
		free(column);
		return pl_err_nomem(err);
	}
	fill_rows(&b->edges, k_max, row);
	for (size_t k = 0; k < k_max; k++) {
		for (size_t p = 0; p < n; p++)
			column[p] = row[p * k_max + k];
		pl_sort_doubles(column, n);
		for (size_t p = 0; p < n; p++)
			*bound += column[n - 1 - p] * b->floor.nearest[k * n + p] / 2;
	}
	free(row);
	free(column);
	return 0;
}

/* Each group by itself, and with the bytes it carries itself. */
static int bound_groups(struct bounding *b, double *bound, struct pl_err *err)
{
	const struct pl_edges *e = &b->edges;
	bool own_bytes = b->costs->per_byte && e->n_groups <= OWN_BYTES_MAX;
	double sum = 0;

	for (size_t g = 0; g < e->n_groups; g++) {
		struct pl_floor own;
		double least;
		int rc;

		own_bytes = own_bytes && !pl_stop_now(b->stop);
		if (own_bytes &&
		    pl_floor_init(&own, b->costs, e->group[g].bytes, b->floor.degree_max, err))
			return -1;
		rc = pl_edges_floor(&b->edges, own_bytes ? &own : &b->floor, g, &least, err);
		if (own_bytes)
			pl_floor_fini(&own);
		if (rc)
			return -1;
		sum += e->group[g].times * least;
	}
	*bound = fmax(*bound, sum);
	return 0;
}

/* What sets of groups that make cubes ask for, by the cubes' dimensions. */
struct cubes {
	uint32_t masks[PL_EDGES_GROUPS_MAX * PL_EDGES_MASKS];
	double least[33];
};

static int fill_cubes(struct bounding *b, struct cubes *cubes, struct pl_err *err)
{
	const size_t n = b->edges.n;
	const uint32_t all = (uint32_t)((1ULL << b->edges.n_groups) - 1);
	size_t *need, n_dims;
	int rc = 0;

	memset(cubes, 0, sizeof(*cubes));
	if (pl_edges_masks(&b->edges, cubes->masks, err))
		return -1;
	n_dims = pl_edges_cube(&b->edges, all, cubes->masks);
	need = pl_array_create(n_dims * (n + 1), sizeof(*need));
	if (!need)
		return pl_err_nomem(err);
	for (size_t i = 0; rc == 0 && i < n_dims; i++)
		rc = pl_cube_neighbours(n, i + 1, need + i * (n + 1), err);
	if (rc == 0 && n_dims > 0)
		rc = pl_floor_growth(&b->floor, need, n_dims, b->stop, cubes->least + 1, err);
	free(need);
	return rc;
}

/*
 * Any k groups are a graph by themselves. Sets level[k - 1] to the least, over
 * all sets of k groups, of what the dearest group of the set costs at least:
 * so much costs the k-th cheapest group of every order.
 */
static int fill_levels(struct bounding *b, double *level, struct pl_err *err)
{
	const size_t n = b->edges.n_groups;
	struct cubes cubes;

	if (fill_cubes(b, &cubes, err))
		return -1;
	for (size_t k = 0; k < n; k++)
		level[k] = INFINITY;
	for (uint32_t set = 1; set >> n == 0 && !pl_stop_now(b->stop); set++) {
		const int k = __builtin_popcount(set);
		double least;

		if (pl_edges_floor_of_set(&b->edges, &b->floor, set, &least, err))
			return -1;
		least = fmax(least, cubes.least[pl_edges_cube(&b->edges, set, cubes.masks)]);
		level[k - 1] = fmin(level[k - 1], least);
	}
	return 0;
}

static int bound_sets(struct bounding *b, double *bound, struct pl_err *err)
{
	const size_t n = b->edges.n_groups;
	double level[PL_EDGES_GROUPS_MAX], times[PL_EDGES_GROUPS_MAX];
	double sum = 0;

	if (n > PL_EDGES_GROUPS_MAX ||
	    (double)((size_t)1 << n) * (double)b->edges.n_by_pair > SETS_WORK)
		return 0;
	if (fill_levels(b, level, err))
		return -1;
	if (pl_stop_now(b->stop)) /* if sets are missing, nothing is known */
		return 0;
	for (size_t g = 0; g < n; g++)
		times[g] = b->edges.group[g].times;
	pl_sort_doubles(times, n);
	for (size_t k = 0; k < n; k++)
		sum += times[n - 1 - k] * level[k];
	*bound = fmax(*bound, sum);
	return 0;
}

static int bound_cube(struct bounding *b, double *bound, struct pl_err *err)
{
	const size_t n = b->edges.n_groups;
	double ascending[PL_EDGES_GROUPS_MAX], times[PL_EDGES_GROUPS_MAX];
	double together;

	for (size_t g = 0; g < n; g++)
		ascending[g] = b->edges.group[g].times;
	pl_sort_doubles(ascending, n);
	for (size_t g = 0; g < n; g++)
		times[g] = ascending[n - 1 - g];
	if (pl_cube_bound(&b->floor, times, n, b->stop, &together, err))
		return -1;
	*bound = fmax(*bound, together);
	return 0;
}

static int bound_maxima(struct bounding *b, double *bound, struct pl_err *err)
{
	bool cube;

	if (bound_groups(b, bound, err) || pl_edges_are_cube(&b->edges, &cube, err))
		return -1;
	return cube ? bound_cube(b, bound, err) : bound_sets(b, bound, err);
}

static int bound_path(struct bounding *b, size_t alike, double *bound, struct pl_err *err)
{
	const struct pl_edges *e = &b->edges;
	struct pl_forest forest;
	int rc = 0;

	if (pl_forest_init(&forest, b->shape, err))
		return -1;
	for (size_t g = 0; rc == 0 && g < e->n_groups && !pl_stop_now(b->stop); g++) {
		const struct pl_edge_group *group = &e->group[g];
		double least = 0;

		rc = pl_edges_floor(&b->edges, &b->floor, g, &least, err);
		if (alike == 1 && rc == 0) {
			pl_forest_link(&forest, group->number);
			rc = pl_tree_floor(&b->floor, &forest, b->stop, &least, err);
		}
		*bound = fmax(*bound, group->times * least);
	}
	pl_forest_fini(&forest);
	return rc;
}

static int bound_slowest(struct bounding *b, size_t alike, double *bound, struct pl_err *err)
{
	const double times = least_times(&b->edges);
	double any;

	if (pl_edges_floor_of_set(&b->edges, &b->floor, UINT32_MAX, &any, err))
		return -1;
	if (pl_slowest_floor(b->shape, b->costs, alike, b->stop, bound, err))
		return -1;
	*bound = fmax(*bound, any * times);
	return 0;
}

/* Seats of @alike positions each. */
static int bound_alike(struct bounding *b, size_t alike, double *bound, struct pl_err *err)
{
	int rc = 0;

	*bound = 0;
	if (pl_stop_now(b->stop))
		return 0;
	if (pl_edges_init(&b->edges, b->shape, alike, err))
		return -1;
	if (b->edges.n_groups == 0 || pl_stop_now(b->stop))
		goto out;
	rc = pl_floor_init(&b->floor, b->costs, least_bytes(&b->edges),
			   pl_edges_degree_max(&b->edges), err);
	if (rc)
		goto out;
	if (b->shape->kind == PL_SUM)
		rc = bound_sum(b, bound, err);
	else if (b->shape->kind == PL_LONGEST_PATH)
		rc = bound_path(b, alike, bound, err);
	else if (b->shape->kind == PL_SLOWEST)
		rc = bound_slowest(b, alike, bound, err);
	else
		rc = bound_maxima(b, bound, err);
	pl_floor_fini(&b->floor);
out:
	pl_edges_fini(&b->edges);
	return rc;
}

/* Where hosts have different numbers of positions, hops between positions too far apart for one
 * host are known to join two; nothing more. */
static int bound_unlike(const struct bounding *b, size_t most, double *bound, struct pl_err *err)
{
	const struct pl_shape *shape = b->shape;
	double *dearest = pl_array_create(shape->n_groups, sizeof(*dearest));
	struct pl_floor f;

	*bound = 0;
	if (!dearest)
		return pl_err_nomem(err);
	if (pl_floor_init(&f, b->costs, 0, 1, err)) {
		free(dearest);
		return -1;
	}
	for (size_t h = 0; h < shape->n_hops; h++) {
		const struct pl_hop *hop = &shape->hop[h];
		const size_t apart =
			hop->src > hop->dst ? hop->src - hop->dst : hop->dst - hop->src;
		double *group = &dearest[shape->kind == PL_SUM_OF_MAXIMA ? hop->group : 0];

		if (apart < most)
			continue;
		*group = shape->kind == PL_SUM ? *group + hop->times : fmax(*group, hop->times);
	}
	for (size_t g = 0; g < shape->n_groups; g++)
		*bound += dearest[g] * pl_floor_forest(&f, 1);
	pl_floor_fini(&f);
	free(dearest);
	return 0;
}

static bool is_whole(double x)
{
	return x == floor(x) && fabs(x) < 1e12;
}

/* Sums of whole numbers are whole and exact, and so is a cell by itself; others err by a bit a
 * term. */
static double rounded(const struct bounding *b, double bound)
{
	const size_t n = b->costs->n;
	bool whole = !b->costs->per_byte, cell_alone = whole;

	for (size_t i = 0; whole && i < n * n; i++)
		whole = is_whole(b->costs->c[i]);
	for (size_t h = 0; whole && h < b->shape->n_hops; h++)
		whole = is_whole(b->shape->hop[h].times);
	for (size_t h = 0; cell_alone && h < b->shape->n_hops; h++)
		cell_alone = b->shape->hop[h].times == 1;
	if (whole && bound < 1e15)
		return ceil(bound);
	if (b->shape->kind == PL_SLOWEST && cell_alone)
		return bound;
	return bound * (1 - DBL_EPSILON * (double)(b->shape->n_hops + n + 8));
}

/* The callers that follow paths must know that these end. */
static int check_forests(const struct pl_shape *shape, struct pl_err *err)
{
	const double none = 0;
	const struct pl_costs costs = {.n = 1, .c = &none};
	struct pl_objective *o = NULL;

	if (shape->kind != PL_LONGEST_PATH)
		return 0;
	o = pl_objective_create(shape, &costs, err);
	pl_objective_destroy(o);
	return o ? 0 : -1;
}

int pl_order_lower_bound(const struct pl_shape *shape, const struct pl_costs *costs,
			 const size_t *slots, const struct pl_stop *stop, double *bound,
			 struct pl_err *err)
{
	struct bounding b = {.shape = shape, .costs = costs, .stop = stop};
	size_t least, most;

	if (pl_seating_check(shape, costs->n, slots, err) || check_forests(shape, err))
		return -1;
	least = most = slots ? slots[0] : 1;
	for (size_t h = 1; slots && h < costs->n; h++) {
		least = slots[h] < least ? slots[h] : least;
		most = slots[h] > most ? slots[h] : most;
	}
	if (least == most ? bound_alike(&b, least, bound, err) : bound_unlike(&b, most, bound, err))
		return -1;
	*bound = rounded(&b, *bound);
	return 0;
}
