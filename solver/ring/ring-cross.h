/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-cross.h - one restart of the ring search: many short ones, then
 * crossed */
#ifndef PLINK_SOLVER_RING_RING_CROSS_H
#define PLINK_SOLVER_RING_RING_CROSS_H

#include "solver/ring/ring-pool.h"
#include "solver/ring/ring-restart.h"

/*
 * One thread's room. Rings of short searches are each some way off the best
 * one, but hardly any link of it is in none of them. Once a quarter of them is
 * there it is crossed by itself: who stops the search early has its result.
 */
struct pl_ring_cross {
	struct pl_ring_restart short_one;
	struct pl_ring_pool some, all; /* room 0: too few moves for them */
	struct pl_rng rng;
	size_t *turn; /* [room of all] scratch */
	size_t *best; /* [n] result of the last run */
	double best_cost;
	uint64_t moves; /* done in the last run */
};

/* For hops and their neighbour lists, both borrowed, and restarts of @moves at
 * most. 0, or -1 with @err set. */
int pl_ring_cross_init(struct pl_ring_cross *x, const struct pl_hops *hops,
		       const struct pl_neighbours *nb, uint64_t moves,
		       struct pl_err *err);
void pl_ring_cross_fini(struct pl_ring_cross *x);

/*
 * As pl_ring_restart_run. Where the moves are too few for a pool it is the
 * same; otherwise each start counts as n of them, each change that is tried in
 * crossing as two, and what is left once rings have nothing more to give goes
 * into kicks of the best.
 */
enum pl_ring_end pl_ring_cross_run(struct pl_ring_cross *x,
				   const struct pl_ring_job *job);

#endif
