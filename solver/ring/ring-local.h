/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-local.h - local search on a ring: 2-opt and 3-opt */
#ifndef PLINK_SOLVER_RING_RING_LOCAL_H
#define PLINK_SOLVER_RING_RING_LOCAL_H

#include "base/err.h"
#include "solver/hops.h"
#include "solver/neighbours.h"
#include "solver/ring/tour.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The search of one thread. Its inputs are borrowed and only read. */
struct pl_ring_local {
	struct pl_hops hops; /* no NaN, >= 0 */
	size_t n;
	const struct pl_neighbours *nb;
	struct pl_tour tour;
	uint32_t *queue; /* hosts to look at, a ring buffer of n */
	bool *queued;    /* by host: is it in queue[]? (others have their
			    don't-look bit set) */
	size_t head, n_queue;
};

/* 0, or -1 with @err set: out of memory. */
int pl_ring_local_init(struct pl_ring_local *ls, const struct pl_hops *hops,
		       const struct pl_neighbours *nb, struct pl_err *err);
void pl_ring_local_fini(struct pl_ring_local *ls);

/* Marks a host whose hops changed. */
void pl_ring_local_push(struct pl_ring_local *ls, uint32_t host);

/*
 * Improves the tour until no marked host allows a better exchange of two or three links. An
 * exchange joins hosts to hosts on their neighbour lists, and its gain stays positive at each step
 * (Lin and Kernighan, Oper. Res. 21 (1973)). If c is not symmetric, only exchanges that keep every
 * direction are tried. For neighbour lists and don't-look bits see Bentley, ORSA J. Comput. 4
 * (1992). Returns by how much the ring became cheaper, >= 0 except for rounding.
 */
double pl_ring_local_run(struct pl_ring_local *ls);

#endif
