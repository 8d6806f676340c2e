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
	/* if it is free, the choice of the first host costs nothing: the search ignores it and the
	 * order is turned at the end */
	struct pl_symmetry symmetry;
	/* only some hosts are chosen: one of these must be allowed to come first */
	bool choosing;
};

/* Reads --pin and --not-first. 0, or -1 with @err set: PL_EINPUT for a host that is not in the list
 * (--not-first may also name a dropped host, --pin may not), or if no host is left that may come
 * first; PL_ESYSTEM. */
int pl_order_first_init(struct pl_order_first *f, const struct pl_order_input *in,
			const struct pl_order_model *m, const struct pl_order_request *q,
			struct pl_err *err);
void pl_order_first_fini(struct pl_order_first *f);

/* Does it limit the orders that may be found? */
bool pl_order_first_matters(const struct pl_order_first *f);

/* If it matters (pl_order_first_matters) and the first host of host_at[n] may not come first,
 * exchanges it with one that may. Does nothing if the order can be turned so that an allowed host
 * comes first. */
void pl_order_first_seat(const struct pl_order_first *f, size_t *host_at, size_t n);

/* If the first host may not come first and the order can be turned at no cost, turns it so that an
 * allowed host does: of several, the one given first. 0, or -1 with @err set: out of memory. */
int pl_order_first_turn(const struct pl_order_first *f, size_t *host_at, struct pl_err *err);

#endif
