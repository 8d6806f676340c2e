/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of plink-exec */
#ifndef PLINK_SRC_EXEC_OPTIONS_H
#define PLINK_SRC_EXEC_OPTIONS_H

#include <stdbool.h>

#define PL_EXEC_TOOL "plink-exec"

/* The launcher that has numbered the processes. */
enum pl_exec_style {
	PL_EXEC_AUTO, /* found by its variables, or by the command */
	PL_EXEC_ENV,
	PL_EXEC_SLURM,
	PL_EXEC_OPENMPI,
	PL_EXEC_DEEPSPEED,
	PL_EXEC_NCCL,     /* like env, if NCCL_COMM_ID is set */
	PL_EXEC_TORCHRUN, /* numbers them itself: only hosts are numbered */
	PL_EXEC_LIGHTGBM, /* numbers them by its list of machines */
	PL_EXEC_XGBOOST,
};

struct pl_exec_options {
	const char *plan;
	const char *hosts; /* a list of the job's hosts; NULL: none given */
	enum pl_exec_style style;
	bool print, verbose;
	char *const *command; /* NULL after the last word */
	bool done;            /* help or version was printed: exit with the status */
};

/* Strings are borrowed from @argv and the environment. 0, or the exit status after a message. */
int pl_exec_options_parse(struct pl_exec_options *o, int argc, char **argv);

#endif
