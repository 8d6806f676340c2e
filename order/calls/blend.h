/* SPDX-License-Identifier: BSD-3-Clause */
/* blend.h - one model of hops for all calls of a workload */
#ifndef PLINK_ORDER_CALLS_BLEND_H
#define PLINK_ORDER_CALLS_BLEND_H

#include "base/err.h"
#include "base/stop.h"
#include "order/calls/workload.h"
#include "order/input.h"
#include "order/model.h"
#include "order/request.h"

#include <stdbool.h>
#include <stddef.h>

/* Calls whose hops cost the same in any order share a part. Start with {0}, end
 * with fini. */
struct pl_order_blend {
	struct pl_order_model *part; /* [n_parts] */
	size_t n_parts;
	size_t *part_of; /* [workload's n + n_ties] */
	double *weight;  /* [n_parts] of the calls together, ties apart */
	double *given;   /* [n_parts] what the given order costs there */
	double *bound;   /* [n_parts] no order costs less; 0: not known */
	/* the sum over the parts of weight times the cost relative to that of
	 * the given order; where there is one part alone, empty: part[0] it is.
	 * Where that is a ring, which any host may begin, of the ties alone */
	struct pl_order_model whole;
	bool turns; /* so it is */
};

/* 0, or -1 with @err set. The input must outlive it. */
int pl_order_blend_init(struct pl_order_blend *b,
			const struct pl_order_workload *w,
			const struct pl_order_input *in,
			const struct pl_order_request *q,
			const struct pl_stop *stop, struct pl_err *err);
void pl_order_blend_fini(struct pl_order_blend *b);

/* Makes the whole anew with other weights of the parts, [n_parts]. 0, or -1
 * with @err set. */
int pl_order_blend_weigh(struct pl_order_blend *b, const double *weight,
			 const struct pl_order_workload *w,
			 const struct pl_order_input *in, struct pl_err *err);

/* Where the ring may begin anywhere: turns the order, and reverses it where
 * that costs the same, to what suits the other calls best. 0, or -1 with @err
 * set. */
int pl_order_blend_turn(const struct pl_order_blend *b, size_t *host_at,
			struct pl_err *err);

/* What the solver is to make cheap. */
const struct pl_order_model *
pl_order_blend_model(const struct pl_order_blend *b);

#endif
