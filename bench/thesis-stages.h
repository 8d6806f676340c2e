/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis-stages.h - the PLink thesis' two stages on a ring: annealing, then
 * Z3 */
#ifndef PLINK_BENCH_THESIS_STAGES_H
#define PLINK_BENCH_THESIS_STAGES_H

#include "bench/instances.h"
#include "base/err.h"

#include <stdint.h>

/* What the rings cost: the given one, after annealing, after Z3. */
struct thesis_stages {
	double given, annealed, refined;
};

/* Runs each stage for half of the time; without Z3, annealing for all of it.
 * One thread. 0, or -1 with @err set. */
int thesis_stages(const struct instance *in, double seconds, uint64_t seed,
		  struct thesis_stages *out, struct pl_err *err);

#endif
