/* SPDX-License-Identifier: BSD-3-Clause */
/* risk.h - what an order gains, and how likely a call is slower in it */
#ifndef PLINK_ORDER_CALLS_RISK_H
#define PLINK_ORDER_CALLS_RISK_H

#include "base/err.h"
#include "order/calls/candidates.h"
#include "order/calls/drawn.h"

#include <stddef.h>

/* A call may be slower than in the given order by more than so much, in percent, with a chance of
 * so much. */
#define PL_ORDER_SLOWER 2.0
#define PL_ORDER_CHANCE 5.0

struct pl_order_risk {
	double gain;   /* percent of time that all calls save, by weight: expected */
	double chance; /* percent: that the call is slower by more than PL_ORDER_SLOWER */
	size_t call;   /* for which it is highest, or of those alike the slowest */
};

/* Networks on which orders are compared, at most. */
#define PL_ORDER_DRAWS 16

/* Start with {0}, end with fini. */
struct pl_order_odds {
	struct pl_order_spread spread;
	double *given; /* [PL_ORDER_DRAWS * w->n] times of the calls in the given order */
};
void pl_order_odds_fini(struct pl_order_odds *odds);

/*
 * Weighs an order against the given one. Both are predicted on up to PL_ORDER_DRAWS networks that
 * fit what was measured: what makes all calls of a network slower is off in both alike. From the
 * logarithms of the ratios, taken to be normally distributed, follow the gain and the chance.
 * Without seconds, and with --accept-loss, what is predicted is certain. 0, or -1 with @err set:
 * PL_EPARTIAL if a signal interrupts it.
 */
int pl_order_weigh(struct pl_order_odds *odds, struct pl_order_candidates *c, size_t order,
		   struct pl_order_risk *risk, struct pl_err *err);

#endif
