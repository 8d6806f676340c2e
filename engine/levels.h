/* SPDX-License-Identifier: BSD-3-Clause */
/* levels.h - slices of hierarchical aggregation: groups of groups of ranks */
/*
 * Upwards, the masters of a group's children (masters.h) send to its own, which adds; downwards it
 * sends them the result:
 *
 *   no groups but the root      a parameter server on every rank, in shards
 *   a level of groups           2LHA of the PLink thesis, section 4.1.2
 *   two levels of groups        the same with groups of groups
 */
#ifndef PLINK_ENGINE_LEVELS_H
#define PLINK_ENGINE_LEVELS_H

#include "base/err.h"
#include "engine/masters.h"
#include "engine/slices.h"

/* The slices by the masters that pl_level_masters_init finds. *slices must be {0}. 0, or -1 with
 * @err set and *slices {0}: as pl_level_masters_init. */
int pl_levels_slices(struct pl_slices *slices, const struct pl_rank_tree *t, struct pl_err *err);

#endif
