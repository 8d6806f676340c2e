/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates.h - orders to choose from, and what each call takes in them */
#ifndef PLINK_ORDER_CALLS_CANDIDATES_H
#define PLINK_ORDER_CALLS_CANDIDATES_H

#include "base/err.h"
#include "base/stop.h"
#include "costmodels/pattern.h"
#include "order/calls/forecaster.h"
#include "order/calls/workload.h"
#include "order/input.h"
#include "order/model.h"
#include "order/request.h"
#include "predict/protocol.h"

#include <stdbool.h>
#include <stddef.h>

/* A call, ready to be predicted; or, where seconds cannot be, its hops. */
struct pl_order_view {
	struct pl_pattern pattern;
	struct pl_protocol protocol;
	bool apart;    /* as in the forecaster */
	bool by_rates; /* rates decide: some messages wait for an answer where
			* rates are known, or the given order waits for rates */
	struct pl_order_model hops;
};

/* Start with {0}, end with fini. Order 0 is the given one. */
struct pl_order_candidates {
	const struct pl_order_workload *w; /* borrowed, as the next ones */
	const struct pl_order_input *in;
	const struct pl_order_request *q;
	const struct pl_stop *stop;
	struct pl_order_forecaster caster;
	struct pl_order_view *view; /* [w->n] */
	bool in_seconds;
	char why_not[160]; /* why not in seconds */
	size_t *host_at;   /* [n * hosts.n] by order */
	double *time;      /* [n * w->n] by order */
	size_t n;
};

/* With the given order alone. 0, or -1 with @err set. */
int pl_order_candidates_init(struct pl_order_candidates *c,
			     const struct pl_order_workload *w,
			     const struct pl_order_input *in,
			     const struct pl_order_request *q,
			     const struct pl_stop *stop, struct pl_err *err);
void pl_order_candidates_fini(struct pl_order_candidates *c);

/* Adds an order, unless it is there, and times its calls. Where a signal comes
 * meanwhile, hops stand for seconds from then on. 0, or -1 with @err set. */
int pl_order_candidates_add(struct pl_order_candidates *c,
			    const size_t *host_at, struct pl_err *err);

const size_t *pl_order_candidate(const struct pl_order_candidates *c,
				 size_t order);

/* Of one call: in that order, and the least in any. */
double pl_order_candidate_time(const struct pl_order_candidates *c,
			       size_t order, size_t call);
double pl_order_candidate_least(const struct pl_order_candidates *c,
				size_t call);

#endif
