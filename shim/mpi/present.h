/* SPDX-License-Identifier: BSD-3-Clause */
/* present.h - does every process of the job have the shim? */
#ifndef PLINK_SHIM_MPI_PRESENT_H
#define PLINK_SHIM_MPI_PRESENT_H

/*
 * Returns when every process of the job has called it. Otherwise, after
 * @limit_s seconds, names the ranks that have not and ends the job: they would
 * take part in none of what the others do next, and all would hang.
 */
void pl_mpi_check_present(int limit_s);

#endif
