/* SPDX-License-Identifier: BSD-3-Clause */
/* groups.h - in which communicator of the program a call was made */
#ifndef PLINK_SHIM_MPI_STATS_GROUPS_H
#define PLINK_SHIM_MPI_STATS_GROUPS_H

#include PL_MPI_LIBRARY_H
#include "shim/stats/groups.h"

/* Collective: ranks are those of @job from here on. */
void pl_stats_groups_start(MPI_Comm job);

/* The number of ranks and the number of the group (table.h) of the program's communicator @comm, as
 * this process numbers groups: PL_STATS_GROUP_OTHER if it has one process, or is one between two
 * groups (whose number of ranks is that of the caller's group). */
unsigned int pl_stats_group_of(MPI_Comm comm, int *n_ranks);

/* The ranks in the job of the @n processes of the program's communicator @comm, each MPI_UNDEFINED
 * if it is not in the job. */
void pl_stats_group_ranks(MPI_Comm comm, int n, int *member);

/*
 * Collective over @job, on which nothing else happens: the groups of all processes, sorted and the
 * same everywhere, and number[] (to be freed): for each group of this process its number among
 * them, from 1, or PL_STATS_GROUP_OTHER. 0, or -1 on all processes: there was not enough memory on
 * one of them, *all is empty and *number NULL.
 */
int pl_stats_groups_agree(MPI_Comm job, struct pl_stats_groups *all, unsigned int **number);

#endif
