/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-node.c - how a group of hosts is divided: seeds, parts, hosts left over */
#include "config.h"

#include "topology/sparse-tree.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define SEEDS_SHARE 5 / 8 /* seeds, of the pairs of a host */
#define SEEDS_PAIRS 0.6   /* twice the pairs of seeds, a host */
#define FULL_SHARE 1 / 2  /* a group of so many is measured in full */
/* pairs of a host in one without a gap, by chance */
#define MIXED_SHARE 1 / 4
#define SWEEPS 5
#define ALIKE_SHARE 8     /* groups with parts speak for 8 times as many */
#define STRANGE_SHARE 0.1 /* so many that are left over stand elsewhere */

/* More of a large group, so that few of its parts have none, as long as that takes a small share of
 * the pairs. */
static size_t n_seeds_of(const struct pl_sparse *s, size_t n)
{
	const size_t least = s->options.per_host * SEEDS_SHARE;
	const size_t most = s->options.per_host;
	const size_t fair = (size_t)sqrt(SEEDS_PAIRS * (double)n);

	return fair < least ? least : fair > most ? most : fair;
}

/* A host and its lot, to be put in order by load. */
struct lot {
	uint32_t load, host;
	uint64_t lot;
};

static int compare_lots(const void *x, const void *y)
{
	const struct lot *a = x, *b = y;

	if (a->load != b->load)
		return a->load < b->load ? -1 : 1;
	return (a->lot > b->lot) - (a->lot < b->lot);
}

/* The @want hosts of that seat with the fewest pairs, of equals by lot. */
static int choose_seeds(struct pl_sparse *s, struct pl_sparse_node *node, enum pl_sparse_seat seat,
			size_t want)
{
	struct lot *v = pl_array_create(node->n, sizeof(*v));
	size_t n = 0;

	free(node->seed);
	node->seed = pl_array_create(node->n, sizeof(*node->seed));
	node->n_seeds = 0;
	if (!v || !node->seed) {
		free(v);
		return -1;
	}
	for (size_t k = 0; k < node->n; k++) {
		const uint32_t h = node->member[k];

		if (s->host[h].seat == seat && !s->host[h].gone)
			v[n++] = (struct lot){
				.load = s->pairs.degree[h], .host = h, .lot = pl_rng_u64(&s->rng)};
	}
	qsort(v, n, sizeof(*v), compare_lots);
	for (size_t k = 0; k < n && k < want; k++)
		node->seed[node->n_seeds++] = v[k].host;
	free(v);
	return 0;
}

static int ask_all(struct pl_sparse *s, const uint32_t *host, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (pl_sparse_ask(s, host[i], host[j]))
				return -1;
	return 0;
}

/* Of a group that is not parted any more: each with the next one in a circle, then with the next
 * but one, as long as both are in few pairs. */
static int fill(struct pl_sparse *s, const struct pl_sparse_node *node)
{
	const size_t n = node->n, most = s->options.per_host;

	for (size_t k = 1; k <= n / 2; k++)
		for (size_t i = 0; i < n; i++) {
			const uint32_t a = node->member[i];
			const uint32_t b = node->member[(i + k) % n];

			if (s->pairs.degree[a] < most && s->pairs.degree[b] < most &&
			    pl_sparse_ask(s, a, b))
				return -1;
		}
	return 0;
}

/* Some others of the node for each of its hosts, by chance. */
static int ask_mixed(struct pl_sparse *s, const struct pl_sparse_node *node)
{
	const size_t some = s->options.per_host * MIXED_SHARE / 2;

	for (size_t i = 0; i < node->n; i++)
		for (size_t k = 0; k < some; k++)
			if (pl_sparse_ask(s, node->member[i],
					  node->member[pl_rng_below(&s->rng, node->n)]))
				return -1;
	return 0;
}

/* What was measured between the node's seeds, less what is known to be the hosts' own. */
static float *seed_distances(const struct pl_sparse *s, const struct pl_sparse_node *node)
{
	const size_t m = node->n_seeds;
	float *d = pl_array_create(m, m * sizeof(*d));

	for (size_t i = 0; d && i < m; i++)
		for (size_t j = 0; j < m; j++)
			d[i * m + j] = (float)pl_sparse_pairs_get(&s->pairs, node->seed[i],
								  node->seed[j]) -
				       s->host[node->seed[i]].own - s->host[node->seed[j]].own;
	return d;
}

static void open_host(struct pl_sparse *s, uint32_t host, size_t first)
{
	struct pl_sparse_host *h = &s->host[host];

	h->seat = PL_SEAT_OPEN;
	h->first = (uint32_t)first;
	h->tried = 0;
	h->doubt = NAN;
}

static int add_part(struct pl_sparse_node *node)
{
	if (pl_array_grow((void **)&node->part, &node->parts_room, node->n_parts,
			  sizeof(*node->part)))
		return -1;
	node->part[node->n_parts++] = (struct pl_sparse_part){0};
	return 0;
}

/* The seeds fall into parts, and the other hosts begin to look for theirs. */
static int begin_sweep(struct pl_sparse *s, struct pl_sparse_node *node, const size_t *part,
		       size_t n_parts)
{
	for (size_t p = 0; p < n_parts; p++)
		if (add_part(node))
			return -1;
	for (size_t k = 0; k < node->n; k++) {
		const uint32_t h = node->member[k];

		s->host[h].best = INFINITY;
		s->host[h].part = 0;
		open_host(s, h, pl_rng_below(&s->rng, n_parts));
	}
	for (size_t k = 0; k < node->n_seeds; k++)
		if (pl_sparse_seat(s, node, node->seed[k], (uint32_t)part[k]))
			return -1;
	node->stage = PL_STAGE_SWEEP;
	return pl_sparse_own_fit(s, node);
}

/* @like: what separates parts in groups alike; NULL: that is to be found. */
static int judge_seeds(struct pl_sparse *s, struct pl_sparse_node *node,
		       const struct pl_sparse_scale *like)
{
	const size_t m = node->n_seeds;
	size_t *part = pl_array_create(m, sizeof(*part));
	float *d = seed_distances(s, node);
	size_t n_parts = 1;
	int rc = -1;

	if (!part || !d)
		goto out;
	if (m > 1 && pl_sparse_split(d, m, like, part, &n_parts, &node->scale))
		goto out;
	/* a cut that is not this group's would leave each alone */
	if (like && n_parts * 10 > m * 9)
		n_parts = 1;
	if (n_parts > 1)
		rc = begin_sweep(s, node, part, n_parts);
	else {
		node->stage = PL_STAGE_MIXED;
		rc = 0;
	}
out:
	free(part);
	free(d);
	return rc;
}

static size_t count_seats(const struct pl_sparse *s, const struct pl_sparse_node *node,
			  enum pl_sparse_seat seat)
{
	size_t n = 0;

	for (size_t k = 0; k < node->n; k++)
		n += s->host[node->member[k]].seat == seat;
	return n;
}

/* Those left over look again, first at parts that are new. */
static void sweep_again(struct pl_sparse *s, struct pl_sparse_node *node, size_t n_before)
{
	const size_t n_new = node->n_parts - n_before;

	for (size_t k = 0; k < node->n; k++) {
		const uint32_t h = node->member[k];

		if (s->host[h].seat != PL_SEAT_LEFT)
			continue;
		open_host(s, h,
			  n_new ? n_before + pl_rng_below(&s->rng, n_new)
				: pl_rng_below(&s->rng, node->n_parts));
	}
	node->stage = PL_STAGE_SWEEP;
}

/* Seeds of those left over that are near one another are new parts; where many are left over, so is
 * each by itself. */
static int judge_again(struct pl_sparse *s, struct pl_sparse_node *node)
{
	const size_t m = node->n_seeds, n_before = node->n_parts;
	const struct pl_sparse_scale like = node->scale;
	size_t *part = pl_array_create(m, sizeof(*part));
	size_t *count = pl_array_create(m, sizeof(*count));
	float *d = seed_distances(s, node);
	const size_t n_left = count_seats(s, node, PL_SEAT_LEFT);
	size_t n_parts = 0, n_alone = 0;
	int rc = -1;

	if (!part || !count || !d)
		goto out;
	if (m > 1 && pl_sparse_split(d, m, &like, part, &n_parts, &node->scale))
		goto out;
	for (size_t k = 0; k < m; k++)
		count[part[k]]++;
	for (size_t p = 0; p < n_parts; p++)
		n_alone += count[p] == 1;
	for (size_t p = 0; p < n_parts; p++) {
		if (count[p] < 2 &&
		    (2 * n_alone < m || (double)n_left < STRANGE_SHARE * (double)node->n))
			continue;
		if (add_part(node))
			goto out;
		for (size_t k = 0; k < m; k++)
			if (part[k] == p &&
			    pl_sparse_seat(s, node, node->seed[k], (uint32_t)node->n_parts - 1))
				goto out;
	}
	sweep_again(s, node, n_before);
	rc = 0;
out:
	free(part);
	free(count);
	free(d);
	return rc;
}

int pl_sparse_node_add(struct pl_sparse *s, const uint32_t *member, size_t n)
{
	struct pl_sparse_node *node;

	if (pl_array_grow((void **)&s->node, &s->nodes_room, s->n_nodes, sizeof(*s->node)))
		return -1;
	node = &s->node[s->n_nodes];
	*node = (struct pl_sparse_node){.n = n};
	node->member = pl_array_create(n, sizeof(*node->member));
	if (!node->member)
		return -1;
	s->n_nodes++;
	for (size_t k = 0; k < n; k++)
		node->member[k] = member[k];
	node->stage = PL_STAGE_SEEDS;
	if (n <= s->options.per_host * FULL_SHARE || (s->n_nodes == 1 && n <= s->options.per_host))
		node->stage = PL_STAGE_FULL;
	else if (choose_seeds(s, node, PL_SEAT_TAKEN, n_seeds_of(s, n)))
		return -1;
	return 0;
}

/* All hosts of the node have their parts: each becomes a node. */
static int end_node(struct pl_sparse *s, size_t k)
{
	const size_t n_parts = s->node[k].n_parts, child = s->n_nodes;

	for (size_t i = 0; i < s->node[k].n; i++)
		if (s->host[s->node[k].member[i]].seat == PL_SEAT_LEFT)
			if (pl_sparse_seat(s, &s->node[k], s->node[k].member[i],
					   s->host[s->node[k].member[i]].part))
				return -1;
	if (pl_sparse_own_fit(s, &s->node[k]))
		return -1;
	for (size_t p = 0; p < n_parts; p++)
		if (pl_sparse_node_add(s, s->node[k].part[p].member, s->node[k].part[p].n))
			return -1;
	s->node[k].child = child;
	s->node[k].stage = PL_STAGE_DONE;
	for (size_t p = 0; p < n_parts; p++) {
		const struct pl_sparse_node *c = &s->node[child + p];

		for (size_t i = 0; i < c->n; i++)
			s->host[c->member[i]].node = (uint32_t)(child + p);
		free(s->node[k].part[p].member);
	}
	free(s->node[k].part);
	s->node[k].part = NULL;
	return 0;
}

static int judge_sweep(struct pl_sparse *s, struct pl_sparse_node *node)
{
	if (pl_sparse_sweep_judge(s, node))
		return -1;
	if (count_seats(s, node, PL_SEAT_OPEN) == 0)
		node->stage = PL_STAGE_CHECK;
	return 0;
}

/* After a sweep: that was the last, or who is left over tries again. */
static int judge_check(struct pl_sparse *s, size_t k)
{
	struct pl_sparse_node *node = &s->node[k];
	size_t n_left;

	if (pl_sparse_join_judge(s, node))
		return -1;
	n_left = count_seats(s, node, PL_SEAT_LEFT);
	if (n_left == 0 || ++node->sweeps == SWEEPS)
		return end_node(s, k);
	if (node->sweeps % 2 && (double)n_left < STRANGE_SHARE * (double)node->n) {
		sweep_again(s, node, node->n_parts);
		return 0;
	}
	if (choose_seeds(s, node, PL_SEAT_LEFT, n_seeds_of(s, n_left) / 2))
		return -1;
	node->stage = PL_STAGE_AGAIN;
	return 0;
}

/* What separates the parts of groups of the same parent; NULL: too few have any. */
static const struct pl_sparse_scale *find_like(const struct pl_sparse *s,
					       const struct pl_sparse_node *of)
{
	const struct pl_sparse_scale *found = NULL;
	size_t n_parted = 0, n_whole = 0;

	for (size_t k = 0; k < of->n_parts; k++) {
		const struct pl_sparse_node *node = &s->node[of->child + k];

		if (node->n_parts > 1) {
			n_parted += node->n;
			found = &node->scale;
		} else if (node->stage == PL_STAGE_MIXED) {
			n_whole += node->n;
		}
	}
	return n_parted * ALIKE_SHARE >= n_whole ? found : NULL;
}

int pl_sparse_node_compare(struct pl_sparse *s)
{
	const size_t n = s->n_nodes;

	for (size_t k = 0; k < n; k++) {
		const struct pl_sparse_scale *like;

		if (s->node[k].child == 0)
			continue;
		like = find_like(s, &s->node[k]);
		for (size_t i = 0; like && i < s->node[k].n_parts; i++) {
			struct pl_sparse_node *child = &s->node[s->node[k].child + i];

			if (child->stage == PL_STAGE_MIXED && judge_seeds(s, child, like))
				return -1;
		}
	}
	return 0;
}

int pl_sparse_node_judge(struct pl_sparse *s, size_t k)
{
	struct pl_sparse_node *node = &s->node[k];

	switch (node->stage) {
	case PL_STAGE_SEEDS:
		return judge_seeds(s, node, NULL);
	case PL_STAGE_SWEEP:
		return judge_sweep(s, node);
	case PL_STAGE_AGAIN:
		return judge_again(s, node);
	case PL_STAGE_CHECK:
		return judge_check(s, k);
	case PL_STAGE_FULL:
	case PL_STAGE_MIXED:
	case PL_STAGE_DONE:
		node->stage = PL_STAGE_DONE;
	}
	return 0;
}

int pl_sparse_node_ask(struct pl_sparse *s, struct pl_sparse_node *node)
{
	switch (node->stage) {
	case PL_STAGE_SEEDS:
	case PL_STAGE_AGAIN:
		return ask_all(s, node->seed, node->n_seeds);
	case PL_STAGE_SWEEP:
		return pl_sparse_sweep_ask(s, node);
	case PL_STAGE_CHECK:
		return pl_sparse_join_ask(s, node);
	case PL_STAGE_FULL:
		return fill(s, node);
	case PL_STAGE_MIXED:
		return ask_mixed(s, node);
	case PL_STAGE_DONE:
		break;
	}
	return 0;
}
