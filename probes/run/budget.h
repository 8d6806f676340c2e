/* SPDX-License-Identifier: BSD-3-Clause */
/* budget.h - how many of the remaining packets a pair may take */
#ifndef PLINK_PROBES_RUN_BUDGET_H
#define PLINK_PROBES_RUN_BUDGET_H

#include <stddef.h>
#include <stdint.h>

/*
 * Packets that each direction of each of the next @n_pairs pairs may take: an equal share of what
 * is left of @budget after @used, but at most PL_PACKETS_LIMIT, and at least enough for @probes_min
 * replies, some losses and the warm-up. 0: not even that is left for a single pair.
 */
uint32_t pl_budget_share(uint64_t budget, uint64_t used, size_t n_pairs, uint32_t probes_min);

#endif
