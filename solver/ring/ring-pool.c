/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-pool.c - rings that take cheaper links from each other */
#include "config.h"

#include "solver/ring/ring-pool.h"

#include "base/mem.h"
#include "costmodels/ring.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A share of the cost: gains below may be rounding. */
#define ROUNDING 1e-12

/* A loss of variety below is none. */
#define VARIETY_MIN 1e-9

static int make_rings(struct pl_ring_pool *p)
{
	p->ring = pl_array_create(p->room, sizeof(*p->ring));
	for (size_t i = 0; p->ring && i < p->room; i++)
		if (pl_tour_init(&p->ring[i], p->n))
			return -1;
	return p->ring ? 0 : -1;
}

static void fill_shares(struct pl_ring_pool *p)
{
	p->share[0] = 0;
	for (size_t i = 1; i <= p->room; i++) {
		const double part = (double)i / (double)p->room;

		p->share[i] = -part * log(part);
	}
}

int pl_ring_pool_init(struct pl_ring_pool *p, size_t room, const struct pl_hops *hops,
		      const struct pl_neighbours *nb, struct pl_err *err)
{
	const size_t n = hops->n;

	*p = (struct pl_ring_pool){.hops = hops, .directed = !nb->symmetric, .n = n, .room = room};
	p->cost = pl_array_create(room, sizeof(*p->cost));
	p->link = pl_array_create(n, 2 * room * sizeof(*p->link));
	p->n_links = pl_array_create(n, sizeof(*p->n_links));
	p->share = pl_array_create(room + 1, sizeof(*p->share));
	p->order = pl_array_create(n, sizeof(*p->order));
	p->child = pl_array_create(n, sizeof(*p->child));
	if (make_rings(p) || !p->cost || !p->link || !p->n_links || !p->share || !p->order ||
	    !p->child) {
		pl_ring_pool_fini(p);
		return pl_err_nomem(err);
	}
	if (pl_alternate_init(&p->between, n, err) || pl_patch_init(&p->patch, hops, nb, err)) {
		pl_ring_pool_fini(p);
		return -1;
	}
	fill_shares(p);
	pl_ring_pool_clear(p);
	return 0;
}

void pl_ring_pool_fini(struct pl_ring_pool *p)
{
	for (size_t i = 0; p->ring && i < p->room; i++)
		pl_tour_fini(&p->ring[i]);
	free(p->ring);
	free(p->cost);
	free(p->link);
	free(p->n_links);
	free(p->share);
	free(p->order);
	free(p->child);
	pl_alternate_fini(&p->between);
	pl_patch_fini(&p->patch);
	memset(p, 0, sizeof(*p));
}

static struct pl_pool_link *find(const struct pl_ring_pool *p, uint32_t host, uint32_t to)
{
	struct pl_pool_link *link = &p->link[host * 2 * p->room];
	struct pl_pool_link *const end = link + p->n_links[host];

	while (link < end && link->to != to)
		link++;
	return link;
}

static uint32_t rings_with(const struct pl_ring_pool *p, uint32_t host, uint32_t to)
{
	const struct pl_pool_link *link = find(p, host, to);

	return link < &p->link[host * 2 * p->room + p->n_links[host]] ? link->n_rings : 0;
}

static void count_up(struct pl_ring_pool *p, uint32_t host, uint32_t to)
{
	struct pl_pool_link *link = find(p, host, to);

	if (link == &p->link[host * 2 * p->room + p->n_links[host]]) {
		*link = (struct pl_pool_link){to, 0};
		p->n_links[host]++;
	}
	link->n_rings++;
}

static void count_down(struct pl_ring_pool *p, uint32_t host, uint32_t to)
{
	struct pl_pool_link *link = find(p, host, to);

	if (--link->n_rings == 0)
		*link = p->link[host * 2 * p->room + --p->n_links[host]];
}

/* Counts the links of a ring, from each of their hosts, or where directions matter from the
 * first. */
static void count(struct pl_ring_pool *p, const struct pl_tour *t,
		  void (*by)(struct pl_ring_pool *p, uint32_t host, uint32_t to))
{
	for (uint32_t i = 0; i < t->n; i++) {
		const uint32_t next = pl_tour_next(t, t->at[i]);

		by(p, t->at[i], next);
		if (!p->directed)
			by(p, next, t->at[i]);
	}
}

void pl_ring_pool_clear(struct pl_ring_pool *p)
{
	p->n_rings = 0;
	p->best = 0;
	memset(p->n_links, 0, p->n * sizeof(*p->n_links));
}

static void note_cost(struct pl_ring_pool *p, size_t ring, double cost)
{
	p->cost[ring] = cost;
	if (cost < p->cost[p->best])
		p->best = ring;
}

void pl_ring_pool_add(struct pl_ring_pool *p, const size_t *host_at)
{
	const size_t ring = p->n_rings++;

	assert(ring < p->room);
	pl_tour_set(&p->ring[ring], host_at);
	count(p, &p->ring[ring], count_up);
	note_cost(p, ring, pl_cost_ring(p->hops->c, p->n, host_at, p->n));
}

/* How much variety comes or goes when rings with the link of @end to @mate become @more of one. */
static double change(const struct pl_ring_pool *p, uint32_t end, uint32_t mate, int more)
{
	const uint32_t src = end % 2 ? end : mate, dst = end % 2 ? mate : end;
	const uint32_t n =
		rings_with(p, pl_patch_host(&p->patch, src), pl_patch_host(&p->patch, dst));

	if (more > 0 && n == p->room)
		return 0; /* parted, too: nothing changes */
	return p->share[more > 0 ? n + 1 : n - 1] - p->share[n];
}

/* The same by the patch. Links are taken one by one: near enough. */
static double variety(const struct pl_ring_pool *p)
{
	const struct pl_patch *x = &p->patch;
	double sum = 0;

	for (size_t k = 0; k < x->n_cuts; k++) {
		const uint32_t pos = x->cut[k];
		const uint32_t end[] = {2 * pos + 1, pos + 1 == p->n ? 0 : 2 * (pos + 1)};

		sum += change(p, end[0], end[1], -1);
		for (int i = 0; i < 2; i++) /* each join once */
			if (x->mate[end[i]] > end[i])
				sum += change(p, end[i], x->mate[end[i]], 1);
	}
	return sum;
}

/* Of ring @a becoming what the patch makes of it; 0: it should not. */
static double merit(const struct pl_ring_pool *p, size_t a)
{
	double lost;

	if (p->patch.gain <= ROUNDING * p->cost[a])
		return 0;
	lost = -variety(p);
	return p->patch.gain / (lost > VARIETY_MIN ? lost : VARIETY_MIN);
}

/* Patches ring @a along cycle @k. Is it one ring, and a cheaper one? What costs more before it is
 * mended hardly ever gets cheaper by that. */
static bool patch(struct pl_ring_pool *p, size_t a, size_t k)
{
	const size_t from = p->between.first[k];

	pl_patch_set(&p->patch, &p->ring[a], &p->between.host[from],
		     (p->between.first[k + 1] - from) / 2);
	return p->patch.gain > 0 && pl_patch_mend(&p->patch);
}

static void replace(struct pl_ring_pool *p, size_t a)
{
	count(p, &p->ring[a], count_down);
	pl_tour_set(&p->ring[a], p->child);
	count(p, &p->ring[a], count_up);
	note_cost(p, a, pl_cost_ring(p->hops->c, p->n, p->child, p->n));
}

bool pl_ring_pool_cross(struct pl_ring_pool *p, size_t a, size_t b, size_t n_tries,
			struct pl_rng *rng, uint64_t *tries)
{
	double best = 0;
	size_t n;

	pl_alternate_find(&p->between, &p->ring[a], &p->ring[b], p->directed, rng);
	n = p->between.n_cycles;
	for (size_t k = 0; k < n; k++)
		p->order[k] = k;
	pl_rng_shuffle(rng, p->order, n);
	n = n < n_tries ? n : n_tries;
	for (size_t k = 0; k < n; k++) {
		double m;

		if (!patch(p, a, p->order[k]))
			continue;
		m = merit(p, a);
		if (m > best) {
			best = m;
			pl_patch_get(&p->patch, p->child);
		}
	}
	*tries += n;
	if (best > 0)
		replace(p, a);
	return best > 0;
}
