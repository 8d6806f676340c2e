/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.h - which mpirun is installed */
#ifndef PLINK_SRC_COMMON_LAUNCHER_H
#define PLINK_SRC_COMMON_LAUNCHER_H

#include "base/err.h"

#include <signal.h>

enum pl_mpi_kind {
	PL_MPI_NONE,
	PL_MPI_OPENMPI_4, /* and earlier */
	PL_MPI_OPENMPI_5, /* PRRTE */
	PL_MPI_MPICH,     /* Hydra */
	PL_MPI_OTHER,
};

struct pl_mpi {
	enum pl_mpi_kind kind;
	char name[96]; /* "Open MPI 4.1.4"; empty if there is none */
};

/* Runs `@mpirun --version`. 0, with kind PL_MPI_NONE if it is not installed; or -1 with @err set
 * and kind PL_MPI_OTHER: it does not answer, or *stop was set first. */
int pl_mpi_detect(struct pl_mpi *mpi, const char *mpirun, const volatile sig_atomic_t *stop,
		  struct pl_err *err);

#endif
