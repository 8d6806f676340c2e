/* SPDX-License-Identifier: BSD-3-Clause */
/* log.h - the setting and the log of the norms of gradients */
#ifndef PLINK_SHIM_MPI_STATS_LOG_H
#define PLINK_SHIM_MPI_STATS_LOG_H

#include "shim/mpi/stats/noise.h"

/* An iteration: as in planner/batch/norms.h. */
struct pl_stats_noise_line {
	uint64_t iteration;
	double local_sq, mean_sq, seconds;
	bool is_known; /* all its vectors could be read */
};

/* Adds it to the log of the program's communicator @comm, whose first process this is; the first
 * line of communicators with these members makes the log anew. Says, once, what cannot be done. Any
 * thread. */
void pl_stats_noise_write(const struct pl_stats_noise_setting *setting, MPI_Comm comm,
			  const struct pl_stats_noise_line *line);

/* Closes all logs. */
void pl_stats_noise_close(void);

#endif
