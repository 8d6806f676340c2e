/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-ring-search.c - local search and exact search for rings */
#include "config.h"

#include "solver/ring/ring-exact.h"
#include "solver/ring/ring-search.h"
#include "solver/ring/tour.h"
#include "tests/failalloc.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <stdlib.h>

static struct pl_ring_options options(uint64_t seed, uint64_t moves, unsigned threads)
{
	return (struct pl_ring_options){.seed = seed, .moves = moves, .threads = threads};
}

/* The same ring up to rounding: sums in another order. */
static bool about(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/* Random matrices of every kind and n <= 8: both searches find the least. */
static void test_brute(void)
{
	int wrong_search = 0, wrong_exact = 0, broken = 0;

	for (int k = 0; k < 40 * SOLVE_KINDS; k++) {
		const size_t n = 1 + (size_t)(k / SOLVE_KINDS) % SOLVE_BRUTE_MAX;
		double c[SOLVE_BRUTE_MAX * SOLVE_BRUTE_MAX];
		const struct pl_ring_options o = options(1, 3000, 1);
		size_t at[SOLVE_BRUTE_MAX], exact[SOLVE_BRUTE_MAX];
		struct pl_ring_result r;
		struct pl_rng rng;
		double best;
		bool done;

		pl_rng_init(&rng, 11, (uint64_t)k);
		solve_fill(c, n, (enum solve_kind)(k % SOLVE_KINDS), &rng);
		for (size_t i = 0; i < n; i++)
			at[i] = i;
		pl_rng_shuffle(&rng, at, n);
		best = solve_brute(c, n);
		broken += pl_ring_search(c, n, &o, at, &r, NULL) || !solve_is_order(at, n) ||
			  r.cost != pl_cost_ring(c, n, at, n);
		wrong_search += !about(r.cost, best);
		broken += pl_ring_exact(c, n, NULL, exact, &done, NULL) || !done ||
			  !solve_is_order(exact, n) || exact[0] != 0;
		wrong_exact += !about(pl_cost_ring(c, n, exact, n), best);
	}
	is_int(broken, 0, "always a permutation, and its cost told truly");
	is_int(wrong_search, 0, "local search: as brute force, n <= 8");
	is_int(wrong_exact, 0, "exact search: as brute force, n <= 8");
}

/* From 9 to 13 hosts the two searches are held against each other. */
static void test_exact(void)
{
	int wrong = 0;

	for (int k = 0; k < 20; k++) {
		const size_t n = 9 + (size_t)k % (PL_RING_EXACT_SOON - 8);
		double c[PL_RING_EXACT_SOON * PL_RING_EXACT_SOON];
		size_t at[PL_RING_EXACT_SOON], exact[PL_RING_EXACT_SOON];
		const struct pl_ring_options o = options(1, 2000, 1);
		struct pl_ring_result r;
		struct pl_rng rng;
		bool done;

		pl_rng_init(&rng, 12, (uint64_t)k);
		solve_fill(c, n, k % 2 ? SOLVE_SYM : SOLVE_DIRECT, &rng);
		for (size_t i = 0; i < n; i++)
			at[i] = i;
		wrong += pl_ring_search(c, n, &o, at, &r, NULL) ||
			 pl_ring_exact(c, n, NULL, exact, &done, NULL) ||
			 !about(pl_cost_ring(c, n, exact, n), r.cost);
	}
	is_int(wrong, 0, "9 to 13 hosts: both searches agree");
}

/* Under any small budget the result is never dearer than the start, and the first host keeps its
 * place. */
static void test_never_worse(void)
{
	int worse = 0, moved = 0, broken = 0;

	for (int k = 0; k < 150; k++) {
		const size_t n = 1 + (size_t)k % 37;
		const struct pl_ring_options o = options((uint64_t)k, (uint64_t)k % 7, 1);
		double c[37 * 37], before;
		size_t at[37], first;
		struct pl_ring_result r;
		struct pl_rng rng;

		pl_rng_init(&rng, 13, (uint64_t)k);
		solve_fill(c, n, (enum solve_kind)(k % SOLVE_KINDS), &rng);
		for (size_t i = 0; i < n; i++)
			at[i] = i;
		pl_rng_shuffle(&rng, at, n);
		first = at[0];
		before = pl_cost_ring(c, n, at, n);
		broken += pl_ring_search(c, n, &o, at, &r, NULL) || !solve_is_order(at, n) ||
			  r.cost_given != before;
		worse += pl_cost_ring(c, n, at, n) > before;
		moved += at[0] != first;
	}
	is_int(broken, 0, "any size, any budget: a permutation");
	is_int(worse, 0, "never worse than the start");
	is_int(moved, 0, "the first host stays first");
}

static void test_keeps_best(void)
{
	enum { N = 16 };
	double c[N * N];
	size_t at[N];
	const struct pl_ring_options o = options(5, 3000, 2);
	struct pl_ring_result r;
	int moved = 0;

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			c[i * N + j] = i == j ? 0 : 7;
	for (size_t i = 0; i < N; i++)
		at[i] = (i * 3) % N;
	ok(!pl_ring_search(c, N, &o, at, &r, NULL), "equal costs everywhere");
	for (size_t i = 0; i < N; i++)
		moved += at[i] != (i * 3) % N;
	is_int(moved, 0, "nothing to gain: the given order stays");
}

static void test_racks(size_t n, size_t size)
{
	const double best = (double)(n / size) * 5000 + (double)(n - n / size) * 500;
	double *c = malloc(n * n * sizeof(*c));
	size_t *at = malloc(n * sizeof(*at));
	const struct pl_ring_options o = options(1, 2000, 2);
	struct pl_ring_result r;
	struct pl_rng rng;

	pl_rng_init(&rng, 14, n);
	solve_racks(c, n, size, 500, 5000, &rng);
	for (size_t i = 0; i < n; i++)
		at[i] = i;
	if (pl_ring_search(c, n, &o, at, &r, NULL))
		r.cost = 0;
	ok(r.cost == best, "%zu hosts in racks of %zu: the planted order (%g, best %g)", n, size,
	   r.cost, best);
	free(at);
	free(c);
}

/* Racks that differ from each other, and hops within one as well. */
static void fill_uneven(double *c, size_t n, size_t size, struct pl_rng *rng)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			const size_t a = i / size, b = j / size;
			const double hop = a == b ? 500 : 5000 + 10000 * (double)((a + b) % 7) / 6;
			const double cost = hop * (1 + 0.2 * pl_rng_double(rng));

			c[i * n + j] = c[j * n + i] = i == j ? 0 : cost;
		}
}

/* A bad order to start from does not stay: the racks' order is hard to mend. */
static void test_bad_start(void)
{
	enum { N = 640, SIZE = 16 };
	const double floor = 5000.0 * N / SIZE + 500.0 * (N - N / SIZE);
	double *c = malloc(sizeof(*c) * N * N);
	const struct pl_ring_options o = options(3, 10 * N, 2);
	struct pl_ring_result r;
	size_t at[N];
	struct pl_rng rng;

	pl_rng_init(&rng, 20, 0);
	fill_uneven(c, N, SIZE, &rng);
	for (size_t i = 0; i < N; i++)
		at[i] = i;
	pl_rng_shuffle(&rng, at, N);
	if (pl_ring_search(c, N, &o, at, &r, NULL))
		r.cost = INFINITY;
	ok(r.cost < 1.08 * floor, "uneven racks, shuffled: %g, no ring costs less than %g", r.cost,
	   floor);
	free(c);
}

/* Same seed and moves, same order, for any number of threads. */
static void test_threads(enum solve_kind kind)
{
	enum { N = 30 };
	static double c[N * N];
	size_t first[N], at[N];
	struct pl_ring_result r, r1 = {0};
	struct pl_rng rng;
	int differ = 0;

	pl_rng_init(&rng, 15, kind);
	solve_fill(c, N, kind, &rng);
	for (unsigned threads = 1; threads <= 7; threads += 2) {
		const struct pl_ring_options o = options(9, 60000, threads);

		for (size_t i = 0; i < N; i++)
			at[i] = i;
		if (pl_ring_search(c, N, &o, at, &r, NULL))
			differ++;
		if (threads == 1) {
			memcpy(first, at, sizeof(at));
			r1 = r;
		}
		differ += memcmp(first, at, sizeof(at)) != 0 || r.moves != r1.moves ||
			  r.restarts != r1.restarts;
	}
	is_int(differ, 0, "1, 3, 5, 7 threads: the same bytes");
	is_int((int64_t)r1.moves, 60000, "all moves are used, no more");
	ok(r1.restarts > 2, "%d restarts", (int)r1.restarts);
}

/* The first restart that reaches the target ends the search: the same order
 * and count of moves for any number of threads. */
static void test_target(void)
{
	enum { N = 60 };
	static double c[N * N];
	struct pl_ring_options o = options(2, 100000, 1);
	struct pl_ring_result r, r1 = {0};
	size_t first[N], at[N];
	struct pl_rng rng;
	int differ = 0;

	pl_rng_init(&rng, 18, 0);
	solve_fill(c, N, SOLVE_DIRECT, &rng);
	for (size_t i = 0; i < N; i++)
		at[i] = i;
	differ += pl_ring_search(c, N, &o, at, &r, NULL);
	o.target = r.cost;
	for (unsigned threads = 1; threads <= 8; threads++) {
		o.threads = threads;
		for (size_t i = 0; i < N; i++)
			at[i] = i;
		differ += pl_ring_search(c, N, &o, at, &r, NULL);
		if (threads == 1) {
			memcpy(first, at, sizeof(at));
			r1 = r;
		}
		differ += memcmp(first, at, sizeof(at)) != 0 || r.moves != r1.moves ||
			  r.restarts != r1.restarts;
	}
	is_int(differ, 0, "a target: the same for any number of threads");
	ok(fabs(r1.cost - o.target) < 1e-12 && !r1.stopped && r1.moves > 0 && r1.moves < 100000,
	   "a target: reached, and no more done (%d moves, %d restarts)", (int)r1.moves,
	   (int)r1.restarts);
	ok(!pl_ring_search(c, N, &o, at, &r, NULL) && r.moves == 0,
	   "a target the given order reaches: nothing is done");
}

static void test_stop(void)
{
	enum { N = 40 };
	static double c[N * N];
	const volatile sig_atomic_t now = 1;
	const struct pl_stop stop = {.flag = &now};
	struct pl_ring_options o = options(1, PL_RING_MOVES_MAX, 3);
	struct pl_ring_result r;
	struct pl_rng rng;
	size_t at[N];

	o.stop = &stop;
	pl_rng_init(&rng, 16, 0);
	solve_fill(c, N, SOLVE_DIRECT, &rng);
	for (size_t i = 0; i < N; i++)
		at[i] = i;
	ok(!pl_ring_search(c, N, &o, at, &r, NULL) && r.stopped && r.moves == 0 &&
		   solve_is_order(at, N),
	   "told to stop: ends, with what there is");
	ok(r.cost < r.cost_given, "which is the local optimum at least");
}

static void test_rotate(void)
{
	size_t at[] = {3, 1, 4, 0, 2};
	const size_t want[] = {0, 2, 3, 1, 4};

	pl_ring_rotate(at, 5, 0);
	ok(memcmp(at, want, sizeof(at)) == 0, "a ring turned, order kept");
	pl_ring_rotate(at, 5, 0);
	ok(memcmp(at, want, sizeof(at)) == 0, "turned to where it is: same");
}

/* Random changes on a tour and the same on a plain model; then undo. */
static void test_tour(void)
{
	enum { N = 23 };
	struct pl_tour t;
	struct pl_rng rng;
	size_t start[N], now[N];
	int wrong = 0;

	pl_rng_init(&rng, 17, 0);
	for (size_t i = 0; i < N; i++)
		start[i] = i;
	pl_rng_shuffle(&rng, start, N);
	ok(!pl_tour_init(&t, N), "a tour");
	pl_tour_set(&t, start);
	for (int k = 0; k < 800; k++) {
		const uint32_t from = (uint32_t)pl_rng_below(&rng, N);
		const uint32_t len = 3 + (uint32_t)pl_rng_below(&rng, N - 4);
		const uint32_t mid = 1 + (uint32_t)pl_rng_below(&rng, len - 1);
		const uint32_t first = t.at[from];
		const uint32_t middle = t.at[(from + mid - 1) % N];
		const uint32_t second = t.at[(from + mid) % N];
		const uint32_t last = t.at[(from + len - 1) % N];
		const uint32_t before = pl_tour_prev(&t, first);
		const uint32_t after = pl_tour_next(&t, last);

		pl_tour_exchange(&t, first, middle, last);
		wrong += pl_tour_next(&t, before) != second || pl_tour_next(&t, last) != first ||
			 pl_tour_next(&t, middle) != after;
		pl_tour_reverse(&t, first, middle);
		/* that way, or all the others: the same ring */
		wrong += !(pl_tour_next(&t, last) == middle && pl_tour_next(&t, first) == after) &&
			 !(pl_tour_prev(&t, last) == middle && pl_tour_prev(&t, first) == after);
		pl_tour_get(&t, now);
		wrong += !solve_is_order(now, N);
	}
	is_int(wrong, 0, "exchanges and reversals do what they say");
	pl_tour_undo(&t);
	pl_tour_get(&t, now);
	ok(memcmp(now, start, sizeof(now)) == 0, "undone to the last place");
	pl_tour_fini(&t);
}

/* Each allocation refused once: -1, the given order untouched, no leak. */
static void test_no_memory(void)
{
	enum { N = 12 };
	double c[N * N];
	const struct pl_ring_options o = options(1, 2000, 1);
	struct pl_rng rng;
	bool done;
	size_t live, k = 0;
	bool refused;
	int wrong = 0;

	pl_rng_init(&rng, 19, 0);
	solve_fill(c, N, SOLVE_SYM, &rng);
	do {
		struct pl_ring_result r;
		struct pl_err err = {0};
		size_t at[N], moved = 0;
		int rc;

		for (size_t i = 0; i < N; i++)
			at[i] = i;
		failalloc_begin(k++);
		rc = pl_ring_search(c, N, &o, at, &r, &err);
		refused = failalloc_end(&live);
		for (size_t i = 0; i < N; i++)
			moved += at[i] != i;
		wrong += (rc == -1) != refused || live > 0;
		wrong += refused && (err.code != PL_ESYSTEM || moved > 0);
		wrong += !refused && moved == 0;
	} while (refused);
	ok(k > 60, "%zu allocations, each refused once", k - 1);
	is_int(wrong, 0, "refused memory: PL_ESYSTEM, the order untouched");

	failalloc_begin(0);
	ok(pl_ring_exact(c, N, NULL, (size_t[N]){0}, &done, NULL) == -1 && failalloc_end(&live) &&
		   live == 0,
	   "exact search: refused memory");
}

int main(void)
{
	test_tour();
	test_rotate();
	test_brute();
	test_exact();
	test_never_worse();
	test_keeps_best();
	test_racks(16, 4);
	test_racks(32, 8);
	test_racks(256, 16);
	test_bad_start();
	test_threads(SOLVE_SYM);
	test_threads(SOLVE_DIRECT);
	test_target();
	test_stop();
	test_no_memory();
	return done_testing();
}
