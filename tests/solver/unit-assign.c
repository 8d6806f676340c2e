/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-assign.c - quadratic assignment: against all orders of few hosts, and
 * costs kept up to date */
#include "config.h"

#include "base/rng.h"
#include "solver/assign/tabu.h"
#include "tests/tap.h"

#include <math.h>

enum { FEW = 7, MANY = 40 };

struct problem {
	double messages[MANY * MANY], bytes[MANY * MANY];
	double c[MANY * MANY], per_byte[MANY * MANY];
	struct pl_assign_problem p;
};

/* Whole numbers, not the same in both directions. */
static void make(struct problem *t, size_t n, bool bytes, uint64_t seed)
{
	struct pl_rng rng;

	memset(t, 0, sizeof(*t));
	pl_rng_init(&rng, seed, 0);
	for (size_t i = 0; i < n * n; i++) {
		if (i / n == i % n)
			continue;
		t->messages[i] = (double)pl_rng_below(&rng, 9);
		t->bytes[i] = (double)pl_rng_below(&rng, 50);
		t->c[i] = (double)pl_rng_below(&rng, 100);
		t->per_byte[i] = (double)pl_rng_below(&rng, 5);
	}
	t->p = (struct pl_assign_problem){
		.n = n,
		.messages = t->messages,
		.bytes = t->bytes,
		.costs = {.n = n,
			  .c = t->c,
			  .per_byte = bytes ? t->per_byte : NULL}};
}

/* The least of all orders (Heap's algorithm). */
static double least_of_all(const struct pl_assign_problem *p)
{
	size_t at[FEW], count[FEW] = {0}, i = 1;
	double least;

	for (size_t k = 0; k < FEW; k++)
		at[k] = k;
	least = pl_assign_cost(p, at);
	while (i < FEW) {
		const size_t other = i % 2 ? count[i] : 0, host = at[other];

		if (count[i] == i) {
			count[i++] = 0;
			continue;
		}
		at[other] = at[i];
		at[i] = host;
		least = fmin(least, pl_assign_cost(p, at));
		count[i]++;
		i = 1;
	}
	return least;
}

static double search(const struct pl_assign_problem *p, uint64_t seed,
		     uint64_t iterations, size_t *at)
{
	struct pl_rng rng;
	struct pl_err err = {0};

	pl_rng_init(&rng, seed, 1);
	for (size_t i = 0; i < p->n; i++)
		at[i] = i;
	pl_rng_shuffle(&rng, at, p->n);
	if (pl_assign_tabu(p, &rng, &iterations, NULL, at, &err))
		return -1;
	return pl_assign_cost(p, at);
}

static bool is_permutation(const size_t *at, size_t n)
{
	bool seen[MANY] = {false};

	for (size_t i = 0; i < n; i++) {
		if (at[i] >= n || seen[at[i]])
			return false;
		seen[at[i]] = true;
	}
	return true;
}

int main(void)
{
	static struct problem t;
	size_t at[MANY], again[MANY], start[MANY];
	struct pl_rng rng;
	double few, more;

	for (uint64_t seed = 1; seed <= 6; seed++) {
		make(&t, FEW, seed % 2, seed);
		ok(search(&t.p, seed, 2000, at) == least_of_all(&t.p),
		   "seven hosts: none is cheaper, seed %d", (int)seed);
	}
	make(&t, MANY, true, 9);
	more = search(&t.p, 3, 20000, at);
	ok(is_permutation(at, MANY), "forty hosts, each once");
	search(&t.p, 3, 20000, again);
	ok(memcmp(at, again, sizeof(at)) == 0, "the same seed, the same order");
	few = search(&t.p, 3, 50, again);
	ok(more < few, "more iterations find a cheaper one");
	pl_rng_init(&rng, 3, 1);
	for (size_t i = 0; i < MANY; i++)
		start[i] = i;
	pl_rng_shuffle(&rng, start, MANY);
	ok(few < pl_assign_cost(&t.p, start), "and a few find one, too");
	memcpy(again, at, sizeof(at));
	pl_rng_init(&rng, 5, 1);
	pl_assign_tabu(&t.p, &rng, &(uint64_t){3}, NULL, again, NULL);
	ok(pl_assign_cost(&t.p, again) <= more, "none is made dearer");
	return done_testing();
}
