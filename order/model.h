/* SPDX-License-Identifier: BSD-3-Clause */
/* model.h - what orders are judged by: a shape, and what its hops cost */
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
 * The shape's positions are ranks; those of a host stand together, so that an
 * order is one of hosts. (Of NCCL on hosts of unequal slots they are the
 * hosts.) A closed ring of equal hops needs no shape: then ring[] is what a hop
 * costs. Start with {0}, end with fini.
 */
struct pl_order_model {
	struct pl_shape shape; /* empty for rings */
	struct pl_costs costs; /* the input's, borrowed, or own_costs */
	double *own_costs;
	size_t *slots;  /* [n hosts]; NULL: one each */
	size_t n_ranks; /* of all hosts: the shape's positions */
	/* seats of the pattern: all hosts, or as many as are to be chosen.
	 * Those that an order has behind them are left out: the shape has no
	 * hops there */
	size_t n_seats;
	const double *ring; /* [n * n] from each host to the next; or NULL */
	double *own_ring;   /* what it has to release of that */
	struct pl_objective *objective; /* NULL for rings */
	size_t *at;                     /* [n_ranks] scratch */
	double bound; /* no order costs less, as was known beforehand; or 0 */
	/* the algorithm that a rule takes for that size; NULL: there is no
	 * rule */
	const struct pl_algorithm *taken;
};

/* For the collective in @q over the input's hosts, both of which must outlive
 * it. 0, or -1 with @err set: PL_EUSAGE where no library could do that,
 * PL_EINPUT where costs cannot be added up, memory. */
int pl_order_model_init(struct pl_order_model *m,
			const struct pl_order_input *in,
			const struct pl_order_request *q, struct pl_err *err);
/*
 * Where the slowest hop alone counts: what tells orders as cheap as @cost
 * apart, the sum of hops, each once; a hop that costs more makes an order
 * dearer than all without such. Borrows from @m. 0, or -1 with @err set.
 */
int pl_order_model_ties(struct pl_order_model *ties,
			const struct pl_order_model *m,
			const struct pl_hosts *hosts, double cost,
			struct pl_err *err);
void pl_order_model_fini(struct pl_order_model *m);

/* The same of a shape over the input's ranks, which is taken over in any case;
 * its bytes count. 0, or -1 with @err set. */
int pl_order_model_take(struct pl_order_model *m, struct pl_shape *shape,
			const struct pl_order_input *in, struct pl_err *err);

/* Do all orders cost the same in both, over the same input? False: perhaps. */
bool pl_order_model_same(const struct pl_order_model *a,
			 const struct pl_order_model *b);

/* The cost of the hosts in the order host_at[n], of which the first n_seats
 * count. Not for two threads. */
double pl_order_model_cost(const struct pl_order_model *m,
			   const size_t *host_at);

/*
 * *cost of ranks that need not stand together: rank i of @n_ranks on host
 * rank_at[i]. Their number may be another than the model's. 0, or -1 with @err
 * set.
 */
int pl_order_model_ranks(const struct pl_order_model *m,
			 const struct pl_order_input *in,
			 const struct pl_order_request *q,
			 const size_t *rank_at, size_t n_ranks, double *cost,
			 struct pl_err *err);

#endif
