/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.h - lifetimes, and ends of a job, as pictures */
#ifndef PLINK_SRC_SPOT_PICTURE_H
#define PLINK_SRC_SPOT_PICTURE_H

#include "base/err.h"
#include "planner/transient/lifetimes.h"
#include "planner/transient/replay.h"

/* Draws the share of machines taken away by age, a curve for each group that has a life. 0, or -1
 * with @err set. */
int spot_picture_curves(const char *path, const struct pl_lifetimes *l, struct pl_err *err);

/* Draws time and cost of the first 2000 replays that ended, and their median
 * and 95th percentile. 0, or -1 with @err set: PL_EINPUT if no replay has
 * both. */
int spot_picture_cloud(const char *path, const struct pl_replays *r, struct pl_err *err);

#endif
