/* SPDX-License-Identifier: BSD-3-Clause */
/* comm.h - a network model: the bus bandwidth of all-reduces */
#ifndef PLINK_PLANNER_SRIFT_COMM_COMM_H
#define PLINK_PLANNER_SRIFT_COMM_COMM_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Bytes that an all-reduce of @bytes by n > 0 ranks moves over each card: 2 s (n - 1) / n. Bus
 * bandwidth is this number over the time (srift 4.2). */
double pl_bus_bytes(double bytes, size_t n_ranks);

/* A model of the network. Its functions return 0, or -1 with @err set: PL_EUSAGE if the model does
 * not know the answer. */
struct pl_comm {
	const void *model; /* borrowed */
	/* Bus bandwidth in bytes per second, more than 0, of an all-reduce of @bytes > 0 by n_ranks
	 * > 1 while no other transfer is under way. */
	int (*bandwidth)(const void *model, double bytes, size_t n_ranks, double *bytes_per_s,
			 struct pl_err *err);
	/* The most that any number of all-reduces get together. */
	int (*cap)(const void *model, size_t n_ranks, double *bytes_per_s, struct pl_err *err);
};

#endif
