/* SPDX-License-Identifier: BSD-3-Clause */
/* linkage-few.c - the tree of hosts by average linkage, from few pairs */
#include "config.h"

#include "base/mem.h"
#include "topology/linkage-chain.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define ROOM_LEAST 16
#define SPREAD UINT64_C(0x9e3779b97f4a7c15) /* 2^64 by the golden ratio */

/* The mean between two groups. */
struct slot {
	uint64_t key; /* 0: free */
	float distance, weight;
};

/* The groups with a known mean to this one; those that no longer exist are removed while the list
 * is walked. */
struct near {
	uint32_t *v;
	size_t n, room;
};

struct few {
	struct pl_chain chain; /* first: it is what a pointer to this points to */
	struct slot *slot;     /* [mask + 1], half of them free at least */
	size_t mask;
	struct near *near; /* [n] */
};

static uint64_t key_of(const struct few *f, size_t a, size_t b)
{
	return 1 + (a < b ? a * (uint64_t)f->chain.n + b : b * (uint64_t)f->chain.n + a);
}

static size_t home(const struct few *f, uint64_t key)
{
	return (size_t)(key * SPREAD >> 20) & f->mask;
}

/* The place of the key, or the free one where it belongs. */
static size_t find(const struct few *f, uint64_t key)
{
	size_t k = home(f, key);

	while (f->slot[k].key && f->slot[k].key != key)
		k = (k + 1) & f->mask;
	return k;
}

/* Moves entries behind it that would not be found any more. */
static void take_out(struct few *f, size_t hole)
{
	for (size_t k = (hole + 1) & f->mask; f->slot[k].key; k = (k + 1) & f->mask) {
		const size_t from = home(f, f->slot[k].key);

		if (((k - from) & f->mask) < ((k - hole) & f->mask))
			continue;
		f->slot[hole] = f->slot[k];
		hole = k;
	}
	f->slot[hole].key = 0;
}

static int add_near(struct few *f, size_t a, size_t b)
{
	struct near *near = &f->near[a];

	if (pl_array_grow((void **)&near->v, &near->room, near->n, sizeof(*near->v)))
		return -1;
	near->v[near->n++] = (uint32_t)b;
	return 0;
}

/* Of groups of which nothing is known between them and a. */
static size_t nearest_unknown(const struct pl_chain *c, size_t a)
{
	size_t found = pl_chain_before(c);

	for (size_t b = 0; found == c->n && b < c->n; b++)
		if (b != a && !c->gone[b])
			found = b;
	return found;
}

static size_t nearest(struct pl_chain *c, size_t a, float *distance)
{
	struct few *f = (struct few *)c;
	struct near *near = &f->near[a];
	const size_t before = pl_chain_before(c);
	size_t found = c->n, n = 0;

	*distance = INFINITY;
	for (size_t k = 0; k < near->n; k++) {
		const uint32_t b = near->v[k];
		float to;

		if (c->gone[b])
			continue;
		near->v[n++] = b;
		to = f->slot[find(f, key_of(f, a, b))].distance;
		if (found == c->n || to < *distance ||
		    (to == *distance && found != before && (b == before || b < found))) {
			found = b;
			*distance = to;
		}
	}
	near->n = n;
	return found == c->n ? nearest_unknown(c, a) : found;
}

/* The means between b and other groups become part of those of a. */
static int hand_over(struct few *f, size_t a, size_t b, size_t c)
{
	const size_t from = find(f, key_of(f, b, c));
	const struct slot old = f->slot[from];
	struct slot *to;

	assert(old.key);
	take_out(f, from);
	to = &f->slot[find(f, key_of(f, a, c))];
	if (to->key) {
		to->distance = (to->weight * to->distance + old.weight * old.distance) /
			       (to->weight + old.weight);
		to->weight += old.weight;
		return 0;
	}
	*to = (struct slot){key_of(f, a, c), old.distance, old.weight};
	return add_near(f, a, c) || add_near(f, c, a) ? -1 : 0;
}

static int join(struct pl_chain *chain, size_t a, size_t b)
{
	struct few *f = (struct few *)chain;
	const size_t own = find(f, key_of(f, a, b));

	if (f->slot[own].key)
		take_out(f, own);
	for (size_t k = 0; k < f->near[b].n; k++) {
		const size_t c = f->near[b].v[k];

		if (c != a && !chain->gone[c] && hand_over(f, a, b, c))
			return -1;
	}
	free(f->near[b].v);
	f->near[b] = (struct near){0};
	return 0;
}

static int take_pairs(struct few *f, const struct pl_linkage_pair *pair, size_t n_pairs)
{
	for (size_t k = 0; k < n_pairs; k++) {
		const size_t a = pair[k].a, b = pair[k].b;
		const uint64_t key = key_of(f, a, b);

		f->slot[find(f, key)] = (struct slot){key, pair[k].distance, 1};
		if (add_near(f, a, b) || add_near(f, b, a))
			return -1;
	}
	return 0;
}

int pl_linkage_few(const struct pl_linkage_pair *pair, size_t n_pairs, size_t n,
		   struct pl_cluster_merge *merge)
{
	struct few f = {.chain = {.nearest = nearest, .join = join}};
	size_t room = ROOM_LEAST;
	int rc = pl_chain_init(&f.chain, n);

	while (room < 2 * n_pairs)
		room *= 2;
	f.mask = room - 1;
	f.slot = pl_array_create(room, sizeof(*f.slot));
	f.near = pl_array_create(n, sizeof(*f.near));
	if (rc || !f.slot || !f.near || take_pairs(&f, pair, n_pairs) ||
	    pl_chain_link(&f.chain, merge))
		rc = -1;
	for (size_t i = 0; f.near && i < n; i++)
		free(f.near[i].v);
	free(f.near);
	free(f.slot);
	pl_chain_fini(&f.chain);
	return rc;
}
