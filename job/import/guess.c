/* SPDX-License-Identifier: BSD-3-Clause */
/* guess.c - which mesh the ranks of a job would be, by the groups of some */
#include "config.h"

#include "job/import/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOUNDS_MAX (2 * PL_RANK_MESH_DIMS_MAX)

/* Do the members of the kind's first group have one distance, above 0, from each to the next? */
static bool find_stride(const struct pl_job_kind *kind, size_t *stride, size_t *size)
{
	const uint32_t *v = kind->member;

	if (kind->n_groups == 0)
		return false;
	*size = kind->first[1];
	if (*size < 2 || v[1] <= v[0])
		return false;
	*stride = v[1] - v[0];
	for (size_t i = 2; i < *size; i++)
		if (v[i] <= v[i - 1] || v[i] - v[i - 1] != *stride)
			return false;
	return true;
}

static int compare_sizes(const void *a, const void *b)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

/* The products of the sizes of the first dimensions, from 1 to that of all, in rising order.
 * Returns their number, 0 if these are no dimensions. */
static size_t find_bounds(const struct pl_job *job, size_t bound[BOUNDS_MAX])
{
	size_t n = 0, kept = 1;

	bound[n++] = 1;
	bound[n++] = job->n_ranks;
	for (size_t i = 0; i < job->n_kinds; i++) {
		size_t stride, size;

		if (job->kind[i].form == PL_JOB_TRAFFIC || job->kind[i].n_members == job->n_ranks)
			continue;
		if (!find_stride(&job->kind[i], &stride, &size) || n + 2 > BOUNDS_MAX)
			return 0;
		bound[n++] = stride;
		bound[n++] = stride * size;
		qsort(bound, n, sizeof(*bound), compare_sizes);
		kept = 1;
		for (size_t k = 1; k < n; k++)
			if (bound[k] != bound[kept - 1])
				bound[kept++] = bound[k];
		n = kept;
	}
	for (size_t k = 1; k < n; k++)
		if (bound[k] % bound[k - 1] != 0)
			return 0;
	return kept > 2 ? n : 0;
}

/* The kind whose groups are along that dimension, or NULL. */
static const char *name_of(const struct pl_job *job, size_t from, size_t to)
{
	for (size_t i = 0; i < job->n_kinds; i++) {
		size_t stride, size;

		if (job->kind[i].form != PL_JOB_TRAFFIC &&
		    find_stride(&job->kind[i], &stride, &size) && stride == from &&
		    stride * size == to && strlen(job->kind[i].name) <= PL_RANK_MESH_NAME_MAX)
			return job->kind[i].name;
	}
	return NULL;
}

bool pl_job_guess_mesh(const struct pl_job *job, char text[PL_GUESS_CHARS])
{
	size_t bound[BOUNDS_MAX];
	const size_t n = find_bounds(job, bound);
	size_t len = 0, others = 0;

	text[0] = '\0';
	for (size_t k = n; k-- > 1 && len < PL_GUESS_CHARS;) {
		const char *name = name_of(job, bound[k - 1], bound[k]);
		char other[24];

		if (!name)
			snprintf(other, sizeof(other), "x%zu", ++others);
		len += (size_t)snprintf(text + len, PL_GUESS_CHARS - len, "%s%s=%zu",
					len ? "," : "", name ? name : other,
					bound[k] / bound[k - 1]);
	}
	return len > 0 && len < PL_GUESS_CHARS;
}
