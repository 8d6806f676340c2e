/* SPDX-License-Identifier: BSD-3-Clause */
/* order-exact.h - the cheapest order of a few hosts, by trying all */
#ifndef PLINK_SOLVER_ORDER_ORDER_EXACT_H
#define PLINK_SOLVER_ORDER_ORDER_EXACT_H

#include "solver/order/seating.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Tries all orders of the hosts, beginning with the present one, and writes the
 * cheapest to best[n]. The present order counts in any case; any other one only
 * if its first host may lead, may_lead[n] (NULL: all may). Returns the cost of
 * best[n]; *moves is the number of exchanges tried, one for each other order.
 * Heap, Comput. J. 6 (1963): each order is one exchange away from the last.
 */
double pl_order_exact(struct pl_seating *s, const bool *may_lead, size_t *best,
		      uint64_t *moves);

#endif
