/* SPDX-License-Identifier: BSD-3-Clause */
/* choice.h - the task of choosing some of the hosts: bounds, exact, near */
#ifndef PLINK_SOLVER_CHOOSE_CHOICE_H
#define PLINK_SOLVER_CHOOSE_CHOICE_H

#include "base/err.h"
#include "base/stop.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Choose k of n hosts, 1 <= k <= n. c[n * n] is the cost of a hop (no NaN, >= 0, finite sums,
 * diagonal 0). At least one of the chosen hosts may lead, that is, come first. All pointers are
 * borrowed. An order is host_at[n]: first the k chosen hosts in ring order, then the others in
 * ascending order.
 */
struct pl_host_choice {
	size_t n, k;
	const double *c;
	const bool *may_lead; /* [n]; NULL: all may */
};

/*
 * *bound becomes a lower bound on the cost of every ring of any k hosts, whichever hosts may lead.
 * The bound allows for rounding. It is the higher one of two:
 * - Every host on the ring pays half of its cheapest hops in and out; the k
 *   cheapest hosts are counted.
 * - For any threshold t, links cheaper than t join hosts into groups. k hosts
 *   lie in at least as many groups as the largest groups need to hold k hosts.
 *   If that is more than one, at least as many hops of the ring cost t or more.
 *   Exact for racks if all costs between racks are equal.
 * O(n^2) time and memory. 0, or -1 with @err set: out of memory.
 */
int pl_choose_ring_bound(const struct pl_host_choice *choice, double *bound, struct pl_err *err);

#define PL_CHOOSE_EXACT_MAX 13 /* hosts: 400 KiB, a few ms */

/*
 * Writes host_at[n]: a ring of k hosts of least cost, beginning with a host that may lead. Of
 * several cheapest rings it is always the same one. n <= PL_CHOOSE_EXACT_MAX. The method is that of
 * ring-exact.h, with rings that may end before all hosts are on them. 0, or -1 with @err set: out
 * of memory.
 */
int pl_choose_exact(const struct pl_host_choice *choice, size_t *host_at, struct pl_err *err);

/*
 * Writes host_at[n]: k hosts, beginning with one that may lead, whose costs from each to each have
 * a small sum. Starts with the hosts nearest to one host, the best one that may lead, and then
 * exchanges the host that is farthest from the others for a nearer one. Stopped early, the hosts
 * may be far from each other. O(n^2 log n) time. 0, or -1 with @err set: out of memory.
 */
int pl_choose_near(const struct pl_host_choice *choice, const struct pl_stop *stop, size_t *host_at,
		   struct pl_err *err);

#endif
