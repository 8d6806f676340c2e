/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-cross.h - one restart of the ring search: many short searches whose rings are then
 * crossed */
#ifndef PLINK_SOLVER_RING_RING_CROSS_H
#define PLINK_SOLVER_RING_RING_CROSS_H

#include "solver/ring/ring-pool.h"
#include "solver/ring/ring-restart.h"

/*
 * Room for one thread. The rings of short searches are each dearer than the best ring, but almost
 * every link of the best ring is in at least one of them. Once a quarter of the rings is there,
 * that quarter is crossed by itself, so that a search that is stopped early has a result.
 */
struct pl_ring_cross {
	struct pl_ring_restart short_one;
	struct pl_ring_pool some, all; /* room 0: too few moves for a pool */
	struct pl_rng rng;
	size_t *turn; /* [room of all] scratch */
	size_t *best; /* [n] result of the last run */
	double best_cost;
	uint64_t moves; /* done in the last run */
};

/* For hops and their neighbour lists, both borrowed, and for restarts of at most @moves. 0, or -1
 * with @err set. */
int pl_ring_cross_init(struct pl_ring_cross *x, const struct pl_hops *hops,
		       const struct pl_neighbours *nb, uint64_t moves, struct pl_err *err);
void pl_ring_cross_fini(struct pl_ring_cross *x);

/*
 * As pl_ring_restart_run. If the moves are too few for a pool it is the same. Otherwise each start
 * counts as n moves, each change that is tried in crossing as two, and the moves left once crossing
 * gains nothing more go into kicks of the best ring.
 */
enum pl_restart_end pl_ring_cross_run(struct pl_ring_cross *x, const struct pl_ring_job *job);

#endif
