/* SPDX-License-Identifier: BSD-3-Clause */
/* model.c - the model that orders are judged by: a shape and the costs of its hops */
#include "config.h"

#include "order/model.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"
#include "costmodels/ring.h"
#include "order/ring.h"
#include "solver/order/order-search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pl_order_model_fini(struct pl_order_model *m)
{
	pl_objective_destroy(m->objective);
	pl_shape_fini(&m->shape);
	free(m->slots);
	free(m->own_ring);
	free(m->own_costs);
	free(m->at);
	memset(m, 0, sizeof(*m));
}

static double dearest(const double *cell, size_t n)
{
	double max = 0;

	for (size_t i = 0; cell && i < n * n; i++)
		max = fmax(max, cell[i]);
	return max;
}

/* Can every sum over the shape be held in a double, with room for bounds? */
static int check_sums(const struct pl_order_model *m, struct pl_err *err)
{
	const double c = dearest(m->costs.c, m->costs.n);
	const double per_byte = dearest(m->costs.per_byte, m->costs.n);
	double sum = 0;

	for (size_t i = 0; i < m->shape.n_hops; i++) {
		const struct pl_hop *hop = &m->shape.hop[i];

		sum += hop->times * (c + hop->bytes * per_byte);
	}
	if (sum * 4 <= 1e300)
		return 0;
	return pl_err_set(err, PL_EINPUT, "the costs are too large to be added up");
}

/* @by_host: a host has one position, however many slots it has. */
static int take_slots(struct pl_order_model *m, const struct pl_hosts *hosts, bool by_host,
		      struct pl_err *err)
{
	m->n_ranks = by_host ? hosts->n : pl_hosts_ranks(hosts);
	if (m->n_ranks == hosts->n)
		return 0;
	m->slots = pl_array_create(hosts->n, sizeof(*m->slots));
	if (!m->slots)
		return pl_err_nomem(err);
	for (size_t h = 0; h < hosts->n; h++)
		m->slots[h] = (size_t)hosts->v[h].slots;
	return 0;
}

/* The shape of a call, and the algorithm that a rule takes for it. */
static int take_shape(struct pl_order_model *m, const struct pl_order_algorithm *what,
		      const struct pl_call *call, struct pl_err *err)
{
	struct pl_call decided;

	if (what->a->decide)
		m->taken = pl_algorithm_decide(what->a, call, &decided);
	return pl_algorithm_shape(what->a, call, &m->shape, err);
}

/* Rings need no objective, all other shapes get one; positions of hosts that are left out come
 * after all others. */
static int prepare(struct pl_order_model *m, const struct pl_hosts *hosts, struct pl_err *err)
{
	struct pl_order_ring ring;

	if (check_sums(m, err))
		return -1;
	if (pl_order_ring_find(&m->shape, pl_order_slots(hosts), &ring)) {
		pl_shape_fini(&m->shape);
		return pl_order_ring_costs(&ring, &m->costs, &m->ring, &m->own_ring, err);
	}
	m->shape.n_pos = m->n_ranks;
	m->objective = pl_objective_create(&m->shape, &m->costs, err);
	if (!m->objective)
		return -1;
	m->at = pl_array_create(m->n_ranks, sizeof(*m->at));
	return m->at ? 0 : pl_err_nomem(err);
}

static struct pl_costs costs_of(const struct pl_order_input *in, const struct pl_order_request *q)
{
	/* if a rule was asked for large calls without a size, windows count nevertheless */
	const bool bytes = q->what.has_size || (in->window_bytes > 0 && q->what.a->decide);

	return (struct pl_costs){
		.n = in->hosts.n,
		.c = in->c,
		.per_byte = bytes ? in->per_byte : NULL,
	};
}

int pl_order_model_init(struct pl_order_model *m, const struct pl_order_input *in,
			const struct pl_order_request *q, struct pl_err *err)
{
	struct pl_hosts seated = in->hosts; /* borrowed; the owner does not
					     * matter */
	struct pl_call call;

	memset(m, 0, sizeof(*m));
	m->costs = costs_of(in, q);
	m->n_seats = seated.n = q->choose ? q->choose : in->hosts.n;
	if (pl_order_call(&q->what, &seated, 0, &call, err) ||
	    take_slots(m, &in->hosts, call.n_ranks > 0, err) ||
	    take_shape(m, &q->what, &call, err) || prepare(m, &in->hosts, err)) {
		pl_order_model_fini(m);
		return -1;
	}
	return 0;
}

int pl_order_model_take(struct pl_order_model *m, struct pl_shape *shape,
			const struct pl_order_input *in, struct pl_err *err)
{
	memset(m, 0, sizeof(*m));
	m->shape = *shape;
	memset(shape, 0, sizeof(*shape));
	m->costs = (struct pl_costs){.n = in->hosts.n, .c = in->c, .per_byte = in->per_byte};
	m->n_seats = in->hosts.n;
	if (take_slots(m, &in->hosts, false, err) || prepare(m, &in->hosts, err)) {
		pl_order_model_fini(m);
		return -1;
	}
	return 0;
}

/* The hops of @m, each once, without bytes. */
static int copy_hops(struct pl_order_model *ties, const struct pl_order_model *m,
		     struct pl_err *err)
{
	ties->shape = (struct pl_shape){.kind = PL_SUM, .n_pos = m->shape.n_pos};
	for (size_t i = 0; i < m->shape.n_hops; i++) {
		struct pl_hop hop = m->shape.hop[i];

		hop.times = 1;
		hop.bytes = 0;
		if (pl_shape_add(&ties->shape, hop, err))
			return -1;
	}
	return 0;
}

/* The cost of a hop with the bytes of the largest call. If a hop that is taken most often costs
 * more than @cost, it costs more than an order without such hops. */
static int bar_costs(struct pl_order_model *ties, const struct pl_order_model *m, double cost,
		     struct pl_err *err)
{
	const size_t n = m->costs.n;
	double times = 0, bytes = 0;

	for (size_t i = 0; i < m->shape.n_hops; i++) {
		times = fmax(times, m->shape.hop[i].times);
		bytes = fmax(bytes, m->shape.hop[i].bytes);
	}
	ties->own_costs = pl_array_create(n * n, sizeof(*ties->own_costs));
	if (!ties->own_costs)
		return pl_err_nomem(err);
	for (size_t i = 0; i < n * n; i++) {
		double c = m->costs.c[i];

		if (m->costs.per_byte)
			c += bytes * m->costs.per_byte[i];
		if (times * c > cost * (1 + 1e-12))
			c = (double)(m->shape.n_hops + 1) * cost;
		ties->own_costs[i] = c;
	}
	return 0;
}

int pl_order_model_ties(struct pl_order_model *ties, const struct pl_order_model *m,
			const struct pl_hosts *hosts, double cost, struct pl_err *err)
{
	memset(ties, 0, sizeof(*ties));
	ties->n_seats = m->n_seats;
	if (bar_costs(ties, m, cost, err) || copy_hops(ties, m, err) ||
	    take_slots(ties, hosts, !m->slots, err))
		goto fail;
	ties->costs = (struct pl_costs){.n = m->costs.n, .c = ties->own_costs};
	if (prepare(ties, hosts, err))
		goto fail;
	return 0;
fail:
	pl_order_model_fini(ties);
	return -1;
}

bool pl_order_model_same(const struct pl_order_model *a, const struct pl_order_model *b)
{
	const struct pl_shape *s = &a->shape, *t = &b->shape;

	if (a->ring || b->ring)
		return a->ring == b->ring;
	if (s->kind != t->kind || s->n_pos != t->n_pos || s->n_hops != t->n_hops)
		return false;
	for (size_t i = 0; i < s->n_hops; i++) {
		const struct pl_hop *h = &s->hop[i], *k = &t->hop[i];

		if (h->src != k->src || h->dst != k->dst || h->group != k->group ||
		    h->times != k->times || (a->costs.per_byte && h->bytes != k->bytes))
			return false;
	}
	return true;
}

double pl_order_model_cost(const struct pl_order_model *m, const size_t *host_at)
{
	if (m->ring)
		return pl_cost_ring(m->ring, m->costs.n, host_at, m->n_seats);
	pl_order_expand(host_at, m->costs.n, m->slots, m->at);
	return pl_objective_full(m->objective, m->at);
}

int pl_order_model_ranks(const struct pl_order_model *m, const struct pl_order_input *in,
			 const struct pl_order_request *q, const size_t *rank_at, size_t n_ranks,
			 double *cost, struct pl_err *err)
{
	struct pl_order_model other = {.costs = costs_of(in, q)};
	struct pl_call call;
	int rc = -1;

	if (m->ring) {
		*cost = pl_cost_ring(m->ring, m->costs.n, rank_at, n_ranks);
		return 0;
	}
	if (q->what.a->for_slots || (m->taken && m->taken->for_slots))
		return pl_err_set(err, PL_EPARTIAL,
				  "what coll/han sends where the ranks of a host do not stand "
				  "together is not known");
	if (pl_order_call(&q->what, &in->hosts, n_ranks, &call, err) ||
	    take_shape(&other, &q->what, &call, err))
		goto out;
	other.objective = pl_objective_create(&other.shape, &other.costs, err);
	if (!other.objective)
		goto out;
	*cost = pl_objective_full(other.objective, rank_at);
	rc = 0;
out:
	pl_order_model_fini(&other);
	return rc;
}
