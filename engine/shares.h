/* SPDX-License-Identifier: BSD-3-Clause */
/* shares.h - how many global masters each group should have */
#ifndef PLINK_ENGINE_SHARES_H
#define PLINK_ENGINE_SHARES_H

#include <stddef.h>

/*
 * A group that has a share x of the masters of @n groups sends the sums of the
 * other slices once over its uplink, and the results of its own to each other
 * group: 1 + x (n - 2) times the buffer, and receives as much. Sets share[n],
 * which sum to 1, so that the slowest uplink takes as short as it can; what is
 * left to choose is divided evenly. rate[n]: of the uplinks, in any unit, 0: no
 * limit. Where no group has a limit: even shares.
 */
void pl_master_shares(size_t n, const double *rate, double *share);

#endif
