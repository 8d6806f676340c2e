/* SPDX-License-Identifier: BSD-3-Clause */
/* cluster.h - so many groups of near hosts, of about one size */
#ifndef PLINK_TOPOLOGY_CLUSTER_H
#define PLINK_TOPOLOGY_CLUSTER_H

#include "base/err.h"
#include "topology/assign.h"

#include <stddef.h>
#include <stdint.h>

/* Places of hosts, as an embedding has them. */
struct pl_cluster_points {
	const double *at; /* at[host * dimensions + d] */
	size_t n, dimensions;
};

struct pl_cluster_options {
	size_t k; /* groups, 1 to n */
	struct pl_assign_sizes sizes;
	size_t tries; /* clusterings to choose from */
	/* how much dearer than the cheapest one (in squares within groups) one
	 * may be that is chosen for its even sizes: 0.05 */
	double slack;
	uint64_t seed;
};

struct pl_cluster_result {
	double cost; /* sum of squared distances to the middles of groups */
	size_t smallest, largest;
};

/* Groups where nobody says how many: the root of n, rounded; it makes n / k + k
 * the least, what a host at the head of a group hears of (thesis, equation
 * 4.2). */
size_t pl_cluster_default_k(size_t n);

/* Sizes by the thesis' balance elasticity, 1 (all alike, but for one host) to 2
 * (half as many hosts at least): n / k over it, at least 1; and, lest one group
 * be the bottleneck of all, n / k times it at most. */
struct pl_assign_sizes pl_cluster_sizes(size_t n, size_t k, double elasticity);

/*
 * Fills group[n], numbered by their first hosts. Constrained k-means from
 * starts by k-means++ (thesis, 4.2.1): each time the exact assignment to groups
 * of these sizes, then the middles anew, until nothing gets better. Of all
 * tries that are not dearer than the slack allows, that with the least
 * diversity in sizes; of several such, a random one. Each try takes rounds of
 * pl_assign(), five to thirty mostly. 0, or -1 with @err set: PL_EUSAGE for
 * sizes that cannot be, PL_ESYSTEM.
 */
int pl_cluster(const struct pl_cluster_points *p,
	       const struct pl_cluster_options *o, size_t *group,
	       struct pl_cluster_result *r, struct pl_err *err);

/* Numbers groups by their first hosts; @map [n] is scratch. How many there
 * are. */
size_t pl_group_renumber(size_t *group, size_t n, size_t *map);

#endif
