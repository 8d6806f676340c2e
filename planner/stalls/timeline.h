/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.h - where the time of a step went, from a trace of PyTorch's profiler */
#ifndef PLINK_PLANNER_STALLS_TIMELINE_H
#define PLINK_PLANNER_STALLS_TIMELINE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Means over the steps of a trace, seconds of a step. The three parts add up to it. */
struct pl_stall_timeline {
	double step_s;
	double data_s;        /* the loop waits for the loader */
	double exchange_s;    /* collectives run, and nothing else */
	double compute_s;     /* all else */
	double collectives_s; /* also those that run beside computing */
	size_t n_steps;
	bool gpu;             /* kernels are in the trace; else it is the processor's */
	uint64_t ranks;       /* of the job; 0: not in the trace */
	double calls, bytes;  /* all-reduces of a step, and their bytes; 0: not
			       * in the trace */
	struct pl_err damage; /* of events left out; code PL_OK: none was */
};

/*
 * Steps are those marked ProfilerStep#; without such marks the whole trace is one. Computing is
 * kernels that are no collectives, or without any kernels the operators of the processor; the loop
 * waits where enumerate(DataLoader) runs and, on a GPU, no kernel does. The file may be compressed
 * with gzip. Memory: 16 bytes for each kernel or operator. 0; or -1 with @err set, PL_EINPUT with
 * the place, PL_ESYSTEM.
 */
int pl_stall_timeline_read(struct pl_stall_timeline *t, const char *path, struct pl_err *err);

#endif
