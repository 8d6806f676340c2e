/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-order-proof.c - orders by Z3: as cheap as by brute force, and no bound above */
#include "config.h"

#include "solver/order/order-search.h"
#include "solver/proof/order-proof.h"
#include "solver/proof/pb.h"
#include "solver/ring/ring-cuts.h"
#include "solver/ring/ring-exact.h"
#include "tests/failalloc.h"
#include "tests/solver/shapes.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_MAX = 32 };

/* Hosts on a shape, and what they cost. */
struct trial {
	struct pl_shape shape;
	struct pl_costs costs;
	double c[N_MAX * N_MAX], per_byte[N_MAX * N_MAX];
	size_t slots[N_MAX], at[N_MAX];
	struct pl_proof_options options;
	struct pl_proof_result result;
	struct pl_objective *objective;
};

static void begin(struct trial *t, enum shapes_kind shape, size_t n, size_t alike,
		  enum solve_kind kind, struct pl_rng *rng)
{
	solve_fill(t->c, n, kind, rng);
	for (size_t i = 0; i < n * n; i++)
		t->per_byte[i] = t->c[i] / 100 * pl_rng_double(rng);
	t->costs = (struct pl_costs){.n = n, .c = t->c};
	t->shape = shapes_make(shape, n * alike);
	for (size_t i = 0; i < n; i++) {
		t->at[i] = i;
		t->slots[i] = alike;
	}
	pl_rng_shuffle(rng, t->at, n);
	t->options =
		(struct pl_proof_options){.shape = &t->shape, .costs = &t->costs, .alike = alike};
}

static void end(struct trial *t)
{
	pl_shape_fini(&t->shape);
}

static double cost_of(const struct trial *t, const size_t *at)
{
	struct pl_objective *o = pl_objective_create(&t->shape, &t->costs, NULL);
	size_t pos_host[N_MAX * 4];
	double cost;

	pl_order_expand(at, t->costs.n, t->slots, pos_host);
	cost = pl_objective_full(o, pos_host);
	pl_objective_destroy(o);
	return cost;
}

static double brute(const struct trial *t, size_t *at, size_t k)
{
	double best = INFINITY;

	if (k == t->costs.n && t->options.may_lead && !t->options.may_lead[at[0]])
		return INFINITY;
	if (k == t->costs.n)
		return cost_of(t, at);
	for (size_t i = k; i < t->costs.n; i++) {
		const size_t x = at[k];

		at[k] = at[i];
		at[i] = x;
		best = fmin(best, brute(t, at, k + 1));
		at[i] = at[k];
		at[k] = x;
	}
	return best;
}

/* The least cost @best, but for what rounding costs down costs. */
static bool right(const struct trial *t, double best)
{
	const struct pl_proof_result *r = &t->result;
	const double part = best * 1e-6;

	return solve_is_order(t->at, t->costs.n) && r->cost == cost_of(t, t->at) &&
	       r->cost >= best * (1 - 4e-16) && r->cost <= best + part && r->bound >= best - part &&
	       r->bound <= best * (1 + 4e-16) &&
	       (!t->options.may_lead || t->options.may_lead[t->at[0]]);
}

static void test_brute(enum shapes_kind shape)
{
	int wrong = 0, inexact = 0, bytes = 0;

	for (uint64_t k = 0; k < 6 * SOLVE_ALL_KINDS; k++) {
		const enum solve_kind kind = (enum solve_kind)(k % SOLVE_ALL_KINDS);
		const size_t n = 2 + k / SOLVE_ALL_KINDS % 5;
		bool may_lead[N_MAX] = {false};
		struct pl_rng rng;
		struct trial t;
		double best;
		size_t at[N_MAX];

		pl_rng_init(&rng, 51, k * SHAPES_KINDS + shape);
		begin(&t, shape, n, 1 + k % 2, kind, &rng);
		if (k % 5 == 1)
			t.costs.per_byte = t.per_byte;
		may_lead[t.at[0]] = may_lead[n - 1] = true;
		if (k % 3 == 2)
			t.options.may_lead = may_lead;
		memcpy(at, t.at, sizeof(at));
		best = brute(&t, at, 0);
		wrong += pl_order_prove(&t.options, t.at, &t.result, NULL) ||
			 !(best == 0 ? t.result.cost == 0 : right(&t, best));
		bytes += t.costs.per_byte != NULL;
		inexact += kind == SOLVE_WHOLE && !t.costs.per_byte && best > 0 &&
			   t.result.bound != t.result.cost;
		end(&t);
	}
	ok(!wrong && bytes > 0, "shape %d: as brute force (%d wrong)", (int)shape, wrong);
	is_int(inexact, 0, "whole costs: the bound is the cost");
}

/* The ring of 8: the first host may as well stay. */
static void test_ring(void)
{
	struct pl_rng rng;
	struct trial t;
	double best;

	pl_rng_init(&rng, 52, 0);
	begin(&t, SHAPES_RING, 8, 1, SOLVE_WHOLE, &rng);
	best = solve_brute(t.c, 8);
	t.options.first_stays = true;
	ok(!pl_order_prove(&t.options, t.at, &t.result, NULL), "ring of 8");
	ok(t.result.cost == best && t.result.bound == best,
	   "proved: %g, not below %g; %g by brute force", t.result.cost, t.result.bound, best);
	end(&t);
}

/* Rings of more hosts than brute force has time for, by each way there is. */
static void test_all_ways(size_t n, enum solve_kind kind)
{
	struct pl_ring_cuts_result cuts = {.proved = true};
	struct pl_rng rng;
	struct trial t;
	size_t at[N_MAX];
	double best;
	bool done;

	pl_rng_init(&rng, 57, n);
	begin(&t, SHAPES_RING, n, 1, kind, &rng);
	t.options.first_stays = true;
	ok(!pl_ring_exact(t.c, n, NULL, at, &done, NULL) && done,
	   "%zu hosts, by dynamic programming", n);
	best = pl_cost_ring(t.c, n, at, n);
	ok(!pl_order_prove(&t.options, t.at, &t.result, NULL) && right(&t, best), "by Z3");
	for (size_t i = 0; i < n; i++)
		at[i] = i;
	if (pl_ring_cuts_built())
		ok(!pl_ring_cuts(t.c, n, 1000000, NULL, at, &cuts, NULL) && cuts.proved &&
			   fabs(cuts.cost - best) <= best * PL_RING_CUTS_PART,
		   "by branch and cut");
	end(&t);
}

/* Many hosts: windows make the order cheaper, the same way each time. */
static void test_windows(enum shapes_kind shape)
{
	struct pl_rng rng;
	struct trial t, again;
	double before;

	pl_rng_init(&rng, 53, shape);
	begin(&t, shape, 20, 1, SOLVE_WHOLE, &rng);
	t.options.work = 1000000;
	t.options.seed = 5;
	again = t;
	again.options.costs = &again.costs;
	again.options.shape = &again.shape;
	before = cost_of(&t, t.at);
	ok(!pl_order_prove(&t.options, t.at, &t.result, NULL), "shape %d, windows", (int)shape);
	ok(t.result.cost < before && t.result.cost == cost_of(&t, t.at) &&
		   solve_is_order(t.at, 20) && t.result.bound == 0,
	   "cheaper, and no bound claimed: %g from %g", t.result.cost, before);
	ok(!pl_order_prove(&again.options, again.at, &again.result, NULL) &&
		   !memcmp(again.at, t.at, sizeof(t.at)) && again.result.asked == t.result.asked,
	   "again: the same, by the same questions (%d)", (int)t.result.asked);
	end(&t);
}

static void test_ends(void)
{
	static const volatile sig_atomic_t flag = 1;
	struct pl_stop stop = {.flag = &flag};
	struct pl_rng rng;
	struct trial t;
	size_t given[N_MAX];

	pl_rng_init(&rng, 54, 0);
	begin(&t, SHAPES_RING, 10, 1, SOLVE_SYM, &rng);
	memcpy(given, t.at, sizeof(given));
	t.options.stop = &stop;
	ok(!pl_order_prove(&t.options, t.at, &t.result, NULL) && t.result.stopped &&
		   t.result.bound == 0,
	   "stopped: nothing proved");
	t.options.stop = NULL;
	t.options.work = 1000;
	ok(!pl_order_prove(&t.options, t.at, &t.result, NULL) && t.result.bound == 0 &&
		   !t.result.stopped,
	   "little work: nothing proved");
	end(&t);
}

static void test_no_memory(void)
{
	struct pl_rng rng;
	struct trial t;
	size_t live, k = 0;
	bool refused;
	int wrong = 0;

	pl_rng_init(&rng, 55, 0);
	begin(&t, SHAPES_TREE, 4, 1, SOLVE_WHOLE, &rng);
	do {
		struct pl_err err = {0};
		size_t at[N_MAX];
		int rc;

		memcpy(at, t.at, sizeof(at));
		failalloc_begin(k++);
		rc = pl_order_prove(&t.options, at, &t.result, &err);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0 || (refused && err.code != PL_ESYSTEM);
	} while (refused);
	ok(k > 10, "%zu allocations, each refused once", k - 1);
	is_int(wrong, 0, "refused memory: PL_ESYSTEM, and nothing leaks");
	end(&t);
}

static void test_not_built(void)
{
	struct pl_err err = {0};
	struct pl_rng rng;
	struct trial t;

	pl_rng_init(&rng, 56, 0);
	begin(&t, SHAPES_RING, 4, 1, SOLVE_SYM, &rng);
	ok(pl_order_prove(&t.options, t.at, &t.result, &err) == -1 && err.code == PL_EUSAGE,
	   "without Z3: refused");
	end(&t);
}

int main(void)
{
	if (!pl_proof_built()) {
		test_not_built();
		return done_testing();
	}
	for (int shape = 0; shape < SHAPES_KINDS; shape++)
		test_brute((enum shapes_kind)shape);
	test_ring();
	test_all_ways(8, SOLVE_WHOLE);
	test_all_ways(9, SOLVE_SYM);
	test_all_ways(9, SOLVE_TIERS);
	test_windows(SHAPES_RING);
	test_windows(SHAPES_HALVING);
	test_windows(SHAPES_TREE);
	test_ends();
	test_no_memory();
	return done_testing();
}
