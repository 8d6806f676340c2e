/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.h - recognises shapes that are a closed ring of equal hops */
#ifndef PLINK_ORDER_RING_H
#define PLINK_ORDER_RING_H

#include "base/err.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>

/* The hops of the ring, all alike. */
struct pl_order_ring {
	double times, bytes;
	bool backwards; /* each host sends to the previous one */
};

/*
 * Is the cost of the shape that of a ring through the hosts? @slots: positions per host, 0 if hosts
 * differ; hops between positions of one host are free. True with *ring.
 */
bool pl_order_ring_find(const struct pl_shape *shape, size_t slots, struct pl_order_ring *ring);

/*
 * Sets *c [n * n] to the cost of a hop of the ring from each host to the next. If these costs are
 * those in @costs, borrows them, and *own is NULL; else *own is *c, to be released by free(). 0, or
 * -1 with @err set: out of memory.
 */
int pl_order_ring_costs(const struct pl_order_ring *ring, const struct pl_costs *costs,
			const double **c, double **own, struct pl_err *err);

#endif
