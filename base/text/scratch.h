/* SPDX-License-Identifier: BSD-3-Clause */
/* scratch.h - files for a while: without a name, or for other programs */
#ifndef PLINK_BASE_TEXT_SCRATCH_H
#define PLINK_BASE_TEXT_SCRATCH_H

#include <stdio.h>

/* A file that no child inherits and that is gone when it is closed: in the folder TMPDIR (default:
 * /tmp) or, where none can be made there, in memory. For the caller to close; NULL with errno
 * set. */
FILE *pl_scratch_open(void);

/* The same, in memory. */
FILE *pl_scratch_memory(void);

/* Writes all that @from has, from its beginning, to @fd. 0, or -1 with errno set. */
int pl_scratch_copy(FILE *from, int fd);

/* A file that other programs read. Start with {0}. */
struct pl_scratch_shared {
	char *path;   /* NULL: there is none */
	FILE *memory; /* what @path leads to where no folder took it, or NULL */
};

/* Makes what has been written to @text, of pl_scratch_memory(), a file for other programs:
 * "@stem.XXXXXX" in TMPDIR, /tmp or /dev/shm, the first of which takes all of it; where none does,
 * it stays in memory, and the path is one of /proc that this process' children can read. Ends
 * @text. 0, or -1 with errno set. */
int pl_scratch_share(struct pl_scratch_shared *shared, const char *stem, FILE *text);

/* Removes the file; accepts {0}. */
void pl_scratch_unshare(struct pl_scratch_shared *shared);

#endif
