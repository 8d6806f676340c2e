/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-ring-cross.c - rings crossed: cycles, patches, pools against brute
 * force */
#include "config.h"

#include "solver/neighbours.h"
#include "solver/ring/ring-pool.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <string.h>

enum { N_MAX = 24, RINGS = 8 };

/* Random costs, all hosts as neighbours, random rings. */
struct trial {
	double c[N_MAX * N_MAX];
	size_t n;
	struct pl_hops hops;
	struct pl_neighbours nb;
	struct pl_tour a, b;
	struct pl_rng rng;
};

static void draw(struct trial *t, size_t *at)
{
	for (size_t i = 0; i < t->n; i++)
		at[i] = i;
	pl_rng_shuffle(&t->rng, at, t->n);
}

/* A ring that has many links of the other: some of its ways turned round, or exchanged where
 * directions matter. */
static void vary(struct trial *t, struct pl_tour *ring)
{
	for (int i = 0; i < 3; i++) {
		const uint32_t from = (uint32_t)pl_rng_below(&t->rng, t->n);
		const uint32_t *at = ring->at;
		const uint32_t n = ring->n;

		if (t->nb.symmetric)
			pl_tour_reverse(ring, at[from], at[(from + 2) % n]);
		else
			pl_tour_exchange(ring, at[from], at[(from + 1) % n], at[(from + 3) % n]);
	}
}

static int begin(struct trial *t, int k)
{
	static const enum solve_kind kinds[] = {SOLVE_SYM, SOLVE_DIRECT};
	size_t at[N_MAX];

	memset(t, 0, sizeof(*t));
	pl_rng_init(&t->rng, 31, (uint64_t)k);
	t->n = 5 + pl_rng_below(&t->rng, N_MAX - 4);
	solve_fill(t->c, t->n, kinds[k % 2], &t->rng);
	t->hops = (struct pl_hops){.n = t->n, .c = t->c};
	if (pl_neighbours_init(&t->nb, t->c, t->n, t->n, NULL, NULL) || pl_tour_init(&t->a, t->n) ||
	    pl_tour_init(&t->b, t->n))
		return -1;
	draw(t, at);
	pl_tour_set(&t->a, at);
	if (k % 3 == 0)
		draw(t, at);
	pl_tour_set(&t->b, at);
	if (k % 3 != 0)
		vary(t, &t->b);
	return 0;
}

static void end(struct trial *t)
{
	pl_neighbours_fini(&t->nb);
	pl_tour_fini(&t->a);
	pl_tour_fini(&t->b);
}

/* Links by [src * N_MAX + dst]; both ways where directions do not matter. */
struct links {
	int has[N_MAX * N_MAX];
};

static void put(struct links *l, bool symmetric, size_t src, size_t dst, int more)
{
	l->has[src * N_MAX + dst] += more;
	if (symmetric)
		l->has[dst * N_MAX + src] += more;
}

static void put_ring(struct links *l, const struct trial *t, const struct pl_tour *ring, int more)
{
	for (uint32_t i = 0; i < t->n; i++)
		put(l, t->nb.symmetric, ring->at[i], pl_tour_next(ring, ring->at[i]), more);
}

/* Host i + 1 of a cycle after host i, as the way is gone: with directed costs links of b are gone
 * back. */
static void put_cycle(struct links *l, const struct trial *t, const uint32_t *host, size_t len,
		      int sign)
{
	for (size_t i = 0; i < len; i++) {
		const uint32_t h = host[i], next = host[(i + 1) % len];

		if (i % 2 == 0)
			put(l, t->nb.symmetric, h, next, -sign);
		else
			put(l, t->nb.symmetric, next, h, sign);
	}
}

/* Ring a and all that the cycles change is ring b, link for link. */
static void test_cycles(void)
{
	int wrong = 0, cycles = 0, many = 0;

	for (int k = 0; k < 400; k++) {
		struct pl_alternate x;
		struct links l = {0};
		struct trial t;
		size_t total = 0;

		if (begin(&t, k) || pl_alternate_init(&x, t.n, NULL))
			break;
		pl_alternate_find(&x, &t.a, &t.b, !t.nb.symmetric, &t.rng);
		put_ring(&l, &t, &t.a, 1);
		for (size_t i = 0; i < x.n_cycles; i++) {
			const size_t len = x.first[i + 1] - x.first[i];

			wrong += len < 4 || len % 2;
			total += len;
			put_cycle(&l, &t, &x.host[x.first[i]], len, 1);
		}
		put_ring(&l, &t, &t.b, -1);
		for (size_t i = 0; i < N_MAX * N_MAX; i++)
			wrong += l.has[i] != 0;
		wrong += total > 2 * t.n;
		cycles += x.n_cycles > 0;
		many += x.n_cycles > 1;
		pl_alternate_fini(&x);
		end(&t);
	}
	ok(cycles > 300 && many > 100, "%d pairs differ, %d of them in several cycles", cycles,
	   many);
	is_int(wrong, 0, "the cycles lead from the one ring to the other");
}

/* The rings that the links make, by host. Returns how many. */
static int number_rings(const struct links *l, size_t n, int *ring)
{
	int n_rings = 0;
	bool more = true;

	for (size_t h = 0; h < n; h++)
		ring[h] = -1;
	for (size_t h = 0; h < n; h++) {
		if (ring[h] >= 0)
			continue;
		ring[h] = n_rings++;
		for (more = true; more;) {
			more = false;
			for (size_t i = 0; i < n * n; i++) {
				const size_t a = i / n, b = i % n;

				if (l->has[a * N_MAX + b] <= 0 || ring[a] < 0 || ring[b] >= 0)
					continue;
				ring[b] = ring[a];
				more = true;
			}
		}
	}
	return n_rings;
}

/* What joining two rings gains at most: any link of the one, any of the
 * other. */
static double best_join(const struct trial *t, const struct links *l, const int *ring)
{
	const size_t n = t->n;
	double best = -INFINITY;

	for (size_t i = 0; i < n * n; i++)
		for (size_t j = 0; j < n * n; j++) {
			const size_t a = i / n, b = i % n, x = j / n, y = j % n;

			if (ring[a] == ring[x] || l->has[a * N_MAX + b] <= 0 ||
			    l->has[x * N_MAX + y] <= 0)
				continue;
			best = fmax(best, t->c[a * n + b] + t->c[x * n + y] - t->c[a * n + y] -
						  t->c[x * n + b]);
		}
	return best;
}

/* What the patch of a cycle came to. */
struct seen {
	int whole, two, more, wrong;
};

static bool about(double a, double b)
{
	return fabs(a - b) <= 1e-9 * (1 + fabs(a) + fabs(b));
}

static void try_patch(struct trial *t, struct pl_patch *p, const uint32_t *host, size_t len,
		      struct seen *seen)
{
	struct links l = {0};
	size_t before[N_MAX], after[N_MAX];
	int ring[N_MAX], n_rings;
	double gain;

	put_ring(&l, t, &t->a, 1);
	put_cycle(&l, t, host, len, 1);
	n_rings = number_rings(&l, t->n, ring);
	pl_patch_set(p, &t->a, host, len / 2);
	gain = p->gain;
	seen->wrong += p->n_rings != (size_t)n_rings;
	seen->wrong += !pl_patch_mend(p);
	pl_patch_get(p, after);
	pl_tour_get(&t->a, before);
	seen->wrong += !solve_is_order(after, t->n);
	seen->wrong += !about(pl_cost_ring(t->c, t->n, before, t->n) -
				      pl_cost_ring(t->c, t->n, after, t->n),
			      p->gain);
	seen->wrong += n_rings == 1 && p->gain != gain;
	seen->wrong += n_rings == 2 && !about(p->gain - gain, best_join(t, &l, ring));
	seen->whole += n_rings == 1;
	seen->two += n_rings == 2;
	seen->more += n_rings > 2;
}

/* Every cycle as a patch: as many rings as its links make; of two rings the cheapest one; the cost
 * told truly. */
static void test_patches(void)
{
	struct seen seen = {0};

	for (int k = 0; k < 400; k++) {
		struct pl_alternate x;
		struct pl_patch p;
		struct trial t;

		if (begin(&t, k) || pl_alternate_init(&x, t.n, NULL) ||
		    pl_patch_init(&p, &t.hops, &t.nb, NULL))
			break;
		pl_alternate_find(&x, &t.a, &t.b, !t.nb.symmetric, &t.rng);
		for (size_t i = 0; i < x.n_cycles; i++)
			try_patch(&t, &p, &x.host[x.first[i]], x.first[i + 1] - x.first[i], &seen);
		pl_patch_fini(&p);
		pl_alternate_fini(&x);
		end(&t);
	}
	ok(seen.whole > 100 && seen.two > 100 && seen.more > 50,
	   "patches: %d one ring, %d two, %d more", seen.whole, seen.two, seen.more);
	is_int(seen.wrong, 0, "mended: an order, and its cost told truly");
}

/* Are the links of the pool those of its rings? */
static int miscounted(const struct trial *t, const struct pl_ring_pool *p)
{
	struct links l = {0};
	int wrong = 0;

	for (size_t i = 0; i < p->n_rings; i++)
		put_ring(&l, t, &p->ring[i], 1);
	for (size_t h = 0; h < t->n; h++)
		for (uint32_t i = 0; i < p->n_links[h]; i++) {
			const struct pl_pool_link *x = &p->link[h * 2 * p->room + i];

			l.has[h * N_MAX + x->to] -= (int)x->n_rings;
		}
	for (size_t i = 0; i < N_MAX * N_MAX; i++)
		wrong += l.has[i] != 0;
	return wrong;
}

/* Crosses all with all, twice. */
static void cross_all(struct trial *t, struct pl_ring_pool *p, int *cheaper, int *wrong)
{
	for (size_t i = 0; i < 2 * RINGS * RINGS; i++) {
		const size_t a = i / RINGS % RINGS, b = i % RINGS;
		const double before = p->cost[a];
		size_t at[N_MAX];
		uint64_t tries = 0;
		bool changed;

		if (a == b)
			continue;
		changed = pl_ring_pool_cross(p, a, b, 3, &t->rng, &tries);
		pl_tour_get(&p->ring[a], at);
		*wrong += !solve_is_order(at, t->n) || tries > 3;
		*wrong += p->cost[a] != pl_cost_ring(t->c, t->n, at, t->n);
		*wrong += changed ? p->cost[a] >= before : p->cost[a] != before;
		*cheaper += changed;
	}
}

/* Rings only get cheaper, and the pool knows what it has. */
static void test_pools(void)
{
	int wrong = 0, cheaper = 0;

	for (int k = 0; k < 60; k++) {
		struct pl_ring_pool p;
		struct trial t;
		size_t at[N_MAX];

		if (begin(&t, k) || pl_ring_pool_init(&p, RINGS, &t.hops, &t.nb, NULL))
			break;
		for (int i = 0; i < RINGS; i++) {
			draw(&t, at);
			pl_ring_pool_add(&p, at);
		}
		wrong += miscounted(&t, &p) != 0;
		cross_all(&t, &p, &cheaper, &wrong);
		wrong += miscounted(&t, &p) != 0;
		for (size_t i = 0; i < RINGS; i++)
			wrong += p.cost[i] < p.cost[p.best];
		pl_ring_pool_fini(&p);
		end(&t);
	}
	ok(cheaper > 500, "pools: %d changes", cheaper);
	is_int(wrong, 0, "all to the better, all counted");
}

int main(void)
{
	test_cycles();
	test_patches();
	test_pools();
	return done_testing();
}
