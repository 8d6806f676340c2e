/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.h - PLINK_STATS: what a job calls, and how long that takes */
/*
 * generate.awk makes the wrappers. Those of the functions in its list "timed" read the clock before
 * and after the call, and count the call here if it has succeeded.
 */
#ifndef PLINK_SHIM_MPI_STATS_STATS_H
#define PLINK_SHIM_MPI_STATS_STATS_H

#include PL_MPI_LIBRARY_H
#include "shim/stats/clock.h"
#include "shim/stats/path.h"
#include "shim/stats/write.h"

#include <stdbool.h>
#include <stdint.h>

/* Are calls counted? With PLINK_STATS, from MPI_Init to MPI_Finalize. */
extern bool pl_stats_on;

/* Made by generate.awk: the functions that are counted. */
extern const struct pl_stats_call pl_stats_calls[];

/*
 * Collective over MPI_COMM_WORLD, called when the ranks are final: counts from here on. @job has
 * the mode and, if a plan is followed, the plan and its order; this function fills in the rest in a
 * copy. PLINK_STATS of the launcher's rank 0 names the file; the program's rank 0 writes it in
 * MPI_Finalize. If the name is too long, says so, and nothing is counted.
 */
void pl_stats_start(const struct pl_stats_job *job);

/* Counts a successful call on the program's communicator @comm; @call is its index in
 * pl_stats_calls. */
void pl_stats_note(unsigned int call, MPI_Comm comm, uint64_t bytes, uint64_t ticks);

#endif
