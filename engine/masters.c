/* SPDX-License-Identifier: BSD-3-Clause */
/* masters.c - groups of groups of ranks, and who adds up for each of them */
#include "config.h"

#include "engine/masters.h"

#include "base/gcd.h"
#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SLICES_PER_RANK 8
/* The weight of a slice where all shares are met without weights: shares are met within 1 % where
 * they are not. */
#define WEIGHT 60

struct group {
	uint32_t *child; /* in w->children, in the order of their numbers */
	size_t n_children;
	bool has_groups;
};

struct cost {
	size_t slice;
	double copies; /* that its master moves each way, times the weight */
};

struct work {
	const struct pl_rank_tree *t;
	struct pl_level_masters *m;
	struct group *group; /* [n_groups] */
	uint32_t *children;  /* [n_nodes] */
	double *share;       /* [n_nodes] */
	double *had;         /* [n_nodes]: slices of which it has the master */
	double *load;        /* [n_ranks]: what its card moves each way */
	uint32_t *heap;      /* [n_nodes]: who is next */
	struct cost *heavy;  /* [n_slices]: the heaviest slice first */
	struct cost *taken;  /* [n_slices]: of which a group's is master of
			      * the group around it, too */
};

void pl_level_masters_fini(struct pl_level_masters *m)
{
	free(m->child);
	free(m->weight);
	*m = (struct pl_level_masters){0};
}

static void work_fini(struct work *w)
{
	free(w->group);
	free(w->children);
	free(w->share);
	free(w->had);
	free(w->load);
	free(w->heap);
	free(w->heavy);
	free(w->taken);
}

static struct group *group_of(const struct work *w, size_t node)
{
	return &w->group[node - w->t->n_ranks];
}

static uint32_t *chosen(const struct work *w, size_t slice, size_t group)
{
	return &w->m->child[slice * w->m->n_groups + group - w->t->n_ranks];
}

/* The groups' children are counted, and the shares where none are given. */
static void look_at_nodes(struct work *w)
{
	const struct pl_rank_tree *t = w->t;

	for (size_t v = 0; v + 1 < t->n_nodes; v++) {
		struct group *up = group_of(w, t->parent[v]);

		up->n_children++;
		up->has_groups |= v >= t->n_ranks;
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

	for (size_t g = 0; g < w->m->n_groups; g++) {
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
		return pl_err_set(err, PL_EUSAGE, "group %zu has no member", g - w->t->n_ranks);
	for (size_t k = 0; k < group->n_children; k++) {
		const double share = w->share[group->child[k]];

		if (!isfinite(share) || share < 0)
			return pl_err_set(err, PL_EUSAGE,
					  "the share of child %zu of group %zu is %g", k,
					  g - w->t->n_ranks, share);
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
			return pl_err_set(err, PL_EUSAGE, "the card of rank %zu has rate %g", r,
					  t->rate[r]);
	for (size_t g = t->n_ranks; g < t->n_nodes; g++)
		if (check_group(w, g, err))
			return -1;
	return 0;
}

/* So many that every child of a group can be the master's as often; as many as are allowed where
 * rates differ. */
static size_t count_slices(const struct work *w)
{
	const size_t limit = w->t->slices_max ? w->t->slices_max : SIZE_MAX;
	const size_t per_rank = SLICES_PER_RANK * w->t->n_ranks;
	const size_t most = limit < per_rank ? limit : per_rank;
	size_t n = w->t->n_ranks;

	if (w->t->rate || n >= most)
		return most;
	for (size_t g = 0; g < w->m->n_groups; g++) {
		const size_t k = w->group[g].n_children;
		const size_t more = k / (size_t)pl_gcd(n, k);

		if (more > most / n)
			return most;
		n *= more;
	}
	return n;
}

static int work_init(struct work *w, struct pl_err *err)
{
	const struct pl_rank_tree *t = w->t;

	w->group = pl_array_create(w->m->n_groups, sizeof(*w->group));
	w->children = pl_array_create(t->n_nodes, sizeof(*w->children));
	w->share = pl_array_create(t->n_nodes, sizeof(*w->share));
	w->had = pl_array_create(t->n_nodes, sizeof(*w->had));
	w->load = pl_array_create(t->n_ranks, sizeof(*w->load));
	w->heap = pl_array_create(t->n_nodes, sizeof(*w->heap));
	if (!w->group || !w->children || !w->share || !w->had || !w->load || !w->heap)
		return pl_err_nomem(err);
	look_at_nodes(w);
	list_children(w);
	return check(w, err);
}

static int slices_init(struct work *w, struct pl_err *err)
{
	struct pl_level_masters *m = w->m;

	m->n = count_slices(w);
	m->weight = pl_array_create(m->n, sizeof(*m->weight));
	w->heavy = pl_array_create(m->n, sizeof(*w->heavy));
	w->taken = pl_array_create(m->n, sizeof(*w->taken));
	if (m->n <= SIZE_MAX / m->n_groups)
		m->child = pl_array_create(m->n * m->n_groups, sizeof(*m->child));
	return m->weight && m->child && w->heavy && w->taken ? 0 : pl_err_nomem(err);
}

/* Where there is no choice. */
static void choose_only_children(struct work *w)
{
	for (size_t i = 0; i < w->m->n; i++)
		for (size_t g = w->t->n_ranks; g < w->t->n_nodes; g++)
			if (group_of(w, g)->n_children == 1)
				*chosen(w, i, g) = *group_of(w, g)->child;
}

/* Has the child had fewer for its share, another one taken into account? */
static bool is_next(const struct work *w, uint32_t a, uint32_t b)
{
	const double of_a = (w->had[a] + 1) * w->share[b];
	const double of_b = (w->had[b] + 1) * w->share[a];

	return of_a < of_b || (of_a == of_b && a < b);
}

/* What stands there in the heap of @n sinks to its place. */
static void sink(struct work *w, size_t n, size_t at)
{
	uint32_t *heap = w->heap;
	const uint32_t v = heap[at];

	for (size_t k; (k = 2 * at + 1) < n; at = k) {
		k += k + 1 < n && is_next(w, heap[k + 1], heap[k]);
		if (is_next(w, v, heap[k]))
			break;
		heap[at] = heap[k];
	}
	heap[at] = v;
}

/* The children with a share, as a heap of which the first has had the fewest for its share; their
 * number. */
static size_t make_heap(struct work *w, const struct group *group)
{
	size_t n = 0;

	for (size_t k = 0; k < group->n_children; k++)
		if (w->share[group->child[k]] > 0)
			w->heap[n++] = group->child[k];
	for (size_t k = n / 2; k-- > 0;)
		sink(w, n, k);
	return n;
}

static void choose_groups(struct work *w)
{
	for (size_t g = w->t->n_ranks; g < w->t->n_nodes; g++) {
		size_t n;

		if (!group_of(w, g)->has_groups)
			continue;
		n = make_heap(w, group_of(w, g));
		for (size_t i = 0; i < w->m->n; i++) {
			*chosen(w, i, g) = w->heap[0];
			w->had[w->heap[0]]++;
			sink(w, n, 0);
		}
	}
}

/* The weights with which the root's masters are divided as the shares say. */
static void weigh_slices(struct work *w)
{
	const size_t root = w->t->n_nodes - 1;
	const struct group *group = group_of(w, root);
	struct pl_level_masters *m = w->m;
	double sum = 0;
	uint64_t common = 0;

	for (size_t k = 0; k < group->n_children; k++)
		if (w->had[group->child[k]] > 0)
			sum += w->share[group->child[k]];
	for (size_t i = 0; i < m->n; i++) {
		const uint32_t v = *chosen(w, i, root);
		const double weight =
			group->has_groups ? WEIGHT * w->share[v] / sum * (double)m->n / w->had[v]
					  : 1;

		m->weight[i] = weight > 1 ? (uint64_t)round(weight) : 1;
		common = pl_gcd(common, m->weight[i]);
	}
	for (size_t i = 0; i < m->n; i++)
		m->weight[i] /= common;
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
static uint32_t next_rank(const struct work *w, const struct group *group, double more)
{
	uint32_t best = 0;
	double least = 0;

	for (size_t k = 0; k < group->n_children; k++) {
		const uint32_t r = group->child[k];
		const double time = (w->load[r] + more) / (w->t->rate ? w->t->rate[r] : 1);

		if (k == 0 || time < least) {
			best = r;
			least = time;
		}
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

/* The rank with the least to move becomes master of the slice. */
static void choose_rank(struct work *w, size_t g, const struct cost *cost)
{
	/* instead of the one copy that each rank moves at least */
	const double more = cost->copies - (double)w->m->weight[cost->slice];
	const uint32_t r = next_rank(w, group_of(w, g), more);

	*chosen(w, cost->slice, g) = r;
	w->load[r] += more;
}

/* Does more leave the group than the one copy of its sum? */
static bool is_taken(const struct work *w, size_t slice, size_t g)
{
	return g + 1 < w->t->n_nodes && *chosen(w, slice, w->t->parent[g]) == g;
}

/* By what masters have to move: what a group's moves for others differs in few slices, which alone
 * are sorted; the rest are in order of their weights. */
static void choose_ranks(struct work *w, size_t g)
{
	const double others = (double)group_of(w, g)->n_children - 1;
	const double leaves = g + 1 < w->t->n_nodes ? 1 : 0;
	size_t n = 0, k = 0;

	for (size_t i = 0; i < w->m->n; i++)
		if (is_taken(w, i, g))
			w->taken[n++] = (struct cost){
				i, (double)w->m->weight[i] * (others + (double)copies(w, i, g))};
	qsort(w->taken, n, sizeof(*w->taken), by_cost);
	for (size_t i = 0; i < w->m->n; i++) {
		struct cost next = w->heavy[i];

		if (is_taken(w, next.slice, g))
			continue;
		next.copies *= others + leaves;
		while (k < n && by_cost(&w->taken[k], &next) < 0)
			choose_rank(w, g, &w->taken[k++]);
		choose_rank(w, g, &next);
	}
	while (k < n)
		choose_rank(w, g, &w->taken[k++]);
}

static void choose(struct work *w)
{
	struct pl_level_masters *m = w->m;
	double all = 0;

	choose_only_children(w);
	choose_groups(w);
	weigh_slices(w);
	for (size_t i = 0; i < m->n; i++) {
		w->heavy[i] = (struct cost){i, (double)m->weight[i]};
		all += (double)m->weight[i];
	}
	qsort(w->heavy, m->n, sizeof(*w->heavy), by_cost);
	for (size_t r = 0; r < w->t->n_ranks; r++)
		w->load[r] = all;
	for (size_t g = w->t->n_ranks; g < w->t->n_nodes; g++)
		if (!group_of(w, g)->has_groups && group_of(w, g)->n_children > 1)
			choose_ranks(w, g);
}

int pl_level_masters_init(struct pl_level_masters *m, const struct pl_rank_tree *t,
			  struct pl_err *err)
{
	struct work w = {.t = t, .m = m};
	int rc;

	m->n_groups = t->n_nodes - t->n_ranks;
	rc = work_init(&w, err);
	if (rc == 0)
		rc = slices_init(&w, err);
	if (rc == 0)
		choose(&w);
	work_fini(&w);
	if (rc)
		pl_level_masters_fini(m);
	return rc;
}

/* load[n_nodes] of all slices, beyond a copy of each; that of the root is the weight of all.
 * copies[n_groups] is for work. */
static void add_loads(const struct pl_level_masters *m, const struct pl_rank_tree *t,
		      const double *n_children, double *copies, double *load)
{
	for (size_t i = 0; i < m->n; i++) {
		const uint32_t *child = &m->child[i * m->n_groups];
		const double weight = (double)m->weight[i];

		for (size_t g = 0; g + 1 < m->n_groups; g++)
			copies[g] = 1;
		copies[m->n_groups - 1] = 0;
		for (size_t g = m->n_groups; g-- > 0;) {
			const double leave = n_children[g] - 1 + copies[g];

			if (child[g] >= t->n_ranks)
				copies[child[g] - t->n_ranks] = leave;
			load[child[g]] += weight * (leave - 1);
		}
		load[t->n_nodes - 1] += weight;
	}
}

int pl_level_masters_loads(const struct pl_level_masters *m, const struct pl_rank_tree *t,
			   double *load)
{
	double *n_children = pl_array_create(m->n_groups, sizeof(*n_children));
	double *copies = pl_array_create(m->n_groups, sizeof(*copies));
	const int rc = n_children && copies ? 0 : -1;
	const size_t root = t->n_nodes - 1;

	memset(load, 0, t->n_nodes * sizeof(*load));
	for (size_t v = 0; rc == 0 && v < root; v++)
		n_children[t->parent[v] - t->n_ranks]++;
	if (rc == 0)
		add_loads(m, t, n_children, copies, load);
	for (size_t v = 0; rc == 0 && v < root; v++)
		load[v] = 1 + load[v] / load[root];
	load[root] = 0;
	free(n_children);
	free(copies);
	return rc;
}

double pl_level_masters_seconds(const struct pl_level_masters *m, const struct pl_rank_tree *t,
				const double *rate)
{
	double *load = pl_array_create(t->n_nodes, sizeof(*load));
	double most = load && pl_level_masters_loads(m, t, load) == 0 ? 0 : -1;

	for (size_t v = 0; most >= 0 && v + 1 < t->n_nodes; v++)
		if (rate[v] > 0)
			most = fmax(most, load[v] / rate[v]);
	free(load);
	return most;
}
