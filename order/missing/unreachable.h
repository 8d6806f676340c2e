/* SPDX-License-Identifier: BSD-3-Clause */
/* unreachable.h - hosts of a sampled matrix of which too little is known */
#ifndef PLINK_ORDER_MISSING_UNREACHABLE_H
#define PLINK_ORDER_MISSING_UNREACHABLE_H

#include "order/input.h"

/*
 * unreachable[h] becomes true for the hosts of which no estimate can be made,
 * or none that is any good: no measured pair, or fewer than were tried in vain
 * (cells that @m has a note on) and than half of what the median host has; and
 * whoever no chain of pairs of others links with most.
 * unreachable[in->hosts.n]. O(n^2). 0, or -1 with @err set.
 */
int pl_order_unreachable(struct pl_order_input *in, const struct pl_matrix *m,
			 bool *unreachable, struct pl_err *err);

#endif
