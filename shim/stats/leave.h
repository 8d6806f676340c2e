/* SPDX-License-Identifier: BSD-3-Clause */
/* leave.h - a preload library leaves statistics, and tells the user */
#ifndef PLINK_SHIM_STATS_LEAVE_H
#define PLINK_SHIM_STATS_LEAVE_H

#include "shim/stats/write.h"

/* Writes them to @path. Says what is not in them, once, or why there are none;
 * then returns -1, otherwise 0. */
int pl_stats_leave(const char *path, const struct pl_stats_job *job,
		   const struct pl_stats_sums *sums);

#endif
