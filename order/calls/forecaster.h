/* SPDX-License-Identifier: BSD-3-Clause */
/* forecaster.h - predicts the seconds of a collective in an order of hosts */
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

/* A change that is predicted to gain less, in percent, is not recommended: the predictor may be off
 * by so much. */
#define PL_ORDER_WORTH 10

/* Start with {0}, end with fini. Not for two threads. */
struct pl_order_forecaster {
	const struct pl_order_input *in; /* borrowed */
	struct pl_network net;
	/* if some rates are not known: the same network with these at pl_network_least_bps; else
	 * empty */
	struct pl_network slow;
	struct pl_protocol protocol;       /* of the library */
	const volatile sig_atomic_t *stop; /* NULL: never */
	size_t *slots;                     /* [n hosts] */
	size_t n_ranks;
	size_t *at;              /* [n_ranks] scratch */
	bool apart;              /* predict each call by itself, from a common start */
	unsigned repeat, starts; /* as in predict/predict.h */
};

/* For the library in @q; pl_order_network_keep must have filled @in. 0, or -1 with @err set. */
int pl_order_forecaster_init(struct pl_order_forecaster *f, const struct pl_order_input *in,
			     const struct pl_order_request *q, struct pl_err *err);
void pl_order_forecaster_fini(struct pl_order_forecaster *f);

/* Is any rate of cards, pairs of hosts or uplinks known? */
bool pl_order_forecaster_has_rates(const struct pl_order_forecaster *f);

/* Are all of these known, as far as they limit anything? */
bool pl_order_forecaster_knows_rates(const struct pl_order_forecaster *f);

/* What is said of a time that depends on a rate that is not known. */
#define PL_ORDER_GUESSED "depends on rates that are not known"

/* The messages of a call by the ranks of the input. 0, or -1 with @err set. */
int pl_order_pattern(const struct pl_order_forecaster *f, const struct pl_order_algorithm *what,
		     struct pl_pattern *pattern, struct pl_err *err);

/* The time of a call, and what it consists of. */
struct pl_order_time {
	double seconds;
	enum pl_bound bound; /* what the critical path waits for most, */
	double share;        /* and for which share of the path */
};

/* Predicts the pattern with the hosts in the order host_at[n], under that protocol. 0, or -1 with
 * @err set. */
int pl_order_time(const struct pl_order_forecaster *f, const struct pl_pattern *pattern,
		  const size_t *host_at, const struct pl_protocol *protocol,
		  struct pl_order_time *time, struct pl_err *err);

/*
 * *guessed: does that time, @seconds, depend on a rate that is not known? It does if it would be
 * longer by more than PL_ORDER_WORTH percent were all such links as slow as pl_network_least_bps.
 * Rates that matter less than that are within the predictor's error, whatever they are. 0, or -1
 * with @err set.
 */
int pl_order_guessed(const struct pl_order_forecaster *f, const struct pl_pattern *pattern,
		     const size_t *host_at, const struct pl_protocol *protocol, double seconds,
		     bool *guessed, struct pl_err *err);

/* Both for ranks whose hosts need not stand together: rank i is on host rank_at[i] of the input. */
int pl_order_guessed_ranks(const struct pl_order_forecaster *f, const struct pl_pattern *pattern,
			   const size_t *rank_at, const struct pl_protocol *protocol,
			   double seconds, bool *guessed, struct pl_err *err);
int pl_order_time_ranks(const struct pl_order_forecaster *f, const struct pl_pattern *pattern,
			const size_t *rank_at, const struct pl_protocol *protocol,
			struct pl_order_time *time, struct pl_err *err);

#endif
