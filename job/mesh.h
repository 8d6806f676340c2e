/* SPDX-License-Identifier: BSD-3-Clause */
/* mesh.h - the ranks of a job as a grid, and the groups along its dimensions */
#ifndef PLINK_JOB_MESH_H
#define PLINK_JOB_MESH_H

#include "base/err.h"
#include "job/job.h"

#include <stdbool.h>
#include <stddef.h>

#define PL_RANK_MESH_DIMS_MAX 16
#define PL_RANK_MESH_NAME_MAX 31

/* Rank 0 is at 0 in all dimensions; the first dimension varies fastest. A plain value. */
struct pl_rank_mesh {
	struct {
		char name[PL_RANK_MESH_NAME_MAX + 1];
		size_t size;
	} dim[PL_RANK_MESH_DIMS_MAX];
	size_t n;
};

/* Index of the dimension with that name (@len characters), or n. */
size_t pl_rank_mesh_find(const struct pl_rank_mesh *mesh, const char *name, size_t len);

/* The product of the sizes; 0 without dimensions, SIZE_MAX if it exceeds PL_JOB_RANKS_MAX. */
size_t pl_rank_mesh_ranks(const struct pl_rank_mesh *mesh);

/* Adds to @kind the groups of the ranks that differ only in the dimensions that are marked in
 * along[mesh->n]: by their first ranks, each in rising order. 0, or -1: out of memory. */
int pl_rank_mesh_groups(const struct pl_rank_mesh *mesh, const bool *along,
			struct pl_job_kind *kind);

#endif
