/* SPDX-License-Identifier: BSD-3-Clause */
/* outline.c - what a bound needs to know of a group's shape */
#include "config.h"

#include "order/job/parts.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

size_t pl_job_root(size_t *up, size_t i)
{
	while (up[i] != i)
		i = up[i] = up[up[i]];
	return i;
}

static int by_size(const void *a, const void *b)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return x < y ? -1 : x > y;
}

static size_t find(const size_t *sorted, size_t n, size_t seat)
{
	const size_t *at = bsearch(&seat, sorted, n, sizeof(*sorted), by_size);

	return (size_t)(at - sorted);
}

/* The different seats, sorted. */
static size_t list_seats(size_t *list, const size_t *seat, size_t n)
{
	size_t kept = 0;

	for (size_t p = 0; p < n; p++)
		list[p] = seat[p];
	qsort(list, n, sizeof(*list), by_size);
	for (size_t p = 0; p < n; p++)
		if (kept == 0 || list[kept - 1] != list[p])
			list[kept++] = list[p];
	return kept;
}

static bool are_joined(const struct pl_shape *shape, const size_t *seat, const size_t *list,
		       size_t n, size_t *up)
{
	size_t parts = n;

	for (size_t i = 0; i < n; i++)
		up[i] = i;
	for (size_t h = 0; h < shape->n_hops; h++) {
		const size_t a = pl_job_root(up, find(list, n, seat[shape->hop[h].src]));
		const size_t b = pl_job_root(up, find(list, n, seat[shape->hop[h].dst]));

		parts -= a != b;
		up[a] = b;
	}
	return parts == 1;
}

/* Hops of a ring leave each seat once and enter it once; @seen[2 * n] is zeroed. */
static bool is_ring(const struct pl_shape *shape, const size_t *seat, const size_t *list, size_t n,
		    size_t *seen)
{
	if (shape->kind != PL_SUM || shape->n_hops != n)
		return false;
	for (size_t h = 0; h < n; h++)
		if (seen[find(list, n, seat[shape->hop[h].src])]++ ||
		    seen[n + find(list, n, seat[shape->hop[h].dst])]++)
			return false;
	return true;
}

/* Does each hop have one back? Then two parts are joined by two at least. */
static bool goes_both_ways(const struct pl_shape *shape)
{
	if (shape->n_hops % 2)
		return false;
	for (size_t h = 0; h < shape->n_hops; h += 2)
		if (shape->hop[h].src != shape->hop[h + 1].dst ||
		    shape->hop[h].dst != shape->hop[h + 1].src)
			return false;
	return true;
}

int pl_job_outline_find(struct pl_job_outline *to, const struct pl_shape *shape, const size_t *seat)
{
	const size_t n_pos = shape->n_pos;
	size_t *list = pl_array_create(n_pos, sizeof(*list));
	size_t *scratch = pl_array_create(2 * n_pos, sizeof(*scratch));
	size_t *up = pl_array_create(n_pos, sizeof(*up));
	size_t n;

	*to = (struct pl_job_outline){.kind = shape->kind,
				      .n_hops = shape->n_hops,
				      .n_rounds = shape->n_groups,
				      .is_pairs = pl_shape_all_pairs(shape) > 0,
				      .times = INFINITY,
				      .bytes = INFINITY};
	if (list && scratch && up) {
		n = list_seats(list, seat, n_pos);
		to->is_wide = n == n_pos;
		to->is_ring = is_ring(shape, seat, list, n, scratch);
		to->cut = goes_both_ways(shape) ? 2 : 1;
		to->n_seats = are_joined(shape, seat, list, n, up) ? n : 0;
	}
	for (size_t h = 0; h < shape->n_hops; h++) {
		to->times = fmin(to->times, shape->hop[h].times);
		to->bytes = fmin(to->bytes, shape->hop[h].bytes);
	}
	n = list && scratch && up;
	free(list);
	free(scratch);
	free(up);
	return n ? 0 : -1;
}

static void take_least(struct pl_job_outline *to, const struct pl_job_outline *o)
{
	if (to->kind != o->kind)
		to->kind = PL_SLOWEST; /* no shape costs less than that hop */
	if (to->is_ring != o->is_ring)
		to->cut = 1;
	to->cut = o->cut < to->cut ? o->cut : to->cut;
	to->n_hops = o->n_hops < to->n_hops ? o->n_hops : to->n_hops;
	to->n_rounds = o->n_rounds < to->n_rounds ? o->n_rounds : to->n_rounds;
	to->n_seats = o->n_seats < to->n_seats ? o->n_seats : to->n_seats;
	to->times = fmin(to->times, o->times);
	to->bytes = fmin(to->bytes, o->bytes);
	to->is_ring &= o->is_ring;
	to->is_wide &= o->is_wide;
	to->is_pairs &= o->is_pairs;
}

struct pl_job_outline pl_job_outline_least(const struct pl_job_cost *c,
					   const struct pl_job_term *term)
{
	struct pl_job_outline least = {.n_hops = 0};

	for (size_t g = term->first; g < term->first + term->n; g++) {
		struct pl_job_outline o = c->group[g].outline;

		o.times *= c->group[g].factor;
		if (g == term->first)
			least = o;
		else
			take_least(&least, &o);
	}
	return least;
}
