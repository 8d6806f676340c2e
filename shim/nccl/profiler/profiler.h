/* SPDX-License-Identifier: BSD-3-Clause */
/* profiler.h - libnccl-profiler-plink.so: NCCL tells what it runs, and that is counted */
#ifndef PLINK_SHIM_NCCL_PROFILER_H
#define PLINK_SHIM_NCCL_PROFILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A communicator of this process. */
struct pl_profiled;

/* What NCCL tells of one. */
struct pl_profiled_comm {
	uint64_t id;
	int rank;
	int n_ranks, n_nodes; /* 0: not known */
	const char *name;     /* NULL: none */
};

/* Strings as NCCL has them. */
struct pl_profiled_call {
	const char *func, *datatype;
	size_t count;
	const char *algo, *proto; /* NULL: not known */
	int n_channels;           /* that tell their times; 0: none */
	int peer;                 /* of a "Send"; others: not read */
};

/* Adds a communicator; with @comm NULL, what is known of it comes later, and no times. NULL:
 * nothing is to be counted, or out of memory; the functions below do nothing with it. */
struct pl_profiled *pl_profiled_add(const struct pl_profiled_comm *comm);

/* Says what the communicator is; only the first time counts. */
void pl_profiled_know(struct pl_profiled *p, const struct pl_profiled_comm *comm);

/* Counts a call; functions that plink does not know are not counted. If it is timed, a record of it
 * (timed.h) whose parts are its channels and the launch, otherwise NULL. */
struct pl_timed *pl_profiled_count(struct pl_profiled *p, const struct pl_profiled_call *call);

/* Are times wanted? */
bool pl_profiled_is_timed(void);

/* The communicator ends; with the last one the file is written. */
void pl_profiled_end(struct pl_profiled *p);

#endif
