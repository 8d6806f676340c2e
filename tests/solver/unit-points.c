/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-points.c - rings through points: neighbours, trees, bounds, search */
#include "config.h"

#include "solver/graph.h"
#include "solver/hops.h"
#include "solver/points/kd-span.h"
#include "solver/points/point-bound.h"
#include "solver/points/point-ring.h"
#include "solver/points/point-start.h"
#include "tests/failalloc.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

#define N 300
#define STEPS 40

/* How points lie. */
enum kind {
	EVEN,
	CLUSTERS,
	GRID, /* many equal distances, some points twice */
	LINE,
	ONE_PLACE,
	HUGE_NUMBERS,
	KINDS
};

struct set {
	double x[N], y[N];
	struct pl_points p;
	struct pl_kd kd;
};

static void fill(struct set *s, size_t n, enum kind kind, uint64_t seed)
{
	struct pl_rng rng;

	pl_rng_init(&rng, 31, seed);
	for (size_t i = 0; i < n; i++) {
		double x = pl_rng_double(&rng), y = pl_rng_double(&rng);

		if (kind == CLUSTERS) {
			x = x * x * 0.01 + (double)pl_rng_below(&rng, 4);
			y = y * y * 0.01 + (double)pl_rng_below(&rng, 4);
		} else if (kind == GRID) {
			x = (double)pl_rng_below(&rng, 16);
			y = (double)pl_rng_below(&rng, 16);
		} else if (kind == LINE) {
			y = 7;
		} else if (kind == ONE_PLACE) {
			x = y = -3;
		} else if (kind == HUGE_NUMBERS) {
			x = (x - 0.5) * 1e150;
			y = (y - 0.5) * 1e150;
		}
		s->x[i] = x;
		s->y[i] = y;
	}
	s->p = (struct pl_points){s->x, s->y, n};
	if (pl_kd_init(&s->kd, &s->p, NULL))
		abort();
}

/* Is @host, at that place of a list by distance, right by brute force? */
static bool is_nth(const struct set *s, size_t of, size_t nth,
		   const struct pl_near *near)
{
	size_t nearer = 0;

	if (near->distance != pl_distance(&s->p, of, near->host))
		return false;
	for (size_t i = 0; i < s->p.n; i++) {
		const double d = pl_distance(&s->p, of, i);

		nearer += i != of && (d < near->distance ||
				      (d == near->distance && i < near->host));
	}
	return nearer == nth;
}

static void test_nearest(void)
{
	static struct set s;
	int wrong = 0;

	for (int kind = 0; kind < KINDS; kind++)
		for (size_t n = 1; n <= N; n = n < 20 ? n + 1 : n * 3) {
			fill(&s, n, (enum kind)kind, n);
			for (size_t h = 0; h < n; h++) {
				struct pl_near near[9];
				const size_t k =
					pl_kd_nearest(&s.kd, h, 9, near);

				wrong += k != (n - 1 < 9 ? n - 1 : 9);
				for (size_t i = 0; i < k; i++)
					wrong += !is_nth(&s, h, i, &near[i]);
			}
			pl_kd_fini(&s.kd);
		}
	is_int(wrong, 0, "the nearest points are those of brute force");
}

/* As pl_kd_around has it, by looking at all. */
static size_t count_around(const struct set *s, size_t of, size_t k)
{
	size_t n[4] = {0}, sum = 0;

	for (size_t i = 0; i < s->p.n; i++)
		if (i != of)
			n[(s->x[i] > s->x[of]) + 2 * (s->y[i] > s->y[of])]++;
	for (size_t q = 0; q < 4; q++)
		sum += n[q] < k ? n[q] : k;
	return sum;
}

static void test_around(void)
{
	static struct set s;
	int wrong = 0, far = 0;

	for (int kind = 0; kind < KINDS; kind++) {
		fill(&s, N, (enum kind)kind, 3);
		for (size_t h = 0; h < N; h++) {
			struct pl_near near[8], nearest;
			const size_t n = pl_kd_around(&s.kd, h, 2, near);
			double least = INFINITY;

			wrong += n != count_around(&s, h, 2);
			for (size_t i = 0; i < n; i++) {
				wrong += near[i].distance !=
					 pl_distance(&s.p, h, near[i].host);
				least = fmin(least, near[i].distance);
			}
			pl_kd_nearest(&s.kd, h, 1, &nearest);
			far += least != nearest.distance;
		}
		pl_kd_fini(&s.kd);
	}
	is_int(wrong, 0, "each quadrant has as many as there are, up to two");
	is_int(far, 0, "the nearest of all is among them");
}

static double cost_of(const struct pl_graph_link *link, size_t n,
		      const double *price)
{
	double sum = 0;

	for (size_t i = 0; i + 1 < n; i++)
		sum += link[i].cost + (price[link[i].a] + price[link[i].b]);
	return sum;
}

/* All links of the points as a graph. */
static void connect(struct pl_graph *g, const struct set *s)
{
	struct pl_graph_link *link = calloc(N * N, sizeof(*link));
	size_t n_links = 0;

	for (uint32_t a = 0; link && a < s->p.n; a++)
		for (uint32_t b = 0; b < a; b++)
			link[n_links++] = (struct pl_graph_link){
				pl_distance(&s->p, a, b), a, b};
	if (!link || pl_graph_init(g, s->p.n, link, n_links, NULL))
		abort();
	free(link);
}

static void test_span(void)
{
	static struct set s;
	static struct pl_graph_link link[N];
	static double price[N], key[N];
	static size_t parent[N];
	int wrong = 0;

	for (int kind = 0; kind < KINDS; kind++)
		for (size_t n = 2; n <= N; n = n < 20 ? n + 1 : n * 3) {
			struct pl_graph g;
			struct pl_rng rng;
			double sum = 0, all;

			fill(&s, n, (enum kind)kind, n);
			pl_rng_init(&rng, 5, n);
			for (size_t i = 0; i < n; i++)
				price[i] = (pl_rng_double(&rng) - 0.5) *
					   fabs(s.x[0] - s.x[1]);
			connect(&g, &s);
			pl_graph_span(&g, price, key, parent);
			for (size_t h = 1; h < n; h++)
				sum += key[h];
			wrong += pl_kd_span(&s.kd, price, link, NULL) != 0;
			all = cost_of(link, n, price);
			wrong += fabs(sum - all) >
				 1e-9 * fabs(s.x[0]) + 1e-12 * fabs(sum);
			pl_graph_fini(&g);
			pl_kd_fini(&s.kd);
		}
	is_int(wrong, 0, "the tree by the k-d tree costs what Prim's does");
}

static bool is_order(const size_t *host_at, size_t n)
{
	bool seen[N] = {false};

	for (size_t k = 0; k < n; k++) {
		if (host_at[k] >= n || seen[host_at[k]])
			return false;
		seen[host_at[k]] = true;
	}
	return true;
}

static double solve(struct set *s, uint64_t moves, double target,
		    const double *weight, size_t *at)
{
	const struct pl_point_ring_options options = {
		.seed = 1, .moves = moves, .target = target, .weight = weight};
	const struct pl_hops hops = {.n = s->p.n, .points = &s->p};
	struct pl_point_ring_result r;

	for (size_t k = 0; k < s->p.n; k++)
		at[k] = k;
	if (pl_point_ring(&s->kd, &options, at, &r, NULL))
		abort();
	return is_order(at, s->p.n) && r.cost <= r.cost_given &&
			       fabs(r.cost - pl_hops_ring(&hops, at)) <=
				       1e-12 * r.cost
		       ? r.cost
		       : NAN;
}

/* Few points: what is found and proved, against all orders. */
static void test_brute(void)
{
	static struct set s;
	int above = 0, below = 0, loose = 0, dear = 0;

	for (int kind = 0; kind < KINDS; kind++)
		for (int seed = 0; seed < 40; seed++) {
			const size_t n = 1 + (size_t)seed % SOLVE_BRUTE_MAX;
			double c[SOLVE_BRUTE_MAX * SOLVE_BRUTE_MAX], bound;
			double weight[SOLVE_BRUTE_MAX], best, found;
			size_t at[SOLVE_BRUTE_MAX];

			fill(&s, n, (enum kind)kind, (uint64_t)seed);
			for (size_t i = 0; i < n * n; i++)
				c[i] = pl_distance(&s.p, i / n, i % n);
			best = solve_brute(c, n);
			if (pl_point_bound(&s.kd, STEPS, NULL, &bound, weight,
					   NULL))
				abort();
			found = solve(&s, 500, 0, weight, at);
			above += bound > best * (1 + 4e-16);
			below += !(found >= best * (1 - 1e-12));
			dear += !(found <= best * (1 + 1e-12));
			loose += !(bound >= 0.8 * best);
			pl_kd_fini(&s.kd);
		}
	is_int(above, 0, "bounds are never above brute force");
	is_int(below, 0, "rings are never below it, and are orders");
	is_int(dear, 0, "nor above it, for so few");
	is_int(loose, 0, "bounds are above 80 %% of the best");
}

static void test_many(void)
{
	static const char *const names[] = {"even",   "clusters",  "grid",
					    "a line", "one place", "huge"};
	static struct set s;
	static double weight[N];
	static size_t at[N], start[N], again[N];

	for (int kind = 0; kind < KINDS; kind++) {
		const struct pl_hops hops = {.n = N, .points = &s.p};
		double bound, found, greedy;

		fill(&s, N, (enum kind)kind, 1);
		if (pl_point_start(&s.kd, start, NULL) ||
		    pl_point_bound(&s.kd, STEPS, NULL, &bound, weight, NULL))
			abort();
		greedy = pl_hops_ring(&hops, start);
		found = solve(&s, 20000, 0, weight, at);
		/* on a line prices would have to climb far */
		ok(is_order(start, N) && found <= greedy && bound <= found &&
			   (kind == LINE || found <= 1.05 * bound),
		   "%s: start %.3g, ring %.6g, bound %.6g", names[kind], greedy,
		   found, bound);
		solve(&s, 20000, 0, weight, again);
		ok(memcmp(at, again, sizeof(at)) == 0, "%s: again the same",
		   names[kind]);
		pl_kd_fini(&s.kd);
	}
}

static void test_bad(void)
{
	const double good[3] = {1, 2, 3}, bad[3] = {1, NAN, 3};
	const double far[3] = {1, 2, 1e200};
	struct pl_kd kd;
	struct pl_err err = {0};

	ok(pl_kd_init(&kd, &(struct pl_points){good, bad, 3}, &err) == -1 &&
		   err.code == PL_EINPUT,
	   "no number: bad input");
	ok(pl_kd_init(&kd, &(struct pl_points){far, good, 3}, &err) == -1 &&
		   err.code == PL_EINPUT,
	   "too far to square: bad input");
}

/* All of it, once. */
static int run(struct set *s, struct pl_err *err)
{
	const struct pl_point_ring_options options = {.seed = 1, .moves = 5};
	struct pl_point_ring_result r;
	static double weight[N];
	static size_t at[N];
	double bound;
	int rc;

	for (size_t k = 0; k < s->p.n; k++)
		at[k] = k;
	if (pl_kd_init(&s->kd, &s->p, err))
		return -1;
	rc = pl_point_bound(&s->kd, 2, NULL, &bound, weight, err) ||
			     pl_point_ring(&s->kd, &options, at, &r, err)
		     ? -1
		     : 0;
	pl_kd_fini(&s->kd);
	return rc;
}

static void test_no_memory(void)
{
	static struct set s;
	size_t live, k = 0;
	bool refused;
	int wrong = 0;

	fill(&s, 50, EVEN, 1);
	pl_kd_fini(&s.kd);
	do {
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k++);
		rc = run(&s, &err);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0 ||
			 (refused && err.code != PL_ESYSTEM);
	} while (refused);
	ok(k > 30, "%zu allocations, each refused once", k - 1);
	is_int(wrong, 0, "refused memory: PL_ESYSTEM, and nothing leaks");
}

int main(void)
{
	test_nearest();
	test_around();
	test_span();
	test_brute();
	test_many();
	test_bad();
	test_no_memory();
	return done_testing();
}
