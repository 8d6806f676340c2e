/* SPDX-License-Identifier: BSD-3-Clause */
/* args.h - the command line of plink-probe-mpi, and names for its hosts */
#ifndef PLINK_SRC_PROBE_MPI_ARGS_H
#define PLINK_SRC_PROBE_MPI_ARGS_H

#include "probes/mpi/places.h"
#include "probes/mpi/run.h"
#include "src/common/options.h"
#include "src/probe/args.h"

struct probe_mpi_args {
	enum pl_options_asked asked; /* a run, or only a text */
	/* output, json, verbose, what to measure and which options were given; hosts is a list of
	 * names for the hosts, or NULL */
	struct probe_args common;
	struct pl_mpi_options run; /* probe: that of common */
};

/* Strings are borrowed from @argv. Prints nothing, because every process has the same command line.
 * 0, or -1 with PL_EUSAGE. */
int probe_mpi_args_parse(struct probe_mpi_args *args, int argc, char **argv, struct pl_err *err);

extern const char probe_mpi_help[];

/*
 * Gives @hosts, which pl_mpi_places_hosts made of @places, their names in the list at @path. Hosts
 * are found in the list as in a plan (pl_self_find): by name, then by address. 0, or -1 with @err
 * set: the list cannot be read, a host is not in it, or two hosts of the job match one entry.
 */
int probe_mpi_rename(struct pl_hosts *hosts, const struct pl_mpi_places *places, const char *path,
		     struct pl_err *err);

#endif
