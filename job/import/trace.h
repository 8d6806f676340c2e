/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.h - the groups and the calls of one process, before it is known which
 * ranks they have */
#ifndef PLINK_JOB_IMPORT_TRACE_H
#define PLINK_JOB_IMPORT_TRACE_H

#include "job/import/recording.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

struct pl_job_trace_group {
	char *name, *description;
	uint32_t *member;
	size_t n;
	size_t number; /* in the recording */
};

struct pl_job_trace_call {
	char *name, *group;
	uint64_t in, out; /* bytes */
	json_int_t rank;  /* in the group; < 0: not there */
	json_t *split;    /* of an all-to-all's input, as they tell it */
};

/* Start with {.rank = PL_RECORDED_NO_RANK}, end with fini. */
struct pl_job_trace {
	size_t rank;    /* of the process in the job */
	char *file;     /* of a graph: its name */
	double n_steps; /* of a graph; 0: not given */
	struct pl_job_trace_group *group;
	struct pl_job_trace_call *call;
	size_t n_groups, group_room, n_calls, call_room;
};

void pl_job_trace_fini(struct pl_job_trace *t);

/* Adds copies of the call's strings, and takes its split. 0, or -1: out of
 * memory. */
int pl_job_trace_add_call(struct pl_job_trace *t, const struct pl_job_trace_call *call);

/* Adds the groups of PyTorch's list "[{\"pg_name\": ..., \"ranks\": ...},
 * ...]", which is JSON or else ignored; of groups of one name, the first. 0, or
 * -1: out of memory. */
int pl_job_trace_add_groups(struct pl_job_trace *t, const char *text);

/* Adds a group of these ranks, unless there is one of that name. 0, or -1: out
 * of memory. */
int pl_job_trace_add_group(struct pl_job_trace *t, const char *name, json_t *ranks);

/* Adds the group @name of the ranks 0 .. n - 1, unless there is one of that
 * name. 0, or -1: out of memory. */
int pl_job_trace_add_all(struct pl_job_trace *t, const char *name, size_t n);

/* Adds all to the recording. @file: what is known of the file; of its number of
 * ranks, the least. Its rank is that of the trace or else the one that calls
 * tell. 0, or -1 with @err set. */
int pl_job_trace_put(struct pl_recording *r, struct pl_job_trace *t, struct pl_recorded_file *file,
		     struct pl_err *err);

#endif
