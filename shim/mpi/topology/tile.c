/* SPDX-License-Identifier: BSD-3-Clause */
/* tile.c - a grid filled in blocks of a host within blocks of a rack */
#include "config.h"

#include "shim/mpi/topology/fit.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Vertices that all tilings together may visit. */
#define WORK_MAX ((size_t)4 << 20)

/* Tilings of a grid, one after another. Each dimension is divided into large blocks, and these into
 * small ones. */
struct tiling {
	const struct pl_topo_job *job;
	const int *seq;
	size_t n_used; /* vertices of the grid */
	size_t slots;  /* processes of each host; 1 if they differ */
	size_t work;
	size_t *small, *large; /* [n_dims]: their sides */
	int *host_at, *best;
	double *least;
};

/* The number of processes that every host of the sequence has; 1 if they differ. */
static size_t count_slots(const int *seq, size_t n)
{
	size_t slots = 1, run = 1;

	while (slots < n && seq[slots] == seq[0])
		slots++;
	for (size_t i = 1; i <= n; i++, run++) {
		if (i < n && seq[i] == seq[i - 1])
			continue;
		if (run != slots)
			return 1;
		run = 0;
	}
	return slots;
}

/* The vertex at position @pos of the traversal: through the large blocks in row-major order, in
 * each through the small ones, in these through the vertices. */
static size_t vertex_at(const struct tiling *t, size_t pos)
{
	const struct pl_topo_grid *grid = t->job->grid;
	size_t v = 0, stride = 1, n_inner = 1, n_middle = 1;
	size_t inner = pos, middle, outer;

	for (size_t d = 0; d < grid->n_dims; d++) {
		n_inner *= t->small[d];
		n_middle *= t->large[d] / t->small[d];
	}
	middle = pos / n_inner;
	outer = middle / n_middle;
	for (size_t d = grid->n_dims; d-- > 0;) {
		const size_t small = t->small[d], large = t->large[d];
		const size_t dim = (size_t)grid->dim[d];
		const size_t at = outer % (dim / large) * large + middle % (large / small) * small +
				  inner % small;

		inner /= small;
		middle /= large / small;
		outer /= dim / large;
		v += at * stride;
		stride *= dim;
	}
	return v;
}

static void try_tiling(struct tiling *t)
{
	const size_t n = t->job->graph->n;
	double cost;

	for (size_t pos = 0; pos < n; pos++)
		t->host_at[pos < t->n_used ? vertex_at(t, pos) : pos] = t->seq[pos];
	t->work += n;
	cost = pl_topo_cost(t->job, t->host_at);
	if (cost < *t->least) {
		*t->least = cost;
		memcpy(t->best, t->host_at, n * sizeof(*t->best));
	}
}

/* All large blocks from dimension @d on, for the small ones chosen. */
static void try_large(struct tiling *t, size_t d)
{
	if (t->work >= WORK_MAX)
		return;
	if (d == t->job->grid->n_dims) {
		try_tiling(t);
		return;
	}
	for (size_t side = t->small[d]; side <= (size_t)t->job->grid->dim[d]; side += t->small[d]) {
		if ((size_t)t->job->grid->dim[d] % side != 0)
			continue;
		t->large[d] = side;
		try_large(t, d + 1);
	}
}

/* All small blocks of @left vertices from dimension @d on. */
static void try_small(struct tiling *t, size_t d, size_t left)
{
	const struct pl_topo_grid *grid = t->job->grid;

	if (d == grid->n_dims) {
		if (left == 1)
			try_large(t, 0);
		return;
	}
	for (size_t side = 1; side <= left; side++) {
		if (left % side != 0 || (size_t)grid->dim[d] % side != 0)
			continue;
		t->small[d] = side;
		try_small(t, d + 1, left / side);
	}
}

int pl_topo_tile(const struct pl_topo_job *job, const int *seq, int *scratch, int *host_at,
		 double *least)
{
	const size_t n = job->graph->n;
	struct tiling t = {.job = job,
			   .seq = seq,
			   .n_used = pl_topo_grid_size(job->grid, n),
			   .slots = count_slots(seq, n),
			   .small = pl_array_create(job->grid->n_dims, sizeof(*t.small)),
			   .large = pl_array_create(job->grid->n_dims, sizeof(*t.large)),
			   .host_at = scratch,
			   .best = host_at,
			   .least = least};
	const bool there = t.small && t.large;

	if (there)
		try_small(&t, 0, t.slots);
	if (there && t.slots > 1)
		try_small(&t, 0, 1);
	free(t.small);
	free(t.large);
	return there ? 0 : -1;
}
