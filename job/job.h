/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - what a job sends in one step: its communicators and the calls in
 * them (plink-job(5)) */
#ifndef PLINK_JOB_JOB_H
#define PLINK_JOB_JOB_H

#include "base/err.h"
#include "base/text/text.h"
#include "costmodels/algorithm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PL_JOB_RANKS_MAX ((size_t)1 << 20)
#define PL_JOB_MEMBERS_MAX ((size_t)1 << 26) /* of all groups of a job */
#define PL_JOB_SENDS_MAX ((size_t)1 << 24)
#define PL_JOB_MICROBATCHES_MAX 1000000
#define PL_JOB_VPP_MAX 1024

enum pl_job_form {
	PL_JOB_COLLECTIVE,
	PL_JOB_PIPELINE, /* the members of a group are stages */
	/* the members of a group send one another blocks of their own sizes */
	PL_JOB_ALLTOALLV,
	PL_JOB_TRAFFIC, /* messages between ranks, without groups */
};

struct pl_job_send {
	uint32_t src, dst; /* ranks */
	uint64_t bytes;    /* in one call; in all its messages */
	uint64_t messages;
};

/* Communicators that make the same calls at the same time. Strings belong to the job. */
struct pl_job_kind {
	char *name;
	enum pl_job_form form;
	enum pl_collective collective;
	/* of a collective: as struct pl_call has it; of a pipeline: what a stage sends to the next
	 * for one microbatch */
	uint64_t bytes;
	double calls;          /* in one step */
	double exposed;        /* the share that computing does not hide, 0 .. 1 */
	uint64_t microbatches; /* of a pipeline, >= 1 */
	/* of a pipeline, >= 1: parts of the model that a stage has (Megatron's virtual pipeline);
	 * of several, their microbatches take turns */
	uint64_t vpp;
	/* of a pipeline: what a stage computes for a microbatch; 0: not given
	 */
	double forward_ns, backward_ns;
	char *library;   /* NULL: that of the job */
	char *algorithm; /* NULL: what the library takes */
	/* the members of group g, in the order of their ranks in it, are member[first[g]] ..
	 * member[first[g + 1] - 1] */
	uint32_t *member;
	size_t *first; /* [n_groups + 1]; NULL without groups */
	size_t n_groups, n_members, member_room, first_room;
	struct pl_job_send *send;
	size_t n_sends, send_room;
	long line, col; /* of its name in the job's file; 0: not read */
};

/* Start with {0}, end with fini. */
struct pl_job {
	size_t n_ranks;
	size_t cards;   /* network cards of a host; 0: not stated */
	char *library;  /* NULL: not stated */
	char *file;     /* that it was read from; NULL: not read */
	long line, col; /* of "ranks" there */
	struct pl_job_kind *kind;
	size_t n_kinds, kinds_room;
};

void pl_job_fini(struct pl_job *job);

/* "allreduce", ..., "pipeline", "alltoallv", "traffic". */
const char *pl_job_calls_name(const struct pl_job_kind *kind);

/* Is a call the messages of send[]? */
bool pl_job_has_sends(const struct pl_job_kind *kind);

/* Appends a kind, which owns nothing but its name, library and algorithm: copies of these of @like.
 * Returns it, or NULL: out of memory. It moves when the next is added. */
struct pl_job_kind *pl_job_add(struct pl_job *job, const struct pl_job_kind *like);

/* Begins a group without members; appends a member to the last group. 0, or -1: out of memory. */
int pl_job_begin_group(struct pl_job_kind *kind);
int pl_job_add_member(struct pl_job_kind *kind, uint32_t rank);

int pl_job_add_send(struct pl_job_kind *kind, struct pl_job_send send);

/* The bytes of all messages of send[]. 0, or -1: they exceed INT64_MAX. */
int pl_job_sent(const struct pl_job_kind *kind, uint64_t *bytes);

/* Reads a job; @job must be empty. 0, or -1 with @job empty and @err set: PL_EINPUT with the place,
 * PL_ESYSTEM. */
int pl_job_parse(struct pl_job *job, struct pl_text *text, struct pl_err *err);
int pl_job_read(struct pl_job *job, const char *path, struct pl_err *err);

/* Writes a job; reading it back gives the same job. 0, or -1 with @err set (PL_ESYSTEM); the caller
 * flushes and closes. */
int pl_job_write(const struct pl_job *job, FILE *out, struct pl_err *err);

#endif
