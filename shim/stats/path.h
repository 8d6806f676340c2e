/* SPDX-License-Identifier: BSD-3-Clause */
/* path.h - the file that PLINK_STATS names */
#ifndef PLINK_SHIM_STATS_PATH_H
#define PLINK_SHIM_STATS_PATH_H

#include <limits.h>
#include <stdbool.h>

/* Does PLINK_STATS name a file in this process' environment? */
bool pl_stats_is_wanted(void);

/* Makes @name an absolute path, because the program may change its directory.
 * "-" stays as it is. 0, or -1: the path is too long. */
int pl_stats_path(char path[PATH_MAX], const char *name);

#endif
