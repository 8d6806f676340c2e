/* SPDX-License-Identifier: BSD-3-Clause */
/* comm.h - what bus bandwidth an all-reduce gets, whoever knows it */
#ifndef PLINK_PLANNER_SRIFT_COMM_COMM_H
#define PLINK_PLANNER_SRIFT_COMM_COMM_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* What an all-reduce of so many bytes by n > 0 ranks moves over each card:
 * 2 s (n - 1) / n. Bus bandwidth is that over its time (srift 4.2). */
double pl_bus_bytes(double bytes, size_t n_ranks);

/* A model of the network. The functions give 0, or -1 with @err set: PL_EUSAGE
 * for what the model does not know. */
struct pl_comm {
	const void *model; /* borrowed */
	/* Bus bandwidth in bytes per second of an all-reduce of @bytes > 0 by
	 * n_ranks > 1, nothing else being under way; more than 0. */
	int (*bandwidth)(const void *model, double bytes, size_t n_ranks,
			 double *bytes_per_s, struct pl_err *err);
	/* The most that any number of them get together. */
	int (*cap)(const void *model, size_t n_ranks, double *bytes_per_s,
		   struct pl_err *err);
};

#endif
