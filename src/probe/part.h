/* SPDX-License-Identifier: BSD-3-Clause */
/* part.h - FILE.part: what there is of FILE should the run be killed */
#ifndef PLINK_SRC_PROBE_PART_H
#define PLINK_SRC_PROBE_PART_H

#include "base/err.h"
#include "base/matrix/matrix.h"

#include <stdbool.h>

/* Start with probe_part_init; end with fini. */
struct probe_part {
	char *path;   /* NULL: the output is no file that one could be beside */
	bool written; /* by us, or read by us: to be removed at the end */
	bool failed;  /* which has been said */
};

/* @output: a path, "-" or NULL. Says so where a part is there already, unless
 * it is @resumed (a path or NULL). 0, or -1 with @err set. */
int probe_part_init(struct probe_part *part, const char *output,
		    const char *resumed, struct pl_err *err);

/* For struct pl_probe_options' save: replaces the part by the matrix. Where
 * that fails, the part that was there stays, and standard error says it
 * once. */
void probe_part_save(void *arg, const struct pl_matrix *m);

/* Does what was to be written, @bytes, find no room, but would in the part's
 * place? Then the part is removed: the caller has all that is in it. */
bool probe_part_gives_way(struct probe_part *part, size_t bytes);

/* The output could not be written: says on standard error where there is a
 * part. */
void probe_part_tell(const struct probe_part *part);

/* The output is there in full: removes the part. */
void probe_part_remove(struct probe_part *part);
void probe_part_fini(struct probe_part *part);

#endif
