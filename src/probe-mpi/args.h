/* SPDX-License-Identifier: BSD-3-Clause */
/* args.h - the command line of plink-probe-mpi */
#ifndef PLINK_SRC_PROBE_MPI_ARGS_H
#define PLINK_SRC_PROBE_MPI_ARGS_H

#include "probes/mpi/run.h"
#include "src/probe/args.h"

enum probe_mpi_action { PROBE_MPI_RUN, PROBE_MPI_HELP, PROBE_MPI_VERSION };

struct probe_mpi_args {
	enum probe_mpi_action action;
	/* output, json, verbose, what to measure and which options were given;
	 * hosts is a list of names for the hosts, or NULL */
	struct probe_args common;
	struct pl_mpi_options run; /* probe: that of common */
};

/* Strings are borrowed from @argv. Prints nothing, because every process has
 * the same command line. 0, or -1 with PL_EUSAGE. */
int probe_mpi_args_parse(struct probe_mpi_args *args, int argc, char **argv,
			 struct pl_err *err);

extern const char probe_mpi_help[];

#endif
