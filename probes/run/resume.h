/* SPDX-License-Identifier: BSD-3-Clause */
/* resume.h - continues from a matrix with missing cells */
#ifndef PLINK_PROBES_RUN_RESUME_H
#define PLINK_PROBES_RUN_RESUME_H

#include "probes/run/collect.h"

/*
 * Can the missing cells of @old be measured so that they fit the others? Checks the method, the
 * hosts and their order, the pace and the number of flows, as far as the file tells them. 0, or -1
 * with @err telling the difference.
 */
int pl_resume_check(const struct pl_matrix *old, const struct pl_hosts *hosts,
		    const struct pl_probe_options *options, struct pl_err *err);

/* Copies the cells of o->resume with their notes to @c, which must be new and of the same hosts;
 * not the notes on flows that are measured again. *n_kept: directed pairs. 0, or -1: out of
 * memory. */
int pl_resume_take(struct pl_collect *c, const struct pl_probe_options *o, size_t *n_kept);

/* Does host @i still have the address it had in @old? 0, or -1 with @err
 * set. */
int pl_resume_check_address(const struct pl_matrix *old, size_t i, const char *addr,
			    struct pl_err *err);

/* Writes "gap-us=1000 flows=4", as a matrix describes its pace. */
#define PL_PACE_CHARS 64
void pl_resume_pace(const struct pl_probe_options *options, char text[PL_PACE_CHARS]);

#endif
