/* SPDX-License-Identifier: BSD-3-Clause */
/* promise.h - the order for a workload, and the predicted time of its calls */
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

/* Predicted losses and gains of less, in percent, do not count. */
#define PL_ORDER_NOTICED 1.0

/* The error, in percent, that the ratio of two predicted times may have if
 * rates of cards, uplinks and connections decide (bench/promise). */
#define PL_ORDER_MARGIN 5.0

/* One call in both orders: predicted seconds, or, where in_seconds is false,
 * the cost of its hops in the input's unit. */
struct pl_order_pledge {
	double given, found;
	double least; /* in any order that was predicted */
	/* cost of its hops in the input's unit */
	double hops_given, hops;
};

/* Start with {0}, end with fini. */
struct pl_order_promise {
	struct pl_order_workload w;
	struct pl_order_pledge *call; /* [w.n] */
	bool in_seconds;
	bool blended;   /* the result's costs are of several kinds of calls */
	bool has_rates; /* of cards, of pairs or of uplinks */
	/* larger messages wait for an answer */
	uint64_t eager_bytes;
	char why_not[160]; /* the reason if not in_seconds */
	size_t n_looked;   /* orders predicted, with the given one */
	double gain;       /* percent of time saved: mean over the calls, by weight */
	bool held;         /* the given order is kept: no other gains enough */
	/* an order with a higher gain in which a call is slower, or may be: it
	 * was rejected, or taken (--accept-loss, --pin, --not-first). NAN:
	 * there is none */
	double refused_gain, refused_loss;
	/* the call that loses most in it, by refused_loss percent */
	size_t refused_call;
};
void pl_order_promise_fini(struct pl_order_promise *p);

/* The index of the call with the largest size. */
size_t pl_order_largest(const struct pl_order_promise *p);

/* Times of larger calls are not to be trusted, since no bandwidth is known;
 * UINT64_MAX: all are. */
uint64_t pl_order_trusted(const struct pl_order_promise *p);

/* Is a call predicted to be slower in the order found than in the given one? */
bool pl_order_loses(const struct pl_order_promise *p);

/*
 * Finds the order for the workload of @q. Searches by the costs of hops,
 * predicts the calls in the orders found and in the given one, and takes the
 * fastest in which no call is slower than in the given order by more than
 * PL_ORDER_NOTICED percent (or by what --accept-loss allows). A call whose time
 * depends on rates must be faster by PL_ORDER_MARGIN percent, or take exactly
 * as long. Keeps the given order if no other gains enough. If --pin or
 * --not-first excludes the given order and all others lose, takes the fastest.
 * If times cannot be predicted, or a signal interrupts that, costs of hops take
 * their place (p->in_seconds is false). 0, or -1 with @err set.
 */
int pl_order_promise_find(struct pl_order_promise *p, struct pl_order_result *r,
			  const struct pl_order_input *in, const struct pl_order_request *q,
			  const struct pl_stop *stop, struct pl_err *err);

/* Predicts the calls in the given order and in host_at[n] without a search; the
 * fields that describe a search stay empty. 0, or -1 with @err set. */
int pl_order_promise_compare(struct pl_order_promise *p, const size_t *host_at,
			     const struct pl_order_input *in, const struct pl_order_request *q,
			     const struct pl_stop *stop, struct pl_err *err);

#endif
