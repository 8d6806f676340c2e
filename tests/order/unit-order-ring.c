/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-order-ring.c - which shapes are rings, and that their costs stay the same */
#include "config.h"

#include "costmodels/catalogue.h"
#include "costmodels/ring.h"
#include "order/ring.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

enum { HOSTS = 6, SLOTS = 3, RANKS = HOSTS * SLOTS };

/* A hop from every position to the one @step further on. */
static struct pl_shape ring_of(size_t n, size_t step, double times)
{
	struct pl_shape shape = {.kind = PL_SUM, .n_pos = n};

	for (size_t k = 0; k < n; k++)
		if (pl_shape_add(&shape,
				 (struct pl_hop){.src = (uint32_t)k,
						 .dst = (uint32_t)((k + step) % n),
						 .times = times,
						 .bytes = 5},
				 NULL))
			abort();
	return shape;
}

/* The full evaluation of the shape against the ring's sum, for random orders of hosts with @slots
 * positions each. */
static bool same_costs(const struct pl_shape *shape, const struct pl_costs *costs, size_t slots,
		       struct pl_rng *rng)
{
	struct pl_objective *o = pl_objective_create(shape, costs, NULL);
	size_t host_at[HOSTS], at[RANKS];
	struct pl_order_ring ring;
	const double *c = NULL;
	double *own = NULL, full, sum;
	bool same = o && pl_order_ring_find(shape, slots, &ring) &&
		    !pl_order_ring_costs(&ring, costs, &c, &own, NULL);

	for (size_t h = 0; h < HOSTS; h++)
		host_at[h] = h;
	for (int i = 0; same && i < 50; i++) {
		pl_rng_shuffle(rng, host_at, HOSTS);
		for (size_t k = 0; k < HOSTS * slots; k++)
			at[k] = host_at[k / slots];
		full = pl_objective_full(o, at);
		sum = pl_cost_ring(c, HOSTS, host_at, HOSTS);
		/* hops may be taken a fraction of a time */
		same = fabs(full - sum) <= 1e-12 * full;
	}
	pl_objective_destroy(o);
	free(own);
	return same;
}

static void test_costs(void)
{
	double c[HOSTS * HOSTS], per_byte[HOSTS * HOSTS];
	struct pl_rng rng;
	int wrong = 0;

	pl_rng_init(&rng, 1, 0);
	solve_fill(c, HOSTS, SOLVE_WHOLE, &rng);
	solve_fill(per_byte, HOSTS, SOLVE_WHOLE, &rng);
	for (size_t i = 0; i < 16; i++) {
		const size_t slots = i & 1 ? SLOTS : 1, n = HOSTS * slots;
		const struct pl_costs costs = {
			.n = HOSTS, .c = c, .per_byte = i & 2 ? per_byte : NULL};
		struct pl_shape shape = ring_of(n, i & 4 ? n - 1 : 1, i & 8 ? 14 : 1);

		wrong += !same_costs(&shape, &costs, slots, &rng);
		pl_shape_fini(&shape);
	}
	is_int(wrong, 0, "rings of ranks, of slots, backwards, many times, with bytes");
}

/* Every ring of the catalogue that is one costs what its shape does. */
static void test_catalogue(void)
{
	double c[HOSTS * HOSTS];
	const struct pl_costs costs = {.n = HOSTS, .c = c};
	const struct pl_algorithm *a;
	struct pl_rng rng;
	int rings = 0, wrong = 0;

	pl_rng_init(&rng, 2, 0);
	solve_fill(c, HOSTS, SOLVE_WHOLE, &rng);
	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++) {
		const struct pl_call call = {.n_pos = RANKS, .bytes = 4 * RANKS, .slots = SLOTS};
		struct pl_order_ring ring;
		struct pl_shape shape;

		if (pl_algorithm_shape(a, &call, &shape, NULL))
			continue;
		if (pl_order_ring_find(&shape, SLOTS, &ring)) {
			rings++;
			wrong += !same_costs(&shape, &costs, SLOTS, &rng);
		}
		pl_shape_fini(&shape);
	}
	ok(rings >= 3, "the catalogue has %d rings", rings);
	is_int(wrong, 0, "which cost the same");
}

static bool is_ring(const struct pl_shape *shape, size_t slots)
{
	struct pl_order_ring ring;

	return pl_order_ring_find(shape, slots, &ring);
}

static void test_others(void)
{
	struct pl_shape shape = ring_of(RANKS, 1, 1);

	ok(is_ring(&shape, 1) && is_ring(&shape, SLOTS), "a ring");
	ok(is_ring(&shape, 0), "also where hosts have uneven slots");
	shape.kind = PL_SLOWEST;
	ok(!is_ring(&shape, 1), "not where the dearest hop rules");
	shape.kind = PL_SUM;
	shape.hop[4].bytes = 6;
	ok(!is_ring(&shape, 1), "not with hops of other bytes");
	shape.hop[4].bytes = 5;
	shape.hop[4].times = 2;
	ok(!is_ring(&shape, 1), "not with a hop twice as dear");
	ok(is_ring(&shape, SLOTS), "but if that one is within a host");
	shape.hop[4] = shape.hop[5];
	ok(!is_ring(&shape, 1) && !is_ring(&shape, SLOTS), "not with a hop that comes again");
	shape.n_hops--;
	ok(!is_ring(&shape, 1), "not with a gap");
	pl_shape_fini(&shape);
	shape = ring_of(RANKS, 5, 1);
	ok(!is_ring(&shape, 1), "not with longer hops");
	pl_shape_fini(&shape);
	shape = ring_of(2, 1, 1);
	ok(is_ring(&shape, 1), "there and back");
	ok(is_ring(&shape, 2), "one host: nothing to pay");
	pl_shape_fini(&shape);
}

int main(void)
{
	test_costs();
	test_catalogue();
	test_others();
	return done_testing();
}
