/* SPDX-License-Identifier: BSD-3-Clause */
/* tuning.h - one rank's side of schedules that change while the job runs */
/*
 * Rank 0 asks all ranks for what they have sent (control.h) and thinks (tuner.h). If there is to be
 * another plan, it sends its numbers; each rank makes its schedules from them and answers with
 * their digest. When all have answered with the same, rank 0 raises the signal of its next call
 * (allreduce.h), which all ranks know when that call ends: the call after it is the first by the
 * new schedules, on all of them. Meanwhile the job goes on; no rank waits for another but in its
 * all-reduces.
 *
 * Whatever goes wrong here ends the tuning, not the job: the schedules stay as they are.
 */
#ifndef PLINK_ENGINE_TUNE_TUNING_H
#define PLINK_ENGINE_TUNE_TUNING_H

#include "base/err.h"
#include "engine/mesh.h"
#include "engine/part.h"
#include "engine/tune/tuner.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_tuning;

/* How rank 0 tunes. */
struct pl_tuning_rules {
	/* as pl_tuner_step and pl_tuner_plan */
	bool (*step)(struct pl_tuner *t, const struct pl_tuner_sight *sight);
	const double *(*plan)(const struct pl_tuner *t);
	uint64_t calls_min; /* an interval has so many calls, */
	int64_t ns_min;     /* and lasts so long */
	/* told of each change; NULL: nobody */
	void (*changed)(const char *why);
};

/* Those for jobs: at least ten calls and 0.2 s; nobody is told. */
extern const struct pl_tuning_rules pl_tuning_rules;

/* For the part of schedules that are tuned, in a mesh in which all ranks are peers. NULL: out of
 * memory. */
struct pl_tuning *pl_tuning_create(const struct pl_mesh *mesh, const struct pl_rank_part *part,
				   const struct pl_tuning_rules *rules);
void pl_tuning_destroy(struct pl_tuning *t);

/* This rank's part now. */
const struct pl_rank_part *pl_tuning_part(const struct pl_tuning *t);

/* Why the part is what it is now, for people: rank 0 knows more. */
const char *pl_tuning_why(const struct pl_tuning *t);

/* Before a call: does this rank raise the signal? */
bool pl_tuning_raises(const struct pl_tuning *t);

/* After a call of so many bytes that took so long. */
void pl_tuning_called(struct pl_tuning *t, const struct pl_mesh *mesh, size_t schedule,
		      uint64_t bytes, int64_t ns, bool signalled);

/* Messages of the peer have come. false: it has ended. */
bool pl_tuning_hear(struct pl_tuning *t, const struct pl_mesh *mesh, uint32_t peer);

#endif
