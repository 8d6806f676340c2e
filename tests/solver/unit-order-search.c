/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-order-search.c - the search for orders of any shape */
#include "config.h"

#include "solver/order/order-search.h"
#include "tests/failalloc.h"
#include "tests/solver/shapes.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <signal.h>
#include <stdlib.h>

/* What one search is asked to do, and what it gave. */
struct trial {
	struct pl_shape shape;
	struct pl_costs costs;
	struct pl_order_search_options options;
	struct pl_order_search_result result;
	size_t given[64], at[64];
	size_t slots[64];
	bool may_lead[64];
};

static void begin(struct trial *t, enum shapes_kind kind, size_t n_pos, const double *c, size_t n)
{
	memset(t, 0, sizeof(*t));
	t->shape = shapes_make(kind, n_pos);
	t->costs = (struct pl_costs){.n = n, .c = c};
	t->options = (struct pl_order_search_options){.seed = 1, .moves = 3000, .threads = 1};
	for (size_t i = 0; i < n; i++)
		t->given[i] = i;
}

static int run(struct trial *t)
{
	memcpy(t->at, t->given, sizeof(t->at));
	return pl_order_search(&t->shape, &t->costs, &t->options, t->at, &t->result, NULL);
}

/* The cost of an order of hosts, from the objective made for it alone. */
static double cost_of(const struct trial *t, const size_t *host_at)
{
	struct pl_objective *o = pl_objective_create(&t->shape, &t->costs, NULL);
	size_t at[64];
	double cost;

	pl_order_expand(host_at, t->costs.n, t->options.slots, at);
	cost = pl_objective_full(o, at);
	pl_objective_destroy(o);
	return cost;
}

/* By way of @number: everybody may come first, the host given first alone, or it and those of even
 * numbers. */
static void give_leaders(struct trial *t, uint64_t number)
{
	for (size_t h = 0; h < t->costs.n; h++)
		t->may_lead[h] = h == t->given[0] || (number % 3 == 2 && h % 2 == 0);
	t->options.may_lead = number % 3 ? t->may_lead : NULL;
}

static bool may_lead(const struct trial *t, size_t host)
{
	return !t->options.may_lead || t->may_lead[host];
}

static double brute(const struct trial *t, const struct pl_objective *o, size_t *at, size_t k)
{
	double best = INFINITY;
	size_t pos_host[64];

	if (k == t->costs.n) {
		pl_order_expand(at, t->costs.n, t->options.slots, pos_host);
		return may_lead(t, at[0]) ? pl_objective_full(o, pos_host) : INFINITY;
	}
	for (size_t i = k; i < t->costs.n; i++) {
		const size_t x = at[k];

		at[k] = at[i];
		at[i] = x;
		best = fmin(best, brute(t, o, at, k + 1));
		at[i] = at[k];
		at[k] = x;
	}
	return best;
}

static bool about(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/* Slots by way of @number: one each, two each, one to three. */
static size_t give_slots(struct trial *t, size_t n, uint64_t number)
{
	size_t sum = 0;

	for (size_t h = 0; h < n; h++) {
		t->slots[h] = number % 3 == 2 ? 1 + h % 3 : 1 + number % 3;
		sum += t->slots[h];
	}
	return sum;
}

/* The least cost of all orders. */
static double least(const struct trial *t)
{
	struct pl_objective *o = pl_objective_create(&t->shape, &t->costs, NULL);
	size_t at[64];
	double cost;

	memcpy(at, t->given, sizeof(at));
	cost = brute(t, o, at, 0);
	pl_objective_destroy(o);
	return cost;
}

/* As many hosts as all orders are tried of, with any moves. */
static void test_exact_9(enum shapes_kind kind)
{
	double c[81];
	struct trial t;
	struct pl_rng rng;
	int failed;

	pl_rng_init(&rng, 49, kind);
	solve_fill(c, 9, SOLVE_DIRECT, &rng);
	begin(&t, kind, 9, c, 9);
	t.options.moves = 0;
	failed = run(&t);
	ok(!failed && t.result.exact && about(t.result.cost, least(&t)),
	   "shape %d: 9 hosts, directed costs: as brute force", (int)kind);
	pl_shape_fini(&t.shape);
}

/* Few hosts: as brute force, with one of those first that may be. */
static void test_exact(enum shapes_kind kind)
{
	int wrong = 0, broken = 0, moved = 0;

	for (uint64_t k = 0; k < 40; k++) {
		const size_t n = 1 + k % 5;
		double c[25];
		struct trial t, counted;
		struct pl_rng rng;

		pl_rng_init(&rng, 41, k);
		solve_fill(c, n, (enum solve_kind)(k % SOLVE_KINDS), &rng);
		begin(&t, kind, give_slots(&counted, n, k), c, n);
		memcpy(t.slots, counted.slots, sizeof(t.slots));
		t.options.slots = k % 3 ? t.slots : NULL;
		pl_rng_shuffle(&rng, t.given, n);
		give_leaders(&t, k / 3);
		broken += run(&t) || !solve_is_order(t.at, n) || !t.result.exact ||
			  t.result.cost != cost_of(&t, t.at);
		wrong += !about(t.result.cost, least(&t));
		moved += !may_lead(&t, t.at[0]);
		pl_shape_fini(&t.shape);
	}
	ok(!broken && !wrong && !moved, "shape %d: exact, as brute force, n <= 5", (int)kind);
}

/* Annealing proper: from 10 hosts on, any budget, any slots. */
static void test_never_worse(enum shapes_kind kind)
{
	int worse = 0, broken = 0, moved = 0;

	for (uint64_t k = 0; k < 36; k++) {
		const size_t n = 10 + (k * 5) % 12;
		double c[21 * 21], before;
		struct trial t, counted;
		struct pl_rng rng;

		pl_rng_init(&rng, 42, k);
		solve_fill(c, n, (enum solve_kind)(k % SOLVE_KINDS), &rng);
		begin(&t, kind, give_slots(&counted, n, k), c, n);
		memcpy(t.slots, counted.slots, sizeof(t.slots));
		t.options.slots = k % 3 ? t.slots : NULL;
		t.options.moves = k % 5 * 200;
		pl_rng_shuffle(&rng, t.given, n);
		give_leaders(&t, k / 3);
		before = cost_of(&t, t.given);
		broken += run(&t) || !solve_is_order(t.at, n) || t.result.exact ||
			  t.result.cost_given != before || t.result.moves != t.options.moves ||
			  t.result.cost != cost_of(&t, t.at);
		worse += cost_of(&t, t.at) > before;
		moved += !may_lead(&t, t.at[0]);
		pl_shape_fini(&t.shape);
	}
	ok(!broken && !worse && !moved, "shape %d: any budget: an order, told truly, never worse",
	   (int)kind);
}

/* Costs of one value: nothing to gain, and what was given stays. */
static void test_keeps(enum shapes_kind kind)
{
	static double c[20 * 20];
	struct trial t;

	solve_fill(c, 20, SOLVE_EQUAL, NULL);
	begin(&t, kind, 20, c, 20);
	for (size_t i = 0; i < 20; i++)
		t.given[i] = i * 7 % 20;
	ok(!run(&t) && !memcmp(t.at, t.given, sizeof(t.at)),
	   "shape %d: nothing to gain: the given order stays", (int)kind);
	pl_shape_fini(&t.shape);
}

/* Racks whose best order is known. */
static void test_racks(enum shapes_kind kind, double best, const char *what)
{
	static double c[64 * 64];
	struct trial t;
	struct pl_rng rng;
	int failed;

	pl_rng_init(&rng, 43, 0);
	solve_racks(c, 64, 8, 1000, 4000, &rng);
	begin(&t, kind, 64, c, 64);
	t.options.moves = pl_order_search_moves(64);
	failed = run(&t);
	ok(!failed && t.result.cost <= best, "8 racks of 8, %s: %g (known: %g, given: %g)", what,
	   t.result.cost, best, t.result.cost_given);
	pl_shape_fini(&t.shape);
}

/* Halving that begins at the largest distance, with half of the bytes. */
static void add_far_halving(struct pl_shape *shape, uint32_t n)
{
	shape->kind = PL_SUM_OF_MAXIMA;
	shape->n_pos = n;
	for (uint32_t far = n / 2, round = 0; far > 0; far /= 2, round++)
		for (uint32_t i = 0; i < n; i++)
			pl_shape_add(shape,
				     (struct pl_hop){.src = i,
						     .dst = i ^ far,
						     .group = round,
						     .times = 1,
						     .bytes = far},
				     NULL);
}

/* Where the far rounds carry most, a rack's hosts belong far apart. */
static void test_far(void)
{
	enum { N = 16 };
	static double c[N * N];
	struct trial t;

	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct pl_rng rng;
		int failed;

		pl_rng_init(&rng, seed, 48);
		solve_racks(c, N, 4, 1, 10, &rng);
		memset(&t, 0, sizeof(t));
		add_far_halving(&t.shape, N);
		t.costs = (struct pl_costs){.n = N, .c = c, .per_byte = c};
		t.options = (struct pl_order_search_options){
			.seed = seed, .moves = pl_order_search_moves(N), .threads = 2};
		for (size_t i = 0; i < N; i++)
			t.given[i] = i;
		failed = run(&t);
		ok(!failed && t.result.cost <= 9 + 5 + 30 + 20,
		   "4 racks of 4, far halving: %g (known: 64, given: %g)", t.result.cost,
		   t.result.cost_given);
		pl_shape_fini(&t.shape);
	}
}

/* Same seed and moves, same order; with a target as well. */
static void test_threads(enum shapes_kind kind)
{
	enum { N = 24 };
	static double c[N * N];
	struct trial t, first;
	struct pl_rng rng;
	int differ = 0;

	pl_rng_init(&rng, 44, kind);
	solve_fill(c, N, SOLVE_SYM, &rng);
	begin(&t, kind, N, c, N);
	t.options.moves = 60000;
	for (int target = 0; target < 2; target++)
		for (unsigned threads = 1; threads <= 7; threads += 2) {
			t.options.threads = threads;
			differ += run(&t);
			if (threads == 1)
				first = t;
			differ += memcmp(t.at, first.at, sizeof(t.at)) ||
				  t.result.moves != first.result.moves ||
				  t.result.restarts != first.result.restarts;
			if (threads == 7)
				t.options.target = t.result.cost;
		}
	is_int(differ, 0, "1, 3, 5, 7 threads: the same bytes");
	ok(first.result.moves < 60000 && !first.result.stopped,
	   "a target ends the search (%d moves)", (int)first.result.moves);
	memcpy(t.given, t.at, sizeof(t.given));
	run(&t);
	ok(t.result.moves == 0 && !memcmp(t.at, t.given, sizeof(t.at)),
	   "a given order that reaches it is not searched");
	pl_shape_fini(&t.shape);
}

/* A start that is cheaper than what construction finds comes out with no moves at all. */
static void test_start(void)
{
	enum { N = 24 };
	static double c[N * N];
	size_t start[N];
	struct trial t;
	struct pl_rng rng;
	double cost;

	pl_rng_init(&rng, 46, 0);
	solve_fill(c, N, SOLVE_DIRECT, &rng);
	begin(&t, SHAPES_HALVING, N, c, N);
	run(&t);
	memcpy(start, t.at, sizeof(start));
	cost = t.result.cost;
	t.options.moves = 0;
	ok(!run(&t) && t.result.cost > cost, "without a start no moves find less than %g", cost);
	t.options.start = start;
	ok(!run(&t) && t.result.cost == cost, "with it they keep it");
	pl_shape_fini(&t.shape);
}

static void test_stop(void)
{
	enum { N = 40 };
	static double c[N * N];
	const volatile sig_atomic_t now = 1;
	const struct pl_stop stop = {.flag = &now};
	struct trial t;
	struct pl_rng rng;

	pl_rng_init(&rng, 45, 0);
	solve_fill(c, N, SOLVE_SYM, &rng);
	begin(&t, SHAPES_HALVING, N, c, N);
	t.options.moves = UINT64_MAX;
	t.options.stop = &stop;
	t.options.threads = 2;
	ok(!run(&t) && t.result.stopped && solve_is_order(t.at, N) &&
		   t.result.cost <= t.result.cost_given,
	   "told to stop: an order nevertheless");
	pl_shape_fini(&t.shape);
}

static void count_call(void *arg, const struct pl_restarts_progress *now)
{
	uint64_t *calls = arg;

	++*calls;
	if (now->restarts != *calls)
		*calls = UINT64_MAX / 2;
}

static void test_progress(void)
{
	enum { N = 10 };
	double c[N * N];
	uint64_t calls = 0;
	struct trial t;
	struct pl_rng rng;
	int failed;

	pl_rng_init(&rng, 46, 0);
	solve_fill(c, N, SOLVE_SYM, &rng);
	begin(&t, SHAPES_TREE, N, c, N);
	t.options.moves = 40000;
	t.options.progress = count_call;
	t.options.progress_arg = &calls;
	failed = run(&t);
	ok(!failed && calls == t.result.restarts && calls > 1,
	   "progress is told after each of %d restarts", (int)calls);
	pl_shape_fini(&t.shape);
}

static void test_refused(void)
{
	const double c[4] = {0, 1, 1, 0};
	struct pl_err err = {0};
	struct trial t;

	begin(&t, SHAPES_RING, 3, c, 2);
	ok(pl_order_search(&t.shape, &t.costs, &t.options, t.given, &t.result, &err) == -1 &&
		   err.code == PL_EUSAGE,
	   "two hosts on three positions are refused: %s", err.text);
	t.slots[0] = t.slots[1] = 2;
	t.options.slots = t.slots;
	ok(run(&t) == -1, "four ranks on three positions as well");
	t.slots[0] = 1;
	is_int(run(&t), 0, "three fit");
	pl_shape_fini(&t.shape);
}

static void test_no_memory(enum shapes_kind kind)
{
	enum { N = 10 };
	double c[N * N];
	struct pl_rng rng;
	struct trial t;
	size_t live, k = 0;
	bool refused;
	int wrong = 0;

	pl_rng_init(&rng, 47, 0);
	solve_fill(c, N, SOLVE_DIRECT, &rng);
	begin(&t, kind, N, c, N);
	t.options.moves = 20;
	do {
		struct pl_err err = {0};
		int rc;

		memcpy(t.at, t.given, sizeof(t.at));
		failalloc_begin(k++);
		rc = pl_order_search(&t.shape, &t.costs, &t.options, t.at, &t.result, &err);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0 ||
			 (refused &&
			  (err.code != PL_ESYSTEM || memcmp(t.at, t.given, sizeof(t.at))));
	} while (refused);
	ok(k > 30, "shape %d: %zu allocations, each refused once", (int)kind, k - 1);
	is_int(wrong, 0, "refused memory: the order stays, nothing leaks");
	pl_shape_fini(&t.shape);
}

int main(void)
{
	for (int kind = 0; kind < SHAPES_KINDS; kind++) {
		test_exact((enum shapes_kind)kind);
		test_exact_9((enum shapes_kind)kind);
		test_never_worse((enum shapes_kind)kind);
		test_keeps((enum shapes_kind)kind);
	}
	test_racks(SHAPES_RING, 8 * 4000 + 56 * 1000, "ring");
	test_racks(SHAPES_HALVING, 3 * 4000 + 3 * 1000, "halving");
	test_racks(SHAPES_TREE, 11000, "two trees");
	test_far();
	test_threads(SHAPES_HALVING);
	test_threads(SHAPES_TREE);
	test_start();
	test_stop();
	test_progress();
	test_refused();
	test_no_memory(SHAPES_HALVING);
	test_no_memory(SHAPES_TREE);
	return done_testing();
}
