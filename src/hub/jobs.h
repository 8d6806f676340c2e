/* SPDX-License-Identifier: BSD-3-Clause */
/* jobs.h - the names and secrets of the jobs that a hub serves */
/*
 * A job a line: its name and its secret, two words. Lines that are empty or begin with '#' are
 * none, and a comment may follow. The file is for its owner alone, and a fault in any line is one
 * of the file: none of its jobs is served.
 */
#ifndef PLINK_SRC_HUB_JOBS_H
#define PLINK_SRC_HUB_JOBS_H

#include "base/err.h"

#include <stddef.h>

/* How many jobs the file has; -1 with @err set: PL_EINPUT for its faults, with their place,
 * PL_ESYSTEM. */
int hub_jobs_count(const char *path, struct pl_err *err);

/* The secret of the job, which the caller frees; NULL with @err set as above, or PL_EINPUT: there
 * is no such job. */
char *hub_jobs_secret(const char *path, const char *job, struct pl_err *err);

#endif
