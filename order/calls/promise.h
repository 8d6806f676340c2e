/* SPDX-License-Identifier: BSD-3-Clause */
/* promise.h - the order for a workload, and the predicted time of its calls */
#ifndef PLINK_ORDER_CALLS_PROMISE_H
#define PLINK_ORDER_CALLS_PROMISE_H

#include "base/err.h"
#include "base/stop.h"
#include "order/calls/risk.h"
#include "order/calls/workload.h"
#include "order/input.h"
#include "order/request.h"
#include "order/solve.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A gain of less, in percent, is not worth a change: nobody would notice it. */
#define PL_ORDER_NOTICED 1.0

/* One call in both orders: predicted seconds, or, where in_seconds is false, the cost of its hops
 * in the input's unit. */
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
	bool blended;     /* the result's costs are of several kinds of calls */
	bool has_rates;   /* of cards, of pairs or of uplinks */
	bool knows_rates; /* all of these */
	/* not in_seconds, since all times depend on rates that are not known; some do: w.guessed */
	bool guessed;
	char why_not[160]; /* the reason if not in_seconds */
	size_t n_looked;   /* orders predicted, with the given one */
	double gain;       /* percent of time saved: mean over the calls, by weight */
	bool held;         /* the given order is kept: no other gains enough */
	/* an order with a higher gain in which a call is slower, or may be: it was rejected, or
	 * taken (--accept-loss, --pin, --not-first). NAN: there is none */
	double refused_gain, refused_loss;
	/* the call that takes refused_loss percent more in it, as predicted, or less; the chance,
	 * in percent, that it takes more by PL_ORDER_SLOWER */
	size_t refused_call;
	double refused_chance;
};
void pl_order_promise_fini(struct pl_order_promise *p);

/* The index of the call with the largest size. */
size_t pl_order_largest(const struct pl_order_promise *p);

/* Is a call predicted to be slower in the order found than in the given one? */
bool pl_order_loses(const struct pl_order_promise *p);

/*
 * Finds the order for the workload of @q. Searches by the costs of hops, predicts the calls in the
 * orders found and in the given one, and takes the fastest in which no call has a higher chance
 * than PL_ORDER_CHANCE to be slower than in the given order by more than PL_ORDER_SLOWER percent
 * (pl_order_weigh), or none is predicted to be slower by more than --accept-loss allows. Keeps
 * the given order if no other is expected to gain enough. If --pin or --not-first excludes the
 * given order and all others lose, takes the fastest. Calls whose times depend on rates that are
 * not known are left out (p->w.guessed), unless all do. If times cannot be predicted, or a signal
 * interrupts that, costs of hops take their place (p->in_seconds is false). 0, or -1 with @err set.
 */
int pl_order_promise_find(struct pl_order_promise *p, struct pl_order_result *r,
			  const struct pl_order_input *in, const struct pl_order_request *q,
			  const struct pl_stop *stop, struct pl_err *err);

/* Predicts the calls in the given order and in host_at[n] without a search; the fields that
 * describe a search stay empty. 0, or -1 with @err set. */
int pl_order_promise_compare(struct pl_order_promise *p, const size_t *host_at,
			     const struct pl_order_input *in, const struct pl_order_request *q,
			     const struct pl_stop *stop, struct pl_err *err);

#endif
