/* SPDX-License-Identifier: BSD-3-Clause */
/* levels.h - a shape and its hosts in coarser and coarser blocks */
#ifndef PLINK_SOLVER_ORDER_LEVELS_H
#define PLINK_SOLVER_ORDER_LEVELS_H

#include "base/err.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stddef.h>

/* As many as a size_t has bits. */
#define PL_LEVELS_MAX 64

/* Blocks of hosts on blocks of seats. The shape has the hops between seats of two blocks, each kind
 * once; a cost is the mean cost between the hosts of two blocks. */
struct pl_level {
	size_t n;      /* blocks */
	size_t n_full; /* blocks with all their hosts; the last block may lack
			  some */
	struct pl_shape shape;
	struct pl_costs costs; /* owned */
};

/* level[0] has blocks of one host, the next of two, then of four, ... */
struct pl_levels {
	size_t n;
	struct pl_level level[PL_LEVELS_MAX];
};

/*
 * For hosts that take @alike positions each. Blocks are host_at[0 .. b - 1],
 * host_at[b .. 2b - 1], ...; block k of a level consists of blocks 2k and 2k +
 * 1 of the level before. Levels are added as long as they have four blocks or
 * more. n^2 doubles for the first level, 4/3 of that in all.
 * 0, or -1 with @err set and nothing to release: out of memory.
 */
int pl_levels_init(struct pl_levels *l, const struct pl_shape *shape, const struct pl_costs *costs,
		   size_t alike, const size_t *host_at, struct pl_err *err);
void pl_levels_fini(struct pl_levels *l);

#endif
