/* SPDX-License-Identifier: BSD-3-Clause */
/* forms.h - the readers of each form */
/*
 * Each adds one file to the recording. @n_steps: the steps that it covers, 0: not given. 0, or -1
 * with @err set: PL_EINPUT with the place, PL_ESYSTEM.
 */
#ifndef PLINK_JOB_IMPORT_FORMS_H
#define PLINK_JOB_IMPORT_FORMS_H

#include "base/err.h"
#include "base/json-stream.h"
#include "base/text/text.h"
#include "job/import/recording.h"

/* JSON, at the first element of the array that gives it away. */
#define PL_KINETO_ARRAY "traceEvents"
#define PL_FLIGHT_ARRAY "entries"
#define PL_RAS_ARRAY "communicators"
#define PL_AUDIT_ARRAY "pairs"
#define PL_EXECUTION_ARRAY "nodes"
int pl_import_kineto(struct pl_recording *r, struct pl_json_stream *s, double n_steps,
		     struct pl_err *err);
int pl_import_flight(struct pl_recording *r, struct pl_json_stream *s, double n_steps,
		     struct pl_err *err);

int pl_import_ras(struct pl_recording *r, struct pl_json_stream *s, double n_steps,
		  struct pl_err *err);

int pl_import_audit(struct pl_recording *r, struct pl_json_stream *s, double n_steps,
		    struct pl_err *err);

int pl_import_execution(struct pl_recording *r, struct pl_json_stream *s, double n_steps,
			struct pl_err *err);

int pl_import_monitoring(struct pl_recording *r, struct pl_text *text, double n_steps,
			 struct pl_err *err);

/* Is it a log of NCCL (NCCL_DEBUG=INFO)? */
bool pl_nccl_log_is(const struct pl_text *text);
int pl_import_nccl_log(struct pl_recording *r, struct pl_text *text, double n_steps,
		       struct pl_err *err);

int pl_import_stats(struct pl_recording *r, struct pl_text *text, double n_steps,
		    struct pl_err *err);

/* The steps of a file that says no number: @n_steps, or 1, which is noted. 0, or -1: out of
 * memory. */
int pl_import_steps(struct pl_recording *r, double *n_steps);

/* Notes that a call is left out because the size of its elements is not known; @type may be NULL.
 * 0, or -1: out of memory. */
int pl_import_lose_type(struct pl_recording *r, const char *call, const char *group,
			const char *type);

/* A list, or the one in a string: a new reference. NULL: neither. */
json_t *pl_import_list(const json_t *value);

/* The ranks in an array of JSON, to be freed. 0; 1, and none, if these are no ranks; -1: out of
 * memory. */
int pl_import_members(const json_t *array, uint32_t **member, size_t *n);

#endif
