/* SPDX-License-Identifier: BSD-3-Clause */
/* assign-anneal.h - exchanges near the peers of a position, annealed */
#ifndef PLINK_SOLVER_ASSIGN_ASSIGN_ANNEAL_H
#define PLINK_SOLVER_ASSIGN_ASSIGN_ANNEAL_H

#include "base/err.h"
#include "base/rng.h"
#include "base/stop.h"
#include "solver/assign/flows.h"
#include "solver/neighbours.h"

#include <stddef.h>
#include <stdint.h>

/* What one run is to do. Borrowed for the call. */
struct pl_assign_anneal_job {
	const struct pl_assign_flows *flows;
	const struct pl_neighbours *nb;
	uint64_t moves;
	double heat; /* at first, in units of the mean cost of a change */
	const struct pl_stop *stop;
};

/*
 * Anneals host_at[n_pos] (in and out); *done becomes the number of moves tried: fewer than
 * job->moves if it was stopped. A move brings a position near one of its peers: into a free slot,
 * or in exchange for the position there. Time of a move: the peers of both. The result is what the
 * last move leaves, even if it is dearer. Thresholds instead of the exponential: Dueck, Scheuer, J.
 * Comput. Phys. 90 (1990). 0, or -1 with @err set: out of memory.
 */
int pl_assign_anneal(const struct pl_assign_anneal_job *job, size_t *host_at, struct pl_rng *rng,
		     uint64_t *done, struct pl_err *err);

#endif
