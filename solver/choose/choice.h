/* SPDX-License-Identifier: BSD-3-Clause */
/* choice.h - the task of choosing some of the hosts */
#ifndef PLINK_SOLVER_CHOOSE_CHOICE_H
#define PLINK_SOLVER_CHOOSE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Choose k of n hosts, 1 <= k <= n. c[n * n] is the cost of a hop (no NaN, >=
 * 0, finite sums, diagonal 0). At least one of the chosen hosts may lead, that
 * is, come first. All pointers are borrowed. An order is host_at[n]: first the
 * k chosen hosts in ring order, then the others in ascending order.
 */
struct pl_host_choice {
	size_t n, k;
	const double *c;
	const bool *may_lead; /* [n]; NULL: all may */
};

#endif
