/* SPDX-License-Identifier: BSD-3-Clause */
/* abi-job.h - what a program of MPI's standard ABI calls */
#ifndef PLINK_TESTS_SHIM_MPI_ABI_JOB_H
#define PLINK_TESTS_SHIM_MPI_ABI_JOB_H

/* argv[1] is how it begins: init, thread or session. */
int abi_job(int argc, char **argv);

#endif
