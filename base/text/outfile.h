/* SPDX-License-Identifier: BSD-3-Clause */
/* outfile.h - output files that appear whole or not at all */
#ifndef PLINK_BASE_TEXT_OUTFILE_H
#define PLINK_BASE_TEXT_OUTFILE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdio.h>

/* A file being written. Start with pl_outfile_open; end with commit or
 * abort. */
struct pl_outfile {
	FILE *f;       /* write here */
	char *path;    /* links followed; NULL: standard output */
	char *tmp;     /* the name that the new file has until commit; NULL: none */
	bool replaces; /* a new file is to replace what is at path */
	bool synced;
};

/*
 * Opens @path for writing: the data goes to a new file in the same folder, which replaces the old
 * one at commit. Until then the new file has no name, where the file system can do that: a process
 * that is killed leaves nothing behind. The old file's access rights are kept if it belongs to this
 * user. NULL or "-" is standard output, gathered in memory and written as a whole at commit. A file
 * that is not regular (a pipe, /dev/null, /dev/stdout) is opened and written directly. A symbolic
 * link is kept, and its target is replaced or made; other users' links in a folder like /tmp are
 * refused. 0, or -1 with @err set.
 */
int pl_outfile_open(struct pl_outfile *out, const char *path, struct pl_err *err);

/* Could pl_outfile_open() open @path? Before long work whose result goes there. Leaves everything
 * as it is; pipes and devices are not tried. 0, or -1 with @err set. */
int pl_outfile_try(const char *path, struct pl_err *err);

/* Like pl_outfile_open, for a file whose name does not come from the user: follows no link and
 * writes to no device or pipe; commit replaces whatever is at the path, or fails. */
int pl_outfile_open_new(struct pl_outfile *out, const char *path, struct pl_err *err);

/* Writes all of it to the disk: of several outputs, each is synced before the first is committed,
 * so that a full disk spoils none. Standard output remains in memory. 0, or -1 with @err set and
 * @out ended as by abort. Does nothing where @out is not open. */
int pl_outfile_sync(struct pl_outfile *out, struct pl_err *err);

/* Flushes, checks every write, syncs and renames. 0, or -1 with @err set and whatever was at the
 * path still there. Ends @out in both cases. */
int pl_outfile_commit(struct pl_outfile *out, struct pl_err *err);

/* Lets @write fill the file @path, as of pl_outfile_open: whole or not at all. 0, or -1 with @err
 * set, also if @write returns that. */
int pl_outfile_write(const char *path, int (*write)(const void *arg, FILE *out, struct pl_err *err),
		     const void *arg, struct pl_err *err);

/* Ends @out and leaves nothing behind. Accepts one that was never opened
 * ({0}). */
void pl_outfile_abort(struct pl_outfile *out);

#endif
