/* SPDX-License-Identifier: BSD-3-Clause */
/* choice.c - which pairs plink-probe measures where it is not all of them */
#include "config.h"

#include "src/probe/choice.h"

#include "base/mem.h"
#include "base/rng.h"
#include "src/common/tool.h"
#include "topology/sample.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char tool[] = "plink-probe";

#define ACROSS 4       /* pairs between two places that are compared */
#define HELD_MOST 2000 /* pairs held back */
#define HELD_STREAM 1

static int add_pair(struct probe_choice *c, size_t a, size_t b)
{
	if (pl_array_grow((void **)&c->pair, &c->room, c->n_pairs, sizeof(*c->pair)))
		return -1;
	c->pair[c->n_pairs++] = (struct pl_probe_pair){a, b};
	return 0;
}

static int take_pairs(struct probe_choice *c, const struct pl_sample_pair *pair, size_t n,
		      struct pl_err *err)
{
	c->n_pairs = 0;
	for (size_t k = 0; k < n; k++)
		if (add_pair(c, pair[k].a, pair[k].b))
			return pl_err_nomem(err);
	c->n_searched = c->n_pairs;
	return 0;
}

static void find_hosts(struct probe_choice *c, const struct pl_hosts *hosts, ptrdiff_t *at)
{
	c->n_unknown = 0;
	for (size_t i = 0; i < hosts->n; i++) {
		at[i] = pl_places_find_host(&c->places, &hosts->v[i]);
		c->n_unknown += at[i] < 0;
	}
	if (c->n_unknown > 0)
		pl_tool_warn(
			tool,
			"%s does not have %zu of %zu hosts; each is taken for a place of its own",
			c->args->topology, c->n_unknown, hosts->n);
}

/* All pairs in one step. */
static int next_told(void *arg, const struct pl_matrix *m, const bool *lost,
		     const struct pl_probe_pair **pair, size_t *n, struct pl_err *err)
{
	struct probe_choice *c = arg;
	const struct pl_sample_options options = {.across = ACROSS, .seed = c->args->seed};
	struct pl_sample_pair *found = NULL;
	ptrdiff_t *at;
	size_t n_found = 0;
	int rc = 0;

	(void)lost;
	c->n_pairs = 0;
	if (c->n_steps++ == 0) {
		at = pl_array_create(m->hosts.n, sizeof(*at));
		if (!at)
			return pl_err_nomem(err);
		find_hosts(c, &m->hosts, at);
		rc = pl_places_sample(&c->places, at, m->hosts.n, &options, &found, &n_found, err);
		if (rc == 0)
			rc = take_pairs(c, found, n_found, err);
		free(found);
		free(at);
	}
	*pair = c->pair;
	*n = c->n_pairs;
	return rc;
}

/* The faster direction: what disturbs a probe makes it slower. */
static double distance(const struct pl_matrix *m, size_t a, size_t b)
{
	const struct pl_layer *p10 = &m->layer[0];
	const double forth = pl_layer_get(p10, a * m->hosts.n + b);
	const double back = pl_layer_get(p10, b * m->hosts.n + a);

	return isnan(forth) || back < forth ? back : forth;
}

static int take(struct probe_choice *c, const struct pl_matrix *m, size_t a, size_t b)
{
	const double d = distance(m, a, b);

	return isnan(d) ? 0 : pl_sparse_take(c->search, a, b, d);
}

static int begin_search(struct probe_choice *c, const struct pl_matrix *m, struct pl_err *err)
{
	const struct pl_sparse_options o = {
		.per_host = c->args->per_host, .besides = c->n_held, .seed = c->args->seed};
	const size_t n = m->hosts.n;

	c->search = pl_sparse_create(n, &o, err);
	if (!c->search)
		return -1;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (take(c, m, i, j))
				return pl_err_nomem(err);
	return 0;
}

/* Pairs by chance, no host in two: what the search does not know. */
static int hold_back(struct probe_choice *c, size_t n)
{
	size_t *host = pl_array_create(n, sizeof(*host));
	struct pl_rng rng;

	c->n_held = n / 2 < HELD_MOST ? n / 2 : HELD_MOST;
	c->held = pl_array_create(c->n_held, sizeof(*c->held));
	if (!host || !c->held) {
		free(host);
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		host[i] = i;
	pl_rng_init(&rng, c->args->seed, HELD_STREAM);
	pl_rng_shuffle(&rng, host, n);
	for (size_t k = 0; k < c->n_held; k++)
		c->held[k] = (struct pl_probe_pair){host[2 * k], host[2 * k + 1]};
	free(host);
	return 0;
}

static int is_among(const struct probe_choice *c, size_t a, size_t b)
{
	for (size_t k = 0; k < c->n_pairs; k++)
		if ((c->pair[k].a == a && c->pair[k].b == b) ||
		    (c->pair[k].a == b && c->pair[k].b == a))
			return 1;
	return 0;
}

/* What is held back is measured first. */
static int add_held(struct probe_choice *c, struct pl_err *err)
{
	size_t n = 0;

	for (size_t k = 0; k < c->n_held; k++) {
		const struct pl_probe_pair held = c->held[k];

		/* the search wants it: then it is not held back */
		if (is_among(c, held.a, held.b))
			continue;
		c->held[n++] = held;
	}
	c->n_held = n;
	for (size_t k = 0; k < n; k++)
		if (add_pair(c, c->held[k].a, c->held[k].b))
			return pl_err_nomem(err);
	return 0;
}

static int next_sparse(void *arg, const struct pl_matrix *m, const bool *lost,
		       const struct pl_probe_pair **pair, size_t *n, struct pl_err *err)
{
	struct probe_choice *c = arg;
	const struct pl_sample_pair *found;
	size_t n_found;

	if (!c->search &&
	    ((hold_back(c, m->hosts.n) && pl_err_nomem(err)) || begin_search(c, m, err)))
		return -1;
	for (size_t k = 0; k < c->n_searched; k++)
		if (take(c, m, c->pair[k].a, c->pair[k].b))
			return pl_err_nomem(err);
	for (size_t i = 0; i < m->hosts.n; i++)
		if (lost[i])
			pl_sparse_leave(c->search, i);
	if (pl_sparse_next(c->search, &found, &n_found, err) || take_pairs(c, found, n_found, err))
		return -1;
	if (c->n_steps++ == 0 && add_held(c, err))
		return -1;
	*pair = c->pair;
	*n = c->n_pairs;
	return 0;
}

int probe_choice_init(struct probe_choice *c, const struct probe_args *args, size_t n_hosts,
		      struct pl_probe_options *o, struct pl_err *err)
{
	*c = (struct probe_choice){.args = args, .places.labels = args->topology_label};
	c->chooser.arg = c;
	c->chooser.how = c->how;
	if (args->topology) {
		if (pl_places_read(&c->places, args->topology, err))
			return -1;
		c->chooser.next = next_told;
		snprintf(c->how, sizeof(c->how), "told form=%s seed=%" PRIu64, c->places.form,
			 args->seed);
	} else if (args->per_host > 0) {
		c->chooser.next = next_sparse;
		c->chooser.most = n_hosts * args->per_host / 2;
		if (c->chooser.most > n_hosts * (n_hosts - 1) / 2)
			c->chooser.most = n_hosts * (n_hosts - 1) / 2;
		snprintf(c->how, sizeof(c->how), "search per-host=%zu seed=%" PRIu64,
			 args->per_host, args->seed);
	} else {
		return 0;
	}
	o->chooser = &c->chooser;
	return 0;
}

void probe_choice_fini(struct probe_choice *c)
{
	pl_places_fini(&c->places);
	pl_sparse_destroy(c->search);
	free(c->pair);
	free(c->held);
	*c = (struct probe_choice){0};
}
