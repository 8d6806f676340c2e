/* SPDX-License-Identifier: BSD-3-Clause */
/* refuse.h - why the ranks stay as they are */
#ifndef PLINK_SHIM_MPI_REFUSE_H
#define PLINK_SHIM_MPI_REFUSE_H

#include "base/err.h"
#include "shim/mpi/share.h"

/*
 * The words that follow a reason, and with PLINK_STRICT the end of the job. All
 * processes call these in step, each with the same @shared; the one that is to
 * speak with the reason, the others with NULL.
 */
void pl_mpi_refuse(const struct pl_mpi_shared *shared,
		   const struct pl_err *reason);

/* What pl_mpi_find_host() found on this process, in words: @code is one
 * of its faults, or there is nothing to say. */
void pl_mpi_host_fault(const struct pl_mpi_shared *shared, int rank, int code,
		       struct pl_err *reason);

/* One process cannot go on, and the others cannot without it: ends the job. */
void pl_mpi_no_memory(void) __attribute__((noreturn));

#endif
