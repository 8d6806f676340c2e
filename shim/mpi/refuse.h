/* SPDX-License-Identifier: BSD-3-Clause */
/* refuse.h - why the ranks stay as they are */
#ifndef PLINK_SHIM_MPI_REFUSE_H
#define PLINK_SHIM_MPI_REFUSE_H

#include "base/err.h"
#include "shim/mpi/share.h"

/*
 * Prints why the ranks stay, and with PLINK_STRICT ends the job. All processes call this in step,
 * each with the same @shared. The process that prints passes the reason, the others NULL.
 */
void pl_mpi_refuse(const struct pl_mpi_shared *shared, const struct pl_err *reason);

/* Describes in @reason a fault that pl_mpi_find_host() has returned, with @plan, on this process,
 * which has rank @rank. Leaves @reason as it is if @code is not one of these faults. */
void pl_mpi_host_fault(const struct pl_mpi_shared *shared, const struct pl_plan *plan, int rank,
		       int code, struct pl_err *reason);

/* Says that this process is out of memory, and ends the job, because the other processes cannot go
 * on without this one. */
void pl_mpi_no_memory(void) __attribute__((noreturn));

#endif
