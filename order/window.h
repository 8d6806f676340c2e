/* SPDX-License-Identifier: BSD-3-Clause */
/* window.h - what a byte costs where a connection has only so many under way */
#ifndef PLINK_ORDER_WINDOW_H
#define PLINK_ORDER_WINDOW_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "order/input.h"
#include "order/request.h"

/*
 * Where the library's connections pass so many bytes in a round trip and no
 * more (LightGBM's sockets), a byte costs at least its part of one: raises
 * in->per_byte, and sets in->window_bytes. @quantity is that of in->c, in which
 * nothing is missing. 0, or -1 with @err set: memory.
 */
int pl_order_take_windows(struct pl_order_input *in, enum pl_quantity quantity,
			  const struct pl_order_request *q, struct pl_err *err);

#endif
