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

/* Calls whose hops cost the same in every order share a part. Start with {0}, end with fini. */
struct pl_order_blend {
	struct pl_order_model *part; /* [n_parts] */
	size_t n_parts;
	size_t *part_of; /* [workload's n + n_ties] the part of each call */
	/* [n_parts] sum over its calls; all ties add up to 0.001 */
	double *weight;
	double *given; /* [n_parts] cost of the given order */
	double *bound; /* [n_parts] lower bound of any order; 0: none known */
	/* the sum over the parts of weight times cost relative to the given order. Empty if there
	 * is only one part: use part[0]. If @turns, the sum over the parts of the ties alone */
	struct pl_order_model whole;
	/* all calls but the ties are one ring, which may begin with any
	 * host */
	bool turns;
};

/* Makes the model for @w. 0, or -1 with @err set. @in must outlive it. */
int pl_order_blend_init(struct pl_order_blend *b, const struct pl_order_workload *w,
			const struct pl_order_input *in, const struct pl_order_request *q,
			const struct pl_stop *stop, struct pl_err *err);
void pl_order_blend_fini(struct pl_order_blend *b);

/* Makes b->whole again with other weights of the parts, weight[n_parts]. 0, or -1 with @err set. */
int pl_order_blend_weigh(struct pl_order_blend *b, const double *weight,
			 const struct pl_order_workload *w, const struct pl_order_input *in,
			 struct pl_err *err);

/* Only if b->turns: rotates the order, and reverses it if that costs the same, so that it suits the
 * ties best. 0, or -1 with @err set. */
int pl_order_blend_turn(const struct pl_order_blend *b, size_t *host_at, struct pl_err *err);

/* The model whose cost the solver should minimise. */
const struct pl_order_model *pl_order_blend_model(const struct pl_order_blend *b);

#endif
