/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.h - PLINK_STATS: what a job calls, and how long that takes */
/*
 * The wrappers that generate.awk makes of the functions in its list "timed"
 * read the clock before and after the call, and note it here where it has
 * succeeded.
 */
#ifndef PLINK_SHIM_MPI_STATS_STATS_H
#define PLINK_SHIM_MPI_STATS_STATS_H

#include PL_MPI_LIBRARY_H
#include "shim/stats/clock.h"
#include "shim/stats/path.h"
#include "shim/stats/write.h"

#include <stdbool.h>
#include <stdint.h>

/* Is anything counted? From MPI_Init, where PLINK_STATS says so, to
 * MPI_Finalize. */
extern bool pl_stats_on;

/* Made by generate.awk: the functions that are counted. */
extern const struct pl_stats_call pl_stats_calls[];

/*
 * Collective, when the ranks are what they will be: counts from here on. @job
 * says the mode, and the plan where one is followed; the rest is filled in. The
 * file is the one that the launcher's rank 0 names; the program's rank 0 writes
 * it when MPI_Finalize is called.
 */
void pl_stats_start(const struct pl_stats_job *job);

/* A call that has succeeded on the program's communicator. */
void pl_stats_note(unsigned int call, MPI_Comm comm, uint64_t bytes,
		   uint64_t ticks);

#endif
