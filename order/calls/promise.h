/* SPDX-License-Identifier: BSD-3-Clause */
/* promise.h - the order for a workload, and the seconds that its calls will
 * take */
#ifndef PLINK_ORDER_CALLS_PROMISE_H
#define PLINK_ORDER_CALLS_PROMISE_H

#include "base/err.h"
#include "base/stop.h"
#include "order/calls/workload.h"
#include "order/input.h"
#include "order/request.h"
#include "order/solve.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A predicted loss of less, in percent, is none; nor is a gain of less a
 * gain. */
#define PL_ORDER_NOTICED 1.0

/* By how much, in percent, the ratio of two predicted times may be off where
 * rates of cards, uplinks and connections decide (bench/promise). */
#define PL_ORDER_MARGIN 5.0

/* One call in both orders: predicted seconds, or, where in_seconds is false,
 * the cost of its hops in the input's unit. */
struct pl_order_pledge {
	double given, found;
	double least; /* of all orders that were looked at */
	/* what its hops cost in the input's unit */
	double hops_given, hops;
};

/* Start with {0}, end with fini. */
struct pl_order_promise {
	struct pl_order_workload w;
	struct pl_order_pledge *call; /* [w.n] */
	bool in_seconds;
	bool blended;   /* the answer's costs are of several kinds of calls */
	bool has_rates; /* of cards, of pairs or of uplinks */
	uint64_t eager_bytes; /* larger messages wait for an answer */
	char why_not[160];    /* why seconds are not known */
	size_t n_looked; /* orders that were predicted, the given one too */
	double gain;     /* percent of the given order's time, each call by
			  * its weight */
	bool held;       /* the given order is kept: no other gains enough */
	/* an order with a higher gain was not taken since a call is slower in
	 * it, or might be, or, with --accept-loss, was taken; NAN: there is
	 * none */
	double refused_gain, refused_loss;
	size_t refused_call; /* that loses most in it, by refused_loss
			      * percent */
};
void pl_order_promise_fini(struct pl_order_promise *p);

/* The call of the largest size. */
size_t pl_order_largest(const struct pl_order_promise *p);

/* Is a call predicted to be slower in the order found than in the given one? */
bool pl_order_loses(const struct pl_order_promise *p);

/*
 * Finds the order for the workload of @q, by the costs of hops, and takes of
 * those found the one that is predicted to be fastest among all in which no
 * call is slower than in the given order (by --accept-loss, slower than that),
 * or the given one. A call that rates decide must be predicted to be faster by
 * more than the doubt, or to take the same to the bit.
 * Predicts nothing where the input holds no times. 0, or -1 with @err set:
 * PL_EPARTIAL where *stop came while predicting.
 */
int pl_order_promise_find(struct pl_order_promise *p, struct pl_order_result *r,
			  const struct pl_order_input *in,
			  const struct pl_order_request *q,
			  const struct pl_stop *stop, struct pl_err *err);

/* The same calls in the given order and in host_at[n]; nothing is searched, and
 * what speaks of the search is empty. 0, or -1 with @err set. */
int pl_order_promise_compare(struct pl_order_promise *p, const size_t *host_at,
			     const struct pl_order_input *in,
			     const struct pl_order_request *q,
			     const struct pl_stop *stop, struct pl_err *err);

#endif
