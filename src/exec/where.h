/* SPDX-License-Identifier: BSD-3-Clause */
/* where.h - where processes find the one with the first number */
#ifndef PLINK_SRC_EXEC_WHERE_H
#define PLINK_SRC_EXEC_WHERE_H

#include "src/exec/change.h"
#include "src/exec/seat.h"

/* "@host:port", the port being that of @endpoint ("host:port", "[::1]:port"),
 * none where it has none. The caller's to free; NULL: out of memory. */
char *pl_where_endpoint(const char *host, const char *endpoint);

/*
 * MASTER_ADDR and NCCL_COMM_ID, where they are set, lead to the host that
 * stands in front. MASTER_ADDR stays where torchrun serves there. 0, or -1:
 * PL_EPARTIAL where NCCL_COMM_ID has no port, or that host's name no address;
 * PL_ESYSTEM.
 */
int pl_where_change(const struct pl_seat *seat, struct pl_changes *changes,
		    struct pl_err *err);

/* SLURM's lists of nodes, whose first is often taken for that host, have all in
 * the plan's order. 0, or -1: out of memory. */
int pl_where_change_slurm(const struct pl_seat *seat,
			  struct pl_changes *changes, struct pl_err *err);

#endif
