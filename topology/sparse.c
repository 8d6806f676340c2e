/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse.c - which pairs to measure where nobody tells how the hosts stand */
#include "config.h"

#include "topology/sparse-tree.h"

#include "src/mem.h"
#include "src/stats.h"

#include <math.h>
#include <stdlib.h>

#define SEEDS_SHARE 5 / 8 /* seeds, of the pairs of a host */
#define FULL_SHARE 1 / 2  /* a group of so many is measured in full */
#define MIXED_SHARE 1 / 4 /* pairs of a host in one without a gap, by chance */
#define SWEEPS 5
#define STRANGE_SHARE 0.1 /* so many that are left over stand elsewhere */
#define OWN_LEAST 4       /* pairs that tell what a host has of its own */

static size_t n_seeds_of(const struct pl_sparse *s)
{
	return s->options.per_host * SEEDS_SHARE;
}

int pl_sparse_ask(struct pl_sparse *s, size_t a, size_t b)
{
	if (a == b || s->host[a].gone || s->host[b].gone ||
	    s->n_asked >= s->budget || pl_sparse_pairs_find(&s->pairs, a, b))
		return 0;
	if (pl_array_grow((void **)&s->batch, &s->batch_room, s->n_batch,
			  sizeof(*s->batch)))
		return -1;
	s->batch[s->n_batch++] =
		(struct pl_sample_pair){.a = a < b ? a : b, .b = a < b ? b : a};
	s->n_asked++;
	return pl_sparse_pairs_add(&s->pairs, a, b);
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
static int choose_seeds(struct pl_sparse *s, struct pl_sparse_node *node,
			enum pl_sparse_seat seat, size_t want)
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
			v[n++] = (struct lot){.load = s->pairs.degree[h],
					      .host = h,
					      .lot = pl_rng_u64(&s->rng)};
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

/* Of a group that is not parted any more: each with the next one in a circle, then with
 * the next but one, as long as both are in few pairs. */
static int fill(struct pl_sparse *s, const struct pl_sparse_node *node)
{
	const size_t n = node->n, most = s->options.per_host;

	for (size_t k = 1; k <= n / 2; k++)
		for (size_t i = 0; i < n; i++) {
			const uint32_t a = node->member[i];
			const uint32_t b = node->member[(i + k) % n];

			if (s->pairs.degree[a] < most &&
			    s->pairs.degree[b] < most && pl_sparse_ask(s, a, b))
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
					  node->member[pl_rng_below(&s->rng,
								    node->n)]))
				return -1;
	return 0;
}

/* What was measured between the node's seeds, less what is known to be the hosts'
 * own. */
static float *seed_distances(const struct pl_sparse *s,
			     const struct pl_sparse_node *node)
{
	const size_t m = node->n_seeds;
	float *d = pl_array_create(m, m * sizeof(*d));

	for (size_t i = 0; d && i < m; i++)
		for (size_t j = 0; j < m; j++)
			d[i * m + j] = (float)pl_sparse_pairs_get(
				&s->pairs, node->seed[i], node->seed[j]);
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
	if (pl_array_grow((void **)&node->part, &node->parts_room,
			  node->n_parts, sizeof(*node->part)))
		return -1;
	node->part[node->n_parts++] = (struct pl_sparse_part){0};
	return 0;
}

static int seat_seed(struct pl_sparse *s, struct pl_sparse_node *node,
		     uint32_t host, size_t part)
{
	s->host[host].seat = PL_SEAT_TAKEN;
	s->host[host].part = (uint32_t)part;
	return pl_sparse_part_add(&node->part[part], host);
}

/* The seeds fall into parts, and the other hosts begin to look for theirs. */
static int begin_sweep(struct pl_sparse *s, struct pl_sparse_node *node,
		       const size_t *part, const double *own, size_t n_parts)
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
	for (size_t k = 0; k < node->n_seeds; k++) {
		s->host[node->seed[k]].own = (float)own[k];
		if (seat_seed(s, node, node->seed[k], part[k]))
			return -1;
	}
	node->stage = PL_STAGE_SWEEP;
	return 0;
}

static int judge_seeds(struct pl_sparse *s, struct pl_sparse_node *node)
{
	const size_t m = node->n_seeds;
	double *own = pl_array_create(m, sizeof(*own));
	size_t *part = pl_array_create(m, sizeof(*part));
	float *d = seed_distances(s, node);
	size_t n_parts = 1;
	int rc = -1;

	if (!own || !part || !d)
		goto out;
	if (m > 1 && pl_sparse_split(d, m, own, part, &n_parts, &node->scale))
		goto out;
	if (n_parts > 1)
		rc = begin_sweep(s, node, part, own, n_parts);
	else {
		node->stage = PL_STAGE_MIXED;
		rc = 0;
	}
out:
	free(own);
	free(part);
	free(d);
	return rc;
}

static size_t count_seats(const struct pl_sparse *s,
			  const struct pl_sparse_node *node,
			  enum pl_sparse_seat seat)
{
	size_t n = 0;

	for (size_t k = 0; k < node->n; k++)
		n += s->host[node->member[k]].seat == seat;
	return n;
}

/* Those left over look again, first at parts that are new. */
static void sweep_again(struct pl_sparse *s, struct pl_sparse_node *node,
			size_t n_before)
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

/* Seeds of those left over that are near one another are new parts; where many are left
 * over, so is each by itself. */
static int judge_again(struct pl_sparse *s, struct pl_sparse_node *node)
{
	const size_t m = node->n_seeds, n_before = node->n_parts;
	size_t *part = pl_array_create(m, sizeof(*part));
	size_t *count = pl_array_create(m, sizeof(*count));
	float *d = seed_distances(s, node);
	const size_t n_left = count_seats(s, node, PL_SEAT_LEFT);
	size_t n_parts = 0, n_alone = 0;
	int rc = -1;

	if (!part || !count || !d)
		goto out;
	if (m > 1 && pl_sparse_join(d, m, node->scale.cut, part, &n_parts))
		goto out;
	for (size_t k = 0; k < m; k++)
		count[part[k]]++;
	for (size_t p = 0; p < n_parts; p++)
		n_alone += count[p] == 1;
	for (size_t p = 0; p < n_parts; p++) {
		if (count[p] < 2 &&
		    (2 * n_alone < m ||
		     (double)n_left < STRANGE_SHARE * (double)node->n))
			continue;
		if (add_part(node))
			goto out;
		for (size_t k = 0; k < m; k++)
			if (part[k] == p && seat_seed(s, node, node->seed[k],
						      node->n_parts - 1))
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

/* What a host has of its own, by what it measured to other parts. */
static void find_own(struct pl_sparse *s, const struct pl_sparse_node *node,
		     uint32_t host)
{
	struct pl_sparse_host *h = &s->host[host];
	uint32_t at = s->pairs.head[host];
	double v[256];
	size_t n = 0;

	while (at != PL_SPARSE_END && n < sizeof(v) / sizeof(*v)) {
		size_t other;
		double d;

		at = pl_sparse_pairs_walk(&s->pairs, host, at, &other, &d);
		if (s->host[other].node == h->node && !isnan(d) &&
		    s->host[other].part != h->part)
			v[n++] = d - (double)s->host[other].own;
	}
	if (n >= OWN_LEAST)
		h->own = (float)(pl_median(v, n) - node->scale.far);
}

static int add_node(struct pl_sparse *s, const uint32_t *member, size_t n)
{
	struct pl_sparse_node *node;

	if (pl_array_grow((void **)&s->node, &s->nodes_room, s->n_nodes,
			  sizeof(*s->node)))
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
	if (n <= s->options.per_host * FULL_SHARE ||
	    (s->n_nodes == 1 && n <= s->options.per_host))
		node->stage = PL_STAGE_FULL;
	else if (choose_seeds(s, node, PL_SEAT_TAKEN, n_seeds_of(s)))
		return -1;
	return 0;
}

/* All hosts of the node have their parts: each becomes a node. */
static int end_node(struct pl_sparse *s, size_t k)
{
	const size_t n_parts = s->node[k].n_parts, child = s->n_nodes;

	for (size_t i = 0; i < s->node[k].n; i++)
		if (s->host[s->node[k].member[i]].seat == PL_SEAT_LEFT)
			if (seat_seed(s, &s->node[k], s->node[k].member[i],
				      s->host[s->node[k].member[i]].part))
				return -1;
	for (size_t i = 0; i < s->node[k].n; i++)
		find_own(s, &s->node[k], s->node[k].member[i]);
	for (size_t p = 0; p < n_parts; p++)
		if (add_node(s, s->node[k].part[p].member,
			     s->node[k].part[p].n))
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

static int judge_sweep(struct pl_sparse *s, size_t k)
{
	struct pl_sparse_node *node = &s->node[k];
	size_t n_left;

	if (pl_sparse_sweep_judge(s, node))
		return -1;
	if (count_seats(s, node, PL_SEAT_OPEN) > 0)
		return 0;
	n_left = count_seats(s, node, PL_SEAT_LEFT);
	if (n_left == 0 || ++node->sweeps == SWEEPS)
		return end_node(s, k);
	if (node->sweeps % 2 &&
	    (double)n_left < STRANGE_SHARE * (double)node->n) {
		sweep_again(s, node, node->n_parts);
		return 0;
	}
	if (choose_seeds(s, node, PL_SEAT_LEFT, n_seeds_of(s) / 2))
		return -1;
	node->stage = PL_STAGE_AGAIN;
	return 0;
}

static int judge(struct pl_sparse *s, size_t k)
{
	struct pl_sparse_node *node = &s->node[k];

	switch (node->stage) {
	case PL_STAGE_SEEDS:
		return judge_seeds(s, node);
	case PL_STAGE_SWEEP:
		return judge_sweep(s, k);
	case PL_STAGE_AGAIN:
		return judge_again(s, node);
	case PL_STAGE_FULL:
	case PL_STAGE_MIXED:
	case PL_STAGE_DONE:
		node->stage = PL_STAGE_DONE;
	}
	return 0;
}

static int ask(struct pl_sparse *s, struct pl_sparse_node *node)
{
	switch (node->stage) {
	case PL_STAGE_SEEDS:
	case PL_STAGE_AGAIN:
		return ask_all(s, node->seed, node->n_seeds);
	case PL_STAGE_SWEEP:
		return pl_sparse_sweep_ask(s, node);
	case PL_STAGE_FULL:
		return fill(s, node);
	case PL_STAGE_MIXED:
		return ask_mixed(s, node);
	case PL_STAGE_DONE:
		break;
	}
	return 0;
}

/* Goes on until something is asked for that is not known, or to the end. */
static int advance(struct pl_sparse *s, size_t k)
{
	if (s->node[k].waits && judge(s, k))
		return -1;
	s->node[k].waits = false;
	while (s->node[k].stage != PL_STAGE_DONE) {
		const size_t before = s->n_batch;

		if (!s->fills && (s->node[k].stage == PL_STAGE_FULL ||
				  s->node[k].stage == PL_STAGE_MIXED))
			return 0;
		if (ask(s, &s->node[k]))
			return -1;
		s->node[k].waits = s->n_batch > before;
		if (s->node[k].waits)
			return 0;
		if (judge(s, k))
			return -1;
	}
	return 0;
}

static int advance_all(struct pl_sparse *s)
{
	for (size_t k = s->first_node; k < s->n_nodes; k++)
		if (advance(s, k))
			return -1;
	return 0;
}

int pl_sparse_next(struct pl_sparse *s, const struct pl_sample_pair **pair,
		   size_t *n, struct pl_err *err)
{
	s->n_batch = 0;
	s->n_tests = 0;
	while (s->first_node < s->n_nodes &&
	       s->node[s->first_node].stage == PL_STAGE_DONE)
		s->first_node++;
	if (advance_all(s))
		return pl_err_nomem(err);
	/* those that are not parted come last, with what pairs are left */
	if (s->n_batch == 0 && !s->fills) {
		s->fills = true;
		if (advance_all(s))
			return pl_err_nomem(err);
	}
	if (s->n_batch == 0 && pl_sparse_polish(s))
		return pl_err_nomem(err);
	s->n_steps += s->n_batch > 0;
	*pair = s->batch;
	*n = s->n_batch;
	return 0;
}

int pl_sparse_take(struct pl_sparse *s, size_t a, size_t b, double distance)
{
	struct pl_sparse_edge *e = pl_sparse_pairs_find(&s->pairs, a, b);

	if (!e && pl_sparse_pairs_add(&s->pairs, a, b))
		return -1;
	if (!e)
		e = &s->pairs.edge[s->pairs.n - 1];
	e->distance = (float)distance;
	return 0;
}

void pl_sparse_leave(struct pl_sparse *s, size_t host)
{
	s->host[host].gone = true;
}

/* All hosts are one group at first. */
static int init(struct pl_sparse *s)
{
	uint32_t *all = pl_array_create(s->n, sizeof(*all));
	int rc = -1;

	s->host = pl_array_create(s->n, sizeof(*s->host));
	if (!all || !s->host || pl_sparse_pairs_init(&s->pairs, s->n))
		goto out;
	for (size_t i = 0; i < s->n; i++) {
		all[i] = (uint32_t)i;
		s->host[i].seat = PL_SEAT_TAKEN;
		s->host[i].doubt = NAN;
	}
	rc = add_node(s, all, s->n);
out:
	free(all);
	return rc;
}

struct pl_sparse *pl_sparse_create(size_t n,
				   const struct pl_sparse_options *options,
				   struct pl_err *err)
{
	struct pl_sparse *s;

	if (options->per_host < PL_SPARSE_LEAST || n > UINT32_MAX / 2) {
		pl_err_set(err, PL_EUSAGE,
			   "a search takes %d pairs a host at least",
			   PL_SPARSE_LEAST);
		return NULL;
	}
	s = pl_array_create(1, sizeof(*s));
	if (s) {
		s->options = *options;
		s->n = n;
		s->budget = n * options->per_host / 2;
		pl_rng_init(&s->rng, options->seed, n);
	}
	if (!s || init(s)) {
		pl_sparse_destroy(s);
		pl_err_nomem(err);
		return NULL;
	}
	return s;
}

static void free_node(struct pl_sparse_node *node)
{
	for (size_t p = 0; node->part && p < node->n_parts; p++)
		free(node->part[p].member);
	free(node->part);
	free(node->member);
	free(node->seed);
}

void pl_sparse_destroy(struct pl_sparse *s)
{
	if (!s)
		return;
	for (size_t k = 0; k < s->n_nodes; k++)
		free_node(&s->node[k]);
	free(s->node);
	free(s->host);
	free(s->test);
	free(s->batch);
	pl_sparse_pairs_fini(&s->pairs);
	free(s);
}
