/* SPDX-License-Identifier: BSD-3-Clause */
/* tabu.c - tabu search among all exchanges of two slots */
#include "config.h"

#include "solver/assign/tabu.h"

#include "base/mem.h"
#include "costmodels/ring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The clock is looked at once in so many steps. */
#define STEPS_PER_LOOK 64

/* A better cost is one that is better by more than rounding. */
#define ROUNDING 1e-12

static void fill_flow(const struct pl_assign_flows *f, double *flow, bool bytes)
{
	for (size_t p = 0; p < f->n_pos; p++)
		for (size_t k = f->first[p]; k < f->first[p + 1]; k++) {
			const struct pl_assign_load out = f->peer[k].out;

			flow[p * f->n_slots + f->peer[k].pos] = bytes ? out.bytes : out.messages;
		}
}

static void fill_c(const struct pl_assign_tabu *t, double *c, const double *cost)
{
	for (size_t a = 0; a < t->n; a++)
		for (size_t b = 0; b < t->n; b++)
			c[a * t->n + b] = cost[t->host_of[a] * t->flows->n_hosts + t->host_of[b]];
}

/* m + its transpose. */
static void add_back(double *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			m[i * n + j] = m[j * n + i] = m[i * n + j] + m[j * n + i];
}

/* If flow or c is the same both ways, the other may be made so, which saves half of the work. */
static void make_even(struct pl_assign_product *x, size_t n)
{
	const bool flow = pl_costs_symmetric(x->flow, n);
	const bool c = pl_costs_symmetric(x->c, n);

	x->directed = !flow && !c;
	if (c)
		add_back(x->flow, n);
	else if (flow)
		add_back(x->c, n);
	memcpy(x->both, x->flow, n * n * sizeof(*x->both));
	add_back(x->both, n);
}

/* 0, or -1: out of memory. */
static int add_product(struct pl_assign_tabu *t, const double *cost, bool bytes)
{
	const size_t n = t->n;
	struct pl_assign_product *x = &t->product[t->n_products++];

	x->flow = pl_array_create(n * n, sizeof(*x->flow));
	x->both = pl_array_create(n * n, sizeof(*x->both));
	x->c = pl_array_create(n * n, sizeof(*x->c));
	if (!x->flow || !x->both || !x->c)
		return -1;
	fill_flow(t->flows, x->flow, bytes);
	fill_c(t, x->c, cost);
	make_even(x, n);
	return 0;
}

static int add_products(struct pl_assign_tabu *t)
{
	const struct pl_assign_flows *f = t->flows;

	for (size_t h = 0; h < f->n_hosts; h++)
		for (size_t s = f->slot[h]; s < f->slot[h + 1]; s++)
			t->host_of[s] = h;
	if (add_product(t, f->c, false))
		return -1;
	return f->per_byte ? add_product(t, f->per_byte, true) : 0;
}

int pl_assign_tabu_init(struct pl_assign_tabu *t, const struct pl_assign_flows *flows,
			struct pl_err *err)
{
	const size_t n = flows->n_slots;

	*t = (struct pl_assign_tabu){
		.flows = flows,
		.n = n,
		.pair = pl_array_create(n * n, sizeof(*t->pair)),
		.at = pl_array_create(n * n, sizeof(*t->at)),
		.now = pl_array_create(n, sizeof(*t->now)),
		.change = pl_array_create(4 * n, sizeof(*t->change)),
		.slot_of = pl_array_create(n, sizeof(*t->slot_of)),
		.host_of = pl_array_create(n, sizeof(*t->host_of)),
		.until = pl_array_create(flows->n_pos * flows->n_hosts, sizeof(*t->until)),
		.best = pl_array_create(flows->n_pos, sizeof(*t->best)),
	};
	if (!t->pair || !t->at || !t->now || !t->change || !t->slot_of || !t->host_of ||
	    !t->until || !t->best || add_products(t)) {
		pl_assign_tabu_fini(t);
		return pl_err_nomem(err);
	}
	return 0;
}

void pl_assign_tabu_fini(struct pl_assign_tabu *t)
{
	for (size_t k = 0; k < t->n_products; k++) {
		free(t->product[k].flow);
		free(t->product[k].both);
		free(t->product[k].c);
	}
	free(t->pair);
	free(t->at);
	free(t->now);
	free(t->change);
	free(t->slot_of);
	free(t->host_of);
	free(t->until);
	free(t->best);
	memset(t, 0, sizeof(*t));
}

static size_t host(const struct pl_assign_tabu *t, size_t place)
{
	return t->host_of[t->slot_of[place]];
}

static void save(struct pl_assign_tabu *t)
{
	t->best_cost = t->cost;
	for (size_t p = 0; p < t->flows->n_pos; p++)
		t->best[p] = host(t, p);
}

/* Positions take the first slots of their hosts that are left, places without flows take the
 * others. */
static void seat(struct pl_assign_tabu *t, const size_t *host_at)
{
	const struct pl_assign_flows *f = t->flows;
	size_t place = f->n_pos;

	for (size_t h = 0; h < f->n_hosts; h++) {
		size_t slot = f->slot[h];

		for (size_t p = 0; p < f->n_pos; p++)
			if (host_at[p] == h)
				t->slot_of[p] = slot++;
		while (slot < f->slot[h + 1])
			t->slot_of[place++] = slot++;
	}
}

/* What @u would cost on @slot. */
static double cost_at(const struct pl_assign_tabu *t, size_t u, size_t slot)
{
	const struct pl_assign_flows *f = t->flows;
	const size_t n = t->n;
	double sum = 0;

	for (size_t k = f->first[u]; k < f->first[u + 1]; k++) {
		const size_t v = f->peer[k].pos, s = t->slot_of[v];

		for (size_t i = 0; i < t->n_products; i++) {
			const struct pl_assign_product *x = &t->product[i];

			sum += x->flow[u * n + v] * x->c[slot * n + s];
			if (x->directed)
				sum += x->flow[v * n + u] * x->c[s * n + slot];
		}
	}
	return sum;
}

/* Where an exchange puts each of the two beside itself, at[][] counts no flow between them, neither
 * before nor after. */
static void set_pair(struct pl_assign_tabu *t, size_t u, size_t v)
{
	const size_t n = t->n, a = t->slot_of[u], b = t->slot_of[v];
	double sum = 0;

	for (size_t i = 0; i < t->n_products; i++) {
		const struct pl_assign_product *x = &t->product[i];
		const double back = x->directed ? x->c[b * n + a] : 0;

		sum += x->both[u * n + v] * (x->c[a * n + b] + back);
	}
	t->pair[u * n + v] = t->pair[v * n + u] = sum;
}

void pl_assign_tabu_set(struct pl_assign_tabu *t, const size_t *host_at)
{
	const size_t n = t->n;

	seat(t, host_at);
	t->cost = 0;
	for (size_t u = 0; u < n; u++)
		for (size_t v = 0; v < n; v++)
			t->at[u * n + v] = u < t->flows->n_pos ? cost_at(t, u, t->slot_of[v]) : 0;
	for (size_t u = 0; u < n; u++) {
		for (size_t v = 0; v < u; v++)
			set_pair(t, u, v);
		t->now[u] = t->at[u * n + u];
		t->cost += t->now[u] / 2;
	}
	save(t);
}

/* What the exchange of two places adds to the cost. */
static double added_cost(const struct pl_assign_tabu *t, size_t u, size_t v)
{
	const size_t n = t->n;

	return t->at[u * n + v] + t->at[v * n + u] - t->now[u] - t->now[v] + t->pair[u * n + v];
}

static void swap_columns(double *m, size_t n, size_t u, size_t v)
{
	for (size_t i = 0; i < n; i++) {
		const double x = m[i * n + u];

		m[i * n + u] = m[i * n + v];
		m[i * n + v] = x;
	}
}

/* Adds to at[][] what the flows to u and v, and from them if directed, cost more now: a product of
 * two vectors for each. */
static void add_change(struct pl_assign_tabu *t, const struct pl_assign_product *x, size_t u,
		       size_t v)
{
	const size_t n = t->n, a = t->slot_of[u], b = t->slot_of[v];
	double *to = t->change, *from = to + n, *more = to + 2 * n, *back = to + 3 * n;

	for (size_t i = 0; i < n; i++) {
		const size_t s = t->slot_of[i];

		to[i] = x->flow[i * n + u] - x->flow[i * n + v];
		from[i] = x->flow[u * n + i] - x->flow[v * n + i];
		more[i] = x->c[s * n + a] - x->c[s * n + b];
		back[i] = x->c[a * n + s] - x->c[b * n + s];
	}
	for (size_t i = 0; i < t->flows->n_pos; i++) {
		double *at = t->at + i * n;

		if (to[i] != 0)
			for (size_t j = 0; j < n; j++)
				at[j] += to[i] * more[j];
		if (x->directed && from[i] != 0)
			for (size_t j = 0; j < n; j++)
				at[j] += from[i] * back[j];
	}
}

void pl_assign_tabu_exchange(struct pl_assign_tabu *t, size_t u, size_t v)
{
	const size_t n = t->n, a = t->slot_of[u];

	t->cost += added_cost(t, u, v);
	t->slot_of[u] = t->slot_of[v];
	t->slot_of[v] = a;
	swap_columns(t->at, n, u, v);
	for (size_t k = 0; k < t->n_products; k++)
		add_change(t, &t->product[k], u, v);
	for (size_t i = 0; i < n; i++) {
		set_pair(t, i, u);
		set_pair(t, i, v);
		t->now[i] = t->at[i * n + i];
	}
}

static bool is_better(double cost, double than)
{
	return cost < than - ROUNDING * fabs(than);
}

/* May @place not go to that host? A place without flows has nothing to
 * lose. */
static bool is_tabu(const struct pl_assign_tabu *t, size_t place, size_t to)
{
	return place >= t->flows->n_pos || t->until[place * t->flows->n_hosts + to] > t->step;
}

static bool may_exchange(const struct pl_assign_tabu *t, size_t u, size_t v, double delta)
{
	const size_t a = host(t, u), b = host(t, v);

	if (a == b || (u >= t->flows->n_pos && v >= t->flows->n_pos))
		return false;
	return !is_tabu(t, u, b) || !is_tabu(t, v, a) || is_better(t->cost + delta, t->best_cost);
}

struct exchange {
	size_t u, v;
	double delta; /* infinite: there is none */
};

/* added_cost for all pairs. */
static struct exchange best_exchange(const struct pl_assign_tabu *t)
{
	const size_t n = t->n;
	struct exchange best = {0, 0, INFINITY};

	for (size_t u = 1; u < n; u++) {
		const double *at = t->at + u * n, *pair = t->pair + u * n, *back = t->at + u;

		for (size_t v = 0; v < u; v++) {
			const double delta = at[v] + back[v * n] - t->now[u] - t->now[v] + pair[v];

			if (delta < best.delta && may_exchange(t, u, v, delta))
				best = (struct exchange){u, v, delta};
		}
	}
	return best;
}

/* Forbids a place to come back soon. */
static void forbid(struct pl_assign_tabu *t, size_t place, size_t to, struct pl_rng *rng)
{
	const uint64_t n = t->n;

	if (place < t->flows->n_pos)
		t->until[place * t->flows->n_hosts + to] =
			t->step + n - n / 10 + pl_rng_below(rng, n / 5 + 1);
}

static void make_step(struct pl_assign_tabu *t, struct pl_rng *rng)
{
	const struct exchange x = best_exchange(t);

	t->step++;
	if (x.delta == INFINITY)
		return;
	forbid(t, x.u, host(t, x.u), rng);
	forbid(t, x.v, host(t, x.v), rng);
	pl_assign_tabu_exchange(t, x.u, x.v);
	if (is_better(t->cost, t->best_cost))
		save(t);
}

enum pl_restart_end pl_assign_tabu_run(struct pl_assign_tabu *t,
				       const struct pl_assign_tabu_job *job, struct pl_rng *rng,
				       uint64_t *steps)
{
	for (*steps = 0; *steps < job->steps; ++*steps) {
		if (*steps % STEPS_PER_LOOK == 0 && pl_stop_now(job->stop))
			return PL_RESTART_STOPPED;
		if (t->best_cost <= job->target)
			return PL_RESTART_REACHED;
		make_step(t, rng);
	}
	return t->best_cost <= job->target ? PL_RESTART_REACHED : PL_RESTART_SPENT;
}
