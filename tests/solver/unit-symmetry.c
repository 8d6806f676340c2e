/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-symmetry.c - any host first, and what that changes: nothing */
#include "config.h"

#include "solver/order/symmetry.h"

#include "costmodels/catalogue.h"
#include "solver/order/order-search.h"
#include "tests/failalloc.h"
#include "tests/solver/shapes.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <stdio.h>
#include <stdlib.h>

enum { HOSTS_MAX = 32, SLOTS_MAX = 3, ORDERS = 3 };

/* A network of n hosts with @slots places each. */
struct net {
	size_t n, slots;
	double c[HOSTS_MAX * HOSTS_MAX], per_byte[HOSTS_MAX * HOSTS_MAX];
	struct pl_costs costs;
};

static void net_init(struct net *net, size_t n, size_t slots, struct pl_rng *rng)
{
	const enum solve_kind kind = pl_rng_u64(rng) & 1 ? SOLVE_SYM : SOLVE_WHOLE;

	net->n = n;
	net->slots = slots;
	solve_fill(net->c, n, kind, rng);
	solve_fill(net->per_byte, n, kind, rng);
	net->costs = (struct pl_costs){.n = n, .c = net->c, .per_byte = net->per_byte};
}

static double cost_of(const struct net *net, const struct pl_objective *o, const size_t *host_at)
{
	size_t at[HOSTS_MAX * SLOTS_MAX];

	for (size_t i = 0; i < net->n * net->slots; i++)
		at[i] = host_at[i / net->slots];
	return pl_objective_full(o, at);
}

/* Turns random orders so that each host comes first in its turn: how often is that no order,
 * another host first, or another cost? Sums of fractions may differ in their last bits. */
static int count_wrong(const struct net *net, const struct pl_shape *shape,
		       const struct pl_symmetry *y, struct pl_rng *rng)
{
	struct pl_objective *o = pl_objective_create(shape, &net->costs, NULL);
	size_t given[HOSTS_MAX], at[HOSTS_MAX];
	int wrong = 0;

	for (size_t h = 0; h < net->n; h++)
		given[h] = h;
	for (int k = 0; k < ORDERS; k++) {
		double cost;

		pl_rng_shuffle(rng, given, net->n);
		cost = cost_of(net, o, given);
		for (size_t seat = 0; seat < net->n; seat++) {
			memcpy(at, given, sizeof(at));
			wrong += pl_symmetry_turn(y, seat, at, NULL) != 0 || at[0] != given[seat] ||
				 !solve_is_order(at, net->n) ||
				 fabs(cost_of(net, o, at) - cost) > 1e-12 * cost;
		}
	}
	pl_objective_destroy(o);
	return wrong;
}

/* Every algorithm, with bytes that are all alike and bytes that are not. */
static void test_catalogue(void)
{
	static const size_t sizes[] = {1, 2, 3, 4, 6, 8, 9, 12, 16, 27};
	const struct pl_algorithm *a;
	struct pl_symmetry y;
	struct net net;
	struct pl_rng rng;
	int n_free = 0, n_held = 0, wrong = 0;

	pl_rng_init(&rng, 1, 0);
	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++)
		for (size_t k = 0; k < 60; k++) {
			struct pl_shape shape;
			struct pl_call call;

			net_init(&net, sizes[k % 10], 1 + k / 10 % 3, &rng);
			call = (struct pl_call){
				.n_pos = net.n * net.slots,
				.slots = net.slots,
				.radix = a->takes_radix ? 3 : 0,
				.bytes = 4 * net.n * net.slots + (k >= 30) * 4,
			};
			if (a->collective == PL_BARRIER)
				call.bytes = 0;
			if (pl_algorithm_shape(a, &call, &shape, NULL))
				continue;
			if (pl_symmetry_find(&y, &shape, &net.costs, net.n, net.slots, NULL))
				wrong++;
			n_free += y.free;
			n_held += !y.free;
			if (y.free)
				wrong += count_wrong(&net, &shape, &y, &rng);
			pl_shape_fini(&shape);
		}
	is_int(wrong, 0, "turned orders cost the same, whoever comes first");
	ok(n_free > 500 && n_held > 500, "%d calls are symmetric, %d are not", n_free, n_held);
}

/* The digits of an algorithm for n hosts: "2 2 2"; "-": it is not symmetric. */
static void is_digits(const char *name, enum pl_impl impl, size_t n, size_t radix, const char *want)
{
	const struct pl_algorithm *a;
	const double none[HOSTS_MAX * HOSTS_MAX] = {0};
	const struct pl_costs costs = {.n = n, .c = none};
	const struct pl_call call = {.n_pos = n, .bytes = 4 * n, .slots = 1, .radix = radix};
	struct pl_shape shape;
	struct pl_symmetry y;
	char text[64] = "-";
	size_t used = 0;

	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++)
		if (a->collective == PL_ALLREDUCE && a->impl == impl && strcmp(a->name, name) == 0)
			break;
	if (!a || pl_algorithm_shape(a, &call, &shape, NULL) ||
	    pl_symmetry_find(&y, &shape, &costs, n, 1, NULL)) {
		ok(false, "%s of %zu", name, n);
		return;
	}
	for (size_t k = 0; y.free && k < y.n_digits; k++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, k ? " %zu" : "%zu",
					 y.radix[k]);
	ok(strcmp(text, want) == 0, "%s of %zu: digits %s", name, n, text);
	pl_shape_fini(&shape);
}

static void test_digits(void)
{
	is_digits("ring", PL_THESIS, 12, 0, "12");
	is_digits("halving-doubling", PL_THESIS, 16, 0, "2 2 2 2");
	is_digits("halving-doubling", PL_THESIS, 12, 0, "-");
	is_digits("bcube", PL_THESIS, 16, 4, "2 2 2 2");
	is_digits("bcube", PL_THESIS, 27, 3, "3 3 3");
	is_digits("double-binary-tree", PL_THESIS, 16, 0, "-");
	is_digits("recursive-doubling", PL_OPENMPI, 32, 0, "2 2 2 2 2");
	is_digits("recursive-doubling", PL_OPENMPI, 24, 0, "-");
	is_digits("rabenseifner", PL_OPENMPI, 8, 0, "2 2 2");
}

/* Each pair once, as the thesis has halving and doubling. */
static void test_ways(void)
{
	double c[16] = {0};
	const struct pl_costs costs = {.n = 4, .c = c};
	struct pl_shape shape = {.kind = PL_SUM_OF_MAXIMA, .n_pos = 4};
	struct pl_symmetry y;

	shapes_add(&shape, 0, 1, 0);
	shapes_add(&shape, 2, 3, 0);
	shapes_add(&shape, 0, 2, 1);
	shapes_add(&shape, 1, 3, 1);
	ok(pl_symmetry_find(&y, &shape, &costs, 4, 1, NULL) == 0 && y.free,
	   "hops one way, both ways costing the same");
	c[1] = 1;
	ok(pl_symmetry_find(&y, &shape, &costs, 4, 1, NULL) == 0 && !y.free,
	   "hops one way, back dearer");
	pl_shape_fini(&shape);
}

/* The slowest hop of a ring of ranks, hosts having different numbers of them; and two binary trees,
 * that cannot be turned. */
static void test_uneven(void)
{
	const double none[16] = {0};
	const struct pl_costs costs = {.n = 4, .c = none};
	struct pl_shape ring = shapes_make(SHAPES_SLOWEST, 7);
	struct pl_shape tree = shapes_make(SHAPES_TREE, 7);
	size_t at[] = {2, 0, 3, 1};
	struct pl_symmetry y;

	ok(pl_symmetry_find(&y, &ring, &costs, 4, 0, NULL) == 0 && y.free,
	   "uneven slots: a ring can be turned");
	pl_symmetry_turn(&y, 2, at, NULL);
	ok(at[0] == 3 && at[1] == 1 && at[2] == 2 && at[3] == 0,
	   "uneven slots: all one after the other");
	ok(pl_symmetry_find(&y, &tree, &costs, 4, 0, NULL) == 0 && !y.free,
	   "uneven slots: trees cannot");
	pl_shape_fini(&ring);
	pl_shape_fini(&tree);
}

/* Rounds may change places: of neighbours exchanging in turns with the one and the other, turned by
 * one seat. One round more, and they may not. */
static void test_groups(void)
{
	const double c[16] = {0, 1}; /* directed */
	const struct pl_costs costs = {.n = 4, .c = c};
	struct pl_shape shape = {.kind = PL_SUM_OF_MAXIMA, .n_pos = 4};
	struct pl_symmetry y;

	shapes_add(&shape, 0, 1, 0);
	shapes_add(&shape, 2, 3, 0);
	shapes_add(&shape, 1, 2, 1);
	shapes_add(&shape, 3, 0, 1);
	ok(pl_symmetry_find(&y, &shape, &costs, 4, 1, NULL) == 0 && y.free,
	   "groups may change places");
	shapes_add(&shape, 0, 1, 2);
	shapes_add(&shape, 2, 3, 2);
	ok(pl_symmetry_find(&y, &shape, &costs, 4, 1, NULL) == 0 && !y.free,
	   "but not with a third that is like one of them");
	pl_shape_fini(&shape);
}

/* What hops carry matters where bytes cost, how often they are taken always. */
static void test_hops(void)
{
	const double none[16] = {0};
	const struct pl_costs bare = {.n = 4, .c = none};
	const struct pl_costs costs = {.n = 4, .c = none, .per_byte = none};
	struct pl_shape shape = shapes_make(SHAPES_SLOWEST, 4);
	struct pl_symmetry y;

	shape.hop[2].bytes = 65;
	ok(pl_symmetry_find(&y, &shape, &bare, 4, 1, NULL) == 0 && y.free,
	   "bytes that cost nothing");
	ok(pl_symmetry_find(&y, &shape, &costs, 4, 1, NULL) == 0 && !y.free, "bytes that do");
	shape.hop[2].times = 2;
	ok(pl_symmetry_find(&y, &shape, &bare, 4, 1, NULL) == 0 && !y.free, "a hop taken twice");
	pl_shape_fini(&shape);
}

static void test_no_memory(void)
{
	const double none[16] = {0};
	const struct pl_costs costs = {.n = 4, .c = none};
	struct pl_shape shape = shapes_make(SHAPES_HALVING, 4);
	size_t at[] = {0, 1, 2, 3}, live, k = 0;
	struct pl_symmetry y;
	int wrong = 0;
	bool refused;

	do {
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k++);
		rc = pl_symmetry_find(&y, &shape, &costs, 4, 1, &err);
		if (rc == 0)
			rc = pl_symmetry_turn(&y, 3, at, &err);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0 ||
			 (refused && (err.code != PL_ESYSTEM || at[0] != 0));
	} while (refused);
	ok(k > 5 && at[0] == 3, "%zu allocations, each refused once", k - 1);
	is_int(wrong, 0, "refused memory is told, and nothing leaks");
	pl_shape_fini(&shape);
}

int main(void)
{
	test_catalogue();
	test_digits();
	test_ways();
	test_uneven();
	test_groups();
	test_hops();
	test_no_memory();
	return done_testing();
}
