/* SPDX-License-Identifier: BSD-3-Clause */
/* regroup.h - schedules whose ranks are grouped in another way */
/*
 * A job whose hosts are no longer near to those that they were near to needs
 * other groups. These are few numbers, too, from which every rank makes the
 * slices for itself (retune.h).
 */
#ifndef PLINK_ENGINE_TUNE_REGROUP_H
#define PLINK_ENGINE_TUNE_REGROUP_H

#include "base/err.h"
#include "engine/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Has the schedule a tree that puts several ranks into a group below the
 * root? */
bool pl_schedule_is_grouped(const struct pl_schedule *s, size_t n_ranks);

/*
 * A copy of @s, hosts included, in which all schedules that are grouped have
 * the tree parent[n_nodes - 1] (schedule.h), masters as the sizes of the groups
 * say, no more slices than before, and their sizes, chunks and window. *to must
 * be {0}. 0, or -1 with @err set and *to {0}: as pl_levels_slices.
 */
int pl_regroup(struct pl_schedules *to, const struct pl_schedules *s, const uint32_t *parent,
	       size_t n_nodes, struct pl_err *err);

#endif
