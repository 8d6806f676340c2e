/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates.h - orders to choose from, and the time of each call in them */
#ifndef PLINK_ORDER_CALLS_CANDIDATES_H
#define PLINK_ORDER_CALLS_CANDIDATES_H

#include "base/err.h"
#include "base/stop.h"
#include "costmodels/pattern.h"
#include "order/calls/drawn.h"
#include "order/calls/forecaster.h"
#include "order/calls/workload.h"
#include "order/input.h"
#include "order/model.h"
#include "order/request.h"
#include "predict/protocol.h"

#include <stdbool.h>
#include <stddef.h>

/* The most messages that a call may have to be predicted. */
#define PL_ORDER_MESSAGES_MAX 200000

/* Lets a call be predicted as often as there is time for. */
void pl_order_set_effort(struct pl_order_forecaster *f, const struct pl_pattern *p);

/* A call, ready to be predicted; or its hops, if seconds cannot be
 * predicted. */
struct pl_order_view {
	struct pl_pattern pattern;
	struct pl_protocol protocol;
	bool apart;   /* as in struct pl_order_forecaster */
	bool guessed; /* its time depends on rates that are not known */
	struct pl_order_model hops;
};

/* Start with {0}, end with fini. Order 0 is the given one. */
struct pl_order_candidates {
	const struct pl_order_workload *w; /* borrowed, like the next three */
	const struct pl_order_input *in;
	const struct pl_order_request *q;
	const struct pl_stop *stop;
	struct pl_order_forecaster caster;
	struct pl_order_view *view; /* [w->n] */
	bool in_seconds;
	char why_not[160]; /* the reason if not in_seconds */
	size_t *host_at;   /* [n * hosts.n] host at each position, by order */
	double *time;      /* [n * w->n] of each call, by order: seconds, or costs */
	size_t n;
};

/* Starts with only the given order. 0, or -1 with @err set. */
int pl_order_candidates_init(struct pl_order_candidates *c, const struct pl_order_workload *w,
			     const struct pl_order_input *in, const struct pl_order_request *q,
			     const struct pl_stop *stop, struct pl_err *err);
void pl_order_candidates_fini(struct pl_order_candidates *c);

/* Costs of hops replace the seconds of all orders, for that reason. 0, or -1 with @err set. */
int pl_order_candidates_fall_back(struct pl_order_candidates *c, const char *why,
				  struct pl_err *err);

/* Adds an order, unless it is there already, and predicts its calls. If a signal interrupts that,
 * costs of hops replace the seconds of all orders from then on. 0, or -1 with @err set. */
int pl_order_candidates_add(struct pl_order_candidates *c, const size_t *host_at,
			    struct pl_err *err);

/* Predicts the calls in that order on a network that was drawn: time[w->n]. 0, or -1 with @err set:
 * PL_EPARTIAL if a signal interrupts it. */
int pl_order_candidates_play(struct pl_order_candidates *c, const struct pl_order_drawn *d,
			     size_t order, double *time, struct pl_err *err);

const size_t *pl_order_candidate(const struct pl_order_candidates *c, size_t order);

/* The time of a call in that order, and the least in any order. */
double pl_order_candidate_time(const struct pl_order_candidates *c, size_t order, size_t call);
double pl_order_candidate_least(const struct pl_order_candidates *c, size_t call);

#endif
