/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of plink-mpirun */
#ifndef PLINK_SRC_MPIRUN_OPTIONS_H
#define PLINK_SRC_MPIRUN_OPTIONS_H

#include <stdbool.h>

#define PL_MPIRUN_TOOL "plink-mpirun"

enum pl_mpirun_mode {
	PL_MPIRUN_WORLD,
	PL_MPIRUN_SHADOW, /* ranks stay */
	PL_MPIRUN_OFF,
};

struct pl_mpirun_options {
	const char *plan;
	const char *mpirun;  /* "mpirun" */
	const char *library; /* NULL: the one of plink */
	const char *stats;   /* NULL: by PLINK_STATS */
	enum pl_mpirun_mode mode;
	bool has_mode; /* given by --mode, not PLINK_MPI_MODE */
	bool strict, verbose, print;
	bool check, run;    /* check the hosts, then run the job */
	char *const *words; /* the rest, for mpirun; NULL after the last */
	bool done;          /* help or version was printed: exit with the status */
};

/* Strings are borrowed from @argv and the environment. 0, or the exit status after a message. */
int pl_mpirun_options_parse(struct pl_mpirun_options *o, int argc, char **argv);

#endif
