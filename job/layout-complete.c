/* SPDX-License-Identifier: BSD-3-Clause */
/* layout-complete.c - the groups of other ranks, by those of some and a grid */
#include "config.h"

#include "job/layout.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Marks the dimensions in which members of the kind's groups differ from the first of their
 * group. */
static void find_along(const struct pl_rank_mesh *mesh, const struct pl_job_kind *kind, bool *along)
{
	size_t stride = 1;

	for (size_t d = 0; d < mesh->n; stride *= mesh->dim[d++].size)
		for (size_t g = 0; g < kind->n_groups; g++) {
			const uint32_t *v = kind->member + kind->first[g];
			const size_t n = kind->first[g + 1] - kind->first[g];

			for (size_t i = 1; i < n; i++)
				along[d] |= v[i] / stride % mesh->dim[d].size !=
					    v[0] / stride % mesh->dim[d].size;
		}
}

/* Is group @g of @kind one of @all? */
static bool is_among(const struct pl_job_kind *kind, size_t g, const struct pl_job_kind *all)
{
	const size_t n = kind->first[g + 1] - kind->first[g];

	for (size_t a = 0; a < all->n_groups; a++)
		if (all->first[a + 1] - all->first[a] == n &&
		    memcmp(all->member + all->first[a], kind->member + kind->first[g],
			   n * sizeof(*kind->member)) == 0)
			return true;
	return false;
}

static void replace_groups(struct pl_job_kind *kind, const struct pl_job_kind *by)
{
	free(kind->member);
	free(kind->first);
	kind->member = by->member;
	kind->first = by->first;
	kind->n_groups = by->n_groups;
	kind->n_members = by->n_members;
	kind->member_room = by->member_room;
	kind->first_room = by->first_room;
}

int pl_layout_complete(const struct pl_layout *layout, struct pl_job_kind *kind, bool *fits)
{
	*fits = false;
	for (size_t m = 0; m < layout->n_meshes; m++) {
		bool along[PL_RANK_MESH_DIMS_MAX] = {false};
		struct pl_job_kind all = {0};
		size_t g = 0;

		find_along(&layout->mesh[m], kind, along);
		if (pl_rank_mesh_groups(&layout->mesh[m], along, &all)) {
			free(all.member);
			free(all.first);
			return -1;
		}
		while (g < kind->n_groups && is_among(kind, g, &all))
			g++;
		if (g == kind->n_groups) {
			replace_groups(kind, &all);
			*fits = true;
			return 0;
		}
		free(all.member);
		free(all.first);
	}
	return 0;
}
