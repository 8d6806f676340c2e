/* SPDX-License-Identifier: BSD-3-Clause */
/* costs.h - takes the costs that orders are judged by, and their hosts, from a matrix */
#ifndef PLINK_ORDER_COSTS_H
#define PLINK_ORDER_COSTS_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "order/input.h"
#include "order/request.h"

#include <stddef.h>

/*
 * Fills in->c, in->per_byte and the unit from @m for the hosts of @in, which also get their node
 * names and addresses from it; NaN where a cell is missing. Counts the pairs measured and missing.
 * 0, or -1 with @err set: PL_EINPUT if the matrix holds no costs or lacks a host, PL_ESYSTEM.
 */
int pl_order_take_costs(struct pl_order_input *in, const struct pl_matrix *m,
			const struct pl_order_request *q, struct pl_err *err);

/* index[hosts.n]: the matrix's host for each of the input's, which learns its node name and address
 * from it. 0, or -1 with @err set: PL_EINPUT for a host that is not there or not only once,
 * memory. */
int pl_order_match(struct pl_order_input *in, const struct pl_matrix *m, size_t *index,
		   struct pl_err *err);

#endif
