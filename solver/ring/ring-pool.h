/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-pool.h - rings that take from each other what makes them cheaper */
#ifndef PLINK_SOLVER_RING_RING_POOL_H
#define PLINK_SOLVER_RING_RING_POOL_H

#include "base/err.h"
#include "base/rng.h"
#include "solver/ring/alternate.h"
#include "solver/ring/patch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a host: to whom, and how many of the rings have it. */
struct pl_pool_link {
	uint32_t to, n_rings;
};

/*
 * Where two rings differ, one of them becomes the other cycle by cycle
 * (alternate.h), and what falls apart by that is mended (patch.h): rings from
 * different starts have good parts in different places. So that they stay
 * different, a ring takes the change that gains most for what variety the
 * pool loses by it.
 * Nagata, Kobayashi, INFORMS J. Comput. 25 (2013).
 */
struct pl_ring_pool {
	const struct pl_hops *hops; /* borrowed */
	bool directed;
	size_t n, n_rings, room;
	struct pl_tour *ring; /* [room] */
	double *cost;         /* [room] but for rounding */
	size_t best;          /* the cheapest ring */
	/* links of host h from h * 2 * room on */
	struct pl_pool_link *link;
	uint32_t *n_links; /* [n] */
	double *share;     /* [room + 1] what a link that so many rings have
			      adds to the variety, an entropy */
	struct pl_alternate between;
	struct pl_patch patch;
	size_t *order; /* [n] scratch: cycles, a ring */
	size_t *child; /* [n] scratch */
};

/* For @room rings over hops, both borrowed. 0, or -1 with @err set and nothing
 * to release: out of memory. */
int pl_ring_pool_init(struct pl_ring_pool *p, size_t room,
		      const struct pl_hops *hops,
		      const struct pl_neighbours *nb, struct pl_err *err);
void pl_ring_pool_fini(struct pl_ring_pool *p);

/* Takes all rings out. */
void pl_ring_pool_clear(struct pl_ring_pool *p);

/* Takes in a copy of host_at[n]; there is room for it. */
void pl_ring_pool_add(struct pl_ring_pool *p, const size_t *host_at);

/*
 * Ring @a takes over what serves best of ring @b, of at most n_tries changes.
 * Adds to *tries how many were tried. Is it cheaper now?
 */
bool pl_ring_pool_cross(struct pl_ring_pool *p, size_t a, size_t b,
			size_t n_tries, struct pl_rng *rng, uint64_t *tries);

#endif
