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

/* One thread's search; what it goes by is borrowed and only read. */
struct pl_ring_local {
	struct pl_hops hops; /* no NaN, >= 0 */
	size_t n;
	const struct pl_neighbours *nb;
	struct pl_tour tour;
	uint32_t *queue; /* hosts to look at, a ring buffer of n */
	bool *queued;    /* by host: the others' don't-look bit is set */
	size_t head, n_queue;
};

/* 0, or -1 with @err set: out of memory. */
int pl_ring_local_init(struct pl_ring_local *ls, const struct pl_hops *hops,
		       const struct pl_neighbours *nb, struct pl_err *err);
void pl_ring_local_fini(struct pl_ring_local *ls);

/* Marks a host whose hops changed. */
void pl_ring_local_push(struct pl_ring_local *ls, uint32_t host);

/*
 * Improves the tour until no marked host allows a better exchange of two or
 * three links that joins hosts to neighbours of theirs, each while more was
 * parted than joined (Lin and Kernighan, Oper. Res. 21 (1973)); only such as
 * keep every direction where c is not symmetric. Bentley, ORSA J. Comput. 4
 * (1992) for neighbour lists and don't-look bits. Returns by how much the ring
 * became cheaper, >= 0 but for rounding.
 */
double pl_ring_local_run(struct pl_ring_local *ls);

#endif
