/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.h - the ranks that an order gives to the processes of a job */
#ifndef PLINK_SHIM_RANKS_H
#define PLINK_SHIM_RANKS_H

#include "base/plan/plan.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * New ranks for the n processes of a job: the hosts stand in the plan's first order, each as one
 * block of all its processes, which keep the order that they have among themselves. host_of[n] is
 * the plan's host of each process, by its present rank; new_rank[n] is the output, a permutation.
 * Hosts of the plan without any process are not in the job: the order is that of the others. 0, or
 * -1: PL_EPARTIAL if another host does not run as many processes as its slots in the plan,
 * PL_ESYSTEM.
 */
int pl_shim_ranks(const struct pl_plan *plan, const int *host_of, size_t n, int *new_rank,
		  struct pl_err *err);

/*
 * The same in the order plan->order[@order], with any number of processes on each host. 0, or -1:
 * no memory.
 */
int pl_shim_place(const struct pl_plan *plan, size_t order, const int *host_of, size_t n,
		  int *new_rank);

/* Does each of the hosts run a process? 0, or -1: PL_EPARTIAL with the one that does not. */
int pl_shim_check_all(const struct pl_hosts *hosts, const int *host_of, size_t n,
		      struct pl_err *err);

/* The lowest new rank on @host in the plan's first order, if every host runs as many processes as
 * its slots. */
int pl_shim_block(const struct pl_plan *plan, size_t host);

/* Does every process keep its rank? */
bool pl_shim_is_identity(const int *new_rank, size_t n);

#endif
