/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbours.h - for each host, the few hosts that are cheapest as
 * neighbours */
#ifndef PLINK_SOLVER_NEIGHBOURS_H
#define PLINK_SOLVER_NEIGHBOURS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* out[h * k + 0..k): the hosts cheapest to reach from h, cheapest first by c; cost[] is c from h to
 * each of them. k < n. The lists do not change once made, so threads may share them. */
struct pl_neighbours {
	size_t k;
	bool symmetric;
	uint32_t *out;
	double *cost;
};

/*
 * Makes lists of at most @k hosts over c[n * n]. If weight[n] is not NULL, the hosts on a list are
 * chosen by c[i][j] + weight[i] + weight[j]: the multipliers of a bound show better than c which
 * hops a good ring has. Equal costs are decided by the distance in the host list; otherwise, on
 * racks with equal costs, all hosts would have the same neighbours. 0, or -1 with @err set: out of
 * memory.
 */
int pl_neighbours_init(struct pl_neighbours *nb, const double *c, size_t n, size_t k,
		       const double *weight, struct pl_err *err);
void pl_neighbours_fini(struct pl_neighbours *nb);

#endif
