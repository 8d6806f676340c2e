/* SPDX-License-Identifier: BSD-3-Clause */
/* part.h - what one rank does in each schedule of a job */
#ifndef PLINK_ENGINE_PART_H
#define PLINK_ENGINE_PART_H

#include "base/err.h"
#include "engine/program.h"
#include "engine/schedule.h"

#include <stdbool.h>
#include <stdint.h>

/* Start with {0}, end with fini. */
struct pl_rank_part {
	const struct pl_schedules *schedules; /* borrowed */
	struct pl_program *program;           /* [schedules->n] */
};

/* The part of @rank, or of an aggregator, in @schedules, which have been checked and must last. 0,
 * or -1 with @err set, as pl_program_init(), and *part {0}.
 */
int pl_rank_part_init(struct pl_rank_part *part, const struct pl_schedules *schedules,
		      uint32_t rank, struct pl_err *err);
void pl_rank_part_fini(struct pl_rank_part *part);

/* Sets is_peer[r] for all ranks that this one exchanges chunks with, or may do so later, as the
 * schedules are tuned. */
void pl_rank_part_peers(const struct pl_rank_part *part, bool *is_peer);

#endif
