/* SPDX-License-Identifier: BSD-3-Clause */
/* cube-near.c - the least cost of a hypercube's rounds together around one
 * host */
#include "config.h"

#include "solver/bound/cube-bound.h"

#include "base/mem.h"
#include "solver/neighbours.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define SEATS_MAX (1 << PL_CUBE_NEAR_MAX)

/* Hosts beyond the nearest so many are only known to be no nearer. */
#define NEIGHBOURS 64

/* One host may take this part of the work that is left. */
#define WORK_SHARE 4

/* And this much before all others had theirs. */
#define GLANCE_WORK 2000

/* Cubes of hosts, put together seat by seat from seat 0 on. */
struct cubes {
	const struct pl_floor *f;
	const struct pl_cube_rounds *rounds;
	const struct pl_neighbours *nb;
	size_t joint;
	uint32_t at[SEATS_MAX]; /* by seat */
	bool *seated;           /* [f->n] by host */
	double enough;          /* end where one costs no more */
	double best;            /* of the cubes tried, none costs less */
	double *most;           /* [f->n] by host: one around it costs this */
	uint64_t work;
};

/* The dearest hop of each of the rounds so far. */
struct dearest {
	double hop[PL_CUBE_NEAR_MAX];
};

double pl_cube_rounds_floor(const struct pl_cube_rounds *r)
{
	double sum = 0;

	for (size_t k = 0; k < r->n; k++)
		sum += r->times[k] * r->least[k];
	return sum;
}

/* A round that is dearer than the next one makes that one as dear. */
static double cost_of(const struct cubes *c, const struct dearest *d)
{
	const struct pl_cube_rounds *r = c->rounds;
	double sum = 0, dearest = 0;

	for (size_t k = 0; k < r->n; k++) {
		dearest = fmax(dearest, r->least[k]);
		if (k < c->joint)
			dearest = fmax(dearest, d->hop[k]);
		sum += r->times[k] * dearest;
	}
	return sum;
}

/* With @host on that seat: its hops to lower ones. */
static struct dearest seated(const struct cubes *c, const struct dearest *d, size_t seat,
			     size_t host)
{
	const double *row = c->f->cell + host * c->f->n;
	struct dearest with = *d;

	for (size_t k = 0; k < c->joint; k++)
		if (seat >> k & 1)
			with.hop[k] = fmax(with.hop[k], row[c->at[seat ^ (size_t)1 << k]]);
	return with;
}

static bool is_over(const struct cubes *c)
{
	return c->best <= c->enough || c->work == 0;
}

/* The same with any host on that seat that is as near to a partner in
 * @round. */
static double cost_with(const struct cubes *c, const struct dearest *d, size_t round, double hop)
{
	struct dearest with = *d;

	with.hop[round] = fmax(with.hop[round], hop);
	return cost_of(c, &with);
}

static void fill(struct cubes *c, size_t seat, const struct dearest *d);

static void try_on(struct cubes *c, size_t seat, uint32_t host, const struct dearest *d)
{
	const struct dearest with = seated(c, d, seat, host);

	c->work--;
	if (cost_of(c, &with) >= c->best)
		return;
	c->at[seat] = host;
	c->seated[host] = true;
	fill(c, seat + 1, &with);
	c->seated[host] = false;
}

/* It is one around each of its hosts. */
static void found(struct cubes *c, double cost)
{
	c->best = cost;
	for (size_t seat = 0; seat < (size_t)1 << c->joint; seat++)
		c->most[c->at[seat]] = fmin(c->most[c->at[seat]], cost);
}

/* Fills that seat and those above it. Depth first, the nearest to the partner in the cheapest round
 * first. */
static void fill(struct cubes *c, size_t seat, const struct dearest *d)
{
	const struct pl_neighbours *nb = c->nb;
	size_t round = 0, first;
	double cost = 0;

	if (seat == (size_t)1 << c->joint) {
		found(c, cost_of(c, d));
		return;
	}
	while (!(seat >> round & 1))
		round++;
	first = c->at[seat ^ (size_t)1 << round] * nb->k;
	for (size_t i = first; i < first + nb->k; i++) {
		cost = cost_with(c, d, round, nb->cost[i]);
		if (is_over(c) || cost >= c->best)
			return;
		if (!c->seated[nb->out[i]])
			try_on(c, seat, nb->out[i], d);
	}
	if (nb->k < c->f->n - 1) /* the others cost as much, or more */
		c->best = fmin(c->best, cost);
}

/* Finds the cheapest cube around one host, if it costs more than *bound. */
static void try_host(struct cubes *c, uint32_t host, uint64_t *work, uint64_t share, double *bound)
{
	const uint64_t given = *work < share ? *work : share;
	const struct dearest none = {{0}};

	if (c->most[host] <= *bound)
		return;
	c->work = given;
	c->enough = *bound;
	c->best = c->most[host];
	c->at[0] = host;
	c->seated[host] = true;
	fill(c, 1, &none);
	c->seated[host] = false;
	*work -= given - c->work;
	if (c->work > 0 && c->best < INFINITY)
		*bound = fmax(*bound, c->best);
}

struct ranked {
	double most;
	uint32_t host;
};

static int dearest_first(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->most != y->most)
		return x->most < y->most ? 1 : -1;
	return x->host < y->host ? -1 : 1;
}

/* Looks at each briefly; then takes the most expensive first, which shortens the search for the
 * others. */
static void try_hosts(struct cubes *c, struct ranked *order, uint64_t *work,
		      const struct pl_stop *stop, double *bound)
{
	const uint32_t n = (uint32_t)c->f->n;

	for (uint32_t h = 0; h < n; h++)
		c->most[h] = INFINITY;
	for (uint32_t h = 0; h<n && * work> 0 && !pl_stop_now(stop); h++)
		try_host(c, h, work, GLANCE_WORK, bound);
	for (uint32_t h = 0; h < n; h++)
		order[h] = (struct ranked){c->most[h], h};
	qsort(order, n, sizeof(*order), dearest_first);
	for (uint32_t i = 0; i<n && * work> 0 && !pl_stop_now(stop); i++)
		try_host(c, order[i].host, work, *work / WORK_SHARE + 1, bound);
}

int pl_cube_near_floor(const struct pl_floor *f, const struct pl_cube_rounds *r, size_t joint,
		       uint64_t *work, const struct pl_stop *stop, double *bound,
		       struct pl_err *err)
{
	const size_t n = f->n, k = n - 1 < NEIGHBOURS ? n - 1 : NEIGHBOURS;
	struct cubes c = {.f = f, .rounds = r, .joint = joint};
	struct ranked *order = pl_array_create(n, sizeof(*order));
	struct pl_neighbours nb = {0};
	int rc = -1;

	c.seated = pl_array_create(n, sizeof(*c.seated));
	c.most = pl_array_create(n, sizeof(*c.most));
	if (!order || !c.seated || !c.most) {
		pl_err_nomem(err);
		goto out;
	}
	if (pl_neighbours_init(&nb, f->cell, n, k, NULL, err))
		goto out;
	c.nb = &nb;
	try_hosts(&c, order, work, stop, bound);
	pl_neighbours_fini(&nb);
	rc = 0;
out:
	free(order);
	free(c.seated);
	free(c.most);
	return rc;
}
