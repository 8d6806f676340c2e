/* SPDX-License-Identifier: BSD-3-Clause */
/* factor.c - from the cost of a shape to the time of a call */
#include "config.h"

#include "order/job/calls.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"

#include <stdlib.h>

/* More ranks change a factor by a few percent at most: a ring of n takes its hops 2 - 2/n times. */
#define RANKS_MAX 64

/* Few enough that no algorithm cuts them into segments, which its shape takes into account. */
#define BYTES_OF_RANK 1024

/* Hosts at the mean distance of each other. */
struct even {
	struct pl_costs costs;
	double *c, *per_byte; /* [n * n] */
	size_t *host_at;      /* [n_pos] */
};

static void even_fini(struct even *even)
{
	free(even->c);
	free(even->per_byte);
	free(even->host_at);
}

static double mean(const double *cell, size_t n)
{
	double sum = 0;

	for (size_t i = 0; cell && i < n * n; i++)
		sum += cell[i];
	return n > 1 ? sum / (double)(n * (n - 1)) : 0;
}

static int even_init(struct even *even, const struct pl_call *call, const struct pl_costs *costs)
{
	const size_t n = (call->n_pos + call->slots - 1) / call->slots;
	const double per_byte = mean(costs->per_byte, costs->n);
	double c = mean(costs->c, costs->n);

	if (c == 0 && per_byte == 0)
		c = 1;
	even->c = pl_array_create(n * n, sizeof(double));
	even->per_byte = pl_array_create(n * n, sizeof(double));
	even->host_at = pl_array_create(call->n_pos, sizeof(size_t));
	if (!even->c || !even->per_byte || !even->host_at)
		return -1;
	for (size_t i = 0; i < n * n; i++) {
		even->c[i] = i / n == i % n ? 0 : c;
		even->per_byte[i] = i / n == i % n ? 0 : per_byte;
	}
	for (size_t p = 0; p < call->n_pos; p++)
		even->host_at[p] = p / call->slots;
	even->costs = (struct pl_costs){.n = n, .c = even->c, .per_byte = even->per_byte};
	return 0;
}

/* The cost of a shape, which is released. */
static int cost_of(struct pl_shape *shape, const struct even *even, double *cost,
		   struct pl_err *err)
{
	struct pl_objective *o = pl_objective_create(shape, &even->costs, err);

	pl_shape_fini(shape);
	if (!o)
		return -1;
	*cost = pl_objective_full(o, even->host_at);
	pl_objective_destroy(o);
	return 0;
}

static int costs_of(const struct pl_algorithm *a, const struct pl_call *call,
		    const struct even *even, double *shape_cost, double *rounds, struct pl_err *err)
{
	struct pl_shape shape;

	if (pl_algorithm_shape(a, call, &shape, err) || cost_of(&shape, even, shape_cost, err) ||
	    pl_algorithm_rounds(a, call, &shape, err) || cost_of(&shape, even, rounds, err))
		return -1;
	return 0;
}

int pl_job_factor(const struct pl_algorithm *a, const struct pl_call *call,
		  const struct pl_costs *costs, double *factor, struct pl_err *err)
{
	struct pl_call small;
	struct even even = {0};
	double shape_cost = 0, rounds = 0;
	int rc;

	*factor = 1;
	/* its hops are times already, of all that a rank sends in a round */
	if (a->collective == PL_ALLTOALL)
		return 0;
	a = pl_algorithm_decide(a, call, &small);
	if (small.n_pos > RANKS_MAX)
		small.n_pos = RANKS_MAX - RANKS_MAX % small.slots;
	if (small.n_pos == 0) /* one host has more slots than that */
		return 0;
	if (small.bytes > BYTES_OF_RANK * small.n_pos)
		small.bytes = BYTES_OF_RANK * small.n_pos;
	small.bytes -= small.bytes % small.element_bytes;
	if (even_init(&even, &small, costs))
		rc = pl_err_nomem(err);
	else
		rc = costs_of(a, &small, &even, &shape_cost, &rounds, err);
	even_fini(&even);
	if (rc == 0 && shape_cost > 0 && rounds > 0)
		*factor = rounds / shape_cost;
	return rc;
}
