/* SPDX-License-Identifier: BSD-3-Clause */
/* assign.h - hosts to groups of bounded sizes at the least cost */
#ifndef PLINK_TOPOLOGY_ASSIGN_H
#define PLINK_TOPOLOGY_ASSIGN_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Costs are at most this, groups at most so many. */
#define PL_ASSIGN_COST_MAX ((int64_t)1 << 36)
#define PL_ASSIGN_GROUPS_MAX 4096

struct pl_assign_sizes {
	size_t least,
		most; /* of each of the k groups: k least <= n <= k most */
};

/*
 * Fills group[n], from 0 to k - 1, such that the sum of cost[i * k + group[i]],
 * each from 0 to PL_ASSIGN_COST_MAX, is the least that there is for groups of
 * these sizes: exactly, by successive shortest paths through the groups
 * (Bradley, Bennett and Demiriz, 2000, put the task as such a flow). O(n k^2)
 * and O(n k size) mostly; k times that at worst. 0, or -1 with @err set:
 * PL_EUSAGE for sizes that cannot be, PL_ESYSTEM.
 */
int pl_assign(const int64_t *cost, size_t n, size_t k,
	      struct pl_assign_sizes sizes, size_t *group, struct pl_err *err);

#endif
