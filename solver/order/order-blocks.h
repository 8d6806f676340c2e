/* SPDX-License-Identifier: BSD-3-Clause */
/* order-blocks.h - blocks of hosts seated as well as can be, each by itself */
#ifndef PLINK_SOLVER_ORDER_ORDER_BLOCKS_H
#define PLINK_SOLVER_ORDER_ORDER_BLOCKS_H

#include "base/err.h"
#include "base/stop.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stddef.h>
#include <stdint.h>

/* Seats of a block. */
#define PL_ORDER_BLOCK 16

/* Hosts tried on seats, in all blocks: more is seldom worth it. */
#define PL_ORDER_BLOCKS_WORK 4000000

/*
 * For sums of maxima over hosts that take @alike positions each: changes
 * host_at[costs->n], the hosts by seat, within blocks of PL_ORDER_BLOCK seats
 * so that the hops inside of blocks cost little: the dearest of each group,
 * over all blocks. The dearest block is seated first, by branch and bound over
 * all orders that leave its first host where it is; the others then need not be
 * cheaper in any group. What hops between blocks cost is not looked at. No more
 * than @work hosts are tried on seats, until *stop. 0, or -1 with @err set: out
 * of memory.
 */
int pl_order_blocks(const struct pl_shape *shape, const struct pl_costs *costs,
		    size_t alike, uint64_t work, const struct pl_stop *stop,
		    size_t *host_at, struct pl_err *err);

#endif
