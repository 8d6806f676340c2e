/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-choose.c - the best of several hosts: rings, any shape, bounds */
#include "config.h"

#include "solver/bound/order-bound.h"
#include "solver/choose/choice.h"
#include "solver/choose/choose-ring.h"
#include "solver/order/order-search.h"
#include "tests/failalloc.h"
#include "tests/solver/shapes.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <signal.h>
#include <stdlib.h>

enum { HOSTS_MAX = 48 };

struct trial {
	struct pl_host_choice choice;
	double c[HOSTS_MAX * HOSTS_MAX];
	bool may_lead[HOSTS_MAX];
	size_t given[HOSTS_MAX], at[HOSTS_MAX];
	struct pl_ring_options options;
	struct pl_ring_result result;
};

/* Two of three trials let only some hosts lead. */
static void begin(struct trial *t, size_t n, size_t k, enum solve_kind kind, uint64_t number)
{
	struct pl_rng rng;

	memset(t, 0, sizeof(*t));
	pl_rng_init(&rng, 51, number);
	solve_fill(t->c, n, kind, &rng);
	for (size_t h = 0; h < n; h++) {
		t->may_lead[h] = number % 3 == 2 && pl_rng_below(&rng, 2);
		t->given[h] = h;
	}
	t->may_lead[pl_rng_below(&rng, k)] = true;
	t->choice = (struct pl_host_choice){
		.n = n,
		.k = k,
		.c = t->c,
		.may_lead = number % 3 ? t->may_lead : NULL,
	};
	t->options = (struct pl_ring_options){.seed = 1, .moves = 4000, .threads = 1, .target = -1};
}

static bool leads(const struct trial *t, size_t host)
{
	return !t->choice.may_lead || t->may_lead[host];
}

static double cost_of(const struct trial *t, const size_t *at)
{
	return pl_cost_ring(t->c, t->choice.n, at, t->choice.k);
}

/* Of all orders that go on so. */
static double brute(const struct trial *t, size_t *at, size_t used)
{
	double best = INFINITY;

	if (used == t->choice.k)
		return leads(t, at[0]) ? cost_of(t, at) : INFINITY;
	for (size_t i = used; i < t->choice.n; i++) {
		const size_t x = at[used];

		at[used] = at[i];
		at[i] = x;
		best = fmin(best, brute(t, at, used + 1));
		at[i] = at[used];
		at[used] = x;
	}
	return best;
}

/* Are those chosen an order with one among them that may lead, and the others rising behind? */
static bool is_choice(const struct trial *t, const size_t *at)
{
	bool led = false, rising = true;

	for (size_t i = 0; i < t->choice.k; i++)
		led = led || leads(t, at[i]);
	for (size_t i = t->choice.k + 1; i < t->choice.n; i++)
		rising = rising && at[i - 1] < at[i];
	return led && rising && solve_is_order(at, t->choice.n);
}

static bool about(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

static void test_small(void)
{
	int dear = 0, broken = 0, above = 0, tight = 0, n_best = 0, worse = 0;
	int runs = 0;

	for (uint64_t number = 0; number < 420; number++) {
		const size_t n = 1 + number % 7, k = 1 + number / 7 % n;
		struct trial t;
		double best, bound;

		begin(&t, n, k, (enum solve_kind)(number % SOLVE_ALL_KINDS), number);
		best = brute(&t, t.given, 0);
		broken += pl_choose_exact(&t.choice, t.at, NULL) != 0 || !is_choice(&t, t.at) ||
			  !leads(&t, t.at[0]);
		dear += !about(cost_of(&t, t.at), best);
		broken += pl_choose_ring_bound(&t.choice, &bound, NULL) != 0;
		above += bound > best;
		tight += about(bound, best);
		memcpy(t.at, t.given, sizeof(t.at));
		broken += pl_choose_ring(&t.choice, &t.options, t.at, &t.result, NULL) != 0 ||
			  !is_choice(&t, t.at) || t.result.cost != cost_of(&t, t.at);
		worse += t.result.cost > t.result.cost_given ||
			 t.result.cost_given != cost_of(&t, t.given) ||
			 t.result.cost < best * (1 - 1e-12);
		n_best += about(t.result.cost, best);
		runs++;
	}
	is_int(broken, 0, "few hosts: all of them orders, costs told truly");
	is_int(dear, 0, "found outright: as cheap as brute force");
	is_int(above, 0, "bounds are bounds");
	ok(tight > runs / 8, "%d of %d are met", tight, runs);
	is_int(worse, 0, "searched: never dearer than given");
	ok(n_best > runs - runs / 50, "as good as brute force: %d of %d", n_best, runs);
}

/* More hosts than are found outright, any budget. */
static void test_budgets(void)
{
	int broken = 0, worse = 0, beyond = 0;

	for (uint64_t number = 0; number < 60; number++) {
		const size_t n = 9 + number % 30, k = 1 + number * 7 % n;
		struct trial t;
		double bound;

		begin(&t, n, k, (enum solve_kind)(number % SOLVE_KINDS), number);
		t.options.moves = number % 5 * 3000;
		memcpy(t.at, t.given, sizeof(t.at));
		broken += pl_choose_ring(&t.choice, &t.options, t.at, &t.result, NULL) != 0 ||
			  pl_choose_ring_bound(&t.choice, &bound, NULL) != 0 ||
			  !is_choice(&t, t.at) || t.result.cost != cost_of(&t, t.at);
		worse += t.result.cost > cost_of(&t, t.given) || t.result.cost < bound;
		beyond += t.result.moves > t.options.moves;
	}
	is_int(broken, 0, "any budget: orders, told truly");
	is_int(worse, 0, "neither dearer than given nor below the bound");
	is_int(beyond, 0, "no more moves than allowed");
}

/* As many as dynamic programming can do, by the default budget. */
static void test_as_exact(void)
{
	int dearer = 0, n_best = 0, runs = 0;

	for (uint64_t number = 0; number < 60; number++) {
		const size_t n = 10 + number % 4, k = 4 + number / 4 % (n - 4);
		struct trial t;
		double best;

		begin(&t, n, k, (enum solve_kind)(number % SOLVE_EQUAL), number);
		t.options.moves = pl_choose_ring_moves(&t.choice);
		pl_choose_exact(&t.choice, t.at, NULL);
		best = cost_of(&t, t.at);
		memcpy(t.at, t.given, sizeof(t.at));
		pl_choose_ring(&t.choice, &t.options, t.at, &t.result, NULL);
		dearer += t.result.cost < best * (1 - 1e-12);
		n_best += about(t.result.cost, best);
		runs++;
	}
	is_int(dearer, 0, "10 to 13 hosts: nothing is cheaper than the best");
	ok(n_best >= runs - 2, "which %d of %d searches find", n_best, runs);
}

/* Racks of 8, dealt out: two of them are the best 16 of 40, and one and a half racks the best
 * 12. */
static void test_racks(size_t k, double best)
{
	struct trial t;
	struct pl_rng rng;
	double bound;
	int found = 0;

	for (uint64_t seed = 1; seed <= 5; seed++) {
		begin(&t, 40, k, SOLVE_EQUAL, 0);
		pl_rng_init(&rng, seed, 0);
		solve_racks(t.c, 40, 8, 1000, 4000, &rng);
		pl_choose_ring_bound(&t.choice, &bound, NULL);
		t.options.seed = seed;
		t.options.moves = pl_choose_ring_moves(&t.choice);
		t.options.target = bound;
		memcpy(t.at, t.given, sizeof(t.at));
		pl_choose_ring(&t.choice, &t.options, t.at, &t.result, NULL);
		found += t.result.cost == best && about(bound, best);
	}
	ok(found == 5, "%zu of 40 in racks: found and proved %d of 5", k, found);
}

static void test_threads(void)
{
	size_t first[HOSTS_MAX] = {0};
	struct trial t;
	int differ = 0;

	for (unsigned threads = 1; threads <= 4; threads++) {
		begin(&t, 40, 17, SOLVE_DIRECT, 0);
		t.options.threads = threads;
		t.options.moves = 30000;
		memcpy(t.at, t.given, sizeof(t.at));
		pl_choose_ring(&t.choice, &t.options, t.at, &t.result, NULL);
		if (threads == 1)
			memcpy(first, t.at, sizeof(first));
		differ += memcmp(first, t.at, sizeof(first)) != 0;
	}
	is_int(differ, 0, "the same order for 1 to 4 threads");
	ok(t.result.cost < t.result.cost_given, "which is cheaper");
}

static void test_stop(void)
{
	volatile sig_atomic_t flag = 1;
	const struct pl_stop stop = {.flag = &flag};
	struct trial t;

	begin(&t, 40, 17, SOLVE_DIRECT, 0);
	t.options.moves = PL_RING_MOVES_MAX;
	t.options.stop = &stop;
	memcpy(t.at, t.given, sizeof(t.at));
	ok(pl_choose_ring(&t.choice, &t.options, t.at, &t.result, NULL) == 0 && t.result.stopped &&
		   is_choice(&t, t.at),
	   "stopped: an order all the same");
	ok(pl_choose_near(&t.choice, &stop, t.at, NULL) == 0 && is_choice(&t, t.at),
	   "stopped while looking for near ones: some");
}

static void test_near(void)
{
	int broken = 0, apart = 0;
	struct trial t;

	for (uint64_t number = 0; number < 200; number++) {
		const size_t n = 1 + number % 20, k = 1 + number / 7 % n;

		begin(&t, n, k, (enum solve_kind)(number % SOLVE_KINDS), number);
		broken += pl_choose_near(&t.choice, NULL, t.at, NULL) != 0 ||
			  !is_choice(&t, t.at) || !leads(&t, t.at[0]);
	}
	is_int(broken, 0, "near each other: a choice, led by one that may");
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct pl_rng rng;

		begin(&t, 40, 8, SOLVE_EQUAL, seed);
		pl_rng_init(&rng, seed, 0);
		solve_racks(t.c, 40, 8, 1000, 4000, &rng);
		pl_choose_near(&t.choice, NULL, t.at, NULL);
		apart += cost_of(&t, t.at) != 8000;
	}
	is_int(apart, 0, "a rack");
}

/* The same for any shape. */
static double brute_shape(const struct trial *t, const struct pl_objective *o, size_t *at,
			  size_t used)
{
	double best = INFINITY;

	if (used == t->choice.k)
		return leads(t, at[0]) ? pl_objective_full(o, at) : INFINITY;
	for (size_t i = used; i < t->choice.n; i++) {
		const size_t x = at[used];

		at[used] = at[i];
		at[i] = x;
		best = fmin(best, brute_shape(t, o, at, used + 1));
		at[i] = at[used];
		at[used] = x;
	}
	return best;
}

/* A host comes first that may. */
static void seat_leader(struct trial *t)
{
	for (size_t h = 1; !leads(t, t->given[0]); h++)
		if (leads(t, h)) {
			t->given[0] = h;
			t->given[h] = 0;
		}
}

/* Any shape on seats 0 .. k - 1 of n: the search and the bound know nothing of choosing, seats
 * without hops are all they need. */
static void test_shape(enum shapes_kind kind)
{
	int broken = 0, above = 0, dear = 0;

	for (uint64_t number = 0; number < 60; number++) {
		const size_t n = 1 + number % 5, k = 1 + number / 5 % n;
		struct pl_shape shape = shapes_make(kind, k);
		struct pl_order_search_options options = {.seed = 1, .moves = 100, .threads = 1};
		struct pl_order_search_result result;
		struct pl_costs costs = {.n = n};
		struct pl_objective *o;
		struct trial t;
		double bound = 0, best;

		begin(&t, n, k, (enum solve_kind)(number / 2 % SOLVE_ALL_KINDS), number);
		costs.c = t.c;
		o = pl_objective_create(&shape, &costs, NULL);
		best = brute_shape(&t, o, t.given, 0);
		options.may_lead = t.choice.may_lead;
		seat_leader(&t);
		memcpy(t.at, t.given, sizeof(t.at));
		shape.n_pos = n;
		broken += pl_order_search(&shape, &costs, &options, t.at, &result, NULL) != 0 ||
			  pl_order_lower_bound(&shape, &costs, NULL, NULL, &bound, NULL) != 0 ||
			  !leads(&t, t.at[0]) || !solve_is_order(t.at, n) ||
			  !about(result.cost, pl_objective_full(o, t.at));
		dear += !result.exact || !about(result.cost, best);
		above += bound > best;
		pl_objective_destroy(o);
		pl_shape_fini(&shape);
	}
	ok(!broken && !dear, "shape %d on some hosts: as brute force", (int)kind);
	is_int(above, 0, "bounds are bounds");
}

static void test_no_memory(void)
{
	size_t live, k = 0;
	int wrong = 0;
	bool refused;

	do {
		struct pl_err err = {0};
		struct trial t;
		double bound;
		int rc;

		begin(&t, 9, 8, SOLVE_DIRECT, 0);
		t.options.moves = 4000; /* of two restarts */
		memcpy(t.at, t.given, sizeof(t.at));
		failalloc_begin(k++);
		rc = pl_choose_ring_bound(&t.choice, &bound, &err);
		if (rc == 0)
			rc = pl_choose_ring(&t.choice, &t.options, t.at, &t.result, &err);
		wrong += rc && memcmp(t.at, t.given, sizeof(t.at)) != 0;
		if (rc == 0)
			rc = pl_choose_exact(&t.choice, t.at, &err);
		if (rc == 0)
			rc = pl_choose_near(&t.choice, NULL, t.at, &err);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0 || (refused && err.code != PL_ESYSTEM);
	} while (refused);
	ok(k > 30, "%zu allocations, each refused once", k - 1);
	is_int(wrong, 0, "refused memory: the order stays, nothing leaks");
}

int main(void)
{
	test_small();
	test_budgets();
	test_as_exact();
	test_racks(8, 8 * 1000);
	test_racks(16, 14 * 1000 + 2 * 4000);
	test_racks(12, 10 * 1000 + 2 * 4000);
	test_racks(30, 26 * 1000 + 4 * 4000);
	test_threads();
	test_stop();
	test_near();
	for (int kind = 0; kind < SHAPES_KINDS; kind++)
		test_shape((enum shapes_kind)kind);
	test_no_memory();
	return done_testing();
}
