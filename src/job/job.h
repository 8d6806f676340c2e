/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - the command line of plink-job, and what its verbs do */
#ifndef PLINK_SRC_JOB_JOB_H
#define PLINK_SRC_JOB_JOB_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define JOB_TOOL "plink-job"

enum job_verb { JOB_LAYOUT, JOB_IMPORT, JOB_SHOW };

/* Strings are borrowed from argv. */
struct job_options {
	enum job_verb verb;
	const char *layout, *mesh, *order; /* NULL: not given */
	double n_steps;                    /* 0: not given */
	const char *output;
	char **argument; /* [n_arguments] calls, or files */
	size_t n_arguments;
	bool done; /* help or version was printed: exit with the status */
};

/* Returns the exit status. If it is not PL_EXIT_DONE or @o->done is set, there is nothing more to
 * do. */
int job_options_parse(struct job_options *o, int argc, char **argv);

/* Each writes its result, and says what is to be said. 0, or -1 with @err
 * set. */
int job_layout(const struct job_options *o, FILE *out, struct pl_err *err);
int job_import(const struct job_options *o, FILE *out, struct pl_err *err);
int job_show(const struct job_options *o, FILE *out, struct pl_err *err);

#endif
