/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-restart.h - one restart of the ring search: start, kicks, local
 * search */
#ifndef PLINK_SOLVER_RING_RING_RESTART_H
#define PLINK_SOLVER_RING_RING_RESTART_H

#include "base/err.h"
#include "base/rng.h"
#include "base/stop.h"
#include "solver/neighbours.h"
#include "solver/restarts.h"
#include "solver/ring/ring-local.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The job of one restart. Borrowed for the call. */
struct pl_ring_job {
	uint64_t seed, stream; /* random numbers: stream @stream of @seed */
	uint64_t number;       /* number of the restart, compared with *limit */
	const size_t *start;   /* [n] order to start from, or NULL */
	/* start from a random host and go always to the nearest one, if start is NULL or costs more
	 * than that */
	bool nearest;
	uint64_t moves;
	double target; /* end at this cost or less; 0: no target */
	bool cold;     /* never take a dearer ring: for too few moves to cool down,
			  or an unknown number */
	const struct pl_stop *stop;
	/* the restart is no longer wanted once *limit <= number; other threads may change *limit */
	const atomic_uint_fast64_t *limit;
};

/* One thread's room for restarts, one after the other. */
struct pl_ring_restart {
	struct pl_ring_local ls;
	struct pl_rng rng;
	double cost;   /* of the present ring, except for rounding */
	size_t *order; /* [n] scratch */
	size_t *best;  /* [n] result of the last run */
	double best_cost;
	uint64_t moves; /* done in the last run */
};

/* For hops and their neighbour lists, both borrowed. 0, or -1 with @err set. */
int pl_ring_restart_init(struct pl_ring_restart *r, const struct pl_hops *hops,
			 const struct pl_neighbours *nb, struct pl_err *err);
void pl_ring_restart_fini(struct pl_ring_restart *r);

/* Does one restart; the result is in best, best_cost and moves. It depends on the job alone unless
 * the restart is stopped. */
enum pl_restart_end pl_ring_restart_run(struct pl_ring_restart *r, const struct pl_ring_job *job);

/* Must the restart end because of stop or limit? */
bool pl_ring_told_to_stop(const struct pl_ring_job *job);

/* Has a ring of n hosts reached the target, except for rounding? */
bool pl_ring_reached(double cost, double target, size_t n);

/* The largest difference that rounding alone can make between the costs of rings of n hosts, or
 * bounds on them, if they are about @cost. */
double pl_ring_rounding(double cost, size_t n);

#endif
