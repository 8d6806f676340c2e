/* SPDX-License-Identifier: BSD-3-Clause */
/* part.h - FILE.part: the measurements so far, in case the run is killed */
#ifndef PLINK_SRC_PROBE_PART_H
#define PLINK_SRC_PROBE_PART_H

#include "base/err.h"
#include "base/matrix/matrix.h"

#include <stdbool.h>

/* Start with probe_part_init, end with fini. */
struct probe_part {
	char *path; /* NULL: the output is not a regular file */
	/* written or read by this run: to be removed at the end */
	bool written;
	bool failed; /* writing failed, and a message said so */
};

/* @output: a path, "-" or NULL. Reports a part that is there already, unless it
 * is @resumed (a path or NULL). 0, or -1 with @err set. */
int probe_part_init(struct probe_part *part, const char *output,
		    const char *resumed, struct pl_err *err);

/* The save function of struct pl_probe_options: replaces the part by the
 * matrix. If that fails, the previous part stays, and a message on standard
 * error says so once. */
void probe_part_save(void *arg, const struct pl_matrix *m);

/* Is there no room for @bytes of output, but would there be without the part?
 * Then removes the part, whose contents the caller has. */
bool probe_part_gives_way(struct probe_part *part, size_t bytes);

/* After the output could not be written: reports the part on standard error, if
 * there is one. */
void probe_part_tell(const struct probe_part *part);

/* After the output was written in full: removes the part. */
void probe_part_remove(struct probe_part *part);
void probe_part_fini(struct probe_part *part);

#endif
