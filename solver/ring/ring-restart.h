/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-restart.h - one restart of the ring search: start, kicks, local
 * search */
#ifndef PLINK_SOLVER_RING_RING_RESTART_H
#define PLINK_SOLVER_RING_RING_RESTART_H

#include "base/err.h"
#include "base/rng.h"
#include "base/stop.h"
#include "solver/neighbours.h"
#include "solver/ring/ring-local.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one restart is to do. Borrowed for the call. */
struct pl_ring_job {
	uint64_t seed, stream; /* what it draws random numbers from */
	uint64_t number;       /* of the restart, for limit */
	const size_t *start;   /* [n] order to start from, or NULL */
	/* start from a random host, nearest host next, where there is no other
	 * start or it costs more */
	bool nearest;
	uint64_t moves;
	double target; /* good enough: end there; 0: none */
	bool cold;     /* take no ring that is dearer, ever: for moves too few
			  to cool down, or of unknown number */
	const struct pl_stop *stop;
	/* not wanted any more once this is <= number; may change meanwhile */
	const atomic_uint_fast64_t *limit;
};

enum pl_ring_end {
	PL_RING_SPENT,   /* all moves */
	PL_RING_REACHED, /* the target */
	PL_RING_STOPPED, /* by stop or limit */
};

/* One thread's room for restarts, one after the other. */
struct pl_ring_restart {
	struct pl_ring_local ls;
	struct pl_rng rng;
	double cost;   /* of the present ring, but for rounding */
	size_t *order; /* [n] scratch */
	size_t *best;  /* [n] result of the last run */
	double best_cost;
	uint64_t moves; /* done in the last run */
};

/* For hops and their neighbour lists, both borrowed. 0, or -1 with @err set. */
int pl_ring_restart_init(struct pl_ring_restart *r, const struct pl_hops *hops,
			 const struct pl_neighbours *nb, struct pl_err *err);
void pl_ring_restart_fini(struct pl_ring_restart *r);

/* Does one; the result is in best, best_cost, moves. What it gives depends on
 * the job alone unless it is stopped. */
enum pl_ring_end pl_ring_restart_run(struct pl_ring_restart *r,
				     const struct pl_ring_job *job);

/* Is it time to end it, because of stop or limit? */
bool pl_ring_told_to_stop(const struct pl_ring_job *job);

/* Is the cost of a ring of n hosts the target, but for rounding? */
bool pl_ring_reached(double cost, double target, size_t n);

/* What costs of rings of n hosts, and bounds on them, may differ by because of
 * rounding alone, where they are about @cost. */
double pl_ring_rounding(double cost, size_t n);

#endif
