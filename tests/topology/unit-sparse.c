/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-sparse.c - a search by few pairs: none twice, none too many, near hosts found */
#include "config.h"

#include "base/rng.h"
#include "bench/sparse-order.h"
#include "tests/failalloc.h"
#include "tests/tap.h"
#include "topology/sparse-own.h"
#include "topology/sparse-split.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST = 2000 };

/* Hosts in racks in rows, numbered at random. */
struct net {
	size_t n, in_rack, in_row;
	double noise;
	bool rough; /* hosts add 50 at most each, a pair in twenty is slow */
	size_t place[MOST];
	double own[MOST];
	size_t lost; /* this host never answers; n: all do */
	uint64_t seed;
};

static void make(struct net *net, size_t n, double noise)
{
	struct pl_rng rng;

	*net = (struct net){
		.n = n, .in_rack = 20, .in_row = 200, .noise = noise, .lost = n, .seed = 7};
	for (size_t i = 0; i < n; i++)
		net->place[i] = i;
	pl_rng_init(&rng, net->seed, 0);
	pl_rng_shuffle(&rng, net->place, n);
	for (size_t i = 0; i < n; i++)
		net->own[i] = 50 * pl_rng_double(&rng);
}

static double truth(const struct net *net, size_t a, size_t b)
{
	const size_t x = net->place[a], y = net->place[b];

	if (x / net->in_rack == y / net->in_rack)
		return 100;
	return x / net->in_row == y / net->in_row ? 200 : 400;
}

static double measured(const struct net *net, size_t a, size_t b)
{
	double d = truth(net, a, b);
	struct pl_rng rng;

	pl_rng_init(&rng, net->seed, 1 + a * net->n + b);
	if (net->rough)
		d += net->own[a] + net->own[b];
	d *= 1 + net->noise * (2 * pl_rng_double(&rng) - 1);
	if (net->rough && pl_rng_double(&rng) < 0.05)
		d *= 1 + 9 * pl_rng_double(&rng);
	return d;
}

struct run {
	struct sparse_report report;
	size_t faults; /* pairs that should not have been named */
	uint64_t digest;
	size_t order[MOST];
	int rc;
};

/* Runs a search to its end; its pairs are kept in seen[n * n]. */
static void run(struct run *r, const struct net *net, const struct pl_sparse_options *o,
		unsigned char *seen)
{
	struct pl_sparse *s = pl_sparse_create(net->n, o, NULL);
	const struct pl_sample_pair *pair;
	size_t n = 0;

	*r = (struct run){.rc = s ? 0 : -1};
	if (s && net->lost < net->n)
		pl_sparse_leave(s, net->lost);
	do {
		if (r->rc || (r->rc = pl_sparse_next(s, &pair, &n, NULL)))
			break;
		for (size_t k = 0; k < n; k++) {
			const size_t a = pair[k].a, b = pair[k].b;

			r->digest = r->digest * 31 + a * net->n + b;
			r->faults += a >= b || b >= net->n || seen[a * net->n + b]++ ||
				     a == net->lost || b == net->lost;
			/* now and then a pair fails, and is not taken */
			if ((a + b) % 97 && pl_sparse_take(s, a, b, measured(net, a, b)))
				r->rc = -1;
		}
	} while (n > 0);
	if (r->rc == 0) {
		sparse_describe(s, &r->report);
		r->rc = sparse_order(s, r->order, NULL);
	}
	pl_sparse_destroy(s);
}

static void search(struct run *r, const struct net *net, const struct pl_sparse_options *o)
{
	unsigned char *seen = calloc(net->n * net->n + 1, 1);

	run(r, net, o, seen);
	free(seen);
}

static double ring(const struct net *net, const size_t *order)
{
	double sum = 0;

	for (size_t k = 0; k < net->n; k++)
		sum += truth(net, order[k], order[(k + 1) % net->n]);
	return sum;
}

static bool is_permutation(const size_t *order, size_t n)
{
	bool there[MOST] = {false};

	for (size_t k = 0; k < n; k++) {
		if (order[k] >= n || there[order[k]])
			return false;
		there[order[k]] = true;
	}
	return true;
}

static void test_options(void)
{
	const struct pl_sparse_options o = {.per_host = PL_SPARSE_LEAST - 1};
	struct pl_err err = {0};

	ok(!pl_sparse_create(10, &o, &err) && err.code == PL_EUSAGE,
	   "too few pairs a host are refused");
}

static void test_small(void)
{
	const struct pl_sparse_options o = {.per_host = 16, .seed = 1};
	size_t wrong = 0;

	for (size_t n = 0; n <= 16; n++) {
		static struct net net;
		static struct run r;

		make(&net, n, 0);
		search(&r, &net, &o);
		wrong += r.rc || r.faults || r.report.n_pairs != n * (n - (n > 0)) / 2 ||
			 !is_permutation(r.order, n);
	}
	is_int((int64_t)wrong, 0, "few hosts: every pair, once");
}

static void test_found(const char *what, size_t n, double noise, bool rough, double most)
{
	const struct pl_sparse_options o = {.per_host = 64, .seed = 3};
	static struct net net;
	static struct run r, again;
	size_t best[MOST];

	make(&net, n, noise);
	net.rough = rough;
	search(&r, &net, &o);
	search(&again, &net, &o);
	for (size_t i = 0; i < n; i++)
		best[net.place[i]] = i;
	ok(r.rc == 0 && r.faults == 0, "%s: pairs are named once", what);
	ok(r.report.n_pairs <= n * 32, "%s: no more than asked for (%zu)", what, r.report.n_pairs);
	ok(r.report.busiest <= 3 * 64, "%s: no host has very many (%zu)", what, r.report.busiest);
	ok(is_permutation(r.order, n), "%s: the order has every host", what);
	ok(ring(&net, r.order) <= most * ring(&net, best),
	   "%s: near hosts follow one another (%.3f)", what,
	   ring(&net, r.order) / ring(&net, best));
	ok(again.digest == r.digest, "%s: the same again", what);
}

static void test_flat(void)
{
	const struct pl_sparse_options o = {.per_host = 32, .seed = 3};
	static struct net net;
	static struct run r;

	make(&net, 500, 0.2);
	net.in_rack = net.in_row = 500;
	search(&r, &net, &o);
	is_int((int64_t)r.report.n_groups, 1, "hosts all alike are one group");
	ok(r.rc == 0 && r.faults == 0 && r.report.n_pairs <= 500 * 16, "and the search ends");
}

static void test_lost(void)
{
	const struct pl_sparse_options o = {.per_host = 32, .seed = 3};
	static struct net net;
	static struct run r;

	make(&net, 300, 0.1);
	net.lost = 17;
	search(&r, &net, &o);
	ok(r.rc == 0 && r.faults == 0 && is_permutation(r.order, 300),
	   "a lost host is in no pair, and in the order");
}

static void test_no_memory(void)
{
	const struct pl_sparse_options o = {.per_host = 8, .seed = 3};
	unsigned char *seen = malloc(100 * 100);
	static struct net net;
	static struct run r;
	size_t k = 0, live, wrong = 0;
	bool refused;

	make(&net, 100, 0.1);
	do {
		memset(seen, 0, 100 * 100);
		failalloc_begin(k++);
		run(&r, &net, &o, seen);
		refused = failalloc_end(&live);
		wrong += (r.rc == -1) != refused || live > 0;
	} while (refused);
	is_int((int64_t)wrong, 0, "refused memory: said, and nothing leaks");
	free(seen);
}

/* Four parts of six; hosts of odd number have 30 more in each of their
 * pairs. */
static void test_split(void)
{
	enum { M = 24 };
	static float d[M * M];
	struct pl_sparse_scale scale = {0};
	const struct pl_sparse_scale like = {.near = 100, .far = 107, .cut = 1};
	size_t part[M], n_parts = 0, wrong = 0;

	for (size_t i = 0; i < M; i++)
		for (size_t j = 0; j < M; j++)
			d[i * M + j] = (float)(i % 4 == j % 4 ? 100 : 200) +
				       (float)(i / 4 % 2 + j / 4 % 2) * 30;
	d[1] = d[M] = NAN;
	ok(!pl_sparse_split(d, M, NULL, part, &n_parts, &scale), "split: done");
	is_int((int64_t)n_parts, 4, "split: four parts");
	for (size_t i = 0; i < M; i++)
		wrong += part[i] != i % 4;
	is_int((int64_t)wrong, 0, "split: the right ones");
	ok(scale.near < scale.cut && scale.cut < scale.far, "split: near %g, cut %g, far %g",
	   scale.near, scale.cut, scale.far);
	for (size_t p = 0; p < M * M; p++)
		d[p] = 100 + (float)((p / M + p % M) % 7);
	ok(!pl_sparse_split(d, M, NULL, part, &n_parts, &scale) && n_parts == 1,
	   "split: nothing to be parted");
	ok(!pl_sparse_split(d, M, &like, part, &n_parts, &scale) && n_parts == M &&
		   scale.cut == like.cut,
	   "split: by a cut that is told");
}

/* All pairs of some hosts, a few of them slow, noise in all. */
static void test_own(void)
{
	enum { M = 40 };
	static struct pl_sparse_rest rest[M * M];
	struct pl_sparse_own host[M] = {{0}};
	double own[M], mean = 0, spread = 0, ratio = 0, off = 0;
	struct pl_rng rng;
	size_t n = 0;

	pl_rng_init(&rng, 5, 0);
	for (size_t i = 0; i < M; i++) {
		own[i] = 40 * pl_rng_double(&rng);
		mean += own[i] / M;
	}
	for (uint32_t i = 0; i < M; i++)
		for (uint32_t j = 0; j < i; j++) {
			const double noise = 20 * pl_rng_double(&rng) - 10;
			const double slow = n % 20 ? 0 : 500;

			rest[n++] = (struct pl_sparse_rest){
				.host = {i, j}, .rest = (float)(own[i] + own[j] + noise + slow)};
		}
	ok(!pl_sparse_own_solve(rest, n, host, &spread, &ratio), "own: solved");
	for (size_t i = 0; i < M; i++)
		off = fmax(off, fabs(host[i].more - (own[i] - mean)));
	ok(off < 12, "own: each host's, from the usual one's (%.1f off)", off);
	for (size_t k = 0; k < n; k++)
		rest[k].rest = (float)(20 * pl_rng_double(&rng) - 10);
	off = 0;
	ok(!pl_sparse_own_solve(rest, n, host, &spread, &ratio), "own: noise alone");
	for (size_t i = 0; i < M; i++)
		off = fmax(off, fabs(host[i].more));
	ok(off < 1, "own: noise alone is nobody's (%.2f)", off);
	ok(!pl_sparse_own_solve(rest, 0, host, &spread, &ratio) && isinf(ratio), "own: no pairs");
}

int main(void)
{
	test_options();
	test_small();
	test_found("exact", 1000, 0, false, 1.01);
	test_found("noisy", 1000, 0.2, false, 1.02);
	test_found("more rows", 2000, 0.2, false, 1.02);
	test_found("rough", 1000, 0.2, true, 1.06);
	test_found("rough rows", 2000, 0.2, true, 1.06);
	test_flat();
	test_lost();
	test_no_memory();
	test_split();
	test_own();
	return done_testing();
}
