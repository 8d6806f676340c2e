/* SPDX-License-Identifier: BSD-3-Clause */
/* retune.h - schedules with other masters, from numbers that all ranks share */
/*
 * The masters of a schedule follow from its tree, the shares of its groups and the rates of its
 * ranks (masters.h). These numbers are few, so that rank 0 sends them to all, and each makes the
 * slices for itself: of each schedule that has a tree, in the order of the file, n_nodes shares and
 * a rate for each rank.
 */
#ifndef PLINK_ENGINE_TUNE_RETUNE_H
#define PLINK_ENGINE_TUNE_RETUNE_H

#include "base/err.h"
#include "engine/masters.h"
#include "engine/schedule.h"

#include <stddef.h>
#include <stdint.h>

/* How many numbers; 0: no schedule has a tree. */
size_t pl_retune_count(const struct pl_schedules *s);

/* Where those of schedule @i begin, which has a tree. */
size_t pl_retune_at(const struct pl_schedules *s, size_t i);

/* The tree of schedule @i with the numbers at @value, its own ones; both must last. */
struct pl_rank_tree pl_retune_tree(const struct pl_schedules *s, size_t i, const double *value);

/* A copy of @s with the slices that all the numbers make, and chunks that are
 * no longer than the slowest card should have; without its hosts.
 * *tuned must be {0}. 0, or -1 with @err set and *tuned {0}. */
int pl_retune(struct pl_schedules *tuned, const struct pl_schedules *s, const double *value,
	      struct pl_err *err);

/* Of all slices and the lengths of chunks: the same on all ranks that will send the same. */
uint64_t pl_schedules_digest(const struct pl_schedules *s);

#endif
