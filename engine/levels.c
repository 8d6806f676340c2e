/* SPDX-License-Identifier: BSD-3-Clause */
/* levels.c - slices of hierarchical aggregation: groups of groups of ranks */
#include "config.h"

#include "engine/levels.h"

#include "base/gcd.h"
#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SLICES_PER_RANK 8
/* The weight of a slice where all shares are met without weights: shares are
 * met within 1 % where they are not. */
#define WEIGHT 60

#define NO_NODE UINT32_MAX

struct group {
	uint32_t *child; /* in w->children, in the order of their numbers */
	size_t n_children;
	bool has_groups;
	uint32_t height; /* 1: of ranks only */
};

struct cost {
	size_t slice;
	double copies; /* that its master moves each way, times the weight */
};

struct work {
	const struct pl_rank_tree *t;
	size_t n_groups, n_slices;
	struct group *group; /* [n_groups] */
	uint32_t *children;  /* [n_nodes] */
	double *share;       /* [n_nodes] */
	double *had;         /* [n_nodes]: slices of which it has the master */
	uint32_t *chosen; /* [n_slices * n_groups]: the child with the master */
	uint64_t *weight; /* [n_slices] */
	double *load;     /* [n_ranks]: what its card moves each way */
	struct cost *cost; /* [n_slices] */
	uint32_t *master;  /* [n_nodes]: of the slice that is written */
	uint32_t *down;    /* [n_groups]: the round in which its master sends
			    * the result on */
};

static void work_fini(struct work *w)
{
	free(w->group);
	free(w->children);
	free(w->share);
	free(w->had);
	free(w->chosen);
	free(w->weight);
	free(w->load);
	free(w->cost);
	free(w->master);
	free(w->down);
}

static struct group *group_of(const struct work *w, size_t node)
{
	return &w->group[node - w->t->n_ranks];
}

static uint32_t *chosen(const struct work *w, size_t slice, size_t group)
{
	return &w->chosen[slice * w->n_groups + group - w->t->n_ranks];
}

/* Heights, and the shares where none are given. */
static void look_at_nodes(struct work *w)
{
	const struct pl_rank_tree *t = w->t;

	for (size_t v = 0; v + 1 < t->n_nodes; v++) {
		struct group *up = group_of(w, t->parent[v]);
		const uint32_t height =
			v < t->n_ranks ? 0 : group_of(w, v)->height;

		up->n_children++;
		up->has_groups |= v >= t->n_ranks;
		if (up->height <= height)
			up->height = height + 1;
		if (v < t->n_ranks)
			w->share[v] = 1;
		w->share[t->parent[v]] += w->share[v];
	}
	if (t->share)
		memcpy(w->share, t->share, t->n_nodes * sizeof(*w->share));
}

static void list_children(struct work *w)
{
	const struct pl_rank_tree *t = w->t;
	uint32_t *next = w->children;

	for (size_t g = 0; g < w->n_groups; g++) {
		w->group[g].child = next;
		next += w->group[g].n_children;
		w->group[g].n_children = 0;
	}
	for (uint32_t v = 0; v + 1 < t->n_nodes; v++) {
		struct group *up = group_of(w, t->parent[v]);

		up->child[up->n_children++] = v;
	}
}

static int check_group(const struct work *w, size_t g, struct pl_err *err)
{
	const struct group *group = group_of(w, g);
	double sum = 0;

	if (group->n_children == 0)
		return pl_err_set(err, PL_EUSAGE, "group %zu has no member",
				  g - w->t->n_ranks);
	for (size_t k = 0; k < group->n_children; k++) {
		const double share = w->share[group->child[k]];

		if (!isfinite(share) || share < 0)
			return pl_err_set(err, PL_EUSAGE,
					  "the share of child %zu of group %zu "
					  "is %g",
					  k, g - w->t->n_ranks, share);
		sum += share;
	}
	if (sum > 0 && isfinite(sum))
		return 0;
	return pl_err_set(err, PL_EUSAGE, "no group has a share of masters");
}

static int check(const struct work *w, struct pl_err *err)
{
	const struct pl_rank_tree *t = w->t;

	for (size_t r = 0; t->rate && r < t->n_ranks; r++)
		if (!isfinite(t->rate[r]) || t->rate[r] <= 0)
			return pl_err_set(err, PL_EUSAGE,
					  "the card of rank %zu has rate %g", r,
					  t->rate[r]);
	for (size_t g = t->n_ranks; g < t->n_nodes; g++)
		if (check_group(w, g, err))
			return -1;
	return 0;
}

/* So many that every child of a group can be the master's as often; as many as
 * are allowed where rates differ. */
static size_t count_slices(const struct work *w)
{
	const size_t limit = w->t->slices_max ? w->t->slices_max : SIZE_MAX;
	const size_t per_rank = SLICES_PER_RANK * w->t->n_ranks;
	const size_t most = limit < per_rank ? limit : per_rank;
	size_t n = w->t->n_ranks;

	if (w->t->rate || n >= most)
		return most;
	for (size_t g = 0; g < w->n_groups; g++) {
		const size_t k = w->group[g].n_children;
		const size_t more = k / (size_t)pl_gcd(n, k);

		if (more > most / n)
			return most;
		n *= more;
	}
	return n;
}

static int work_init(struct work *w, const struct pl_rank_tree *t,
		     struct pl_err *err)
{
	*w = (struct work){.t = t, .n_groups = t->n_nodes - t->n_ranks};
	w->group = pl_array_create(w->n_groups, sizeof(*w->group));
	w->children = pl_array_create(t->n_nodes, sizeof(*w->children));
	w->share = pl_array_create(t->n_nodes, sizeof(*w->share));
	w->had = pl_array_create(t->n_nodes, sizeof(*w->had));
	w->load = pl_array_create(t->n_ranks, sizeof(*w->load));
	w->master = pl_array_create(t->n_nodes, sizeof(*w->master));
	w->down = pl_array_create(w->n_groups, sizeof(*w->down));
	if (!w->group || !w->children || !w->share || !w->had || !w->load ||
	    !w->master || !w->down)
		return pl_err_nomem(err);
	look_at_nodes(w);
	list_children(w);
	return check(w, err);
}

static int slices_init(struct work *w, struct pl_err *err)
{
	w->n_slices = count_slices(w);
	w->weight = pl_array_create(w->n_slices, sizeof(*w->weight));
	w->cost = pl_array_create(w->n_slices, sizeof(*w->cost));
	if (w->n_slices <= SIZE_MAX / w->n_groups)
		w->chosen = pl_array_create(w->n_slices * w->n_groups,
					    sizeof(*w->chosen));
	return w->weight && w->cost && w->chosen ? 0 : pl_err_nomem(err);
}

/* The child that has had the fewest for its share. */
static uint32_t next_child(const struct work *w, const struct group *group)
{
	uint32_t best = NO_NODE;

	for (size_t k = 0; k < group->n_children; k++) {
		const uint32_t v = group->child[k];

		if (w->share[v] > 0 &&
		    (best == NO_NODE ||
		     (w->had[v] + 1) * w->share[best] <
			     (w->had[best] + 1) * w->share[v]))
			best = v;
	}
	return best;
}

static void choose_groups(struct work *w)
{
	for (size_t g = w->t->n_ranks; g < w->t->n_nodes; g++)
		for (size_t i = 0;
		     group_of(w, g)->has_groups && i < w->n_slices; i++) {
			*chosen(w, i, g) = next_child(w, group_of(w, g));
			w->had[*chosen(w, i, g)]++;
		}
}

/* The weights with which the root's masters are divided as the shares say. */
static void weigh_slices(struct work *w)
{
	const size_t root = w->t->n_nodes - 1;
	const struct group *group = group_of(w, root);
	double sum = 0;
	uint64_t common = 0;

	for (size_t k = 0; k < group->n_children; k++)
		if (w->had[group->child[k]] > 0)
			sum += w->share[group->child[k]];
	for (size_t i = 0; i < w->n_slices; i++) {
		const uint32_t v = *chosen(w, i, root);
		const double weight = group->has_groups
					      ? WEIGHT * w->share[v] / sum *
							(double)w->n_slices /
							w->had[v]
					      : 1;

		w->weight[i] = weight > 1 ? (uint64_t)round(weight) : 1;
		common = pl_gcd(common, w->weight[i]);
	}
	for (size_t i = 0; i < w->n_slices; i++)
		w->weight[i] /= common;
}

/* How many copies of the slice leave the node, and as many enter it. */
static size_t copies(const struct work *w, size_t slice, size_t node)
{
	size_t up;

	if (node + 1 == w->t->n_nodes)
		return 0;
	up = w->t->parent[node];
	if (*chosen(w, slice, up) != node)
		return 1;
	return group_of(w, up)->n_children - 1 + copies(w, slice, up);
}

/* The rank of the group whose card takes the least time with @more to move. */
static uint32_t next_rank(const struct work *w, const struct group *group,
			  double more)
{
	uint32_t best = NO_NODE;
	double least = 0;

	for (size_t k = 0; k < group->n_children; k++) {
		const uint32_t r = group->child[k];
		const double time =
			(w->load[r] + more) / (w->t->rate ? w->t->rate[r] : 1);

		if (best != NO_NODE && time >= least)
			continue;
		best = r;
		least = time;
	}
	return best;
}

/* The dearest first; of the same cost, in the order of the slices. */
static int by_cost(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;

	if (x->copies != y->copies)
		return x->copies > y->copies ? -1 : 1;
	return (x->slice > y->slice) - (x->slice < y->slice);
}

static void choose_ranks(struct work *w, size_t g)
{
	const struct group *group = group_of(w, g);

	for (size_t i = 0; i < w->n_slices; i++)
		w->cost[i] =
			(struct cost){i, (double)w->weight[i] *
						 (double)(group->n_children -
							  1 + copies(w, i, g))};
	qsort(w->cost, w->n_slices, sizeof(*w->cost), by_cost);
	for (size_t k = 0; k < w->n_slices; k++) {
		const size_t i = w->cost[k].slice;
		/* instead of the one copy that each rank moves at least */
		const double more = w->cost[k].copies - (double)w->weight[i];
		const uint32_t r = next_rank(w, group, more);

		*chosen(w, i, g) = r;
		w->load[r] += more;
	}
}

static void choose(struct work *w)
{
	double all = 0;

	choose_groups(w);
	weigh_slices(w);
	for (size_t i = 0; i < w->n_slices; i++)
		all += (double)w->weight[i];
	for (size_t r = 0; r < w->t->n_ranks; r++)
		w->load[r] = all;
	for (size_t g = w->t->n_ranks; g < w->t->n_nodes; g++)
		if (!group_of(w, g)->has_groups)
			choose_ranks(w, g);
}

/* The masters of a slice, and when they have the result. */
static void find_masters(struct work *w, size_t slice)
{
	const struct pl_rank_tree *t = w->t;
	const size_t root = t->n_nodes - 1;

	for (size_t v = 0; v <= root; v++)
		w->master[v] = v < t->n_ranks ? (uint32_t)v
					      : w->master[*chosen(w, slice, v)];
	for (size_t g = root + 1; g-- > t->n_ranks;) {
		uint32_t *down = &w->down[g - t->n_ranks];

		if (g == root)
			*down = w->group[w->n_groups - 1].height;
		else
			*down = w->down[t->parent[g] - t->n_ranks] +
				(*chosen(w, slice, t->parent[g]) != g);
	}
}

static int by_round(const void *a, const void *b)
{
	const struct pl_slice_transfer *x = a, *y = b;

	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	if (x->dst != y->dst)
		return x->dst < y->dst ? -1 : 1;
	return (x->src > y->src) - (x->src < y->src);
}

/* What the master of the node and that of its group send each other. */
static int add_pair(const struct work *w, struct pl_slice *s, size_t node)
{
	const size_t up = w->t->parent[node];
	const uint32_t own = w->master[node], of_group = w->master[up];

	if (own == of_group)
		return 0;
	if (pl_slice_append(s, (struct pl_slice_transfer){
				       .round = group_of(w, up)->height - 1,
				       .src = own,
				       .dst = of_group,
				       .adds = true}))
		return -1;
	return pl_slice_append(s, (struct pl_slice_transfer){
					  .round = w->down[up - w->t->n_ranks],
					  .src = of_group,
					  .dst = own});
}

static int add_slice(struct work *w, size_t slice, struct pl_slices *slices)
{
	struct pl_slice s = {.weight = w->weight[slice]};
	int rc = 0;

	find_masters(w, slice);
	for (size_t v = 0; rc == 0 && v + 1 < w->t->n_nodes; v++)
		rc = add_pair(w, &s, v);
	if (rc == 0 && s.n_transfers > 0)
		qsort(s.transfer, s.n_transfers, sizeof(*s.transfer), by_round);
	if (rc || pl_slices_add_take(slices, &s, PL_SLICE_ALL)) {
		pl_slice_fini(&s);
		return -1;
	}
	return 0;
}

int pl_levels_slices(struct pl_slices *slices, const struct pl_rank_tree *t,
		     struct pl_err *err)
{
	struct work w;
	int rc = work_init(&w, t, err);

	if (rc == 0)
		rc = slices_init(&w, err);
	if (rc == 0)
		choose(&w);
	for (size_t i = 0; rc == 0 && i < w.n_slices; i++)
		if (add_slice(&w, i, slices))
			rc = pl_err_nomem(err);
	work_fini(&w);
	if (rc)
		pl_slices_fini(slices);
	return rc;
}
