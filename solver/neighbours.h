/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbours.h - for each host, the few that are cheapest to stand next to
 * it */
#ifndef PLINK_SOLVER_NEIGHBOURS_H
#define PLINK_SOLVER_NEIGHBOURS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * out[h * k + 0..k): the hosts cheapest to reach from h, cheapest first by c;
 * cost[] is c from h to each of them.
 * k < n. Read only once made: threads may share it.
 */
struct pl_neighbours {
	size_t k;
	bool symmetric;
	uint32_t *out;
	double *cost;
};

/*
 * Lists of at most @k over c[n * n]. Who is on a list is decided by
 * c[i][j] + weight[i] + weight[j] where weight[n] is not NULL (the multipliers
 * of a bound know better than c which hops a good ring has), and among equals
 * by the distance in the list: on racks with equal costs everybody would
 * otherwise have the same neighbours. 0, or -1 with @err set: out of memory.
 */
int pl_neighbours_init(struct pl_neighbours *nb, const double *c, size_t n,
		       size_t k, const double *weight, struct pl_err *err);
void pl_neighbours_fini(struct pl_neighbours *nb);

/* Is c[i][j] == c[j][i] throughout? */
bool pl_costs_symmetric(const double *c, size_t n);

#endif
