/* SPDX-License-Identifier: BSD-3-Clause */
/* cost.h - the cost of an order from a file (--cost-of) */
#ifndef PLINK_SRC_ORDER_COST_H
#define PLINK_SRC_ORDER_COST_H

#include "base/err.h"
#include "base/stop.h"
#include "order/input.h"
#include "order/model.h"
#include "src/order/options.h"
#include "src/order/source.h"

/*
 * Reads the order in o->cost_of (a plan's default order, or a host list or host
 * file with a line per host or per rank) and writes its cost: a line with the
 * number, or JSON if o->format asks for it. The order must name every host of
 * the input and no other. Compares it with the given order and the bound on
 * stderr. Prints errors; returns the exit status.
 */
int pl_reorder_cost_of(const struct pl_reorder_source *from,
		       const struct pl_order_input *in,
		       const struct pl_order_model *m,
		       const struct pl_reorder_options *o,
		       const struct pl_stop *stop, struct pl_err *err);

#endif
