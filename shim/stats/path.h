/* SPDX-License-Identifier: BSD-3-Clause */
/* path.h - the file that PLINK_STATS names */
#ifndef PLINK_SHIM_STATS_PATH_H
#define PLINK_SHIM_STATS_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* The norms of gradients: of one iteration in @every, which has @calls all-reduces. */
struct pl_stats_options {
	uint64_t every; /* 0: none are wanted */
	uint64_t calls;
};

/* Does PLINK_STATS name a file in this process' environment? */
bool pl_stats_is_wanted(void);

/* Parts "FILE", "FILE,noise" or "FILE,noise=N,calls=M". Options that are wrong are said to be, and
 * then none are wanted. 0, or -1: the name is too long. */
int pl_stats_setting_parse(char name[PATH_MAX], const char *value, struct pl_stats_options *o);

/* Makes @name an absolute path, because the program may change its directory. "-" stays as it is.
 * 0, or -1: the path is too long. */
int pl_stats_path(char path[PATH_MAX], const char *name);

#endif
