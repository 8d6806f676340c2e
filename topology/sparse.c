/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse.c - which pairs to measure where nobody tells how the hosts stand */
#include "config.h"

#include "topology/sparse-tree.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

int pl_sparse_ask(struct pl_sparse *s, size_t a, size_t b)
{
	if (a == b || s->host[a].gone || s->host[b].gone || s->n_asked >= s->budget ||
	    pl_sparse_pairs_find(&s->pairs, a, b))
		return 0;
	if (pl_array_grow((void **)&s->batch, &s->batch_room, s->n_batch, sizeof(*s->batch)))
		return -1;
	s->batch[s->n_batch++] = (struct pl_sample_pair){.a = a < b ? a : b, .b = a < b ? b : a};
	s->n_asked++;
	return pl_sparse_pairs_add(&s->pairs, a, b);
}

/* Goes on until something is asked for that is not known, or to the end. */
static int advance(struct pl_sparse *s, size_t k)
{
	while (s->node[k].stage != PL_STAGE_DONE) {
		const size_t before = s->n_batch;

		if (!s->fills &&
		    (s->node[k].stage == PL_STAGE_FULL || s->node[k].stage == PL_STAGE_MIXED))
			return 0;
		if (pl_sparse_node_ask(s, &s->node[k]))
			return -1;
		s->node[k].waits = s->n_batch > before;
		if (s->node[k].waits)
			return 0;
		if (pl_sparse_node_judge(s, k))
			return -1;
	}
	return 0;
}

/* All nodes look at what came out before one asks for more: they share a
 * list. */
static int judge_all(struct pl_sparse *s)
{
	const size_t n = s->n_nodes;

	for (size_t k = s->first_node; k < n; k++) {
		if (s->node[k].waits && pl_sparse_node_judge(s, k))
			return -1;
		s->node[k].waits = false;
	}
	s->n_tests = 0;
	return 0;
}

static int advance_all(struct pl_sparse *s)
{
	for (size_t k = s->first_node; k < s->n_nodes; k++)
		if (advance(s, k))
			return -1;
	return 0;
}

int pl_sparse_next(struct pl_sparse *s, const struct pl_sample_pair **pair, size_t *n,
		   struct pl_err *err)
{
	s->n_batch = 0;
	while (s->first_node < s->n_nodes && s->node[s->first_node].stage == PL_STAGE_DONE)
		s->first_node++;
	if (judge_all(s) || advance_all(s))
		return pl_err_nomem(err);
	if (s->n_batch == 0 && !s->fills && (pl_sparse_node_compare(s) || advance_all(s)))
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
	s->own = pl_array_create(s->n, sizeof(*s->own));
	if (!all || !s->host || !s->own || pl_sparse_pairs_init(&s->pairs, s->n))
		goto out;
	for (size_t i = 0; i < s->n; i++) {
		all[i] = (uint32_t)i;
		s->host[i].seat = PL_SEAT_TAKEN;
		s->host[i].doubt = NAN;
	}
	rc = pl_sparse_node_add(s, all, s->n);
out:
	free(all);
	return rc;
}

struct pl_sparse *pl_sparse_create(size_t n, const struct pl_sparse_options *options,
				   struct pl_err *err)
{
	struct pl_sparse *s;

	if (options->per_host < PL_SPARSE_LEAST || n > UINT32_MAX / 2) {
		pl_err_set(err, PL_EUSAGE, "the search needs at least %d pairs per host",
			   PL_SPARSE_LEAST);
		return NULL;
	}
	s = pl_array_create(1, sizeof(*s));
	if (s) {
		s->options = *options;
		s->n = n;
		s->budget = n * options->per_host / 2;
		s->budget -= options->besides < s->budget ? options->besides : s->budget;
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
	free(s->own);
	free(s->test);
	free(s->batch);
	pl_sparse_pairs_fini(&s->pairs);
	free(s);
}
