/* SPDX-License-Identifier: BSD-3-Clause */
/* groups.c - the communicators in which calls were counted, by their members */
#include "config.h"

#include "shim/stats/groups.h"

#include "base/mem.h"
#include "shim/stats/table.h"

#include <stdlib.h>
#include <string.h>

static int compare(const struct pl_stats_group *a, const int *member, int n)
{
	int i = 0;

	if (a->n != n)
		return a->n < n ? -1 : 1;
	while (i < n && a->member[i] == member[i])
		i++;
	return i == n ? 0 : a->member[i] < member[i] ? -1 : 1;
}

size_t pl_stats_groups_find(const struct pl_stats_groups *g, const int *member, int n)
{
	for (size_t i = 0; i < g->n; i++)
		if (compare(&g->v[i], member, n) == 0)
			return i;
	return PL_STATS_NO_GROUP;
}

size_t pl_stats_groups_add(struct pl_stats_groups *g, const int *member, int n)
{
	const size_t found = pl_stats_groups_find(g, member, n);
	int *copy;

	if (found != PL_STATS_NO_GROUP)
		return found;
	if (g->n == PL_STATS_GROUPS_MAX ||
	    pl_array_grow((void **)&g->v, &g->room, g->n, sizeof(*g->v)))
		return PL_STATS_NO_GROUP;
	copy = pl_array_create((size_t)n, sizeof(*copy));
	if (!copy)
		return PL_STATS_NO_GROUP;
	memcpy(copy, member, (size_t)n * sizeof(*copy));
	g->v[g->n] = (struct pl_stats_group){n, copy};
	return g->n++;
}

static int by_members(const void *a, const void *b)
{
	const struct pl_stats_group *x = a, *y = b;

	return compare(x, y->member, y->n);
}

void pl_stats_groups_sort(struct pl_stats_groups *g)
{
	if (g->n > 0)
		qsort(g->v, g->n, sizeof(*g->v), by_members);
}

int *pl_stats_groups_pack(const struct pl_stats_groups *g, size_t *n)
{
	int *packed, *to;

	*n = g->n;
	for (size_t i = 0; i < g->n; i++)
		*n += (size_t)g->v[i].n;
	packed = to = pl_array_create(*n + 1, sizeof(*packed));
	for (size_t i = 0; packed && i < g->n; i++) {
		*to++ = g->v[i].n;
		memcpy(to, g->v[i].member, (size_t)g->v[i].n * sizeof(*to));
		to += g->v[i].n;
	}
	return packed;
}

void pl_stats_groups_unpack(struct pl_stats_groups *g, const int *packed, size_t n)
{
	for (size_t i = 0; i < n; i += 1 + (size_t)packed[i])
		pl_stats_groups_add(g, packed + i + 1, packed[i]);
}

void pl_stats_groups_fini(struct pl_stats_groups *g)
{
	for (size_t i = 0; i < g->n; i++)
		free(g->v[i].member);
	free(g->v);
	memset(g, 0, sizeof(*g));
}
