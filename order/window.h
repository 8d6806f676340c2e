/* SPDX-License-Identifier: BSD-3-Clause */
/* window.h - the cost of a byte on connections with a limited window */
#ifndef PLINK_ORDER_WINDOW_H
#define PLINK_ORDER_WINDOW_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "order/input.h"
#include "order/request.h"

/*
 * If a connection of the library carries at most a certain number of bytes per round trip
 * (LightGBM's sockets), a byte costs at least that fraction of a round trip: raises in->per_byte to
 * it and sets in->window_bytes. @quantity is that of in->c, in which nothing may be missing. 0, or
 * -1 with @err set: out of memory.
 */
int pl_order_take_windows(struct pl_order_input *in, enum pl_quantity quantity,
			  const struct pl_order_request *q, struct pl_err *err);

#endif
