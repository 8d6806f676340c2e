/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h - plink-stalls run: a training script in the five steps */
#ifndef PLINK_SRC_STALLS_RUN_RUN_H
#define PLINK_SRC_STALLS_RUN_RUN_H

#include "base/err.h"
#include "planner/stalls/runs.h"
#include "src/common/progress.h"
#include "src/stalls/table.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The command line, and what was measured. Strings are borrowed from argv. */
struct stalls_run {
	const char *output, *model, *machine, *data, *hook, *instance;
	const char *profile; /* gets the stalls; NULL: none */
	bool wanted[PL_STALL_STEPS], json;
	uint64_t iterations, warmup, machines;
	char **command;
	const char *script;        /* the word of the command that names it */
	bool several;              /* the command starts several processes */
	struct stalls_table table; /* its runs: those of the output */
	size_t number;             /* of ours among them */
	struct pl_progress progress;
	const volatile sig_atomic_t *stop;
};

/* Reads the command line. Returns the exit status. If it is not PL_EXIT_DONE or *done is set, there
 * is nothing more to do. */
int stalls_run_parse(struct stalls_run *r, int argc, char **argv, bool *done);

/* What a step has measured, of the slowest process. */
struct stalls_taken {
	double seconds; /* of an iteration: the mean */
	double median;
	double error; /* standard error of the mean; 0: not known */
	uint64_t iterations, world, batch, samples, workers, layers, gradients;
};

/* Runs the command for the step. 0; or -1 with @err set: PL_EPARTIAL if it failed or was
 * interrupted, PL_EINPUT if it has no loop that could be timed, or processes that differ. */
int stalls_launch(struct stalls_run *r, enum pl_stall_step step, struct stalls_taken *taken,
		  struct pl_err *err);

/* Of a folder: what the processes of @script have written, all of them. 0, or -1 with @err set. */
int stalls_taken_read(struct stalls_taken *taken, const char *folder, const char *script,
		      struct pl_err *err);

/* What is at a path in the page cache: of all regular files there. */
struct stalls_cached {
	uint64_t bytes, cached_bytes;
};

/* Lets the system forget the files at @path, or reads them all; then looks which of their pages are
 * in memory. 0, or -1 with @err set. */
int stalls_cache_drop(struct stalls_run *r, struct stalls_cached *c, struct pl_err *err);
int stalls_cache_fill(struct stalls_run *r, struct stalls_cached *c, struct pl_err *err);

#endif
