/* SPDX-License-Identifier: BSD-3-Clause */
/* present.h - does every process of the job have the shim? */
#ifndef PLINK_SHIM_MPI_PRESENT_H
#define PLINK_SHIM_MPI_PRESENT_H

/*
 * Collective over MPI_COMM_WORLD: returns when every process of the job has
 * called this function. If some have not after @limit_s seconds, prints their
 * ranks and ends the job: they would not take part in the shim's next
 * collectives, and all processes would hang.
 */
void pl_mpi_check_present(int limit_s);

#endif
