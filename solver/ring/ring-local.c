/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-local.c - local search on a ring: 2-opt and 3-opt */
#include "config.h"

#include "solver/ring/ring-local.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* A gain below this share of what is taken away may be rounding: a sum of a
 * few terms is right to some 2^-51. */
#define ROUNDING 1e-14

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

/*
 * An exchange that is being put together. Hosts are numbered as Lin and Kernighan do: t1-t2 is
 * parted, t2-t3 joined, t3-t4 parted, t4-t5 joined, t5-t6 parted; the last one is joined to t1.
 */
struct exchange {
	uint32_t t1, t2, t3, t4, t5, t6;
	bool onward; /* t1 follows t2; else the same the other way round */
	double gain; /* parted so far less joined */
	double gone; /* parted so far */
};

static inline uint32_t beside(const struct pl_tour *t, uint32_t host, bool onward)
{
	return onward ? pl_tour_next(t, host) : pl_tour_prev(t, host);
}

/* Turns round the way first..last, of which @first is beside @before. */
static void turn(struct pl_tour *t, uint32_t before, uint32_t first, uint32_t last)
{
	if (pl_tour_next(t, before) == first)
		pl_tour_reverse(t, first, last);
	else
		pl_tour_reverse(t, last, first);
}

/* The gain of parting @parted more and joining @end to t1; 0 if it may be no more than rounding. */
static inline double gain_of(const struct pl_ring_local *ls, const struct exchange *x,
			     double parted, uint32_t end)
{
	const double gain = x->gain + parted - hop(ls, end, x->t1);

	return gain > ROUNDING * (x->gone + parted) ? gain : 0;
}

static void push_ends(struct pl_ring_local *ls, const struct exchange *x)
{
	pl_ring_local_push(ls, x->t1);
	pl_ring_local_push(ls, x->t2);
	pl_ring_local_push(ls, x->t3);
	pl_ring_local_push(ls, x->t4);
}

/* t1-t2 and t3-t4 become t2-t3 and t4-t1: one way is turned round. */
static inline double try_two(struct pl_ring_local *ls, struct exchange *x)
{
	double gain;

	x->t4 = beside(&ls->tour, x->t3, x->onward);
	gain = gain_of(ls, x, hop(ls, x->t3, x->t4), x->t4);
	if (gain == 0)
		return 0;
	turn(&ls->tour, x->t1, x->t2, x->t4);
	push_ends(ls, x);
	return gain;
}

/* t4 was joined to t5, in the way that was cut off. */
enum shape {
	SWAP,    /* its two parts change places */
	TURN_TWO /* each is turned round in its place */
};

static void do_three(struct pl_ring_local *ls, const struct exchange *x, enum shape shape)
{
	struct pl_tour *t = &ls->tour;

	if (shape == TURN_TWO) {
		turn(t, x->t1, x->t2, x->t6);
		turn(t, x->t4, x->t3, x->t5);
	} else if (x->onward) {
		pl_tour_exchange(t, x->t3, x->t6, x->t2);
	} else {
		pl_tour_exchange(t, x->t2, x->t5, x->t3);
	}
	push_ends(ls, x);
	pl_ring_local_push(ls, x->t5);
	pl_ring_local_push(ls, x->t6);
}

static inline double try_three(struct pl_ring_local *ls, struct exchange *x, enum shape shape)
{
	double gain;

	x->t6 = beside(&ls->tour, x->t5, x->onward == (shape == TURN_TWO));
	gain = gain_of(ls, x, hop(ls, x->t6, x->t5), x->t6);
	if (gain != 0)
		do_three(ls, x, shape);
	return gain;
}

/* Is t5 on the way from t3 to t2, and t5-t6 as well? */
static inline bool cut_off(const struct pl_tour *t, const struct exchange *x)
{
	const uint32_t first = x->onward ? x->t3 : x->t2;
	const uint32_t last = x->onward ? x->t2 : x->t3;

	return x->t5 != x->t3 && pl_tour_span(t, first, x->t5) <= pl_tour_span(t, first, last);
}

/*
 * The other neighbour of t3: parting t3-t4 and joining t2-t3 closes the way between t2 and t3 into
 * a ring of its own. The exchange opens this ring at some hop t5-t6 and inserts it between t4 and
 * t1.
 */
static inline double try_cut(struct pl_ring_local *ls, struct exchange *x)
{
	const struct pl_neighbours *nb = ls->nb;
	const double before = x->gain;
	double parted, won = 0;

	x->t4 = beside(&ls->tour, x->t3, !x->onward);
	parted = hop(ls, x->t4, x->t3);
	x->gone += parted;
	for (size_t i = x->t4 * nb->k; i < (x->t4 + 1) * nb->k && won == 0; i++) {
		x->gain = before + parted - nb->cost[i];
		if (x->gain <= 0)
			break;
		x->t5 = nb->out[i];
		if (!cut_off(&ls->tour, x))
			continue;
		won = try_three(ls, x, SWAP);
		if (won == 0 && nb->symmetric && x->t5 != x->t2)
			won = try_three(ls, x, TURN_TWO);
	}
	x->gone -= parted;
	return won;
}

/* The first better exchange that starts by parting t1 from what is beside
 * it. */
static double part(struct pl_ring_local *ls, uint32_t t1, bool onward)
{
	const struct pl_neighbours *nb = ls->nb;
	const uint32_t t2 = beside(&ls->tour, t1, !onward);
	const uint32_t other = beside(&ls->tour, t2, !onward);
	const double parted = hop(ls, t2, t1);
	double won = 0;

	for (size_t i = t2 * nb->k; i < (t2 + 1) * nb->k && won == 0; i++) {
		struct exchange x = {.t1 = t1,
				     .t2 = t2,
				     .t3 = nb->out[i],
				     .onward = onward,
				     .gain = parted - nb->cost[i],
				     .gone = parted};

		if (x.gain <= 0)
			break;
		if (x.t3 == t1 || (x.t3 == other && nb->symmetric))
			continue; /* linked already */
		if (nb->symmetric)
			won = try_two(ls, &x);
		x.gain = parted - nb->cost[i];
		if (won == 0)
			won = try_cut(ls, &x);
	}
	return won;
}

double pl_ring_local_run(struct pl_ring_local *ls)
{
	double total = 0;

	while (ls->n_queue > 0) {
		const uint32_t host = pop(ls);
		double won = part(ls, host, true);

		if (won == 0 && ls->nb->symmetric)
			won = part(ls, host, false);
		total += won;
	}
	return total;
}
