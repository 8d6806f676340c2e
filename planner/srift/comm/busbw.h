/* SPDX-License-Identifier: BSD-3-Clause */
/* busbw.h - bus bandwidths by size and number of ranks, as a table */
#ifndef PLINK_PLANNER_SRIFT_COMM_BUSBW_H
#define PLINK_PLANNER_SRIFT_COMM_BUSBW_H

#include "base/text/text.h"
#include "planner/srift/comm/comm.h"

#include <stddef.h>

#define PL_BUSBW_RANKS_MAX 1000000

/* All-reduces of so many ranks: bus bandwidth of each size, by size. Start with
 * {0}, end with fini. */
struct pl_busbw_world {
	size_t n_ranks; /* 0: of however many; it is the only one then */
	double *bytes, *bytes_per_s; /* [n], bytes ascending */
	size_t n, room;
};
void pl_busbw_world_fini(struct pl_busbw_world *w);

/* A size that is there already keeps the mean of the two times. 0, or -1: no
 * memory. */
int pl_busbw_add_size(struct pl_busbw_world *w, double bytes,
		      double bytes_per_s);

/* Worlds by number of ranks, each with a size at least. Start with {0}, end
 * with fini. */
struct pl_busbw {
	struct pl_busbw_world *world;
	size_t n_worlds, room;
};
void pl_busbw_fini(struct pl_busbw *t);

/* Adds a world and leaves *world empty. 0, or -1 with both as they were and
 * @err set: there is one of that number of ranks already (PL_EINPUT), no
 * memory. */
int pl_busbw_take(struct pl_busbw *t, struct pl_busbw_world *world,
		  struct pl_err *err);

/*
 * Adds what a file says: the output of nccl-tests' all_reduce_perf (in place
 * where both are told), or SimAI's busbw.yaml, of whose sections that called
 * @section counts. 0, or -1 with the table as it was and @err set: PL_EINPUT
 * with the place.
 */
int pl_busbw_parse(struct pl_busbw *t, struct pl_text *text,
		   const char *section, struct pl_err *err);
int pl_busbw_read(struct pl_busbw *t, const char *path, const char *section,
		  struct pl_err *err);

/*
 * Bus bandwidth by the table: s / b is taken to be linear in s, and in n,
 * between what was measured, as it is for a ring whose steps take alpha + beta
 * bytes. Below the least size the time is that of the least; above the largest
 * the bandwidth is that of the largest. Numbers of ranks beyond those measured
 * are refused.
 */
struct pl_comm pl_busbw_comm(const struct pl_busbw *t);

#endif
