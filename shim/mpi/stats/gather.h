/* SPDX-License-Identifier: BSD-3-Clause */
/* gather.h - the counts of all processes come to one */
#ifndef PLINK_SHIM_MPI_STATS_GATHER_H
#define PLINK_SHIM_MPI_STATS_GATHER_H

#include PL_MPI_LIBRARY_H
#include "shim/stats/sums.h"

/*
 * Collective over @comm, on which nothing else happens: @sums of rank 0 becomes
 * that of all. A process that has lost its own says so. 0 on rank 0, or -1
 * there: a process has none, and @sums is not what it should be.
 */
int pl_stats_gather(MPI_Comm comm, struct pl_stats_sums *sums, int lost);

#endif
