/* SPDX-License-Identifier: BSD-3-Clause */
/* budget.h - how many packets a pair may take of those that are left */
#ifndef PLINK_PROBES_RUN_BUDGET_H
#define PLINK_PROBES_RUN_BUDGET_H

#include <stddef.h>
#include <stdint.h>

/* Packets that a way must be given for @probes_min replies, some losses and the
 * warm-up. */
uint32_t pl_budget_least(uint32_t probes_min);

/*
 * Packets that each way of the next of @n_pairs may take: an equal share of
 * what @budget has left after @used, but pl_budget_least at least and
 * PL_PACKETS_LIMIT at most. 0: it has not even that.
 */
uint32_t pl_budget_share(uint64_t budget, uint64_t used, size_t n_pairs,
			 uint32_t probes_min);

#endif
