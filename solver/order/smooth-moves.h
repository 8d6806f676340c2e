/* SPDX-License-Identifier: BSD-3-Clause */
/* smooth-moves.h - the exchanges of hosts that smooth.h tries */
#ifndef PLINK_SOLVER_ORDER_SMOOTH_MOVES_H
#define PLINK_SOLVER_ORDER_SMOOTH_MOVES_H

#include "base/rng.h"
#include "solver/order/smooth.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As many as a size_t has bits. */
#define PL_SMOOTH_LEVELS_MAX 64

/* Exchanges within blocks of 2, 4, 8, ... seats, one level for each size. */
struct pl_smooth_moves {
	size_t first, end; /* seats first .. end - 1 change their hosts */
	size_t levels;
	bool fine;
	double share[PL_SMOOTH_LEVELS_MAX]; /* of the exchanges of two seats;
					       sum 1 */
	uint64_t tried[PL_SMOOTH_LEVELS_MAX], taken[PL_SMOOTH_LEVELS_MAX];
	size_t looks;
};

void pl_smooth_moves_init(struct pl_smooth_moves *m, const struct pl_smooth *s,
			  const struct pl_smooth_job *job);

/* The cost of a hop one of whose seats has @host. */
double pl_smooth_hop_cost(const struct pl_smooth *s, const struct pl_smooth_hop *hop, size_t host);

/*
 * Tries one exchange of two seats. It is taken back if the smooth cost rises by more than a random
 * part of @heat. With m->fine, some moves exchange two blocks of 2^k seats, or permute all seats of
 * a block (seat i becomes i XOR x): hosts of a block stay side by side.
 */
void pl_smooth_move(struct pl_smooth *s, struct pl_smooth_moves *m, double heat,
		    struct pl_rng *rng);

/* Sets the share of each level by the fraction of its exchanges that were kept. Does so only once
 * in a number of calls, and leaves each level some share. */
void pl_smooth_moves_adapt(struct pl_smooth_moves *m);

#endif
