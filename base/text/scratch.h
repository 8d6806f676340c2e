/* SPDX-License-Identifier: BSD-3-Clause */
/* scratch.h - files without a name, to be written and read again */
#ifndef PLINK_BASE_TEXT_SCRATCH_H
#define PLINK_BASE_TEXT_SCRATCH_H

#include <stdio.h>

/* A file that no child inherits and that is gone when it is closed: in the
 * folder TMPDIR (default: /tmp) or, where none can be made there, in memory.
 * For the caller to close; NULL with errno set. */
FILE *pl_scratch_open(void);

/* The same, in memory. */
FILE *pl_scratch_memory(void);

/* A file for other programs to read, "@stem.XXXXXX" in TMPDIR; where none can
 * be made there, in /tmp; else in memory, in /dev/shm. *path, for the caller to
 * unlink and to free, is its name. NULL with errno set and *path NULL. */
FILE *pl_scratch_named(const char *stem, char **path);

#endif
