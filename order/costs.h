/* SPDX-License-Identifier: BSD-3-Clause */
/* costs.h - what orders are judged by, taken from a matrix */
#ifndef PLINK_ORDER_COSTS_H
#define PLINK_ORDER_COSTS_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "order/input.h"
#include "order/request.h"

/*
 * Fills in->c, in->per_byte and the unit from @m for the hosts that are in @in,
 * which learn their node names and addresses from it; NaN where a cell is
 * missing. Counts pairs. 0, or -1 with @err set: PL_EINPUT for a matrix that
 * holds no costs, or for hosts that are not in it, memory.
 */
int pl_order_take_costs(struct pl_order_input *in, const struct pl_matrix *m,
			const struct pl_order_request *q, struct pl_err *err);

#endif
