/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-anneal.c - annealing as in the thesis: never worse, good on few hosts */
#include "config.h"

#include "base/clock.h"
#include "solver/order/order-search.h"
#include "solver/thesis/anneal.h"
#include "tests/failalloc.h"
#include "tests/solver/shapes.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <string.h>

enum { N_MAX = 40 };

struct trial {
	struct pl_shape shape;
	struct pl_costs costs;
	double c[N_MAX * N_MAX];
	size_t at[N_MAX];
	struct pl_anneal_options options;
	struct pl_anneal_result result;
};

static void begin(struct trial *t, enum shapes_kind shape, size_t n, enum solve_kind kind,
		  struct pl_rng *rng)
{
	solve_fill(t->c, n, kind, rng);
	t->costs = (struct pl_costs){.n = n, .c = t->c};
	t->shape = shapes_make(shape, n);
	for (size_t i = 0; i < n; i++)
		t->at[i] = i;
	t->options =
		(struct pl_anneal_options){.shape = &t->shape, .costs = &t->costs, .moves = 2000};
}

static double cost_of(const struct trial *t)
{
	struct pl_objective *o = pl_objective_create(&t->shape, &t->costs, NULL);
	const double cost = pl_objective_full(o, t->at);

	pl_objective_destroy(o);
	return cost;
}

static void test_any(enum shapes_kind shape)
{
	int broken = 0, better = 0;

	for (uint64_t k = 0; k < 5 * SOLVE_ALL_KINDS; k++) {
		const size_t n = 1 + k * 7 % (N_MAX - 1);
		bool may_lead[N_MAX] = {true};
		struct pl_rng rng;
		struct trial t;

		pl_rng_init(&rng, 61, k);
		begin(&t, shape, n, (enum solve_kind)(k % SOLVE_ALL_KINDS), &rng);
		t.options.may_lead = k % 2 ? may_lead : NULL;
		t.options.seed = k;
		broken += pl_anneal(&t.options, t.at, &t.result, NULL) ||
			  !solve_is_order(t.at, n) || (k % 2 && t.at[0] != 0) ||
			  t.result.cost != cost_of(&t) || t.result.cost > t.result.cost_given ||
			  t.result.moves != (n > 1 ? 2000U : 0U);
		better += t.result.cost < t.result.cost_given;
		pl_shape_fini(&t.shape);
	}
	is_int(broken, 0, "an order, its cost, and never a dearer one");
	ok(better > 10, "shape %d: most are cheaper (%d)", (int)shape, better);
}

static void test_ring(void)
{
	int best = 0, differ = 0;

	for (uint64_t k = 0; k < 10; k++) {
		struct pl_rng rng;
		struct trial t, again;

		pl_rng_init(&rng, 62, k);
		begin(&t, SHAPES_RING, 8, SOLVE_WHOLE, &rng);
		t.options.moves = 20000;
		again = t;
		pl_anneal(&t.options, t.at, &t.result, NULL);
		pl_anneal(&again.options, again.at, &again.result, NULL);
		best += t.result.cost == solve_brute(t.c, 8);
		differ += memcmp(t.at, again.at, sizeof(t.at)) != 0;
		pl_shape_fini(&t.shape);
	}
	ok(best >= 9, "8 hosts: as brute force (%d of 10)", best);
	is_int(differ, 0, "the same seed, the same order");
}

static void test_stop(void)
{
	static const volatile sig_atomic_t flag = 1;
	struct pl_stop stop = {.flag = &flag};
	struct pl_rng rng;
	struct trial t;
	int rc = 0;

	pl_rng_init(&rng, 63, 0);
	begin(&t, SHAPES_RING, 12, SOLVE_SYM, &rng);
	t.options.stop = &stop;
	ok(!pl_anneal(&t.options, t.at, &t.result, NULL) && t.result.moves == 0, "stopped at once");
	t.options.moves = UINT64_MAX;
	/* a loaded machine may have no time for it at first */
	for (uint64_t ns = 30000000; ns < 20000000000; ns *= 4) {
		stop = (struct pl_stop){.deadline_ns = pl_clock_ns() + ns};
		rc = pl_anneal(&t.options, t.at, &t.result, NULL);
		if (rc || t.result.cost < t.result.cost_given)
			break;
	}
	ok(rc == 0 && t.result.cost < t.result.cost_given, "by the clock");
	pl_shape_fini(&t.shape);
}

static void test_no_memory(void)
{
	struct pl_rng rng;
	struct trial t;
	size_t live, k = 0;
	bool refused;
	int wrong = 0;

	pl_rng_init(&rng, 64, 0);
	begin(&t, SHAPES_TREE, 8, SOLVE_SYM, &rng);
	t.options.moves = 10;
	do {
		struct pl_err err = {0};
		size_t at[N_MAX];
		int rc;

		memcpy(at, t.at, sizeof(at));
		failalloc_begin(k++);
		rc = pl_anneal(&t.options, at, &t.result, &err);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0 || (refused && err.code != PL_ESYSTEM);
	} while (refused);
	ok(k > 4, "%zu allocations, each refused once", k - 1);
	is_int(wrong, 0, "refused memory: PL_ESYSTEM, and nothing leaks");
	pl_shape_fini(&t.shape);
}

int main(void)
{
	for (int shape = 0; shape < SHAPES_KINDS; shape++)
		test_any((enum shapes_kind)shape);
	test_ring();
	test_stop();
	test_no_memory();
	return done_testing();
}
