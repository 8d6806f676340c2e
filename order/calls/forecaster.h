/* SPDX-License-Identifier: BSD-3-Clause */
/* forecaster.h - seconds of a collective in an order of hosts */
#ifndef PLINK_ORDER_CALLS_FORECASTER_H
#define PLINK_ORDER_CALLS_FORECASTER_H

#include "base/err.h"
#include "costmodels/pattern.h"
#include "order/input.h"
#include "order/request.h"
#include "predict/network.h"
#include "predict/predict.h"
#include "predict/protocol.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* What is predicted to be faster by less (percent) is not recommended: that is
 * how far the predictor may be off. */
#define PL_ORDER_WORTH 10

/* Start with {0}, end with fini. Not for two threads. */
struct pl_order_forecaster {
	const struct pl_order_input *in; /* borrowed */
	struct pl_network net;
	struct pl_protocol protocol;       /* of the library */
	const volatile sig_atomic_t *stop; /* NULL: never */
	size_t *slots;                     /* [n hosts] */
	size_t n_ranks;
	size_t *at; /* [n_ranks] scratch */
	bool apart; /* calls are predicted each on its own, whatever they are */
	unsigned repeat, starts; /* as in predict/predict.h */
};

/* For the library in @q over the input, whose matrix has been kept. 0, or -1
 * with @err set. */
int pl_order_forecaster_init(struct pl_order_forecaster *f,
			     const struct pl_order_input *in,
			     const struct pl_order_request *q,
			     struct pl_err *err);
void pl_order_forecaster_fini(struct pl_order_forecaster *f);

/* Is a rate known, of cards, pairs of hosts or uplinks? */
bool pl_order_forecaster_has_rates(const struct pl_order_forecaster *f);

/* The messages of a call by the input's ranks. 0, or -1 with @err set. */
int pl_order_pattern(const struct pl_order_forecaster *f,
		     const struct pl_order_algorithm *what,
		     struct pl_pattern *pattern, struct pl_err *err);

/* Where the time of a call went. */
struct pl_order_time {
	double seconds;
	enum pl_bound bound; /* what the critical path waited for most, */
	double share;        /* and for how much of the path */
};

/* Of the pattern with the hosts in the order host_at[n], under that protocol.
 * 0, or -1 with @err set. */
int pl_order_time(const struct pl_order_forecaster *f,
		  const struct pl_pattern *pattern, const size_t *host_at,
		  const struct pl_protocol *protocol,
		  struct pl_order_time *time, struct pl_err *err);

#endif
