/* SPDX-License-Identifier: BSD-3-Clause */
/* instances.h - rings to be solved: generated, and from TSPLIB */
#ifndef PLINK_BENCH_INSTANCES_H
#define PLINK_BENCH_INSTANCES_H

#include "base/err.h"

#include <stddef.h>

/* Costs of an instance, and what is known about it. */
struct instance {
	const char *name;
	double *c; /* [n * n] */
	size_t n;
	double optimum; /* NaN: not known */
};

/* Called with one instance after the other, each borrowed. 0, or -1 with @err set: no more
 * instances then. */
typedef int instance_fn(const struct instance *in, void *arg, struct pl_err *err);

/*
 * Calls @take with racks, even and uneven, and pods of racks (racks.h), whose optimum is planted;
 * and with the same with noise, also directed. Each has 6, 10, 16, 20, 24, 48, 64, 256 ... 4096
 * hosts, up to
 * @hosts_max. 0, or -1 with @err set.
 */
int instances_generate(size_t hosts_max, instance_fn *take, void *arg, struct pl_err *err);

/* Calls @take with the instances that DIR/OPTIMA lists, a name and its optimum in each line, and
 * that are in DIR/tsplib/NAME.tsp or DIR/atsp/NAME.atsp; skips those with more than @hosts_max
 * hosts. 0, or -1 with @err set. */
int instances_read(const char *dir, size_t hosts_max, instance_fn *take, void *arg,
		   struct pl_err *err);

#endif
