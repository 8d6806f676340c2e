/* SPDX-License-Identifier: BSD-3-Clause */
/* where.h - the address of the process with rank 0 */
#ifndef PLINK_SRC_EXEC_WHERE_H
#define PLINK_SRC_EXEC_WHERE_H

#include "src/exec/change.h"
#include "src/exec/seat.h"

/* Returns "@host:port" with the port of @endpoint ("host:port", "[::1]:port"),
 * or without one if it has none. The caller frees it; NULL: out of memory. */
char *pl_where_endpoint(const char *host, const char *endpoint);

/*
 * Changes MASTER_ADDR and NCCL_COMM_ID, if they are set, to the first host of
 * the plan. MASTER_ADDR stays if torchrun itself serves there. 0, or -1:
 * PL_EPARTIAL if NCCL_COMM_ID has no port or the name of that host does not
 * resolve; PL_ESYSTEM.
 */
int pl_where_change(const struct pl_seat *seat, struct pl_changes *changes, struct pl_err *err);

/* Puts Slurm's lists of nodes, whose first node is often taken for rank 0's, in
 * the plan's order. 0, or -1: out of memory. */
int pl_where_change_slurm(const struct pl_seat *seat, struct pl_changes *changes,
			  struct pl_err *err);

#endif
