/* SPDX-License-Identifier: BSD-3-Clause */
/* first.h - which hosts may be the first of an order (--pin, --not-first) */
#ifndef PLINK_ORDER_FIRST_H
#define PLINK_ORDER_FIRST_H

#include "base/err.h"
#include "order/input.h"
#include "order/model.h"
#include "order/request.h"
#include "solver/order/symmetry.h"

#include <stdbool.h>
#include <stddef.h>

/* Start with {0}, end with fini. */
struct pl_order_first {
	bool *may; /* [n hosts]; NULL: all may */
	/* where the model has one, it costs nothing who comes first: orders are
	 * looked for without regard to it, and turned in the end */
	struct pl_symmetry symmetry;
	/* but one of those chosen has to be one that may */
	bool choosing;
};

/* 0, or -1 with @err set: PL_EINPUT for a host that is not in the list (one
 * that was dropped need not come first, but cannot either), or where none is
 * left that may; memory. */
int pl_order_first_init(struct pl_order_first *f,
			const struct pl_order_input *in,
			const struct pl_order_model *m,
			const struct pl_order_request *q, struct pl_err *err);
void pl_order_first_fini(struct pl_order_first *f);

/* Does it narrow down what may be found? */
bool pl_order_first_matters(const struct pl_order_first *f);

/* Puts a host first that may be, in exchange for the one there, if it matters
 * and that may not, nor, if orders are turned, another one chosen. */
void pl_order_first_seat(const struct pl_order_first *f, size_t *host_at,
			 size_t n);

/* Turns the order, where it does not matter, so that a host comes first that
 * may: of several the one given first. 0, or -1 with @err set: memory. */
int pl_order_first_turn(const struct pl_order_first *f, size_t *host_at,
			struct pl_err *err);

#endif
