/* SPDX-License-Identifier: BSD-3-Clause */
/* leave.h - writes a preload library's statistics, and warns the user */
#ifndef PLINK_SHIM_STATS_LEAVE_H
#define PLINK_SHIM_STATS_LEAVE_H

#include "shim/stats/write.h"

/* Writes the statistics to @path. Warns, once in a process, if some calls are
 * only counted as "other". 0; or -1, having said why there are no
 * statistics. */
int pl_stats_leave(const char *path, const struct pl_stats_job *job,
		   const struct pl_stats_sums *sums);

#endif
