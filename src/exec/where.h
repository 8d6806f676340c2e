/* SPDX-License-Identifier: BSD-3-Clause */
/* where.h - the number of this host, and the address of the first one */
#ifndef PLINK_SRC_EXEC_WHERE_H
#define PLINK_SRC_EXEC_WHERE_H

#include "src/exec/change.h"
#include "src/exec/seat.h"

#include <stdbool.h>

/* Returns "@host:port" with the port of @endpoint ("host:port", "[::1]:port"), or without one if it
 * has none. The caller frees it; NULL: out of memory. */
char *pl_where_endpoint(const char *host, const char *endpoint);

/* Is this a process that torchrun has started? */
bool pl_where_is_worker(void);

/*
 * Changes whatever names this host by its number (NODE_RANK, PET_NODE_RANK) or the first host by
 * its address (MASTER_ADDR, PET_MASTER_ADDR, PET_RDZV_ENDPOINT, NCCL_COMM_ID), if it is set, to
 * those of the plan. Of the addresses, those stay at which torchrun itself serves its workers. 0,
 * or -1: PL_EPARTIAL if NCCL_COMM_ID has no port or the name of that host does not resolve;
 * PL_ESYSTEM.
 */
int pl_where_change(const struct pl_seat *seat, struct pl_changes *changes, struct pl_err *err);

/* Puts Slurm's lists of nodes, whose first node is often taken for rank 0's, in the plan's order.
 * 0, or -1: out of memory. */
int pl_where_change_slurm(const struct pl_seat *seat, struct pl_changes *changes,
			  struct pl_err *err);

#endif
