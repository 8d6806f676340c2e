/* SPDX-License-Identifier: BSD-3-Clause */
/* choice.h - some of the hosts are to be chosen */
#ifndef PLINK_SOLVER_CHOOSE_CHOICE_H
#define PLINK_SOLVER_CHOOSE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * k of n hosts, 1 <= k <= n, over c[n * n], what a hop costs (no NaN, >= 0,
 * finite sums, the diagonal 0). One of those chosen at least may lead.
 * Borrowed. An order of them is host_at[n]: the k chosen as they follow one
 * another, then the others, rising.
 */
struct pl_host_choice {
	size_t n, k;
	const double *c;
	const bool *may_lead; /* [n]; NULL: all may */
};

#endif
