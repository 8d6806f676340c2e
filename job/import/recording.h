/* SPDX-License-Identifier: BSD-3-Clause */
/* recording.h - the communicators of a job and their calls, as files of its ranks tell them */
#ifndef PLINK_JOB_IMPORT_RECORDING_H
#define PLINK_JOB_IMPORT_RECORDING_H

#include "base/err.h"
#include "base/text/text.h"
#include "job/import/joined.h"
#include "job/import/operation.h"
#include "job/job.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Equal calls of a communicator. */
struct pl_recorded_call {
	enum pl_collective collective;
	uint64_t bytes; /* as struct pl_call has it */
	double calls;   /* in one step; in the file, until it ends */
};

/* What a member sends in the all-to-alls of its file. */
struct pl_recorded_row {
	double *bytes; /* [n_members], in all calls; NULL: no file tells */
	double calls;
	bool unknown; /* of some calls it is not told */
};

/* All its members make the same calls: those of the first file that tells any count. Strings belong
 * to the group. */
struct pl_recorded_group {
	char *name;        /* in its program */
	char *description; /* NULL: none */
	uint32_t *member;  /* [n_members] ranks of the job */
	size_t n_members;
	struct pl_recorded_call *call;
	size_t n_calls, call_room;
	struct pl_recorded_row *row; /* [n_members]; NULL: none is told */
	size_t teller;               /* the file whose calls count, from 1; 0: none yet */
	double calls;                /* of it, in one step */
	double now;                  /* of the present file, in all its steps */
};

/* Messages outside of collectives, in one step. */
struct pl_recorded_message {
	uint32_t src, dst;
	double bytes, messages;
	bool received; /* told by the rank that gets them */
};

/* What could not be converted, or was assumed; and how often. */
struct pl_recorded_loss {
	char *what;
	size_t times;
};

/* Start with {0}, end with fini. */
struct pl_recording {
	size_t n_ranks; /* of the job */
	bool exact;     /* a file states n_ranks */
	size_t n_files;
	double n_steps; /* in the present file */
	bool *has;      /* [PL_JOB_RANKS_MAX] did a file of this rank come? */
	struct pl_recorded_group *group;
	size_t n_groups, group_room;
	struct pl_recorded_message *message;
	size_t n_messages, message_room;
	struct pl_recorded_loss *loss;
	size_t n_losses, loss_room;
	struct pl_joined joined; /* files that are read when all are there */
};

#define PL_RECORDED_NO_RANK SIZE_MAX

struct pl_recorded_file {
	struct pl_place place; /* its name, for messages */
	size_t n_ranks;
	bool at_least;  /* n_ranks is what it needs, not what it states */
	size_t rank;    /* whose file it is, or PL_RECORDED_NO_RANK */
	double n_steps; /* > 0 */
};

/* Begins a file. 0, or -1 with @err set: PL_EINPUT if an earlier file is of another number of ranks
 * or of the same rank, PL_ESYSTEM for memory. */
int pl_recording_begin(struct pl_recording *r, const struct pl_recorded_file *file,
		       struct pl_err *err);

/* The index of the group of that name and with these members (copied); it is added if it is new.
 * @description may be NULL. 0, or -1 with @err set: PL_EINPUT if a member is no rank of the job or
 * comes twice, PL_ESYSTEM for memory. */
int pl_recording_group(struct pl_recording *r, struct pl_place place, const char *name,
		       const char *description, const uint32_t *member, size_t n_members,
		       size_t *group, struct pl_err *err);

/* The index of the group of that name: of files that have no members. SIZE_MAX: there is none, or
 * there are several. */
size_t pl_recording_find(const struct pl_recording *r, const char *name);

/* Adds @calls equal calls of the present file. 0, or -1: out of memory. */
int pl_recording_calls(struct pl_recording *r, size_t group, enum pl_collective collective,
		       uint64_t bytes, double calls);

/* Adds messages of the present file, those of all its steps. 0, or -1: out of memory. */
int pl_recording_message(struct pl_recording *r, const struct pl_recorded_message *message);

/* Notes that something was left out, or assumed. 0, or -1: out of memory. */
int pl_recording_lose(struct pl_recording *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Ends a file: what its calls say of groups that an earlier file told of already is compared. 0, or
 * -1: out of memory. */
int pl_recording_end(struct pl_recording *r);

void pl_recording_fini(struct pl_recording *r);

#endif
