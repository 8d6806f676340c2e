/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-assign.c - ranks with any traffic on hosts with slots: search and
 * bound */
#include "config.h"

#include "solver/assign/assign-levels.h"
#include "solver/assign/assign.h"
#include "solver/assign/bisect.h"
#include "solver/assign/halve.h"
#include "solver/assign/tabu.h"
#include "tests/failalloc.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <signal.h>
#include <stdlib.h>

enum { HOSTS_MAX = 80, POS_MAX = 200, FLOWS_MAX = 1000 };

/* What one search is asked to do, and what it gave. */
struct trial {
	struct pl_assign_problem problem;
	struct pl_costs costs;
	double c[HOSTS_MAX * HOSTS_MAX], per_byte[HOSTS_MAX * HOSTS_MAX];
	struct pl_assign_flow flow[FLOWS_MAX];
	size_t slots[HOSTS_MAX];
	struct pl_assign_options options;
	struct pl_assign_result result;
	size_t given[POS_MAX], at[POS_MAX];
};

/* Positions take the slots from the first host on. */
static void give(struct trial *t)
{
	size_t pos = 0;

	for (size_t h = 0; h < t->costs.n; h++)
		for (size_t s = 0; s < t->slots[h] && pos < t->problem.n_pos; s++)
			t->given[pos++] = h;
}

/* Without costs of bytes if the costs are equal. */
static void begin(struct trial *t, size_t n_pos, size_t hosts, size_t slots, size_t n_flows,
		  enum solve_kind kind, struct pl_rng *rng)
{
	memset(t, 0, sizeof(*t));
	solve_fill(t->c, hosts, kind, rng);
	solve_fill(t->per_byte, hosts, kind, rng);
	t->costs = (struct pl_costs){
		.n = hosts, .c = t->c, .per_byte = kind == SOLVE_EQUAL ? NULL : t->per_byte};
	t->problem = (struct pl_assign_problem){
		.n_pos = n_pos,
		.flow = t->flow,
		.n_flows = n_flows,
		.costs = &t->costs,
		.slots = t->slots,
	};
	for (size_t k = 0; k < n_flows; k++)
		t->flow[k] = (struct pl_assign_flow){.src = (uint32_t)pl_rng_below(rng, n_pos),
						     .dst = (uint32_t)pl_rng_below(rng, n_pos),
						     .messages = (double)pl_rng_below(rng, 9),
						     .bytes = (double)pl_rng_below(rng, 50)};
	for (size_t h = 0; h < hosts; h++)
		t->slots[h] = slots;
	give(t);
	t->options = (struct pl_assign_options){.seed = 1, .moves = 2000};
}

static int run(struct trial *t)
{
	memcpy(t->at, t->given, sizeof(t->at));
	return pl_assign_search(&t->problem, &t->options, t->at, &t->result, NULL);
}

static bool fits(const struct trial *t, const size_t *host_at)
{
	size_t used[HOSTS_MAX] = {0};

	for (size_t p = 0; p < t->problem.n_pos; p++)
		if (host_at[p] >= t->costs.n || used[host_at[p]]++ == t->slots[host_at[p]])
			return false;
	return true;
}

/* The cheapest assignment of the positions from @pos on, by trying all. */
static double brute(struct trial *t, size_t *at, size_t pos)
{
	double best = INFINITY;

	if (pos == t->problem.n_pos)
		return pl_assign_cost(&t->problem, at);
	for (size_t h = 0; h < t->costs.n; h++) {
		if (t->slots[h] == 0)
			continue;
		t->slots[h]--;
		at[pos] = h;
		best = fmin(best, brute(t, at, pos + 1));
		t->slots[h]++;
	}
	return best;
}

static bool about(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/* What both searches find by themselves, without the promise that nothing gets dearer. */
static double by_levels(const struct trial *t, struct pl_err *err)
{
	struct pl_assign_result r = {0};
	struct pl_assign_flows f;
	size_t at[POS_MAX];

	memcpy(at, t->given, sizeof(at));
	if (pl_assign_flows_init(&f, &t->problem, at, err))
		return NAN;
	if (pl_assign_levels(&f, &t->options, at, &r, err))
		return NAN;
	pl_assign_flows_fini(&f);
	return pl_assign_cost(&t->problem, at);
}

/* Few positions: as brute force, and the bound is no higher. */
static void test_exact(void)
{
	int wrong = 0, wrong_levels = 0, broken = 0, high = 0, bounds = 0;
	static struct trial t;

	for (uint64_t k = 0; k < 60; k++) {
		const size_t n_pos = 1 + k % 7, hosts = 1 + n_pos * (k % 3) / 2;
		size_t at[POS_MAX];
		struct pl_rng rng;
		double best, bound = 0;

		pl_rng_init(&rng, 51, k);
		begin(&t, n_pos, hosts, 1 + (n_pos - 1) / hosts + k % 2, 3 * n_pos,
		      (enum solve_kind)(k % SOLVE_KINDS), &rng);
		if (k % 4 == 3)
			t.slots[0] += 2;
		best = brute(&t, at, 0);
		broken += run(&t) || !fits(&t, t.at) ||
			  t.result.cost != pl_assign_cost(&t.problem, t.at) ||
			  pl_assign_bound(&t.problem, &bound, NULL);
		wrong += !about(t.result.cost, best);
		high += bound > best;
		bounds += bound > 0;
		t.options.moves = 200000;
		wrong_levels += !about(by_levels(&t, NULL), best);
	}
	ok(!broken && !wrong, "as brute force, up to 7 positions");
	ok(wrong_levels <= 2, "by levels as well, but for %d of 60", wrong_levels);
	ok(high == 0 && bounds > 20, "%d bounds, none above the optimum", bounds);
}

/* Flows of one weight between all: every assignment costs the same. */
static void test_bound_tight(void)
{
	static struct trial t;
	double bound = 0;
	int failed;

	memset(&t, 0, sizeof(t));
	solve_fill(t.c, 8, SOLVE_EQUAL, NULL);
	t.costs = (struct pl_costs){.n = 8, .c = t.c};
	t.problem = (struct pl_assign_problem){.n_pos = 8, .flow = t.flow, .costs = &t.costs};
	for (uint32_t i = 0; i < 64; i++)
		t.flow[t.problem.n_flows++] =
			(struct pl_assign_flow){.src = i / 8, .dst = i % 8, .messages = 2};
	failed = pl_assign_bound(&t.problem, &bound, NULL);
	ok(!failed && bound > 11.2 * (1 - 1e-9) && bound <= 11.2,
	   "8 equal hosts: the bound is the cost (%.17g)", bound);
}

/* Whole numbers: after any exchanges, the same bits as from all flows. */
static void test_delta(enum solve_kind kind, bool both_ways)
{
	struct pl_assign_tabu tabu;
	struct pl_assign_flows f;
	static struct trial t;
	struct pl_rng rng;
	int wrong = 0;

	pl_rng_init(&rng, 52, kind);
	begin(&t, 17, 8, 3, 80, kind, &rng);
	for (size_t i = 0; both_ways && i < 64; i++)
		t.c[i] = t.c[i % 8 * 8 + i / 8];
	t.costs.per_byte = both_ways ? t.per_byte : NULL;
	if (pl_assign_flows_init(&f, &t.problem, t.given, NULL) ||
	    pl_assign_tabu_init(&tabu, &f, NULL))
		abort();
	pl_assign_tabu_set(&tabu, t.given);
	for (int k = 0; k < 1000; k++) {
		const size_t u = pl_rng_below(&rng, tabu.n);
		const size_t v = pl_rng_below(&rng, tabu.n - 1);

		pl_assign_tabu_exchange(&tabu, u, v + (v >= u));
		for (size_t p = 0; p < 17; p++)
			t.at[p] = tabu.host_of[tabu.slot_of[p]];
		wrong += tabu.cost != pl_assign_cost(&t.problem, t.at) || !fits(&t, t.at);
	}
	is_int(wrong, 0,
	       both_ways ? "1000 exchanges, bytes directed: the same bits"
			 : "1000 exchanges, directed: the same bits");
	pl_assign_tabu_fini(&tabu);
	pl_assign_flows_fini(&f);
}

/* From few slots to many, any budget. */
static void test_never_worse(void)
{
	int broken = 0, worse = 0, better = 0;
	static struct trial t;

	for (uint64_t k = 0; k < 40; k++) {
		const size_t n_pos = 20 + k * 4, hosts = 10 + k;
		struct pl_rng rng;

		pl_rng_init(&rng, 53, k);
		begin(&t, n_pos, hosts, 4, 4 * n_pos, (enum solve_kind)(k % SOLVE_KINDS), &rng);
		t.slots[k % hosts] += k % 5;
		t.options.moves = k % 5 * k % 7 * 300;
		broken += run(&t) || !fits(&t, t.at) || t.result.moves != t.options.moves ||
			  t.result.cost_given != pl_assign_cost(&t.problem, t.given) ||
			  t.result.cost != pl_assign_cost(&t.problem, t.at);
		worse += t.result.cost > t.result.cost_given;
		better += t.result.cost < t.result.cost_given;
	}
	ok(!broken && !worse && better > 20,
	   "any budget: fits, told truly, never dearer; %d cheaper", better);
}

static void add_flow(struct trial *t, size_t src, size_t dst, double weight)
{
	t->flow[t->problem.n_flows++] = (struct pl_assign_flow){
		.src = (uint32_t)src, .dst = (uint32_t)dst, .messages = weight};
}

/* Four positions each exchange much, and the first ones of eight such groups a little: a host for
 * each four, a rack for each eight. */
static void test_planted(void)
{
	enum { HOSTS = 32, SLOTS = 4, N = HOSTS * SLOTS, RACK = 8 };
	static struct trial t;
	size_t number[N];
	struct pl_rng rng;
	double bound = 0;
	int failed;

	pl_rng_init(&rng, 54, 0);
	begin(&t, N, HOSTS, SLOTS, 0, SOLVE_EQUAL, &rng);
	solve_racks(t.c, HOSTS, RACK, 1000, 4000, &rng);
	for (size_t p = 0; p < N; p++)
		number[p] = p;
	pl_rng_shuffle(&rng, number, N);
	for (size_t p = 0; p < N; p++)
		for (size_t q = 0; q < N; q++)
			if (p != q && p / SLOTS == q / SLOTS)
				add_flow(&t, number[p], number[q], 5);
			else if (p != q && p % SLOTS + q % SLOTS == 0 &&
				 p / (SLOTS * RACK) == q / (SLOTS * RACK))
				add_flow(&t, number[p], number[q], 1);
	t.options.moves = 300000;
	failed = run(&t) || pl_assign_bound(&t.problem, &bound, NULL);
	ok(!failed && t.result.cost == 4 * 56 * 1000,
	   "4 racks of 8 hosts of 4: %g (known: 224000, given: %g)", t.result.cost,
	   t.result.cost_given);
	ok(bound > 223999 && bound <= 224000, "many slots: each position where it costs least: %g",
	   bound);
}

enum { SIDE = 20, VERTICES = SIDE * SIDE };

/* A grid whose vertices have random numbers. */
static void make_grid(struct pl_bisect_graph *g, struct pl_rng *rng)
{
	static struct pl_bisect_edge edge[4 * VERTICES];
	static size_t first[VERTICES + 1];
	size_t place[VERTICES], number[VERTICES], used = 0;

	for (size_t k = 0; k < VERTICES; k++)
		place[k] = k;
	pl_rng_shuffle(rng, place, VERTICES);
	for (size_t k = 0; k < VERTICES; k++)
		number[place[k]] = k;
	for (size_t k = 0; k < VERTICES; k++) {
		const size_t x = place[k] % SIDE, y = place[k] / SIDE;
		const size_t near[4] = {x > 0 ? place[k] - 1 : VERTICES,
					x + 1 < SIDE ? place[k] + 1 : VERTICES,
					y > 0 ? place[k] - SIDE : VERTICES, place[k] + SIDE};

		for (size_t i = 0; i < 4; i++)
			if (near[i] < VERTICES)
				edge[used++] =
					(struct pl_bisect_edge){(uint32_t)number[near[i]], 3};
		first[k + 1] = used;
	}
	*g = (struct pl_bisect_graph){.n = VERTICES, .first = first, .edge = edge};
}

/* Parts of any size have that size; a grid is cut straight through. */
static void test_bisect(void)
{
	struct pl_bisect_graph g;
	bool second[VERTICES];
	int wrong = 0, far = 0;
	struct pl_rng rng;

	pl_rng_init(&rng, 61, 0);
	make_grid(&g, &rng);
	for (size_t want = 0; want <= VERTICES; want += SIDE) {
		size_t have = 0, cut = 0;

		wrong += pl_bisect(&g, want, &rng, second, NULL);
		for (size_t v = 0; v < VERTICES; v++) {
			have += !second[v];
			for (size_t i = g.first[v]; i < g.first[v + 1]; i++)
				cut += !second[v] && second[g.edge[i].to];
		}
		wrong += have != want;
		far += cut > SIDE + SIDE / 4;
	}
	ok(!wrong && !far, "a grid in two parts of any size, cut straight");
}

/* Pairs are on one host, each of at most two positions, and so are theirs. */
static void test_halve(void)
{
	struct pl_assign_half half;
	struct pl_assign_flows f;
	size_t pair_at[POS_MAX], n_of[POS_MAX] = {0};
	static struct trial t;
	struct pl_rng rng;
	int wrong = 0;
	bool done;

	pl_rng_init(&rng, 55, 0);
	begin(&t, 100, 20, 6, 300, SOLVE_WHOLE, &rng);
	for (size_t p = 0; p < 100; p++)
		t.given[p] = p % 20;
	if (pl_assign_flows_init(&f, &t.problem, t.given, NULL) ||
	    pl_assign_halve(&f, t.given, &half, &done, NULL) || !done)
		abort();
	for (size_t p = 0; p < 100; p++) {
		const size_t pair = half.pair_of[p];

		wrong += n_of[pair] > 0 && pair_at[pair] != t.given[p];
		wrong += ++n_of[pair] > 2;
		pair_at[pair] = t.given[p];
	}
	ok(!wrong && half.flows.n_pos == 60, "100 positions, 5 on a host: 60 pairs");
	pl_assign_half_fini(&half);
	t.slots[7] = 5; /* 2 slots of pairs, and 3 pairs there */
	t.slots[8] = 8;
	pl_assign_flows_fini(&f);
	if (pl_assign_flows_init(&f, &t.problem, t.given, NULL) ||
	    pl_assign_halve(&f, t.given, &half, &done, NULL))
		abort();
	ok(!done, "pairs that do not fit are none");
	pl_assign_flows_fini(&f);
}

/* Same seed and moves, same bytes. Another seed finds others, where there are too many to find the
 * best one. */
static void test_seed(size_t n_pos, size_t hosts, size_t slots, bool others)
{
	static struct trial t, first;
	struct pl_rng rng;
	int failed;

	pl_rng_init(&rng, 56, 0);
	begin(&t, n_pos, hosts, slots, 4 * n_pos, SOLVE_DIRECT, &rng);
	failed = run(&t);
	first = t;
	ok(!failed && !run(&t) && !memcmp(t.at, first.at, sizeof(t.at)) &&
		   t.result.cost == first.result.cost,
	   "%zu slots, same seed: same bytes", hosts * slots);
	if (!others)
		return;
	t.options.seed = 2;
	failed = run(&t);
	ok(!failed && memcmp(t.at, first.at, sizeof(t.at)) != 0, "another seed: %g, %g",
	   t.result.cost, first.result.cost);
	t.options.seed = 1;
	t.options.stream = 1;
	failed = run(&t);
	ok(!failed && memcmp(t.at, first.at, sizeof(t.at)) != 0, "another stream of the first: %g",
	   t.result.cost);
}

static void count_call(void *arg, const struct pl_restarts_progress *now)
{
	uint64_t *calls = arg;

	++*calls;
	if (now->restarts != *calls)
		*calls = UINT64_MAX / 2;
}

/* Progress, stop and target, with a search of either kind. */
static void test_ends(size_t n_pos, size_t hosts, size_t slots)
{
	const volatile sig_atomic_t now = 1;
	const struct pl_stop stop = {.flag = &now};
	static struct trial t;
	uint64_t calls = 0;
	struct pl_rng rng;
	int failed;

	pl_rng_init(&rng, 57, 0);
	begin(&t, n_pos, hosts, slots, 4 * n_pos, SOLVE_SYM, &rng);
	t.options.moves = 40000;
	t.options.progress = count_call;
	t.options.progress_arg = &calls;
	failed = run(&t);
	ok(!failed && calls == t.result.restarts && calls > 1,
	   "progress is told after each of %d restarts", (int)calls);
	t.options.target = t.result.cost * (1 + 1e-9);
	t.options.moves = UINT64_MAX;
	ok(!run(&t) && t.result.cost <= t.options.target && !t.result.stopped,
	   "a target ends the search");
	t.options.target = 0;
	t.options.stop = &stop;
	ok(!run(&t) && t.result.stopped && fits(&t, t.at) && t.result.cost <= t.result.cost_given,
	   "told to stop: an assignment nevertheless");
}

static void refuse(struct trial *t, const char *what)
{
	struct pl_err err = {0};

	memcpy(t->at, t->given, sizeof(t->at));
	ok(pl_assign_search(&t->problem, &t->options, t->at, &t->result, &err) == -1 &&
		   err.code == PL_EUSAGE && !memcmp(t->at, t->given, sizeof(t->at)),
	   "%s: %s", what, err.text);
}

static void test_refused(void)
{
	static struct trial t;
	struct pl_rng rng;

	pl_rng_init(&rng, 58, 0);
	begin(&t, 4, 2, 2, 8, SOLVE_WHOLE, &rng);
	is_int(run(&t), 0, "4 positions on 2 hosts of 2 slots");
	t.given[0] = 1;
	refuse(&t, "three on one host are refused");
	t.given[0] = 2;
	refuse(&t, "a third host as well");
	t.given[0] = 0;
	t.slots[1] = 1;
	refuse(&t, "too few slots as well");
	t.slots[1] = 2;
	t.flow[3].dst = 4;
	refuse(&t, "a flow to a fifth position as well");
}

/* No positions at all, one, and no flows: nothing to gain. */
static void test_nothing(void)
{
	static struct trial t;
	struct pl_rng rng;

	pl_rng_init(&rng, 59, 0);
	for (size_t n_pos = 0; n_pos < 2; n_pos++) {
		begin(&t, n_pos + 1, 1, 1 + n_pos, 0, SOLVE_WHOLE, &rng);
		t.problem.n_pos = n_pos;
		ok(!run(&t) && t.result.cost == 0 && t.result.moves == 0,
		   "%zu positions: nothing to do", n_pos);
	}
}

static void test_no_memory(size_t n_pos, size_t hosts, size_t slots)
{
	static struct trial t;
	struct pl_rng rng;
	size_t live, k = 0;
	bool refused;
	int wrong = 0;

	pl_rng_init(&rng, 60, 0);
	begin(&t, n_pos, hosts, slots, 4 * n_pos, SOLVE_DIRECT, &rng);
	t.options.moves = 50 * n_pos;
	do {
		struct pl_err err = {0};
		double bound;
		int rc;

		memcpy(t.at, t.given, sizeof(t.at));
		failalloc_begin(k++);
		rc = pl_assign_search(&t.problem, &t.options, t.at, &t.result, &err);
		if (rc)
			wrong += memcmp(t.at, t.given, sizeof(t.at)) != 0;
		else
			rc = pl_assign_bound(&t.problem, &bound, &err);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0 || (refused && err.code != PL_ESYSTEM);
	} while (refused);
	ok(k > 20 && !wrong, "%zu slots: %zu allocations, each refused once, nothing leaks",
	   hosts * slots, k - 1);
}

int main(void)
{
	test_exact();
	test_bound_tight();
	test_delta(SOLVE_WHOLE, false);
	test_delta(SOLVE_WHOLE, true);
	test_never_worse();
	test_planted();
	test_bisect();
	test_halve();
	test_seed(20, 10, 3, false);
	test_seed(150, 40, 4, true);
	test_ends(20, 10, 3);
	test_ends(150, 40, 4);
	test_refused();
	test_nothing();
	test_no_memory(20, 10, 3);
	test_no_memory(90, 26, 4);
	return done_testing();
}
