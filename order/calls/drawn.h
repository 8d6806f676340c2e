/* SPDX-License-Identifier: BSD-3-Clause */
/* drawn.h - networks that the measurement would fit as well */
#ifndef PLINK_ORDER_CALLS_DRAWN_H
#define PLINK_ORDER_CALLS_DRAWN_H

#include "base/err.h"
#include "order/input.h"
#include "order/request.h"
#include "predict/network.h"

#include <stddef.h>

/* What a measurement leaves open: standard deviations of logarithms. */
struct pl_order_spread {
	double times, rates;
};

/*
 * How far the measurements may be off. Times: as the two directions of a pair differ, which are two
 * measurements of one round trip, unless the matrix says that they are to be kept apart; rates: as
 * those of a card in its two directions do, beside what is usual among the cards; both at least as
 * far as plink-probe lets them be off. 0, or -1 with @err set: out of memory.
 */
int pl_order_spread_of(struct pl_order_spread *spread, const struct pl_order_input *in,
		       struct pl_err *err);

/* Start with {0}; pl_network_fini(&d->net) ends it. */
struct pl_order_drawn {
	struct pl_network net;
};

/*
 * The @k-th network that fits: round trips and rates are off at random, by the spread, each by
 * itself and the rates also all together; all round trips are somewhere between the matrix's first
 * layer and its layer p50, if it has one; rates that are not known are anything from
 * pl_network_least_bps to a hundred times that; and what a message costs a process is half to twice
 * what the matrix says or is usual. 0, or -1 with @err set and d->net empty.
 */
int pl_order_draw(struct pl_order_drawn *d, const struct pl_order_spread *spread,
		  const struct pl_order_input *in, const struct pl_order_request *q, size_t k,
		  struct pl_err *err);

#endif
