/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.h - a trace of how many spot machines were up, tick by tick */
#ifndef PLINK_PLANNER_TRANSIENT_TRACE_H
#define PLINK_PLANNER_TRANSIENT_TRACE_H

#include "base/err.h"
#include "base/text/text.h"
#include "planner/transient/lifetimes.h"

#include <stddef.h>
#include <stdint.h>

#define PL_SPOT_TRACE_COUNT_MAX 1000

/* Start with {0}, end with fini. */
struct pl_spot_trace {
	double gap_s;  /* from a tick to the next */
	size_t *count; /* [n]: machines that are up from the tick on */
	double *price; /* [n]: dollars an hour from the tick on; NULL: not in the trace */
	size_t n;
};
void pl_spot_trace_fini(struct pl_spot_trace *trace);

/* Reads the form of the traces of the paper "Can't be late" (Wu et al., NSDI 2024): {"metadata":
 * {"gap_seconds": 300}, "data": [4, 4, 3, ...]}, perhaps with "prices": [0.9, ...]. 0, or -1 with
 * @trace empty and @err set: PL_EINPUT with the place. */
int pl_spot_trace_parse(struct pl_spot_trace *trace, const struct pl_text *text,
			struct pl_err *err);
int pl_spot_trace_read(struct pl_spot_trace *trace, const char *path, struct pl_err *err);

/* What a trace tells of machines that were replaced as soon as possible. */
struct pl_spot_trace_lives {
	struct pl_life *life; /* [n], in the order of their ends */
	double *wait_s;       /* [n_waits] */
	size_t n, n_waits;
};
void pl_trace_lives_fini(struct pl_spot_trace_lives *lives);

struct pl_spot_trace_part {
	size_t from, to; /* the first tick, and the one behind the last */
	size_t together; /* so many machines count as one, which is up while
			  * they all are; 0: each counts */
	uint64_t seed;
};

/*
 * The lives and replacements of a part of a trace with from < to <= trace->n. The trace does not
 * say which machine is lost: one of those that are up, drawn at random; the one that was lost first
 * is replaced first. Machines that are up at the beginning are taken as new; those that are up at
 * the end are kept. 0, or -1 with @err set: out of memory. @lives must be empty.
 */
int pl_spot_trace_follow(struct pl_spot_trace_lives *lives, const struct pl_spot_trace *trace,
			 const struct pl_spot_trace_part *part, struct pl_err *err);

#endif
