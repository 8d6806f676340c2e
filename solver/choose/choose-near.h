/* SPDX-License-Identifier: BSD-3-Clause */
/* choose-near.h - choosing hosts that are near each other */
#ifndef PLINK_SOLVER_CHOOSE_CHOOSE_NEAR_H
#define PLINK_SOLVER_CHOOSE_CHOOSE_NEAR_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/choose/choice.h"

#include <stddef.h>

/*
 * Writes host_at[n]: k hosts, beginning with one that may lead, whose costs
 * from each to each have a small sum. Starts with the hosts nearest to one
 * host, the best one that may lead, and then exchanges the host that is
 * farthest from the others for a nearer one. Stopped early, the hosts may be
 * far from each other. O(n^2 log n) time. 0, or -1 with @err set: out of
 * memory.
 */
int pl_choose_near(const struct pl_host_choice *choice,
		   const struct pl_stop *stop, size_t *host_at,
		   struct pl_err *err);

#endif
