/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-cuts.c - proves rings the cheapest by linear programs, cuts and
 * branches */
#include "config.h"

#include "solver/ring/ring-cuts.h"

#include "base/mem.h"
#include "costmodels/ring.h"
#include "solver/ring/ring-bound.h"
#include "solver/ring/ring-master.h"
#include "solver/ring/ring-search.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a hop, so that its smallest units are numbers in full. */
#define COST_MIN 1e-306

/* A link that was decided, and its other half if that is still to be tried. */
struct branch {
	size_t link;
	int taken;
	bool both;     /* this is the second half */
	int64_t bound; /* before it was decided */
};

struct cutting {
	const double *c;
	size_t n;
	bool symmetric, whole; /* costs */
	int exponent;          /* PL_MASTER_HOP is 2^exponent in units of c */
	struct pl_ring_master m;
	struct pl_master_aim aim;
	struct branch *branch;
	size_t depth, room;
	int64_t bound;           /* the least bound of closed branches; INT64_MAX: none */
	size_t *host_at, *found; /* [n] the best; scratch */
	struct pl_ring_cuts_result *result;
	bool all; /* branches could be closed */
};

bool pl_ring_cuts_built(void)
{
	return pl_lp_built();
}

/* An iteration visits about n * n cells. */
uint64_t pl_ring_cuts_iterations(size_t n)
{
	return 300000000 / ((uint64_t)n * n + 1000);
}

static double to_cost(const struct cutting *t, int64_t units)
{
	return ldexp((double)units, t->exponent - 36);
}

/* The ring's cost, rounded up: rings that cost this or more are not cheaper. */
static int64_t cost_units(const struct cutting *t)
{
	return (int64_t)ceil(ldexp(t->result->cost, 36 - t->exponent));
}

/* Rings that cost this or more do not matter: they gain nothing on the best or, with whole costs,
 * not even the next whole number. */
static int64_t limit(const struct cutting *t)
{
	const double cost = t->result->cost;
	const double least = t->whole ? cost - 1 : cost * (1 - PL_RING_CUTS_PART);
	const double units = ldexp(least, 36 - t->exponent);

	return t->whole ? (int64_t)floor(units) + 1 : (int64_t)ceil(units);
}

/* Costs are rounded down to whole units, which is the only loss: scaling by a power of two is
 * exact. A hop that costs more than the best ring is in no better ring. */
static void scale(const struct cutting *t, int64_t *cost)
{
	for (size_t i = 0; i < t->n * t->n; i++) {
		const bool never = i / t->n == i % t->n || t->c[i] > t->result->cost;

		cost[i] =
			never ? PL_MASTER_NEVER : (int64_t)floor(ldexp(t->c[i], 36 - t->exponent));
	}
}

/* The ring that the links make, in found[]. False: they make none. */
static bool follow(const struct cutting *t)
{
	size_t at = 0, before = SIZE_MAX;

	for (size_t k = 0; k < t->n; k++) {
		const double *x = t->symmetric ? t->m.link : t->m.x;
		size_t next = SIZE_MAX;

		t->found[k] = at;
		for (size_t h = 0; h < t->n && next == SIZE_MAX; h++)
			if (x[at * t->n + h] > 0.5 && h != before)
				next = h;
		if (next == SIZE_MAX || (next == 0) != (k == t->n - 1))
			return false;
		before = t->symmetric ? at : SIZE_MAX;
		at = next;
	}
	return true;
}

/* Keeps the ring that the links make if it is cheaper. False: they make
 * none. */
static bool take_ring(struct cutting *t)
{
	double cost;

	if (!follow(t))
		return false;
	cost = pl_cost_ring(t->c, t->n, t->found, t->n);
	if (cost >= t->result->cost)
		return true;
	pl_ring_rotate(t->found, t->n, t->host_at[0]);
	memcpy(t->host_at, t->found, t->n * sizeof(*t->found));
	t->result->cost = cost;
	t->aim.limit = limit(t);
	return true;
}

static void count(struct cutting *t, int64_t bound)
{
	t->bound = bound < t->bound ? bound : t->bound;
}

/* Decides another link. */
static int go_down(struct cutting *t, int64_t bound, struct pl_err *err)
{
	const size_t link = pl_ring_master_pick(&t->m);

	if (pl_array_grow((void **)&t->branch, &t->room, t->depth, sizeof(*t->branch)))
		return pl_err_nomem(err);
	t->branch[t->depth++] = (struct branch){link, 1, false, bound};
	pl_ring_master_fix(&t->m, link, 1);
	return 0;
}

/* Goes on to the next open branch. False: there is none. */
static bool go_on(struct cutting *t)
{
	while (t->depth > 0) {
		struct branch *b = &t->branch[t->depth - 1];

		if (!b->both && b->bound < t->aim.limit) {
			b->both = true;
			b->taken = -b->taken;
			pl_ring_master_fix(&t->m, b->link, b->taken);
			return true;
		}
		if (!b->both)
			count(t, b->bound);
		pl_ring_master_fix(&t->m, b->link, 0);
		t->depth--;
	}
	return false;
}

/* Stopped: for branches that are open, only the earlier bound holds. */
static void close_all(struct cutting *t)
{
	for (size_t d = 0; d < t->depth; d++)
		if (!t->branch[d].both)
			count(t, t->branch[d].bound);
	t->all = false;
}

/* A bound that was known before a link was decided holds afterwards as well. */
static int64_t known(const struct cutting *t)
{
	const int64_t before = t->depth > 0 ? t->branch[t->depth - 1].bound : 0;

	return t->m.bound > before ? t->m.bound : before;
}

static int cut(struct cutting *t, struct pl_err *err)
{
	enum pl_master_end end;

	do {
		int64_t bound;

		t->result->branches++;
		if (pl_ring_master_solve(&t->m, &t->aim, &end, err))
			return -1;
		if (end == PL_MASTER_RING && !take_ring(t))
			end = PL_MASTER_STUCK;
		bound = known(t);
		if (t->depth == 0 && end != PL_MASTER_STOPPED)
			pl_ring_master_exclude(&t->m, cost_units(t));
		if (end == PL_MASTER_SPLIT) {
			if (go_down(t, bound, err))
				return -1;
			continue;
		}
		count(t, bound);
		t->all = t->all && (bound >= t->aim.limit || end == PL_MASTER_RING);
		if (end == PL_MASTER_STOPPED) {
			close_all(t);
			break;
		}
	} while (end == PL_MASTER_SPLIT || go_on(t));
	return 0;
}

static bool all_whole(const double *c, size_t n)
{
	for (size_t i = 0; i < n * n; i++)
		if (c[i] != floor(c[i]) || c[i] > 1e9)
			return false;
	return true;
}

static void conclude(struct cutting *t)
{
	struct pl_ring_cuts_result *r = t->result;
	const double bound = to_cost(t, t->bound);

	r->bound = fmin(t->whole ? ceil(bound) : bound, r->cost);
	r->proved =
		t->all && r->bound >= (t->whole ? r->cost : r->cost * (1 - 2 * PL_RING_CUTS_PART));
	r->stopped = pl_stop_now(t->aim.stop) && !r->proved;
	r->iterations += pl_lp_iterations(t->m.lp);
}

static int run(struct cutting *t, struct pl_err *err)
{
	int64_t *cost = pl_array_create(t->n * t->n, sizeof(*cost));
	int rc = -1;

	t->found = pl_array_create(t->n, sizeof(*t->found));
	if (!cost || !t->found) {
		rc = pl_err_nomem(err);
		goto out;
	}
	scale(t, cost);
	t->aim.limit = limit(t);
	if (pl_ring_master_init(&t->m, cost, t->n, t->symmetric, t->host_at, err))
		goto out;
	rc = cut(t, err);
	if (rc == 0)
		conclude(t);
	pl_ring_master_fini(&t->m);
out:
	free(t->branch);
	free(t->found);
	free(cost);
	return rc;
}

/* One run, from a ring of result->cost. */
static int cut_from(const double *c, size_t n, uint64_t iterations_max, const struct pl_stop *stop,
		    size_t *host_at, struct pl_ring_cuts_result *result, struct pl_err *err)
{
	struct cutting t = {
		.c = c,
		.n = n,
		.symmetric = pl_costs_symmetric(c, n),
		.whole = all_whole(c, n),
		.aim = {.stop = stop, .iterations_max = iterations_max},
		.bound = INT64_MAX,
		.host_at = host_at,
		.result = result,
		.all = true,
	};

	/* numbers near the least positive one would lose bits */
	if (result->cost / (double)n < COST_MIN)
		return 0;
	frexp(result->cost / (double)n, &t.exponent);
	return run(&t, err);
}

int pl_ring_cuts(const double *c, size_t n, uint64_t iterations_max, const struct pl_stop *stop,
		 size_t *host_at, struct pl_ring_cuts_result *result, struct pl_err *err)
{
	double before;
	int rc = 0;

	assert(n >= PL_RING_CUTS_MIN && n <= PL_RING_CUTS_MAX);
	*result = (struct pl_ring_cuts_result){.cost = pl_cost_ring(c, n, host_at, n)};
	do { /* with a ring that is far too expensive, units are coarse */
		before = result->cost;
		if (result->iterations >= iterations_max || before == 0)
			break;
		rc = cut_from(c, n, iterations_max - result->iterations, stop, host_at, result,
			      err);
	} while (rc == 0 && !result->proved && !result->stopped && result->cost < before / 2);
	result->proved = result->proved || result->cost == 0;
	return rc;
}
