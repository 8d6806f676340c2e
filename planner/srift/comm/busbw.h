/* SPDX-License-Identifier: BSD-3-Clause */
/* busbw.h - a table of bus bandwidths by size and number of ranks */
#ifndef PLINK_PLANNER_SRIFT_COMM_BUSBW_H
#define PLINK_PLANNER_SRIFT_COMM_BUSBW_H

#include "base/text/text.h"
#include "planner/srift/comm/comm.h"

#include <stdbool.h>
#include <stddef.h>

/* All-reduces of one number of ranks: the bus bandwidth of each size. Start with {0}, end with
 * fini. */
struct pl_busbw_point {
	double bytes, bytes_per_s;
};
struct pl_busbw_world {
	size_t n_ranks;               /* 0: any number; then it is the only world */
	struct pl_busbw_point *point; /* [n], bytes ascending */
	size_t n, room;
};
void pl_busbw_world_fini(struct pl_busbw_world *w);

/* Adds a size. If the size exists already, it keeps the mean of the two times. 0, or -1: out of
 * memory. */
int pl_busbw_add_size(struct pl_busbw_world *w, double bytes, double bytes_per_s);

/* Worlds by number of ranks, each with at least one size. Start with {0}, end with fini. */
struct pl_busbw {
	struct pl_busbw_world *world;
	size_t n_worlds, room;
};
void pl_busbw_fini(struct pl_busbw *t);

/* Moves a world into the table and leaves *world empty. 0, or -1 with both as they were and @err
 * set: the table has a world of that number of ranks already (PL_EINPUT), or out of memory. */
int pl_busbw_take(struct pl_busbw *t, struct pl_busbw_world *world, struct pl_err *err);

/*
 * Adds the measurements of a file: the output of nccl-tests' all_reduce_perf (in-place results if
 * it has both), or the section @section of SimAI's busbw.yaml. 0, or -1 with the table as it was
 * and @err set: PL_EINPUT with the place.
 */
int pl_busbw_parse(struct pl_busbw *t, struct pl_text *text, const char *section,
		   struct pl_err *err);
int pl_busbw_read(struct pl_busbw *t, const char *path, const char *section, struct pl_err *err);

/* Makes the empty table one of all sizes and numbers of ranks, which all have that bandwidth. 0, or
 * -1 with @err set: out of memory. */
int pl_busbw_rate(struct pl_busbw *t, double bytes_per_s, struct pl_err *err);

/* Are bandwidths of n_ranks, which the table knows, interpolated? Then between[2] gets the numbers
 * of ranks that were measured around it. */
bool pl_busbw_between(const struct pl_busbw *t, size_t n_ranks, size_t between[2]);

/*
 * Bus bandwidth from the table. Between measured points, s / b (size over bandwidth) is linear in s
 * and in n, as for a ring whose steps take alpha + beta bytes. Below the least size the time is
 * that of the least size; above the largest size the bandwidth is that of the largest. Numbers of
 * ranks outside the measured range are refused (PL_EUSAGE).
 */
struct pl_comm pl_busbw_comm(const struct pl_busbw *t);

#endif
