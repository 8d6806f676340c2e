/* SPDX-License-Identifier: BSD-3-Clause */
/* levels.c - a shape and its hosts in ever larger blocks */
#include "config.h"

#include "solver/order/levels.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Fewer blocks are not worth a level. */
#define BLOCKS_MIN 4

static int compare(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_doubles(double a, double b)
{
	return a < b ? -1 : a > b;
}

static int by_all(const void *a, const void *b)
{
	const struct pl_hop *x = a, *y = b;
	int order = compare(x->group, y->group);

	if (order == 0)
		order = compare(x->src, y->src);
	if (order == 0)
		order = compare(x->dst, y->dst);
	if (order == 0)
		order = compare_doubles(x->times, y->times);
	return order ? order : compare_doubles(x->bytes, y->bytes);
}

/* Hops between blocks of @size positions, each kind once. */
static int fill_shape(struct pl_level *level, const struct pl_shape *shape, size_t size,
		      struct pl_err *err)
{
	struct pl_shape *out = &level->shape;
	size_t n = 0;

	*out = (struct pl_shape){
		.kind = shape->kind, .n_pos = level->n, .n_groups = shape->n_groups};
	for (size_t h = 0; h < shape->n_hops; h++) {
		struct pl_hop hop = shape->hop[h];

		hop.src = (uint32_t)(hop.src / size);
		hop.dst = (uint32_t)(hop.dst / size);
		if (hop.src != hop.dst && pl_shape_add(out, hop, err))
			return -1;
	}
	if (out->n_hops > 0)
		qsort(out->hop, out->n_hops, sizeof(*out->hop), by_all);
	for (size_t h = 0; h < out->n_hops; h++)
		if (h == 0 || by_all(&out->hop[n - 1], &out->hop[h]))
			out->hop[n++] = out->hop[h];
	out->n_hops = n;
	return 0;
}

/* c[n * n] in the order of the seats; NULL: out of memory. */
static double *reordered(const double *c, size_t n, const size_t *host_at)
{
	double *out = pl_array_create(n * n, sizeof(*out));

	for (size_t a = 0; out && a < n; a++)
		for (size_t b = 0; b < n; b++)
			out[a * n + b] = c[host_at[a] * n + host_at[b]];
	return out;
}

/* The mean of up to four cells; a block's cost to itself is 0. */
static double joined(const double *c, size_t n, size_t a, size_t b)
{
	double sum = 0;
	size_t count = 0;

	if (a == b)
		return 0;
	for (size_t i = 2 * a; i < n && i < 2 * a + 2; i++)
		for (size_t j = 2 * b; j < n && j < 2 * b + 2; j++) {
			sum += c[i * n + j];
			count++;
		}
	return sum / (double)count;
}

/* Joins blocks two by two. */
static double *halved(const double *c, size_t n)
{
	const size_t m = (n + 1) / 2;
	double *out = pl_array_create(m * m, sizeof(*out));

	for (size_t a = 0; out && a < m; a++)
		for (size_t b = 0; b < m; b++)
			out[a * m + b] = joined(c, n, a, b);
	return out;
}

static int fill_costs(struct pl_level *level, const struct pl_costs *costs, const size_t *host_at)
{
	level->costs.c =
		host_at ? reordered(costs->c, costs->n, host_at) : halved(costs->c, costs->n);
	level->costs.n = level->n;
	if (!level->costs.c)
		return -1;
	if (!costs->per_byte)
		return 0;
	level->costs.per_byte = host_at ? reordered(costs->per_byte, costs->n, host_at)
					: halved(costs->per_byte, costs->n);
	return level->costs.per_byte ? 0 : -1;
}

int pl_levels_init(struct pl_levels *l, const struct pl_shape *shape, const struct pl_costs *costs,
		   size_t alike, const size_t *host_at, struct pl_err *err)
{
	size_t size = 1, n = costs->n;

	memset(l, 0, sizeof(*l));
	do {
		struct pl_level *level = &l->level[l->n];
		const struct pl_costs *below = l->n ? &level[-1].costs : costs;

		level->n = n;
		level->n_full = costs->n / size;
		if (fill_costs(level, below, l->n++ ? NULL : host_at)) {
			pl_err_nomem(err);
			goto fail;
		}
		if (fill_shape(level, shape, alike * size, err))
			goto fail;
		size *= 2;
		n = (n + 1) / 2;
	} while (n >= BLOCKS_MIN);
	return 0;
fail:
	pl_levels_fini(l);
	return -1;
}

void pl_levels_fini(struct pl_levels *l)
{
	for (size_t k = 0; k < l->n; k++) {
		pl_shape_fini(&l->level[k].shape);
		free((void *)l->level[k].costs.c);
		free((void *)l->level[k].costs.per_byte);
	}
	memset(l, 0, sizeof(*l));
}
