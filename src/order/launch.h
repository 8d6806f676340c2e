/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.h - the commands that make mpirun and srun keep an order */
#ifndef PLINK_SRC_ORDER_LAUNCH_H
#define PLINK_SRC_ORDER_LAUNCH_H

#include "base/text/words.h"
#include "src/common/launcher.h"
#include "src/order/options.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* How the hosts are reached, as far as a launch must take that into account. Strings may be
 * NULL. */
struct pl_mpi_ways {
	const char *launch; /* "ssh -l me %h", borrowed; NULL: ssh as it is */
	char *agent;        /* the same without the host; NULL: there is none */
	char *logins;       /* "4": so many at a time; NULL: any number */
	char *network;      /* "10.8.0.0/24", which the job must be kept on */
	bool renamed;       /* this machine is listed by another name than its own */
	bool dotted;        /* names of hosts have domains */
	bool short_twice;   /* ... and two are the same up to the first dot */
};

/* The program to start, and on which ranks. */
struct pl_mpi_job {
	const char *mpirun;            /* its command */
	const char *file;              /* holds the order, or */
	const char *hosts;             /* in its place "a,b,b": a rank each;
					* beside a rankfile for PRRTE alone */
	enum pl_reorder_format format; /* of the file */
	size_t n_ranks;
	const char *rules; /* for Open MPI's tuned collectives; NULL: none */
	/* what makes the library use an algorithm, as options of mpirun: "--mca NAME VALUE ..." or
	 * "-genv NAME VALUE ..."; empty or NULL: nothing */
	const char *setting;
	const struct pl_mpi_ways *ways; /* NULL: nothing is known of them */
	const char *const *variables;   /* "NAME=VALUE", NULL at the end; NULL:
					 * none. Not with srun */
	const char *const *app;         /* program and arguments, NULL at the end */
};

/*
 * Makes the command that keeps the order. PL_MPI_NONE gives the command of Open
 * MPI 4.1. @out must be empty; end with fini. 0, or -1 with it empty: this
 * launcher has no way to follow such a file, or out of memory.
 * Open MPI 4.1 keeps the order of a host file only with --map-by seq: otherwise
 * it moves the launching host to the front and adds up repeated lines. PRRTE's
 * mappers read the same file; its rankfile is an option of a mapper, and places
 * ranks only on hosts that the job has anyway. Hydra keeps the order of its
 * host file. srun, which needs no @mpi, keeps it in its arbitrary distribution:
 * task i runs on the host of line i.
 */
int pl_mpi_command(const struct pl_mpi *mpi, const struct pl_mpi_job *job, struct pl_words *out);

/* Does that setting (options of mpirun, or NULL) have an effect only with coll/han turned off? From
 * Open MPI 5 on, that is asked before coll/tuned where hosts have several ranks. */
bool pl_mpi_asks_han(const struct pl_mpi *mpi, const char *setting);

/* Can it be told by which command it logs in, and how many logins may be under way at once? */
bool pl_mpi_takes_logins(const struct pl_mpi *mpi, enum pl_reorder_format format);

/*
 * Looks for the mpirun that follows a file of that format; MPICH's may also have another name, if
 * another mpirun is installed. Returns its command, or the usual one if there is none
 * (PL_MPI_NONE). If it does not answer, it is PL_MPI_OTHER, with @err set.
 */
const char *pl_mpi_find(struct pl_mpi *mpi, enum pl_reorder_format format,
			const volatile sig_atomic_t *stop, struct pl_err *err);

#endif
