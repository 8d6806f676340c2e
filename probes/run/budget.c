/* SPDX-License-Identifier: BSD-3-Clause */
/* budget.c - how many of the packets that are left a pair may use */
#include "config.h"

#include "probes/run/budget.h"

#include "probes/pair/prober.h"

#define SPARE_PROBES 8

uint32_t pl_budget_share(uint64_t budget, uint64_t used, size_t n_pairs, uint32_t probes_min)
{
	const uint64_t least = (uint64_t)probes_min + probes_min / 4 + SPARE_PROBES;
	uint64_t share;

	if (used >= budget)
		return 0;
	share = (budget - used) / 2;
	if (share < least)
		return 0;
	share /= n_pairs;
	if (share < least)
		share = least;
	return share < PL_PACKETS_LIMIT ? (uint32_t)share : PL_PACKETS_LIMIT;
}
