/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.h - shapes that are a closed ring of equal hops, for the ring's
 * solvers */
#ifndef PLINK_ORDER_RING_H
#define PLINK_ORDER_RING_H

#include "base/err.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>

/* What every hop of it is. */
struct pl_order_ring {
	double times, bytes;
	bool backwards; /* each host sends to the one before */
};

/*
 * Is the cost that of a ring through the hosts? @slots: positions of every
 * host, 0 where they have not as many; hops between positions of one host are
 * free. True with *ring.
 */
bool pl_order_ring_find(const struct pl_shape *shape, size_t slots,
			struct pl_order_ring *ring);

/*
 * *c [n * n]: what a hop of the ring costs from each host to the next. Where
 * that is what @costs say it borrows them and *own is NULL; else *own is *c, to
 * be released by free(). 0, or -1 with @err set: memory.
 */
int pl_order_ring_costs(const struct pl_order_ring *ring,
			const struct pl_costs *costs, const double **c,
			double **own, struct pl_err *err);

#endif
