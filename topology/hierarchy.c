/* SPDX-License-Identifier: BSD-3-Clause */
/* hierarchy.c - groups of hosts within groups: racks, rows, halls */
#include "config.h"

#include "topology/hierarchy.h"

#include "base/mem.h"
#include "topology/racks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int add_level(struct pl_hierarchy *l, const size_t *group, size_t n_groups,
		     struct pl_err *err)
{
	struct pl_hierarchy_level *level = &l->level[l->n++];

	level->n = n_groups;
	level->group = pl_array_create(l->n_hosts, sizeof(*level->group));
	level->first = pl_array_create(n_groups, sizeof(*level->first));
	if (!level->group || !level->first)
		return pl_err_nomem(err);
	memcpy(level->group, group, l->n_hosts * sizeof(*group));
	for (size_t i = l->n_hosts; i-- > 0;)
		level->first[group[i]] = i;
	return 0;
}

/* Hosts of one group have no cell between them. */
static void mask(double *cell, const struct pl_hierarchy_level *of, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (i != j && of->group[i] == of->group[j])
				cell[i * n + j] = NAN;
}

static void rename_group(size_t *group, size_t n, size_t from, size_t to)
{
	for (size_t i = 0; i < n; i++)
		if (group[i] == from)
			group[i] = to;
}

/*
 * Joins the groups over which hosts of one group of @below are spread, and numbers all by their
 * first hosts; number[n] is scratch. Returns how many there are.
 */
static size_t nest(size_t *group, const struct pl_hierarchy_level *below, size_t n, size_t *number)
{
	size_t n_groups = 0;

	for (size_t i = 0; i < n; i++) {
		const size_t to = group[below->first[below->group[i]]];

		if (group[i] != to)
			rename_group(group, n, group[i], to);
	}
	for (size_t i = 0; i < n; i++)
		number[i] = n;
	for (size_t i = 0; i < n; i++) {
		if (number[group[i]] == n)
			number[group[i]] = n_groups++;
		group[i] = number[group[i]];
	}
	return n_groups;
}

int pl_hierarchy_one(struct pl_hierarchy *l, size_t n, const size_t *group, size_t n_groups,
		     struct pl_err *err)
{
	l->n_hosts = n;
	return add_level(l, group, n_groups, err);
}

int pl_hierarchy_find(struct pl_hierarchy *l, const double *cell, size_t n, const size_t *group,
		      size_t n_groups, struct pl_err *err)
{
	double *left = pl_array_create(n, n * sizeof(*left));
	size_t *next = pl_array_create(n, sizeof(*next));
	size_t *number = pl_array_create(n, sizeof(*number));
	int rc = -1;

	if (!left || !next || !number) {
		pl_err_nomem(err);
		goto out;
	}
	memcpy(left, cell, n * n * sizeof(*left));
	rc = pl_hierarchy_one(l, n, group, n_groups, err);
	while (rc == 0 && l->n < PL_HIERARCHY_MAX && l->level[l->n - 1].n > 2) {
		const struct pl_hierarchy_level *below = &l->level[l->n - 1];
		size_t n_next;

		mask(left, below, n);
		rc = pl_racks(left, n, next, &n_next, err);
		if (rc == 0)
			n_next = nest(next, below, n, number);
		if (rc || n_next < 2 || n_next == below->n)
			break;
		rc = add_level(l, next, n_next, err);
	}
out:
	free(left);
	free(next);
	free(number);
	return rc;
}

void pl_hierarchy_fini(struct pl_hierarchy *l)
{
	for (size_t k = 0; k < l->n; k++) {
		free(l->level[k].group);
		free(l->level[k].first);
	}
	memset(l, 0, sizeof(*l));
}
