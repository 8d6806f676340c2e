/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.h - what all processes hold, added up on rank 0 */
#ifndef PLINK_SHIM_MPI_STATS_TREE_H
#define PLINK_SHIM_MPI_STATS_TREE_H

#include PL_MPI_LIBRARY_H

#include <stddef.h>

struct pl_stats_tree {
	/* What this process holds by now, to be freed; NULL: out of memory. More than INT_MAX bytes
	 * are lost. */
	void *(*give)(void *arg, size_t *bytes);
	/* Adds what another one holds. 0, or -1: out of memory. */
	int (*take)(void *arg, const void *data, size_t bytes);
	void *arg;
};

/*
 * Collective over @comm, on which nothing else happens. @lost is -1 in a process that has lost what
 * it had, otherwise 0. On rank 0, returns 0, or -1: something is missing. On other ranks the result
 * means nothing. Up a binomial tree, added on the way: what a process holds does not grow with the
 * job, but with what there is of different kinds.
 */
int pl_stats_gather(MPI_Comm comm, const struct pl_stats_tree *tree, int lost);

#endif
