/* SPDX-License-Identifier: BSD-3-Clause */
/* mesh.c - the ranks of a job as a grid, and the groups along its dimensions */
#include "config.h"

#include "job/mesh.h"

#include <stdint.h>
#include <string.h>

size_t pl_rank_mesh_find(const struct pl_rank_mesh *mesh, const char *name, size_t len)
{
	size_t d = 0;

	while (d < mesh->n &&
	       (strlen(mesh->dim[d].name) != len || memcmp(mesh->dim[d].name, name, len) != 0))
		d++;
	return d;
}

size_t pl_rank_mesh_ranks(const struct pl_rank_mesh *mesh)
{
	size_t n = mesh->n > 0;

	for (size_t d = 0; d < mesh->n; d++) {
		if (mesh->dim[d].size > PL_JOB_RANKS_MAX / n)
			return SIZE_MAX;
		n *= mesh->dim[d].size;
	}
	return n;
}

/* The product of the sizes of the dimensions that are marked as @marked. */
static size_t product(const struct pl_rank_mesh *mesh, const bool *along, bool marked)
{
	size_t n = 1;

	for (size_t d = 0; d < mesh->n; d++)
		if (along[d] == marked)
			n *= mesh->dim[d].size;
	return n;
}

/* The rank of number @i among those that differ in the dimensions marked as @marked and are at 0 in
 * all others. */
static size_t nth(const struct pl_rank_mesh *mesh, const bool *along, bool marked, size_t i)
{
	size_t rank = 0, stride = 1;

	for (size_t d = 0; d < mesh->n; d++) {
		if (along[d] == marked) {
			rank += i % mesh->dim[d].size * stride;
			i /= mesh->dim[d].size;
		}
		stride *= mesh->dim[d].size;
	}
	return rank;
}

int pl_rank_mesh_groups(const struct pl_rank_mesh *mesh, const bool *along,
			struct pl_job_kind *kind)
{
	const size_t n_groups = product(mesh, along, false);
	const size_t size = product(mesh, along, true);

	for (size_t g = 0; g < n_groups; g++) {
		const size_t base = nth(mesh, along, false, g);

		if (pl_job_begin_group(kind))
			return -1;
		for (size_t i = 0; i < size; i++)
			if (pl_job_add_member(kind, (uint32_t)(base + nth(mesh, along, true, i))))
				return -1;
	}
	return 0;
}
