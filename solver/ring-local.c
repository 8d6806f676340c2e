/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-local.c - local search on a ring: 2-opt, Or-opt, or-3opt */
#include "config.h"

#include "solver/ring-local.h"

#include "src/mem.h"

#include <stdlib.h>
#include <string.h>

/* Hosts moved together by Or-opt. */
#define OR_MAX 3

/* A gain below this share of what is taken away may be rounding: a sum of a
 * few terms is right to some 2^-51. */
#define ROUNDING 1e-14

enum side { AFTER, BEFORE };

int pl_ring_local_init(struct pl_ring_local *ls, const struct pl_hops *hops,
		       const struct pl_neighbours *nb, struct pl_err *err)
{
	const size_t n = hops->n;

	memset(ls, 0, sizeof(*ls));
	ls->hops = *hops;
	ls->n = n;
	ls->nb = nb;
	ls->queue = pl_array_create(n, sizeof(*ls->queue));
	ls->queued = pl_array_create(n, sizeof(*ls->queued));
	if (pl_tour_init(&ls->tour, n) || !ls->queue || !ls->queued) {
		pl_ring_local_fini(ls);
		return pl_err_nomem(err);
	}
	return 0;
}

void pl_ring_local_fini(struct pl_ring_local *ls)
{
	pl_tour_fini(&ls->tour);
	free(ls->queue);
	free(ls->queued);
	memset(ls, 0, sizeof(*ls));
}

void pl_ring_local_push(struct pl_ring_local *ls, uint32_t host)
{
	size_t at = ls->head + ls->n_queue;

	if (ls->queued[host])
		return;
	ls->queued[host] = true;
	ls->queue[at >= ls->n ? at - ls->n : at] = host;
	ls->n_queue++;
}

static uint32_t pop(struct pl_ring_local *ls)
{
	const uint32_t host = ls->queue[ls->head];

	ls->head = ls->head + 1 == ls->n ? 0 : ls->head + 1;
	ls->n_queue--;
	ls->queued[host] = false;
	return host;
}

static double hop(const struct pl_ring_local *ls, uint32_t src, uint32_t dst)
{
	return pl_hop(&ls->hops, src, dst);
}

static uint32_t beside(const struct pl_ring_local *ls, uint32_t host,
		       enum side side)
{
	return side == AFTER ? pl_tour_next(&ls->tour, host)
			     : pl_tour_prev(&ls->tour, host);
}

static bool worth(double gain, double removed)
{
	return gain > ROUNDING * removed;
}

static void push_all(struct pl_ring_local *ls, const uint32_t *hosts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		pl_ring_local_push(ls, hosts[i]);
}

/* a-b and d-e become a-d and b-e, what lies between is reversed. */
static double try_2opt(struct pl_ring_local *ls, uint32_t a, enum side side)
{
	const uint32_t b = beside(ls, a, side);
	const double ab = hop(ls, a, b);

	for (size_t i = 0; i < ls->nb->k; i++) {
		const uint32_t d = ls->nb->out[a * ls->nb->k + i];
		const double g1 = ab - hop(ls, a, d);
		const uint32_t e = beside(ls, d, side);
		double removed, gain;

		if (g1 <= 0)
			return 0;
		removed = ab + hop(ls, d, e);
		gain = g1 + hop(ls, d, e) - hop(ls, b, e);
		if (!worth(gain, removed))
			continue;
		if (side == AFTER)
			pl_tour_reverse(&ls->tour, b, d);
		else
			pl_tour_reverse(&ls->tour, d, b);
		push_all(ls, (uint32_t[]){a, b, d, e}, 4);
		return gain;
	}
	return 0;
}

/* A run of hosts first..last in tour order, and its neighbours. */
struct run {
	uint32_t first, last, before, after;
	double freed; /* gained by taking it out */
	double removed;
};

static bool in_run(const struct pl_ring_local *ls, const struct run *r,
		   uint32_t host)
{
	return pl_tour_span(&ls->tour, r->first, host) <=
	       pl_tour_span(&ls->tour, r->first, r->last);
}

/* Puts the run between x and y (y follows x); @head stands at x's side. */
static void place(struct pl_ring_local *ls, const struct run *r, uint32_t x,
		  uint32_t y, uint32_t head)
{
	/* going round from the run: after ... x y ... before */
	pl_tour_exchange(&ls->tour, r->first, r->last, x);
	if (head != r->first)
		pl_tour_turn(&ls->tour, r->first, r->last);
	push_all(ls, (uint32_t[]){r->first, r->last, r->before, r->after, x, y},
		 6);
}

/* Moves the run so that its end @t comes beside @d, on the given side of d. */
static double try_place(struct pl_ring_local *ls, const struct run *r,
			uint32_t t, uint32_t d, enum side side)
{
	const uint32_t e = beside(ls, d, side);
	const uint32_t far = t == r->first ? r->last : r->first;
	const double de = hop(ls, d, e);
	const double gain = r->freed + de - hop(ls, d, t) - hop(ls, far, e);

	if (in_run(ls, r, e) || !worth(gain, r->removed + de))
		return 0;
	if (side == AFTER)
		place(ls, r, d, e, t);
	else
		place(ls, r, e, d, far);
	return gain;
}

/* Runs of up to OR_MAX hosts that end in @t and extend to the given side. */
static double try_oropt(struct pl_ring_local *ls, uint32_t t, enum side side)
{
	uint32_t far = t;

	for (size_t len = 1; len <= OR_MAX && len + 3 <= ls->n; len++) {
		struct run r = {.first = side == AFTER ? t : far,
				.last = side == AFTER ? far : t};

		r.before = pl_tour_prev(&ls->tour, r.first);
		r.after = pl_tour_next(&ls->tour, r.last);
		r.removed =
			hop(ls, r.before, r.first) + hop(ls, r.last, r.after);
		r.freed = r.removed - hop(ls, r.before, r.after);
		for (size_t i = 0; i < ls->nb->k; i++) {
			const uint32_t d = ls->nb->out[t * ls->nb->k + i];
			double gain;

			if (r.freed - hop(ls, t, d) <= 0)
				break;
			if (in_run(ls, &r, d))
				continue;
			gain = try_place(ls, &r, t, d, AFTER);
			if (gain == 0)
				gain = try_place(ls, &r, t, d, BEFORE);
			if (gain != 0)
				return gain;
		}
		far = beside(ls, far, side);
	}
	return 0;
}

/* The way d..e moves between a and b: a-b, p-d, e-f become a-d, p-f, e-b. Some
 * host of any such move sees only gains on the way (Lin and Kernighan 1973). */
static double try_or3opt(struct pl_ring_local *ls, uint32_t a)
{
	const size_t k = ls->nb->k;
	const uint32_t b = pl_tour_next(&ls->tour, a);
	const double ab = hop(ls, a, b);

	for (size_t i = 0; i < k; i++) {
		const uint32_t d = ls->nb->out[a * k + i];
		const double g1 = ab - hop(ls, a, d);
		const uint32_t p = pl_tour_prev(&ls->tour, d);
		const double pd = hop(ls, p, d);
		const uint32_t room = pl_tour_span(&ls->tour, d, a);

		if (g1 <= 0)
			return 0;
		for (size_t j = 0; j < k; j++) {
			const uint32_t f = ls->nb->out[p * k + j];
			const double g2 = g1 + pd - hop(ls, p, f);
			const uint32_t e = pl_tour_prev(&ls->tour, f);
			double gain;

			if (g2 <= 0)
				break;
			if (f == d || pl_tour_span(&ls->tour, d, f) > room)
				continue;
			gain = g2 + hop(ls, e, f) - hop(ls, e, b);
			if (!worth(gain, ab + pd + hop(ls, e, f)))
				continue;
			pl_tour_exchange(&ls->tour, b, p, e);
			push_all(ls, (uint32_t[]){a, b, p, d, e, f}, 6);
			return gain;
		}
	}
	return 0;
}

/* The first better move that host @t takes part in; 0: there is none. */
static double improve(struct pl_ring_local *ls, uint32_t t)
{
	double gain = 0;

	if (ls->nb->symmetric) {
		gain = try_2opt(ls, t, AFTER);
		if (gain == 0)
			gain = try_2opt(ls, t, BEFORE);
		if (gain == 0)
			gain = try_oropt(ls, t, AFTER);
		if (gain == 0)
			gain = try_oropt(ls, t, BEFORE);
	}
	if (gain == 0)
		gain = try_or3opt(ls, t);
	return gain;
}

double pl_ring_local_run(struct pl_ring_local *ls)
{
	double total = 0;

	while (ls->n_queue > 0) {
		const uint32_t t = pop(ls);
		const double gain = improve(ls, t);

		total += gain;
		if (gain != 0) /* there may be more to gain at the same host */
			pl_ring_local_push(ls, t);
	}
	return total;
}
