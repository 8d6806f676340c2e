/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.h - how mpirun and srun keep an order */
#ifndef PLINK_SRC_ORDER_LAUNCH_H
#define PLINK_SRC_ORDER_LAUNCH_H

#include "src/common/launcher.h"
#include "src/order/options.h"

#include <signal.h>
#include <stddef.h>

/* What is to be started, on which ranks. */
struct pl_mpi_job {
	const char *mpirun;          /* its command */
	const char *file;            /* holds the order */
	enum pl_order_format format; /* of the file */
	size_t n_ranks;
	const char *rules; /* for Open MPI's tuned collectives; NULL: none */
	/* what makes the library take an algorithm, as mpirun's options "--mca
	 * NAME VALUE ..." or "-genv NAME VALUE ..."; empty or NULL: nothing */
	const char *setting;
	const char *const *app; /* program and arguments, NULL at the end */
};

#define PL_MPI_ARGS 40

/*
 * The command that keeps the order: argv[PL_MPI_ARGS], NULL at the end, each
 * string the caller's (release with pl_mpi_argv_fini). For PL_MPI_NONE that of
 * Open MPI 4.1. 0, or -1: this launcher has no way to follow such a file
 * (argv[0] is NULL), or no memory.
 *
 * Open MPI 4.1 keeps the order of a host file only with --map-by seq: else it
 * puts the launching host first and adds up repeated lines. PRRTE's
 * mappers take the same file; its rankfile is a mapper's option. Hydra keeps
 * the order of its host file. srun, which needs no @mpi, keeps it in its
 * arbitrary distribution: task i runs where line i says.
 */
int pl_mpi_argv(const struct pl_mpi *mpi, const struct pl_mpi_job *job,
		char *argv[PL_MPI_ARGS]);
/*
 * Looks for the mpirun that follows such a file: for that of MPICH also by
 * names it has beside another one. Gives its command, or the one it would have
 * where there is none (PL_MPI_NONE). What does not answer is PL_MPI_OTHER, with
 * @err set.
 */
const char *pl_mpi_find(struct pl_mpi *mpi, enum pl_order_format format,
			const volatile sig_atomic_t *stop, struct pl_err *err);

void pl_mpi_argv_fini(char *argv[PL_MPI_ARGS]);

#endif
