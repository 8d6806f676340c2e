/* SPDX-License-Identifier: BSD-3-Clause */
/* resume.h - a matrix with cells missing, to be filled */
#ifndef PLINK_PROBES_RUN_RESUME_H
#define PLINK_PROBES_RUN_RESUME_H

#include "probes/run/collect.h"

/*
 * Can what is missing in @old be measured so that it fits what is there: made
 * by UDP probes, of the same hosts in the same order, at the same pace and over
 * as many flows, as far as the file says? 0, or -1 with @err saying what
 * differs.
 */
int pl_resume_check(const struct pl_matrix *old, const struct pl_hosts *hosts,
		    const struct pl_probe_options *options, struct pl_err *err);

/* Takes over what @old has, with its notes; @c must be new and of the same
 * hosts. *n_kept: directed pairs. 0, or -1: out of memory. */
int pl_resume_take(struct pl_collect *c, const struct pl_matrix *old,
		   size_t *n_kept);

/* Does host @i have the address it had? */
int pl_resume_check_address(const struct pl_matrix *old, size_t i,
			    const char *addr, struct pl_err *err);

/* "gap-us=1000 flows=4", what a matrix says of its pace. */
#define PL_PACE_CHARS 64
void pl_resume_pace(const struct pl_probe_options *options,
		    char text[PL_PACE_CHARS]);

#endif
