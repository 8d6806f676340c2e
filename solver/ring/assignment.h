/* SPDX-License-Identifier: BSD-3-Clause */
/* assignment.h - the cheapest way to give every host a successor */
#ifndef PLINK_SOLVER_RING_ASSIGNMENT_H
#define PLINK_SOLVER_RING_ASSIGNMENT_H

#include "base/err.h"
#include "base/stop.h"

#include <stddef.h>

/*
 * Prices of the assignment problem over c[n * n] (no NaN, finite; n >= 2)
 * without its diagonal: out[i] + in[j] <= c[i][j], except for rounding. The sum
 * of all prices is the cost of the cheapest way to give every host another host
 * as its own successor. Whole numbers below 2^52 give exact results. Stopped
 * early, the sum is lower. Shortest augmenting paths as in Jonker and
 * Volgenant, Computing 38 (1987): O(n^3) at worst, mostly far less.
 * 0, or -1 with @err set: out of memory.
 */
int pl_assignment(const double *c, size_t n, const struct pl_stop *stop,
		  double *out, double *in, struct pl_err *err);

#endif
