/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-bound.c - a lower bound for rings over these costs */
#include "config.h"

#include "solver/ring/ring-bound.h"

#include "base/mem.h"
#include "costmodels/ring.h"
#include "solver/ring/ascent.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How long to climb: the fast bound visits some 5e8 cells, the full one ends when the step length
 * has shrunk to nothing. */
#define FAST_CELLS 5e8
#define FAST_STEPS_MIN 30
#define FULL_STEPS 5000

struct climbing {
	struct pl_ascent_pass pass[3];
	size_t n_passes;
	double fast_steps_max, cells; /* of n * n in a step */
};

/* If few different costs separate racks, small steps are soon enough; clustered clouds need large
 * ones. */
static const struct climbing symmetric = {
	.pass = {{0.125, 0.03}, {0.875, 1}},
	.n_passes = 2,
	.fast_steps_max = 1250,
	.cells = 1,
};

/* A bound that an assignment leaves far too low needs very large steps for a while. */
static const struct climbing directed = {
	.pass = {{0.125, 0.03}, {0.125, 30}, {0.75, 1}},
	.n_passes = 3,
	.fast_steps_max = 2500,
	.cells = 2,
};

static size_t steps_for(const struct climbing *how, size_t n, enum pl_bound_effort effort)
{
	const double cells = how->cells * (double)n * (double)n;
	const double steps = fmin(FAST_CELLS / cells, how->fast_steps_max);

	if (effort == PL_BOUND_FULL)
		return FULL_STEPS;
	return steps < FAST_STEPS_MIN ? FAST_STEPS_MIN : (size_t)steps;
}

/* Costs, and what is made of them in the same place: both ways alike first, then the way back. */
struct bounding {
	const double *c;
	size_t n;
	enum pl_bound_effort effort;
	const struct pl_stop *stop;
	double *made; /* [n * n]; NULL where c is symmetric */
	struct pl_ring_bound best;
};

/* A bound that is higher only by rounding proves no more. */
static void offer(struct bounding *b, double value, enum pl_ring_proof by)
{
	if (value > b->best.value * (1 + 1e-9))
		b->best.by = by;
	b->best.value = fmax(b->best.value, value);
}

static void climb(struct bounding *b, struct pl_ascent *a, const struct climbing *how)
{
	struct pl_height at = {-INFINITY, -INFINITY};

	pl_ascend(a, steps_for(how, b->n, b->effort), how->pass, how->n_passes, b->stop, &at);
	offer(b, at.cuts, PL_PROOF_CUTS);
	offer(b, at.one_tree, PL_PROOF_ONE_TREE);
}

/* min(c[i][j], c[j][i]): a ring over c costs no less than over this. */
static void make_cheaper_way(struct bounding *b)
{
	const size_t n = b->n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			b->made[i * n + j] = fmin(b->c[i * n + j], b->c[j * n + i]);
}

static void make_way_back(struct bounding *b)
{
	const size_t n = b->n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			b->made[i * n + j] = b->c[j * n + i];
}

static int bound_either_way(struct bounding *b, double *weight, struct pl_err *err)
{
	struct pl_ascent a;

	if (b->made)
		make_cheaper_way(b);
	if (pl_ascent_init(&a, b->made ? b->made : b->c, NULL, b->n, err))
		return -1;
	climb(b, &a, &symmetric);
	memcpy(weight, a.best, b->n * sizeof(*weight));
	pl_ascent_fini(&a);
	return 0;
}

/*
 * Any prices of hosts give a bound: their sum, and for each host the least of cost minus price over
 * its hops out. The ascent starts with the prices of the assignment, so that its bound is as high
 * from the beginning.
 */
static int bound_assignment(struct bounding *b, struct pl_ascent *a, struct pl_err *err)
{
	double sum = 0, size = 0;

	if (pl_assignment(b->c, b->n, b->stop, a->leave, a->enter, err))
		return -1;
	for (size_t k = 0; k < a->n_prices; k++) {
		sum += a->price[k];
		size += 2 * fabs(a->price[k]);
		a->price[k] = -a->price[k];
	}
	offer(b, sum - size * (double)(2 * b->n + 8) * DBL_EPSILON, PL_PROOF_ASSIGNMENT);
	return 0;
}

static int bound_directed(struct bounding *b, double *weight, struct pl_err *err)
{
	struct pl_ascent a;
	int rc;

	if (pl_ascent_init(&a, b->c, b->made, b->n, err))
		return -1;
	rc = bound_assignment(b, &a, err);
	if (rc == 0)
		rc = bound_either_way(b, weight, err);
	if (rc == 0 && !pl_stop_now(b->stop)) {
		make_way_back(b);
		climb(b, &a, &directed);
	}
	pl_ascent_fini(&a);
	return rc;
}

/* Sums of whole numbers are whole. */
static double rounded_up(const double *c, size_t n, double bound)
{
	for (size_t i = 0; i < n * n; i++)
		if (c[i] != floor(c[i]) || c[i] > 1e12)
			return bound;
	return ceil(bound);
}

/* Two hosts, one ring; what follows needs three. */
static double trivial(const double *c, size_t n)
{
	return n == 2 ? c[1] + c[2] : 0;
}

int pl_ring_bound(const double *c, size_t n, enum pl_bound_effort effort,
		  const struct pl_stop *stop, struct pl_ring_bound *bound, double *weight,
		  struct pl_err *err)
{
	struct bounding b = {.c = c, .n = n, .effort = effort, .stop = stop};
	int rc;

	memset(weight, 0, n * sizeof(*weight));
	*bound = (struct pl_ring_bound){n < 3 ? trivial(c, n) : 0, PL_PROOF_NONE};
	if (n < 3 || effort == PL_BOUND_NONE)
		return 0;
	if (!pl_costs_symmetric(c, n)) {
		b.made = pl_array_create(n * n, sizeof(*b.made));
		if (!b.made)
			return pl_err_nomem(err);
	}
	rc = b.made ? bound_directed(&b, weight, err) : bound_either_way(&b, weight, err);
	free(b.made);
	if (rc)
		return -1;
	*bound = b.best;
	bound->value = rounded_up(c, n, bound->value);
	return 0;
}

const char *pl_ring_proof_name(enum pl_ring_proof by)
{
	static const char *const names[] = {"", "assignment", "cuts", "1-trees"};

	return names[by];
}
