/* SPDX-License-Identifier: BSD-3-Clause */
/* unreachable.h - hosts of a sampled matrix with too few measured pairs */
#ifndef PLINK_ORDER_MISSING_UNREACHABLE_H
#define PLINK_ORDER_MISSING_UNREACHABLE_H

#include "order/input.h"

/*
 * Sets unreachable[h], [in->hosts.n], for the hosts for which no good estimate
 * can be made: those without a measured pair; those with fewer measured pairs
 * than failed attempts (missing cells that @m has a note on) and fewer than
 * half as many as the median host; and those that no chain of measured pairs
 * between the others links to most hosts. O(n^2). 0, or -1 with @err set.
 */
int pl_order_unreachable(struct pl_order_input *in, const struct pl_matrix *m,
			 bool *unreachable, struct pl_err *err);

#endif
