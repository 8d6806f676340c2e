/* SPDX-License-Identifier: BSD-3-Clause */
/* levels.c - slices of hierarchical aggregation: groups of groups of ranks */
#include "config.h"

#include "engine/levels.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct work {
	const struct pl_rank_tree *t;
	struct pl_level_masters m;
	uint32_t *height;                 /* [n_groups] 1: of ranks only */
	uint32_t *master;                 /* [n_nodes]: of the slice that is written */
	uint32_t *down;                   /* [n_groups]: the round in which its master sends
					   * the result on */
	uint32_t *highest;                /* [n_ranks]: node that it is the master of */
	size_t *place;                    /* [n_nodes + n_groups + 1] */
	struct pl_slice_transfer *sorted; /* [n_ranks] */
};

static void work_fini(struct work *w)
{
	pl_level_masters_fini(&w->m);
	free(w->height);
	free(w->master);
	free(w->down);
	free(w->highest);
	free(w->place);
	free(w->sorted);
}

static size_t most(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void find_heights(struct work *w)
{
	const struct pl_rank_tree *t = w->t;

	for (size_t v = 0; v + 1 < t->n_nodes; v++) {
		uint32_t *up = &w->height[t->parent[v] - t->n_ranks];
		const uint32_t height = v < t->n_ranks ? 0 : w->height[v - t->n_ranks];

		if (*up <= height)
			*up = height + 1;
	}
}

static int work_init(struct work *w, const struct pl_rank_tree *t, struct pl_err *err)
{
	*w = (struct work){.t = t};
	if (pl_level_masters_init(&w->m, t, err))
		return -1;
	w->height = pl_array_create(w->m.n_groups, sizeof(*w->height));
	w->master = pl_array_create(t->n_nodes, sizeof(*w->master));
	w->down = pl_array_create(w->m.n_groups, sizeof(*w->down));
	w->highest = pl_array_create(t->n_ranks, sizeof(*w->highest));
	/* keys are ranks, or rounds: two for each height */
	w->place = pl_array_create(t->n_nodes + w->m.n_groups + 1, sizeof(*w->place));
	w->sorted = pl_array_create(t->n_ranks, sizeof(*w->sorted));
	if (!w->height || !w->master || !w->down || !w->highest || !w->place || !w->sorted)
		return pl_err_nomem(err);
	find_heights(w);
	return 0;
}

/* The masters of a slice, and when they have the result. */
static void find_masters(struct work *w, const uint32_t *child)
{
	const struct pl_rank_tree *t = w->t;
	const size_t n = t->n_ranks, root = t->n_nodes - 1;

	for (size_t v = 0; v <= root; v++)
		w->master[v] = v < n ? (uint32_t)v : w->master[child[v - n]];
	w->down[root - n] = w->height[root - n];
	for (size_t g = root; g-- > n;) {
		const size_t up = t->parent[g] - n;

		w->down[g - n] = w->down[up] + (child[up] != g);
	}
}

/* Those of the same key stay in their order. */
static void sort(struct work *w, struct pl_slice_transfer *transfer, size_t n,
		 uint32_t (*key)(const struct pl_slice_transfer *))
{
	size_t most_key = 0, *const place = w->place;

	for (size_t i = 0; i < n; i++)
		most_key = most(most_key, key(&transfer[i]));
	memset(place, 0, (most_key + 2) * sizeof(*place));
	for (size_t i = 0; i < n; i++)
		place[key(&transfer[i]) + 1]++;
	for (size_t k = 1; k <= most_key; k++)
		place[k] += place[k - 1];
	for (size_t i = 0; i < n; i++)
		w->sorted[place[key(&transfer[i])]++] = transfer[i];
	memcpy(transfer, w->sorted, n * sizeof(*transfer));
}

static uint32_t by_dst(const struct pl_slice_transfer *t)
{
	return t->dst;
}

static uint32_t by_round(const struct pl_slice_transfer *t)
{
	return t->round;
}

/* What ranks send to the masters of their groups, and hear from them: a rank once each, at the
 * highest node that it is the master of. By round, destination and source. */
static void list_transfers(struct work *w, struct pl_slice_transfer *transfer)
{
	const struct pl_rank_tree *t = w->t;
	const size_t root = t->n_nodes - 1, n = t->n_ranks - 1;
	struct pl_slice_transfer *up = transfer, *down = transfer + n;

	for (uint32_t v = 0; v <= root; v++)
		w->highest[w->master[v]] = v;
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		const size_t v = w->highest[r];
		const uint32_t g = v < root ? t->parent[v] : 0;

		if (v == root)
			continue;
		*up++ = (struct pl_slice_transfer){.round = w->height[g - t->n_ranks] - 1,
						   .src = r,
						   .dst = w->master[g],
						   .adds = true};
		*down++ = (struct pl_slice_transfer){
			.round = w->down[g - t->n_ranks], .src = w->master[g], .dst = r};
	}
	sort(w, transfer, n, by_dst);
	sort(w, transfer, n, by_round);
	sort(w, transfer + n, n, by_round);
}

static int add_slice(struct work *w, size_t slice, struct pl_slices *slices)
{
	const size_t n = 2 * (w->t->n_ranks - 1);
	struct pl_slice s = {.weight = w->m.weight[slice],
			     .transfer = pl_array_create(n, sizeof(*s.transfer)),
			     .n_transfers = n,
			     .room = n};

	if (!s.transfer)
		return -1;
	find_masters(w, &w->m.child[slice * w->m.n_groups]);
	list_transfers(w, s.transfer);
	if (pl_slices_add_take(slices, &s, PL_SLICE_ALL) == 0)
		return 0;
	pl_slice_fini(&s);
	return -1;
}

int pl_levels_slices(struct pl_slices *slices, const struct pl_rank_tree *t, struct pl_err *err)
{
	struct work w;
	int rc = work_init(&w, t, err);

	for (size_t i = 0; rc == 0 && i < w.m.n; i++)
		if (add_slice(&w, i, slices))
			rc = pl_err_nomem(err);
	work_fini(&w);
	if (rc)
		pl_slices_fini(slices);
	return rc;
}
