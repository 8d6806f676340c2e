/* SPDX-License-Identifier: BSD-3-Clause */
/* assign.h - assigns hosts to groups of bounded sizes at the least cost */
#ifndef PLINK_TOPOLOGY_ASSIGN_H
#define PLINK_TOPOLOGY_ASSIGN_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* The largest cost allowed, and the largest number of groups. */
#define PL_ASSIGN_COST_MAX ((int64_t)1 << 36)
#define PL_ASSIGN_GROUPS_MAX 4096

struct pl_assign_sizes {
	size_t least, most; /* of each group: k * least <= n <= k * most */
};

/*
 * Fills group[n] with numbers from 0 to k - 1 so that the sum of cost[i * k + group[i]] is the
 * least possible for groups of these sizes. Each cost is from 0 to PL_ASSIGN_COST_MAX. The result
 * is exact: successive shortest paths through the groups (Bradley, Bennett and Demiriz, 2000, state
 * the task as such a flow). O(n k^2) plus O(n k size) usually; k times that at worst. 0, or -1 with
 * @err set: PL_EUSAGE where n hosts do not fit into k groups of these sizes, PL_ESYSTEM.
 */
int pl_assign(const int64_t *cost, size_t n, size_t k, struct pl_assign_sizes sizes, size_t *group,
	      struct pl_err *err);

#endif
