/* SPDX-License-Identifier: BSD-3-Clause */
/* sources.h - the files that lifetimes come from */
#ifndef PLINK_SRC_SPOT_SOURCES_H
#define PLINK_SRC_SPOT_SOURCES_H

#include "planner/transient/lifetimes.h"
#include "src/common/options.h"

#include <stddef.h>

#define SPOT_FILES_MAX 64

/* Borrowed from argv. */
struct spot_sources {
	const char *file[SPOT_FILES_MAX], *history[SPOT_FILES_MAX];
	size_t n_files, n_histories;
};

/* For --lifetimes and --history: add a file. The member is the
 * spot_sources. */
int spot_take_file(void *o, const struct pl_option *option, const char *value, struct pl_err *err);
int spot_take_history(void *o, const struct pl_option *option, const char *value,
		      struct pl_err *err);

/* Reads all. 0, or -1 with @l empty and @err set: PL_EINPUT if no machine has lived. */
int spot_sources_read(struct pl_lifetimes *l, const struct spot_sources *from, struct pl_err *err);

/* PL_EXIT_DONE; or PL_EXIT_USAGE, after a message, if @output is one of them.
 */
int spot_sources_spare(const struct spot_sources *from, const char *output);

#endif
