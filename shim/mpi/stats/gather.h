/* SPDX-License-Identifier: BSD-3-Clause */
/* gather.h - adds up the counts of all processes on one of them */
#ifndef PLINK_SHIM_MPI_STATS_GATHER_H
#define PLINK_SHIM_MPI_STATS_GATHER_H

#include PL_MPI_LIBRARY_H
#include "shim/stats/sums.h"

/*
 * Collective over @comm, on which nothing else happens: adds the @sums of all
 * processes to those of rank 0. @lost is -1 in a process that has lost its own
 * @sums, otherwise 0. On rank 0, returns 0, or -1: the sums of a process are
 * missing, and @sums is incomplete. On other ranks, neither the result nor
 * @sums means anything.
 */
int pl_stats_gather(MPI_Comm comm, struct pl_stats_sums *sums, int lost);

#endif
