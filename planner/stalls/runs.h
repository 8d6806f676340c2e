/* SPDX-License-Identifier: BSD-3-Clause */
/* runs.h - measured steps of training runs, and their file (plink-stalls(5)) */
#ifndef PLINK_PLANNER_STALLS_RUNS_H
#define PLINK_PLANNER_STALLS_RUNS_H

#include "base/err.h"
#include "base/text/text.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The five steps that Stash times (stash, section IV-B): the same training with one thing more, or
 * less, each time. */
enum pl_stall_step {
	PL_STALL_T1, /* one GPU, synthetic data */
	PL_STALL_T2, /* all GPUs of a machine, synthetic data */
	PL_STALL_T3, /* the same GPUs, real data that no memory holds yet */
	PL_STALL_T4, /* the same GPUs, real data that is in memory */
	PL_STALL_T5, /* as many GPUs in several machines, synthetic data */
};
#define PL_STALL_STEPS 5

#define PL_STALL_NAME_MAX 255
#define PL_STALL_GPUS_MAX 1024
#define PL_STALL_MACHINES_MAX 1000000
#define PL_STALL_SECONDS_MIN 1e-9
#define PL_STALL_SECONDS_MAX 1e6

/* One model on one type of machine. Numbers that are not known are 0, texts NULL. */
struct pl_stall_run {
	char *model, *machine;
	double t_s[PL_STALL_STEPS];          /* of an iteration; NaN: not measured */
	uint64_t iterations[PL_STALL_STEPS]; /* that the time is the mean of */
	double error_s[PL_STALL_STEPS];      /* standard error of that mean */
	uint64_t gpus;                       /* of the machine, and in all of T5's; 1 or more */
	uint64_t machines;                   /* of T5 */
	char *apart;                         /* their type; NULL: that of the machine */
	uint64_t batch;                      /* samples of a GPU in an iteration */
	uint64_t samples;                    /* of the data set: of an epoch */
	uint64_t data_bytes;                 /* of the data set */
	uint64_t layers, gradients;          /* that are exchanged; bytes of these */
	/* processes that load data for a GPU: UINT64_MAX: not known */
	uint64_t workers;
	char *script; /* what was run */
	long line;    /* of the file */
};

#define PL_STALL_WORKERS_UNKNOWN UINT64_MAX

/* Runs in the order of their files. Start with {0}, end with fini. */
struct pl_stall_runs {
	struct pl_stall_run *v;
	size_t n, room;
};

/* "t1" to "t5" */
const char *pl_stall_step_name(enum pl_stall_step step);

/* A run that is not measured yet, added to the others. NULL: out of memory. */
struct pl_stall_run *pl_stall_runs_add(struct pl_stall_runs *runs, const char *model,
				       const char *machine);

/*
 * Adds the runs in the text. 0, or -1 with @err set, PL_EINPUT with the place, and @runs as it was.
 * A file without a run is refused.
 */
int pl_stall_runs_parse(struct pl_stall_runs *runs, struct pl_text *text, struct pl_err *err);
int pl_stall_runs_read(struct pl_stall_runs *runs, const char *path, struct pl_err *err);

/* Writes them as they are read. 0, or -1 with @err set. */
int pl_stall_runs_write(const struct pl_stall_runs *runs, FILE *out, struct pl_err *err);

/* Leaves the first @n. */
void pl_stall_runs_cut(struct pl_stall_runs *runs, size_t n);
void pl_stall_runs_fini(struct pl_stall_runs *runs);

#endif
