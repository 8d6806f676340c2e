/* SPDX-License-Identifier: BSD-3-Clause */
/* instances.h - rings to be solved: generated, and from TSPLIB */
#ifndef PLINK_BENCH_INSTANCES_H
#define PLINK_BENCH_INSTANCES_H

#include "base/err.h"

#include <stddef.h>

/* Costs to be tried, and what is known about them. */
struct instance {
	const char *name;
	double *c; /* [n * n] */
	size_t n;
	double optimum; /* NaN: not known */
};

/* Gets one after the other, borrowed. 0, or -1 with @err set: no more then. */
typedef int instance_fn(const struct instance *in, void *arg,
			struct pl_err *err);

/*
 * Racks, even and uneven, and pods of racks (racks.h), whose optimum is
 * planted; and such with noise, also directed: 8, 16, 64, ... 4096 hosts. 0, or
 * -1 with @err set.
 */
int instances_generate(size_t hosts_max, instance_fn *take, void *arg,
		       struct pl_err *err);

/* DIR/OPTIMA has names and optima, a line each; of those there are in
 * DIR/tsplib/NAME.tsp or DIR/atsp/NAME.atsp. 0, or -1 with @err set. */
int instances_read(const char *dir, size_t hosts_max, instance_fn *take,
		   void *arg, struct pl_err *err);

#endif
