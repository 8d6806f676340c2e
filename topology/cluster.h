/* SPDX-License-Identifier: BSD-3-Clause */
/* cluster.h - a given number of groups of near hosts, of similar sizes */
#ifndef PLINK_TOPOLOGY_CLUSTER_H
#define PLINK_TOPOLOGY_CLUSTER_H

#include "base/err.h"
#include "topology/assign.h"

#include <stddef.h>
#include <stdint.h>

/* Coordinates of hosts, as an embedding has them. */
struct pl_cluster_points {
	const double *at; /* at[host * dimensions + d] */
	size_t n, dimensions;
};

struct pl_cluster_options {
	size_t k; /* number of groups, 1 to n */
	struct pl_assign_sizes sizes;
	size_t tries; /* number of clusterings to choose from */
	/* A clustering may be chosen for its even sizes if its cost is at most (1 + slack) times
	 * that of the cheapest one: 0.05. */
	double slack;
	uint64_t seed;
};

struct pl_cluster_result {
	double cost; /* sum of squared distances of hosts to the centres of
		      * their groups */
	size_t smallest, largest;
};

/* The default number of groups: the square root of n, rounded. It minimises n / k + k, the number
 * of hosts that a host at the head of a group exchanges data with (thesis, equation 4.2). */
size_t pl_cluster_default_k(size_t n);

/* Bounds on group sizes from the thesis' balance elasticity, which is 1 (equal sizes, up to one
 * host) to 2 (each group has at least half the mean size). least = n / k / elasticity rounded down,
 * but at least 1. most = n / k * elasticity rounded up, so that no group becomes the bottleneck. */
struct pl_assign_sizes pl_cluster_sizes(size_t n, size_t k, double elasticity);

/*
 * Fills group[n]; groups are numbered by their first hosts. Constrained k-means, started by
 * k-means++ (thesis, 4.2.1): each round assigns hosts exactly to groups of these sizes, then
 * recomputes the centres, until the cost no longer falls. Of all tries whose cost the slack allows,
 * chooses the one with the most even sizes, at random among several such. Each try calls
 * pl_assign() in each of its rounds, usually five to thirty. 0, or -1 with @err set: PL_EUSAGE for
 * sizes, k or tries that are impossible, PL_ESYSTEM.
 */
int pl_cluster(const struct pl_cluster_points *p, const struct pl_cluster_options *o, size_t *group,
	       struct pl_cluster_result *r, struct pl_err *err);

/* Renumbers groups from 0 in the order of their first hosts; @map [n] is scratch. Returns the
 * number of groups. */
size_t pl_group_renumber(size_t *group, size_t n, size_t *map);

#endif
