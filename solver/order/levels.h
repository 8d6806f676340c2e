/* SPDX-License-Identifier: BSD-3-Clause */
/* levels.h - a shape and its hosts seen from ever farther away */
#ifndef PLINK_SOLVER_ORDER_LEVELS_H
#define PLINK_SOLVER_ORDER_LEVELS_H

#include "base/err.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stddef.h>

/* As many as a size_t has bits. */
#define PL_LEVELS_MAX 64

/*
 * Blocks of hosts on blocks of seats: hops between seats of two blocks, those
 * of one kind once, and the mean cost between the hosts of two blocks.
 */
struct pl_level {
	size_t n;      /* blocks */
	size_t n_full; /* those with all their hosts; the last may lack some */
	struct pl_shape shape;
	struct pl_costs costs; /* owned */
};

/* level[0] has blocks of one host, the next of two, then of four, ... */
struct pl_levels {
	size_t n;
	struct pl_level level[PL_LEVELS_MAX];
};

/*
 * For hosts that take @alike positions each; blocks are host_at[0 .. b - 1],
 * host_at[b .. 2b - 1], ..., and block k of a level is 2k and 2k + 1 of the one
 * before. As long as there are four blocks. n^2 doubles, 4/3 of them in all.
 * 0, or -1 with @err set and nothing to release: out of memory.
 */
int pl_levels_init(struct pl_levels *l, const struct pl_shape *shape,
		   const struct pl_costs *costs, size_t alike,
		   const size_t *host_at, struct pl_err *err);
void pl_levels_fini(struct pl_levels *l);

#endif
