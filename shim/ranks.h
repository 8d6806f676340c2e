/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.h - the ranks that an order gives to the processes of a job */
#ifndef PLINK_SHIM_RANKS_H
#define PLINK_SHIM_RANKS_H

#include "base/plan/plan.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * New ranks for the n processes of a job: the hosts stand as the plan's first
 * order says, each as one block with all its processes, which keep the order
 * that they have among themselves. host_of[n] is the host of each process by
 * its present rank; new_rank[n] is the output, a permutation. 0, or -1:
 * PL_EPARTIAL where a host does not run the slots that the plan says,
 * PL_ESYSTEM.
 */
int pl_shim_ranks(const struct pl_plan *plan, const int *host_of, size_t n,
		  int *new_rank, struct pl_err *err);

/*
 * The same by plan->order[@order], for any n processes, of which a host may
 * have any number. 0, or -1: no memory.
 */
int pl_shim_place(const struct pl_plan *plan, size_t order, const int *host_of,
		  size_t n, int *new_rank);

/* The first rank of that host's processes, where all hosts run the slots that
 * the plan says. */
int pl_shim_block(const struct pl_plan *plan, size_t host);

/* Does every process keep its rank? */
bool pl_shim_is_identity(const int *new_rank, size_t n);

#endif
