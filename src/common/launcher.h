/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.h - the mpirun that is installed */
#ifndef PLINK_SRC_COMMON_LAUNCHER_H
#define PLINK_SRC_COMMON_LAUNCHER_H

#include "base/err.h"

#include <signal.h>

enum pl_mpi_kind {
	PL_MPI_NONE,
	PL_MPI_OPENMPI_4, /* and before */
	PL_MPI_OPENMPI_5, /* PRRTE */
	PL_MPI_MPICH,     /* Hydra */
	PL_MPI_OTHER,
};

struct pl_mpi {
	enum pl_mpi_kind kind;
	char name[96]; /* "Open MPI 4.1.4"; empty where there is none */
};

/* Asks `@mpirun --version`. 0, or -1 with @err set and kind PL_MPI_OTHER: it
 * does not answer, or *stop came first. */
int pl_mpi_detect(struct pl_mpi *mpi, const char *mpirun,
		  const volatile sig_atomic_t *stop, struct pl_err *err);

/* The command as one would type it, quoted for a shell. The caller's to free;
 * NULL when memory runs out. */
char *pl_mpi_command(char *const *argv);

#endif
