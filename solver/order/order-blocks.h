/* SPDX-License-Identifier: BSD-3-Clause */
/* order-blocks.h - seats each block of hosts by itself as well as possible */
#ifndef PLINK_SOLVER_ORDER_ORDER_BLOCKS_H
#define PLINK_SOLVER_ORDER_ORDER_BLOCKS_H

#include "base/err.h"
#include "base/stop.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stddef.h>
#include <stdint.h>

/* Seats in a block. */
#define PL_ORDER_BLOCK 16

/* Limit of hosts tried on seats, in all blocks: more is seldom worth it. */
#define PL_ORDER_BLOCKS_WORK 4000000

/*
 * For sums of maxima over hosts that take @alike positions each. Changes host_at[costs->n], the
 * hosts by seat, within blocks of PL_ORDER_BLOCK seats, so that the hops inside blocks cost little:
 * each group counts its dearest hop over all blocks. The dearest block is seated first, by branch
 * and bound over all orders that leave its first host in place; in the other blocks, no group then
 * needs to be cheaper than in that one. The costs of hops between blocks are not considered. At
 * most @work hosts are tried on seats, until *stop. 0, or -1 with @err set: out of memory.
 */
int pl_order_blocks(const struct pl_shape *shape, const struct pl_costs *costs, size_t alike,
		    uint64_t work, const struct pl_stop *stop, size_t *host_at, struct pl_err *err);

struct pl_dear_block {
	double cost;
	size_t block;
};

/* For qsort: the dearest block first; equal ones by number. */
int pl_dearest_first(const void *a, const void *b);

#endif
