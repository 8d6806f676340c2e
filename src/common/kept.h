/* SPDX-License-Identifier: BSD-3-Clause */
/* kept.h - FILE.part: the measurements so far, in case the run is killed */
#ifndef PLINK_SRC_COMMON_KEPT_H
#define PLINK_SRC_COMMON_KEPT_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "src/common/next.h"

#include <stdbool.h>

/* Start with pl_kept_init, end with fini. */
struct pl_kept {
	const char *tool;
	const struct pl_next *next; /* borrowed */
	char *path;                 /* NULL: the output is not a regular file */
	/* written or read by this run: to be removed at the end */
	bool written;
	bool failed; /* writing failed, and a message said so */
};

/* @output: a path, "-" or NULL. Reports a part that is there already, unless it is @resumed (a path
 * or NULL), with the command, made from @next, that goes on from there. 0, or -1 with @err set. */
int pl_kept_init(struct pl_kept *kept, const char *tool, const struct pl_next *next,
		 const char *output, const char *resumed, struct pl_err *err);

/* The save function of struct pl_probe_options: replaces the part by the matrix. If that fails, the
 * previous part stays, and a message on standard error says so once. */
void pl_kept_save(void *arg, const struct pl_matrix *m);

/* After an output could not be written, where there is no part: saves the matrix as TOOL-PID.part
 * in the current folder, or else in TMPDIR (/tmp); or says why not. */
void pl_kept_rescue(struct pl_kept *kept, const struct pl_matrix *m);

/* Is there no room for @bytes of output, but would there be without the part? Then removes the
 * part, whose contents the caller has. */
bool pl_kept_gives_way(struct pl_kept *kept, size_t bytes);

/* After the output could not be written: reports the part on standard error, if there is one, and
 * the command that goes on from there. */
void pl_kept_tell(const struct pl_kept *kept);

/* After the output was written in full: removes the part. */
void pl_kept_remove(struct pl_kept *kept);
void pl_kept_fini(struct pl_kept *kept);

#endif
