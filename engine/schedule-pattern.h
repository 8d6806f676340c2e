/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule-pattern.h - the messages of an all-reduce by a schedule */
#ifndef PLINK_ENGINE_SCHEDULE_PATTERN_H
#define PLINK_ENGINE_SCHEDULE_PATTERN_H

#include "base/err.h"
#include "costmodels/algorithm.h"
#include "costmodels/pattern.h"
#include "engine/schedule.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The messages that @n_ranks ranks, with aggregators, send one another in an all-reduce of @bytes
 * bytes, with what each waits for: pl_allreduce, written down. A message is a chunk without its
 * head; its tag is the number of the chunk, its round that of its transfer. Each chunk is a strand
 * of the ranks that have to do with it, held by the schedule's window where it is the rank's own to
 * begin. Elements have 4 bytes, or 1 if @bytes is no multiple of 4.
 *
 * The slices have passed pl_schedules_check. *p must be {0}. About 200 bytes for each message;
 * there are about 2 * (n_ranks - 1) of each chunk. 0, or -1 with @err set and *p {0}: PL_EUSAGE for
 * more than PL_PATTERN_MESSAGES_MAX messages or 2^24 chunks, PL_EINPUT for slices without weight,
 * PL_ESYSTEM for memory.
 */
int pl_schedule_pattern(struct pl_pattern *p, const struct pl_schedule *s, size_t n_ranks,
			uint64_t bytes, struct pl_err *err);

/* The same for a call that pl_call_check has passed: its ranks, bytes and elements. */
int pl_schedule_pattern_of(struct pl_pattern *p, const struct pl_schedule *s,
			   const struct pl_call *call, struct pl_err *err);

#endif
