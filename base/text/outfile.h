/* SPDX-License-Identifier: BSD-3-Clause */
/* outfile.h - output files that appear whole or not at all */
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
 * Opens @path for writing: the data goes to a new file beside it, which commit
 * renames. NULL or "-" is standard output, written as a whole at commit. A file
 * that is not regular (a pipe, /dev/null, /dev/stdout) is opened and written
 * directly. A symbolic link is kept, and its target is replaced. 0, or -1 with
 * @err set.
 */
int pl_outfile_open(struct pl_outfile *out, const char *path,
		    struct pl_err *err);

/* Like pl_outfile_open, for a file whose name does not come from the user:
 * follows no link and writes to no device or pipe; commit replaces whatever is
 * at the path, or fails. */
int pl_outfile_open_new(struct pl_outfile *out, const char *path,
			struct pl_err *err);

/* Flushes, checks every write, syncs and renames. 0, or -1 with @err set and
 * whatever was at the path still there. Ends @out in both cases. */
int pl_outfile_commit(struct pl_outfile *out, struct pl_err *err);

/* Ends @out and leaves nothing behind. Accepts one that was never opened
 * ({0}). */
void pl_outfile_abort(struct pl_outfile *out);

#endif
