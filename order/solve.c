/* SPDX-License-Identifier: BSD-3-Clause */
/* solve.c - from costs to an order and its bound */
#include "config.h"

#include "order/solve.h"

#include "base/clock.h"
#include "base/mem.h"
#include "order/first.h"
#include "order/solve-parts.h"
#include "solver/ring/ring-restart.h"
#include "solver/ring/ring-search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double pl_order_gap(const struct pl_order_result *r)
{
	return r->bound > 0 ? r->cost / r->bound - 1 : NAN;
}

double pl_order_gain(double given, double cost)
{
	return given > 0 ? 100 * (1 - cost / given) : 0;
}

static bool is_given(const size_t *host_at, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (host_at[k] != k)
			return false;
	return true;
}

void pl_order_result_fini(struct pl_order_result *r)
{
	free(r->host_at);
	memset(r, 0, sizeof(*r));
}

double pl_order_seconds_since(int64_t start_ns)
{
	return (double)(pl_clock_ns() - start_ns) * 1e-9;
}

static void show(void *arg, const struct pl_restarts_progress *now)
{
	const struct pl_order_show *s = arg;
	const struct pl_order_progress progress = {
		.moves = now->moves,
		.total = s->moves,
		.left_s = s->deadline_ns ? fmax(0, -pl_order_seconds_since(s->deadline_ns)) : NAN,
		.cost = now->cost,
		.bound = s->bound,
	};

	s->q->progress(s->q->progress_arg, &progress);
}

pl_order_show_fn *pl_order_show(struct pl_order_show *s, const struct pl_order_problem *p,
				double bound, uint64_t moves)
{
	*s = (struct pl_order_show){
		.q = p->q,
		.moves = moves == PL_RING_MOVES_MAX ? 0 : moves,
		.deadline_ns = p->stop->deadline_ns,
		.bound = bound,
	};
	if (!p->q->progress)
		return NULL;
	show(s, &(struct pl_restarts_progress){.cost = p->cost}); /* it begins */
	return show;
}

void pl_order_show_end(struct pl_order_show *s)
{
	if (s->q->progress)
		s->q->progress(s->q->progress_arg, NULL);
}

struct pl_stop pl_order_early(const struct pl_stop *stop, int64_t share)
{
	const int64_t left = stop->deadline_ns - pl_clock_ns();
	struct pl_stop early = *stop;

	if (early.deadline_ns)
		early.deadline_ns -= left - left / share;
	return early;
}

uint64_t pl_order_moves(const struct pl_order_request *q, uint64_t usual)
{
	return q->has_moves ? q->moves : q->time_ns ? PL_RING_MOVES_MAX : usual;
}

/* The largest difference between costs of orders that can be due to
 * rounding. */
static double rounding(const struct pl_order_model *m, double cost)
{
	return pl_ring_rounding(cost, m->n_ranks);
}

void pl_order_take(struct pl_order_result *r, const struct pl_order_problem *p, const size_t *found,
		   double cost)
{
	const bool gains = cost < p->cost - rounding(p->m, p->cost);

	memmove(r->host_at, gains ? found : p->base, p->n * sizeof(*r->host_at));
	r->cost = gains ? cost : p->cost;
}

void pl_order_settle(struct pl_order_result *r, const struct pl_order_model *m)
{
	const double gap = r->cost - r->bound;

	if (isnan(gap))
		return;
	if (gap <= rounding(m, r->cost))
		r->bound = r->cost;
	r->exact = r->bound == r->cost || gap <= r->part * r->cost;
}

/* The given order and its cost. */
static int begin(struct pl_order_result *r, const struct pl_order_input *in,
		 const struct pl_order_model *m, const struct pl_order_request *q,
		 struct pl_err *err)
{
	const size_t n = in->hosts.n;

	memset(r, 0, sizeof(*r));
	r->threads = q->threads;
	r->taken = m->taken;
	r->bound = r->hops_given = r->hops = NAN;
	r->host_at = pl_array_create(n, sizeof(*r->host_at));
	if (!r->host_at)
		return pl_err_nomem(err);
	for (size_t k = 0; k < n; k++)
		r->host_at[k] = k;
	r->cost = r->cost_given = pl_order_model_cost(m, r->host_at);
	return 0;
}

int pl_order_bound(struct pl_order_result *r, const struct pl_order_input *in,
		   const struct pl_order_model *m, const struct pl_order_request *q,
		   const struct pl_stop *stop, struct pl_err *err)
{
	struct pl_order_problem p = {.m = m, .q = q, .stop = stop, .n = in->hosts.n};
	size_t *given;
	int rc;

	if (begin(r, in, m, q, err))
		return -1;
	given = pl_array_create(p.n, sizeof(*given));
	if (!given)
		return pl_err_nomem(err);
	memcpy(given, r->host_at, p.n * sizeof(*given));
	p.base = given;
	p.cost = r->cost;
	if (!m->ring)
		rc = pl_order_bound_shape(r, &p, err);
	else if (m->n_seats < p.n)
		rc = pl_order_choose_bound_ring(r, &p, err);
	else
		rc = pl_order_bound_ring(r, &p, err);
	free(given);
	if (q->bound == PL_BOUND_NONE)
		r->bound = NAN;
	return rc;
}

/* If the gain is below --min-gain the given order is kept; what was proved stays true. */
static void weigh(struct pl_order_result *r, const struct pl_order_problem *p)
{
	const double gain = pl_order_gain(p->cost, r->cost);

	if (r->cost == p->cost || gain >= p->q->min_gain)
		return;
	r->kept = true;
	r->gain_missed = gain;
	r->exact = false;
	memcpy(r->host_at, p->base, p->n * sizeof(*r->host_at));
	r->cost = p->cost;
}

int pl_order_search_for(struct pl_order_result *r, const struct pl_order_problem *p,
			struct pl_err *err)
{
	if (!p->m->ring)
		return pl_order_solve_shape(r, p, err);
	return p->m->n_seats < p->n ? pl_order_choose_ring(r, p, err)
				    : pl_order_solve_ring(r, p, err);
}

static int by_number(const void *a, const void *b)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

/* The order in its final form: begins with a host that may come first; hosts left out are in the
 * given order. */
static int finish(struct pl_order_result *r, const struct pl_order_problem *p,
		  const struct pl_order_first *first, struct pl_err *err)
{
	const size_t k = p->m->n_seats;

	if (pl_order_first_turn(first, r->host_at, err))
		return -1;
	qsort(r->host_at + k, p->n - k, sizeof(*r->host_at), by_number);
	r->unchanged = is_given(r->host_at, p->n);
	return 0;
}

/* Solves by the method asked for: the thesis' two stages, or the search and then, where the result
 * is not proved, Z3: half of the time is left for it. */
static int find(struct pl_order_result *r, const struct pl_order_problem *p, struct pl_err *err)
{
	const struct pl_stop early = pl_order_early(p->stop, pl_order_refines(r, p) ? 2 : 1);
	struct pl_order_problem search = *p;

	if (p->q->method == PL_METHOD_THESIS)
		return pl_order_solve_thesis(r, p, err);
	search.stop = &early;
	if (pl_order_search_for(r, &search, err))
		return -1;
	pl_order_settle(r, p->m);
	return pl_order_refines(r, p) ? pl_order_refine(r, p, err) : 0;
}

/* If orders need not begin with a certain host, or can do so at no cost, the search ignores the
 * first host and the order is turned in the end. */
static int solve(struct pl_order_result *r, struct pl_order_problem *p,
		 const struct pl_order_first *first, const struct pl_hosts *hosts, size_t *base,
		 struct pl_err *err)
{
	memcpy(base, r->host_at, p->n * sizeof(*base));
	pl_order_first_seat(first, base, p->n);
	p->base = base;
	p->cost = r->cost_given;
	r->narrowed = pl_order_first_matters(first);
	if (r->narrowed) {
		p->may_lead = first->may;
		if (pl_order_first_turn(first, base, err))
			return -1;
		p->cost = pl_order_model_cost(p->m, base);
	}
	if (find(r, p, err))
		return -1;
	pl_order_settle(r, p->m);
	if (p->q->bound == PL_BOUND_NONE)
		r->bound = NAN;
	weigh(r, p);
	if (pl_order_break_ties(r, p, hosts, err))
		return -1;
	r->stopped = p->stop->flag && *p->stop->flag;
	return finish(r, p, first, err);
}

int pl_order_solve(struct pl_order_result *r, const struct pl_order_input *in,
		   const struct pl_order_model *m, const struct pl_order_request *q,
		   const struct pl_stop *stop, struct pl_err *err)
{
	struct pl_order_problem p = {.m = m, .q = q, .stop = stop, .n = in->hosts.n};
	struct pl_order_first first;
	size_t *base;
	int rc;

	if (begin(r, in, m, q, err) || pl_order_first_init(&first, in, m, q, err))
		return -1;
	base = pl_array_create(p.n, sizeof(*base));
	rc = base ? solve(r, &p, &first, &in->hosts, base, err) : pl_err_nomem(err);
	free(base);
	pl_order_first_fini(&first);
	return rc;
}
