/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-ring-local.c - local search on rings: what it leaves, and its sums */
#include "config.h"

#include "solver/neighbours.h"
#include "solver/ring/ring-local.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <string.h>

enum { N_MAX = 24 };

/* A search over random costs with all hosts as neighbours, and its ring. */
struct trial {
	double c[N_MAX * N_MAX];
	size_t at[N_MAX], n;
	struct pl_neighbours nb;
	struct pl_ring_local ls;
};

static int begin(struct trial *t, size_t n, enum solve_kind kind, struct pl_rng *rng)
{
	struct pl_hops hops = {.n = n, .c = t->c};

	t->n = n;
	solve_fill(t->c, n, kind, rng);
	for (size_t i = 0; i < n; i++)
		t->at[i] = i;
	pl_rng_shuffle(rng, t->at, n);
	if (pl_neighbours_init(&t->nb, t->c, n, n, NULL, NULL))
		return -1;
	if (pl_ring_local_init(&t->ls, &hops, &t->nb, NULL)) {
		pl_neighbours_fini(&t->nb);
		return -1;
	}
	pl_tour_set(&t->ls.tour, t->at);
	return 0;
}

static void end(struct trial *t)
{
	pl_ring_local_fini(&t->ls);
	pl_neighbours_fini(&t->nb);
}

static double cost(const struct trial *t, const size_t *at)
{
	return pl_cost_ring(t->c, t->n, at, t->n);
}

/* The cheapest ring that differs from at[] by a way turned round. */
static double best_turned(const struct trial *t, const size_t *at)
{
	double best = INFINITY;

	for (size_t i = 1; i < t->n; i++)
		for (size_t j = i + 1; j < t->n; j++) {
			size_t other[N_MAX];

			memcpy(other, at, sizeof(other));
			for (size_t k = i; k <= j; k++)
				other[k] = at[i + j - k];
			best = fmin(best, cost(t, other));
		}
	return best;
}

/* The cheapest that differs by two neighbouring ways, i..j-1 and j..k, that have changed places. */
static double best_swapped(const struct trial *t, const size_t *at)
{
	double best = INFINITY;

	for (size_t i = 1; i < t->n; i++)
		for (size_t j = i + 1; j < t->n; j++)
			for (size_t k = j; k < t->n; k++) {
				size_t other[N_MAX];

				memcpy(other, at, sizeof(other));
				memcpy(other + i, at + j, (k + 1 - j) * sizeof(*at));
				memcpy(other + i + k + 1 - j, at + i, (j - i) * sizeof(*at));
				best = fmin(best, cost(t, other));
			}
	return best;
}

/* Whichever hosts are marked: the gain told is what the ring became cheaper by, exchange by
 * exchange, and undo brings back the ring there was. */
static void test_sums(enum solve_kind kind, const char *name)
{
	int wrong = 0, broken = 0, dearer = 0, gained = 0;

	for (int k = 0; k < 300; k++) {
		struct trial t;
		struct pl_rng rng;
		size_t now[N_MAX];
		double before, after, gain;

		pl_rng_init(&rng, 41, (uint64_t)k);
		if (begin(&t, 4 + (size_t)k % (N_MAX - 3), kind, &rng)) {
			broken++;
			continue;
		}
		before = cost(&t, t.at);
		for (size_t i = 0; i < 1 + t.n / 4; i++)
			pl_ring_local_push(&t.ls, (uint32_t)pl_rng_below(&rng, t.n));
		gain = pl_ring_local_run(&t.ls);
		pl_tour_get(&t.ls.tour, now);
		broken += !solve_is_order(now, t.n);
		after = cost(&t, now);
		wrong += fabs(before - after - gain) > 1e-12 * before;
		dearer += after > before;
		gained += after < before;
		pl_tour_undo(&t.ls.tour);
		pl_tour_get(&t.ls.tour, now);
		broken += memcmp(now, t.at, t.n * sizeof(*now)) != 0;
		end(&t);
	}
	ok(broken == 0, "%s: rings remain rings, and are undone (%d wrong)", name, broken);
	ok(wrong == 0, "%s: gains are as costs added up (%d wrong)", name, wrong);
	ok(dearer == 0, "%s: never dearer (%d wrong)", name, dearer);
	ok(gained > 150, "%s: cheaper in %d of 300", name, gained);
}

/* With all neighbours known and all hosts marked, again after each exchange
 * (it may let others close that were looked at before), nothing better is
 * left. */
static void test_optimum(enum solve_kind kind, const char *name)
{
	int turns = 0, swaps = 0;

	for (int k = 0; k < 60; k++) {
		struct trial t;
		struct pl_rng rng;
		size_t now[N_MAX];
		double left;

		pl_rng_init(&rng, 42, (uint64_t)k);
		if (begin(&t, 5 + (size_t)k % (N_MAX - 4), kind, &rng)) {
			turns++;
			continue;
		}
		do {
			for (uint32_t h = 0; h < t.n; h++)
				pl_ring_local_push(&t.ls, h);
		} while (pl_ring_local_run(&t.ls) > 0);
		pl_tour_get(&t.ls.tour, now);
		left = cost(&t, now) * (1 - 1e-12);
		turns += t.nb.symmetric && best_turned(&t, now) < left;
		swaps += best_swapped(&t, now) < left;
		end(&t);
	}
	ok(turns == 0, "%s: no way is better turned round (%d wrong)", name, turns);
	ok(swaps == 0, "%s: no two ways are better swapped (%d wrong)", name, swaps);
}

int main(void)
{
	test_sums(SOLVE_SYM, "fractions, both ways alike");
	test_sums(SOLVE_DIRECT, "directed fractions");
	test_sums(SOLVE_WHOLE, "directed whole numbers");
	test_sums(SOLVE_HUGE, "huge directed costs");
	test_optimum(SOLVE_SYM, "fractions, both ways alike");
	test_optimum(SOLVE_DIRECT, "directed fractions");
	test_optimum(SOLVE_WHOLE, "directed whole numbers");
	return done_testing();
}
