/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.h - all-to-alls whose members send unequal blocks */
#ifndef PLINK_JOB_IMPORT_BLOCKS_H
#define PLINK_JOB_IMPORT_BLOCKS_H

#include "job/import/recording.h"

#include <jansson.h>

/*
 * In the present file, which is of the rank @rank of the job, an all-to-all of that group sends
 * @bytes bytes in all, to its members in the proportions @split; an empty array: in equal parts;
 * anything else that has no number for each member, or NULL: they are not known. For a rank that is
 * no member, nothing is noted. 0, or -1: out of memory.
 */
int pl_recording_split(struct pl_recording *r, size_t group, size_t rank, uint64_t bytes,
		       const json_t *split);

/* Are the blocks of a mean call known for all members of the group? *differ is set if any that is
 * known is not *first, which is UINT64_MAX before the first of some groups. */
bool pl_recorded_blocks(const struct pl_recorded_group *g, uint64_t *first, bool *differ);

/* Adds what the members send one another in a mean call, where that is known. 0, or -1: out of
 * memory. */
int pl_recorded_sends(const struct pl_recorded_group *g, struct pl_job_kind *kind);

#endif
