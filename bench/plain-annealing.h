/* SPDX-License-Identifier: BSD-3-Clause */
/* plain-annealing.h - what the search for orders is compared with */
#ifndef PLINK_BENCH_PLAIN_ANNEALING_H
#define PLINK_BENCH_PLAIN_ANNEALING_H

#include "costmodels/objective.h"
#include "src/err.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Simulated annealing as the thesis describes it (5.2.3): from the given order,
 * two random hosts exchanged or the hosts of a random short range put in random
 * order; every order evaluated in full. The temperature falls geometrically from
 * the mean change to a thousandth of it over @seconds of the processor.
 * host_at[n]: in, the given order; out, the best. Gives its cost in *cost.
 * 0, or -1 with @err set: out of memory.
 */
int plain_annealing(const struct pl_objective *o, size_t n, uint64_t seed,
		    double seconds, size_t *host_at, double *cost,
		    struct pl_err *err);

/* The processor's time this program took. */
double processor_seconds(void);

#endif
