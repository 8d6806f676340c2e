/* SPDX-License-Identifier: BSD-3-Clause */
/* outfile.h - output files that are there in full or not at all */
#ifndef PLINK_BASE_TEXT_OUTFILE_H
#define PLINK_BASE_TEXT_OUTFILE_H

#include "base/err.h"

#include <stdio.h>

/* A file being written. Start with pl_outfile_open; end with commit or
 * abort. */
struct pl_outfile {
	FILE *f;    /* write here */
	char *path; /* NULL: standard output */
	char *tmp;  /* NULL: standard output or a device */
};

/*
 * Opens @path for writing: in truth a new file beside it, which commit renames.
 * NULL or "-" is standard output: written as a whole at commit. What is no
 * regular file (a pipe, /dev/null, /dev/stdout) is opened as it is; a link
 * stays and what it leads to is written. 0, or -1 with @err set.
 */
int pl_outfile_open(struct pl_outfile *out, const char *path,
		    struct pl_err *err);

/* The same for a file whose name nobody gave: no link is followed, and no
 * device or pipe written; commit puts the file in the place of whatever is
 * there, or fails. */
int pl_outfile_open_new(struct pl_outfile *out, const char *path,
			struct pl_err *err);

/* Flushes, checks every write, syncs and renames. 0, or -1 with @err set and
 * whatever was at the path before still there. Ends @out either way. */
int pl_outfile_commit(struct pl_outfile *out, struct pl_err *err);

/* Gives up: nothing is left behind. Accepts one that never opened ({0}). */
void pl_outfile_abort(struct pl_outfile *out);

#endif
