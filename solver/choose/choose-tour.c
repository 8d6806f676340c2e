/* SPDX-License-Identifier: BSD-3-Clause */
/* choose-tour.c - a ring of some of the hosts, that others may join */
#include "config.h"

#include "solver/choose/choose-tour.h"

#include "base/mem.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

/* Places looked at for a host: two may go with the host that leaves. */
#define PLACES 3

/* Less than this share of what is exchanged is rounding. */
#define ROUNDING 1e-12

int pl_choose_tour_init(struct pl_choose_tour *t, const struct pl_host_choice *choice,
			struct pl_err *err)
{
	const size_t n = choice->n;

	*t = (struct pl_choose_tour){
		.choice = choice,
		.next = pl_array_create(n, sizeof(*t->next)),
		.prev = pl_array_create(n, sizeof(*t->prev)),
		.place = pl_array_create(n, PLACES * sizeof(*t->place)),
	};
	if (t->next && t->prev && t->place)
		return 0;
	pl_choose_tour_fini(t);
	return pl_err_nomem(err);
}

void pl_choose_tour_fini(struct pl_choose_tour *t)
{
	free(t->next);
	free(t->prev);
	free(t->place);
	memset(t, 0, sizeof(*t));
}

static double hop(const struct pl_choose_tour *t, size_t src, size_t dst)
{
	return t->choice->c[src * t->choice->n + dst];
}

static bool may_lead(const struct pl_choose_tour *t, size_t host)
{
	return !t->choice->may_lead || t->choice->may_lead[host];
}

static bool is_on(const struct pl_choose_tour *t, size_t host)
{
	return t->next[host] != NONE;
}

static void link_up(struct pl_choose_tour *t, size_t src, size_t dst)
{
	t->next[src] = dst;
	t->prev[dst] = src;
}

static void join(struct pl_choose_tour *t, size_t host, size_t behind)
{
	const size_t next = t->next[behind];

	link_up(t, behind, host);
	link_up(t, host, next);
	t->count++;
	t->n_leaders += may_lead(t, host);
}

void pl_choose_tour_remove(struct pl_choose_tour *t, size_t host)
{
	link_up(t, t->prev[host], t->next[host]);
	t->next[host] = t->prev[host] = NONE;
	t->count--;
	t->n_leaders -= may_lead(t, host);
}

void pl_choose_tour_set(struct pl_choose_tour *t, const size_t *host_at, size_t count)
{
	for (size_t h = 0; h < t->choice->n; h++)
		t->next[h] = t->prev[h] = NONE;
	link_up(t, host_at[0], host_at[0]);
	t->count = 1;
	t->n_leaders = may_lead(t, host_at[0]);
	for (size_t i = 1; i < count; i++)
		join(t, host_at[i], host_at[i - 1]);
}

void pl_choose_tour_get(const struct pl_choose_tour *t, size_t *host_at)
{
	size_t host = 0, used = t->count;

	while (!is_on(t, host))
		host++;
	for (size_t i = 0; i < t->count; i++, host = t->next[host])
		host_at[i] = host;
	for (size_t h = 0; h < t->choice->n; h++)
		if (!is_on(t, h))
			host_at[used++] = h;
}

/* How much more the ring costs with @host behind that one. */
static double join_cost(const struct pl_choose_tour *t, size_t host, size_t behind)
{
	const size_t next = t->next[behind];

	return hop(t, behind, host) + hop(t, host, next) - hop(t, behind, next);
}

/* How much less it costs without that one. */
static double leave_gain(const struct pl_choose_tour *t, size_t host)
{
	const size_t prev = t->prev[host], next = t->next[host];

	return hop(t, prev, host) + hop(t, host, next) - hop(t, prev, next);
}

/* Keeps the @n cheapest places, of equals the first. */
static void offer(struct pl_choose_place *place, size_t n, size_t behind, double cost)
{
	struct pl_choose_place x = {cost, behind};

	for (size_t i = 0; i < n; i++)
		if (x.cost < place[i].cost) {
			const struct pl_choose_place y = place[i];

			place[i] = x;
			x = y;
		}
}

/* The cheapest place of a host that is not on the ring. */
static void find_place(struct pl_choose_tour *t, size_t host)
{
	struct pl_choose_place *place = &t->place[host];
	size_t u = 0;

	*place = (struct pl_choose_place){INFINITY, NONE};
	while (!is_on(t, u))
		u++;
	for (size_t i = 0; i < t->count; i++, u = t->next[u])
		offer(place, 1, u, join_cost(t, host, u));
}

/* Hosts whose best place was behind @behind look for another one, since @host is there now; the
 * others see whether a place beside it is cheaper. */
static void renew_places(struct pl_choose_tour *t, size_t host, size_t behind)
{
	for (size_t h = 0; h < t->choice->n; h++) {
		struct pl_choose_place *place = &t->place[h];

		if (is_on(t, h))
			continue;
		if (place->behind == behind) {
			find_place(t, h);
			continue;
		}
		offer(place, 1, behind, join_cost(t, h, behind));
		offer(place, 1, host, join_cost(t, h, host));
	}
}

/* The host that joins next, or NONE. */
static size_t find_joiner(const struct pl_choose_tour *t, const bool *barred)
{
	const bool must_lead = t->n_leaders == 0 && t->count + 1 == t->choice->k;
	size_t found = NONE;

	for (size_t h = 0; h < t->choice->n; h++) {
		if (is_on(t, h) || barred[h] || (must_lead && !may_lead(t, h)))
			continue;
		if (found == NONE || t->place[h].cost < t->place[found].cost)
			found = h;
	}
	return found;
}

void pl_choose_tour_grow(struct pl_choose_tour *t, bool *barred)
{
	for (size_t h = 0; h < t->choice->n; h++)
		if (!is_on(t, h))
			find_place(t, h);
	while (t->count < t->choice->k) {
		const size_t host = find_joiner(t, barred);
		const size_t behind = host == NONE ? NONE : t->place[host].behind;

		if (host == NONE) {
			memset(barred, 0, t->choice->n * sizeof(*barred));
			continue;
		}
		join(t, host, behind);
		renew_places(t, host, behind);
	}
}

/* Must the host stay, because no other on the ring may lead? */
static bool is_needed(const struct pl_choose_tour *t, size_t host)
{
	return t->n_leaders == 1 && may_lead(t, host);
}

void pl_choose_tour_shrink(struct pl_choose_tour *t)
{
	while (t->count > t->choice->k) {
		size_t found = NONE;
		double most = -INFINITY;

		for (size_t h = 0; h < t->choice->n; h++) {
			double gain;

			if (!is_on(t, h) || is_needed(t, h))
				continue;
			gain = leave_gain(t, h);
			if (gain > most) {
				most = gain;
				found = h;
			}
		}
		pl_choose_tour_remove(t, found);
	}
}

/* The cheapest places of all hosts that are not on the ring. */
static void find_places(struct pl_choose_tour *t)
{
	const size_t n = t->choice->n;

	for (size_t i = 0; i < PLACES * n; i++)
		t->place[i] = (struct pl_choose_place){INFINITY, NONE};
	for (size_t u = 0; u < n; u++)
		for (size_t h = 0; is_on(t, u) && h < n; h++)
			if (!is_on(t, h))
				offer(t->place + PLACES * h, PLACES, u, join_cost(t, h, u));
}

/* One host leaves, another joins behind one that stays. */
struct exchange {
	size_t leaver, joiner, behind;
	double delta;
};

/* Is the gain more than rounding? */
static bool pays(const struct pl_choose_tour *t, const struct exchange *x)
{
	const double gone =
		hop(t, t->prev[x->leaver], x->leaver) + hop(t, x->leaver, t->next[x->leaver]);

	return x->delta < -ROUNDING * gone;
}

/* The best place for @joiner once @leaver is gone: one of those known that it is no end of, or
 * between its neighbours. */
static struct exchange weigh(const struct pl_choose_tour *t, size_t leaver, size_t joiner)
{
	const struct pl_choose_place *place = t->place + PLACES * joiner;
	const size_t prev = t->prev[leaver], next = t->next[leaver];
	struct exchange x = {leaver, joiner, prev, 0};

	x.delta = hop(t, prev, joiner) + hop(t, joiner, next) - hop(t, prev, leaver) -
		  hop(t, leaver, next);
	for (size_t i = 0; i < PLACES && place[i].behind != NONE; i++) {
		const double delta = place[i].cost - leave_gain(t, leaver);

		if (place[i].behind == prev || place[i].behind == leaver)
			continue;
		if (delta < x.delta) {
			x.delta = delta;
			x.behind = place[i].behind;
		}
		break;
	}
	return x;
}

bool pl_choose_tour_exchange(struct pl_choose_tour *t)
{
	const size_t n = t->choice->n;
	struct exchange best = {.delta = 0, .leaver = NONE};

	if (t->count < 2 || t->count == n)
		return false;
	find_places(t);
	for (size_t a = 0; a < n; a++)
		for (size_t h = 0; is_on(t, a) && h < n; h++) {
			struct exchange x;

			if (is_on(t, h) || (is_needed(t, a) && !may_lead(t, h)))
				continue;
			x = weigh(t, a, h);
			if (x.delta < best.delta && pays(t, &x))
				best = x;
		}
	if (best.leaver == NONE)
		return false;
	pl_choose_tour_remove(t, best.leaver);
	join(t, best.joiner, best.behind);
	return true;
}
