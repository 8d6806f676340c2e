/* SPDX-License-Identifier: BSD-3-Clause */
/* choose-near.h - some of the hosts that are near each other */
#ifndef PLINK_SOLVER_CHOOSE_CHOOSE_NEAR_H
#define PLINK_SOLVER_CHOOSE_CHOOSE_NEAR_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/choose/choice.h"

#include <stddef.h>

/*
 * Writes host_at[n]: k hosts, one that may lead first, such that what it costs
 * from each to each, summed up, is little: those nearest to one of them,
 * whichever is best, then exchanges of the host farthest from the others.
 * Stopped early, any. O(n^2 log n) time. 0, or -1 with @err set: out of memory.
 */
int pl_choose_near(const struct pl_host_choice *choice,
		   const struct pl_stop *stop, size_t *host_at,
		   struct pl_err *err);

#endif
