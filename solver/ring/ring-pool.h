/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-pool.h - a pool of rings that are crossed with each other */
#ifndef PLINK_SOLVER_RING_RING_POOL_H
#define PLINK_SOLVER_RING_RING_POOL_H

#include "base/err.h"
#include "base/rng.h"
#include "solver/ring/alternate.h"
#include "solver/ring/patch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A link of a host: the other host, and the number of rings that have it. */
struct pl_pool_link {
	uint32_t to, n_rings;
};

/*
 * Crossing changes one ring into another one cycle at a time (alternate.h), and
 * mends what falls apart (patch.h): rings from different starts have good parts
 * in different places. To keep the rings different, a ring takes the change
 * with the largest gain for the variety that the pool loses by it.
 * Nagata, Kobayashi, INFORMS J. Comput. 25 (2013).
 */
struct pl_ring_pool {
	const struct pl_hops *hops; /* borrowed */
	bool directed;
	size_t n, n_rings, room;
	struct pl_tour *ring; /* [room] */
	double *cost;         /* [room] except for rounding */
	size_t best;          /* the cheapest ring */
	/* the links of host h begin at h * 2 * room */
	struct pl_pool_link *link;
	uint32_t *n_links; /* [n] */
	double *share;     /* [room + 1] by number of rings with a link: what the
			      link adds to the variety, an entropy */
	struct pl_alternate between;
	struct pl_patch patch;
	size_t *order; /* [n] scratch: cycles, then a ring */
	size_t *child; /* [n] scratch */
};

/* For up to @room rings over @hops with neighbour lists @nb, both borrowed. 0, or -1 with @err set
 * and nothing to release: out of memory. */
int pl_ring_pool_init(struct pl_ring_pool *p, size_t room, const struct pl_hops *hops,
		      const struct pl_neighbours *nb, struct pl_err *err);
void pl_ring_pool_fini(struct pl_ring_pool *p);

/* Removes all rings. */
void pl_ring_pool_clear(struct pl_ring_pool *p);

/* Adds a copy of host_at[n]; there must be room for it. */
void pl_ring_pool_add(struct pl_ring_pool *p, const size_t *host_at);

/* Ring @a takes over the best change towards ring @b, out of at most n_tries changes. Adds the
 * number of changes tried to *tries. Returns true if ring @a is cheaper now. */
bool pl_ring_pool_cross(struct pl_ring_pool *p, size_t a, size_t b, size_t n_tries,
			struct pl_rng *rng, uint64_t *tries);

#endif
