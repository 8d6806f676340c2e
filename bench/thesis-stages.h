/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis-stages.h - for benches: the PLink thesis' two stages, annealing, then Z3 */
#ifndef PLINK_BENCH_THESIS_STAGES_H
#define PLINK_BENCH_THESIS_STAGES_H

#include "base/err.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stddef.h>
#include <stdint.h>

/* What the orders cost: the given one, after annealing, after Z3. */
struct thesis_stages {
	double given, annealed, refined;
};

/* Runs each stage on the order 0, 1, ... for half of the seconds of the processor; without Z3,
 * annealing for all of them. One thread. 0, or -1 with @err set. */
int thesis_stages(const struct pl_shape *shape, const struct pl_costs *costs, double seconds,
		  uint64_t seed, struct thesis_stages *out, struct pl_err *err);

/* The same on a ring over c[n * n]. */
int thesis_stages_ring(const double *c, size_t n, double seconds, uint64_t seed,
		       struct thesis_stages *out, struct pl_err *err);

#endif
