/* SPDX-License-Identifier: BSD-3-Clause */
/* cube.c - how many neighbours a set of vertices of a hypercube has at least */
#include "config.h"

#include "solver/bound/cube-bound.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>

static size_t meet(bool *met, size_t vertex)
{
	const size_t is_new = !met[vertex];

	met[vertex] = true;
	return is_new;
}

/* one[a] for one cube, a = 0 .. 2^dim; met[2^dim] is all false. */
static void fill_one(size_t dim, size_t *one, bool *met)
{
	const size_t size = (size_t)1 << dim;
	size_t a = 0;

	one[0] = 0;
	for (size_t w = 0; w <= dim; w++)
		for (size_t x = size; x-- > 0;) {
			size_t more;

			if ((size_t)__builtin_popcountll(x) != w)
				continue;
			more = meet(met, x);
			for (size_t k = 0; k < dim; k++)
				more += meet(met, x ^ (size_t)1 << k);
			one[a + 1] = one[a] + more;
			a++;
		}
}

/* Of several cubes, each with its share. */
static void fill_all(size_t n, size_t dim, const size_t *one, size_t *least)
{
	const size_t size = (size_t)1 << dim;

	for (size_t a = 0; a <= n; a++) {
		least[a] = a <= size ? one[a] : n;
		for (size_t share = 1; share < a && share <= size; share++)
			if (one[share] + least[a - share] < least[a])
				least[a] = one[share] + least[a - share];
	}
}

int pl_cube_neighbours(size_t n, size_t dim, size_t *least, struct pl_err *err)
{
	const size_t size = (size_t)1 << dim;
	size_t *one = pl_array_create(size + 1, sizeof(*one));
	bool *met = pl_array_create(size, sizeof(*met));

	if (one && met) {
		fill_one(dim, one, met);
		fill_all(n, dim, one, least);
	}
	free(one);
	free(met);
	return one && met ? 0 : pl_err_nomem(err);
}
