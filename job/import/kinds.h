/* SPDX-License-Identifier: BSD-3-Clause */
/* kinds.h - a job from what its ranks recorded */
#ifndef PLINK_JOB_IMPORT_KINDS_H
#define PLINK_JOB_IMPORT_KINDS_H

#include "base/err.h"
#include "job/import/recording.h"
#include "job/job.h"
#include "job/layout.h"

/*
 * Makes a job, which must be empty, of a recording. Groups whose calls are the same and that have
 * no member in common become one kind, which has the description of the first, or its name.
 * Messages outside of collectives are a kind of traffic, "p2p"; those that both ranks recorded
 * count once. With @layout (NULL: none) the groups of ranks that recorded nothing are added. What
 * was left out is added to the recording's losses. 0, or -1 with @job empty and @err set:
 * PL_EINPUT, with @place, if there is no call of a known group, PL_ESYSTEM for memory.
 */
int pl_recording_job(struct pl_recording *r, struct pl_place place, const struct pl_layout *layout,
		     struct pl_job *job, struct pl_err *err);

#define PL_GUESS_CHARS 512

/* The ranks as a mesh, "x=2,tensor=2" (the last dimension varies fastest), if some kinds lack
 * groups and all groups fit one mesh. True, or false: there is nothing to guess. */
bool pl_job_guess_mesh(const struct pl_job *job, char text[PL_GUESS_CHARS]);

#endif
