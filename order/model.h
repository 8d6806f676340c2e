/* SPDX-License-Identifier: BSD-3-Clause */
/* model.h - the model that orders are judged by: a shape, and the costs of its hops */
#ifndef PLINK_ORDER_MODEL_H
#define PLINK_ORDER_MODEL_H

#include "base/err.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"
#include "order/input.h"
#include "order/request.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The positions of the shape are ranks. The ranks of a host stand together, so an order is one of
 * hosts. (For NCCL on hosts of unequal slots, positions are hosts.) A closed ring of equal hops
 * needs no shape: ring[] is then the cost of its hops. Start with {0}, end with fini.
 */
struct pl_order_model {
	struct pl_shape shape; /* empty for rings */
	struct pl_costs costs; /* borrowed from the input, or own_costs */
	double *own_costs;
	size_t *slots;  /* [n hosts]; NULL: one each */
	size_t n_ranks; /* of all hosts: the shape's positions */
	/* the number of hosts that the shape has hops for: all, or as many as are to be chosen. The
	 * hosts after these in an order are left out */
	size_t n_seats;
	/* [n * n] cost of a hop between two hosts; NULL: no ring */
	const double *ring;
	double *own_ring;               /* NULL, or @ring where the model owns it */
	struct pl_objective *objective; /* NULL for rings */
	size_t *at;                     /* [n_ranks] scratch */
	double bound;                   /* a lower bound known before the search; or 0 */
	/* the algorithm that a rule ("default") selects for that size; NULL: there is no rule */
	const struct pl_algorithm *taken;
};

/* Makes the model of the collective in @q; @in and @q must outlive it. 0, or -1 with @err set:
 * PL_EUSAGE if no library could run it, PL_EINPUT if the sum of the costs overflows, PL_ESYSTEM. */
int pl_order_model_init(struct pl_order_model *m, const struct pl_order_input *in,
			const struct pl_order_request *q, struct pl_err *err);
/*
 * For a model where only the slowest hop counts: makes the model that compares orders of the same
 * cost @cost, by the sum of their hops, each counted once. A hop that costs more than @cost makes
 * an order more expensive than any order without one. Borrows from @m. 0, or -1 with @err set.
 */
int pl_order_model_ties(struct pl_order_model *ties, const struct pl_order_model *m,
			const struct pl_hosts *hosts, double cost, struct pl_err *err);
void pl_order_model_fini(struct pl_order_model *m);

/* Makes the model of a shape over the ranks of the input; bytes count. Takes over the contents of
 * @shape even if it fails. 0, or -1 with @err set. */
int pl_order_model_take(struct pl_order_model *m, struct pl_shape *shape,
			const struct pl_order_input *in, struct pl_err *err);

/* True: every order costs the same in both models, which must have the same input. False: this is
 * not known. */
bool pl_order_model_same(const struct pl_order_model *a, const struct pl_order_model *b);

/* The cost of the order host_at[n], of which the first n_seats hosts count. Not for two threads at
 * once: it writes to m->at. */
double pl_order_model_cost(const struct pl_order_model *m, const size_t *host_at);

/*
 * Computes *cost of ranks whose hosts need not stand together: rank i of @n_ranks is on host
 * rank_at[i]. @n_ranks may differ from the model's. 0, or -1 with @err set: PL_EPARTIAL where the
 * model is of coll/han, whose messages between such ranks are not known.
 */
int pl_order_model_ranks(const struct pl_order_model *m, const struct pl_order_input *in,
			 const struct pl_order_request *q, const size_t *rank_at, size_t n_ranks,
			 double *cost, struct pl_err *err);

#endif
