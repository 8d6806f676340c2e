/* SPDX-License-Identifier: BSD-3-Clause */
/* smooth-moves.h - the exchanges of hosts that smooth.h anneals by */
#ifndef PLINK_SOLVER_ORDER_SMOOTH_MOVES_H
#define PLINK_SOLVER_ORDER_SMOOTH_MOVES_H

#include "base/rng.h"
#include "solver/order/smooth.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As many as a size_t has bits. */
#define PL_SMOOTH_LEVELS_MAX 64

/* Exchanges within blocks of 2, 4, 8, ... seats. */
struct pl_smooth_moves {
	size_t first, end; /* seats first .. end - 1 change their hosts */
	size_t levels;
	bool fine;
	double share[PL_SMOOTH_LEVELS_MAX]; /* of two seats; 1 in all */
	uint64_t tried[PL_SMOOTH_LEVELS_MAX], taken[PL_SMOOTH_LEVELS_MAX];
	size_t looks;
};

void pl_smooth_moves_init(struct pl_smooth_moves *m, const struct pl_smooth *s,
			  const struct pl_smooth_job *job);

/* What a hop costs whose one seat has that host. */
double pl_smooth_hop_cost(const struct pl_smooth *s,
			  const struct pl_smooth_hop *hop, size_t host);

/*
 * One exchange of two seats, taken back where that counts more than a random
 * part of @heat. Where m->fine also, now and then, of two blocks of 2^k seats,
 * or of all seats of a block (seat i XOR x): what is in blocks stays side by
 * side.
 */
void pl_smooth_move(struct pl_smooth *s, struct pl_smooth_moves *m, double heat,
		    struct pl_rng *rng);

/* Gives each level a share by how many of its exchanges were taken; not too
 * often, and some to each. */
void pl_smooth_moves_adapt(struct pl_smooth_moves *m);

#endif
