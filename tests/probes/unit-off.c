/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-off.c - what was held back is judged by the cells that are there, and by no more memory than
 * these take */
#include "config.h"

#include "base/rng.h"
#include "base/stats.h"
#include "src/probe/choice.h"
#include "tests/failalloc.h"
#include "tests/tap.h"
#include "topology/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { SOME = 90, RACK = 6, FEW = 14, PER_HOST = 6 };
/* For so many a square of doubles takes 512 MiB. Checkers of memory keep for a while what is
 * freed. */
enum { MANY = 8192, LINKS_OF_MANY = 3, LIMIT_KIB = 200 * 1024 };

static int name_hosts(struct pl_hosts *hosts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char name[24];
		const struct pl_host host = {.name = name, .slots = 1};

		snprintf(name, sizeof(name), "h%zu", i);
		if (pl_hosts_add(hosts, &host))
			return -1;
	}
	return 0;
}

static int measure(struct pl_matrix *m, struct pl_rng *rng, size_t a, size_t b)
{
	const double us = a / RACK == b / RACK ? 100 : 400;
	const double noise = 1 + 0.1 * pl_rng_double(rng);

	if (pl_layer_set(&m->layer[0], a * m->hosts.n + b, us * noise))
		return -1;
	if (pl_rng_below(rng, 4) == 0)
		return 0; /* one direction alone */
	return pl_layer_set(&m->layer[0], b * m->hosts.n + a, us * noise * 1.1);
}

/* Each host in its rack and with @per_host others; the last one with nobody. */
static struct pl_matrix *make_matrix(size_t n, size_t per_host)
{
	struct pl_hosts hosts = {0};
	struct pl_matrix *m = NULL;
	struct pl_rng rng;
	int rc;

	rc = name_hosts(&hosts, n);
	if (rc == 0)
		m = pl_matrix_create_few(&hosts, NULL);
	pl_hosts_fini(&hosts);
	pl_rng_init(&rng, 5, 1);
	for (size_t a = 0; m && rc == 0 && a + 1 < n; a++) {
		for (size_t b = a - a % RACK; rc == 0 && b < a; b++)
			rc = measure(m, &rng, a, b);
		for (size_t k = 0; rc == 0 && k < per_host; k++) {
			const size_t b = pl_rng_below(&rng, n - 1);

			rc = a == b ? 0 : measure(m, &rng, a, b);
		}
	}
	if (rc == 0)
		return m;
	pl_matrix_destroy(m);
	return NULL;
}

/* Every 9th host and the one in the middle between it and the next: measured, or not. */
static int hold_back(struct probe_choice *c, struct pl_matrix *m)
{
	struct pl_rng rng;

	pl_rng_init(&rng, 6, 1);
	c->held = calloc(m->hosts.n, sizeof(*c->held));
	for (size_t a = 0; c->held && a + 4 < m->hosts.n; a += 9) {
		c->held[c->n_held++] = (struct pl_probe_pair){a, a + 4};
		if (a % 2 && measure(m, &rng, a, a + 4))
			return -1;
	}
	return c->held ? 0 : -1;
}

/* The same by a square of all cells. */
static void judge_square(const struct probe_choice *c, const struct pl_matrix *m,
			 struct probe_off *off)
{
	static double cell[SOME * SOME], v[2 * SOME];
	const size_t n = SOME, n_in = SOME - 1;
	struct pl_estimate e = {0};

	for (size_t a = 0; a < n_in; a++)
		for (size_t b = 0; b < n_in; b++)
			cell[a * n_in + b] = a == b ? 0 : pl_layer_get(&m->layer[0], a * n + b);
	for (size_t k = 0; k < c->n_held; k++) {
		const size_t a = c->held[k].a, b = c->held[k].b;

		cell[a * n_in + b] = cell[b * n_in + a] = NAN;
	}
	*off = (struct probe_off){0};
	if (pl_estimate(&e, cell, n_in, NULL))
		return;
	for (size_t k = 0; k < c->n_held; k++) {
		const size_t a = c->held[k].a, b = c->held[k].b;
		const double there = pl_layer_get(&m->layer[0], a * n + b);
		const double back = pl_layer_get(&m->layer[0], b * n + a);
		const double told = pl_estimate_distance(&e, a, b);

		if (!isnan(there))
			v[off->n_ways++] = fabs(told / there - 1);
		if (!isnan(back))
			v[off->n_ways++] = fabs(told / back - 1);
	}
	pl_sort_doubles(v, off->n_ways);
	off->median = v[pl_percentile_index(off->n_ways, 0.5)];
	off->p90 = v[pl_percentile_index(off->n_ways, 0.9)];
	pl_estimate_fini(&e);
}

static void test_same(void)
{
	struct probe_choice c = {0};
	struct pl_matrix *m = make_matrix(SOME, PER_HOST);
	struct probe_off off, square;

	if (!ok(m && !hold_back(&c, m), "a matrix, pairs held back"))
		return;
	is_int(probe_choice_judge(&c, m, &off, NULL), 0, "judged");
	judge_square(&c, m, &square);
	ok(off.n_ways >= 5 && off.n_ways == square.n_ways, "those that were measured: %zu ways",
	   off.n_ways);
	ok(off.median == square.median && off.p90 == square.p90,
	   "the same as of a square, without the host that nobody knows: %.3f, %.3f", off.median,
	   off.p90);
	probe_choice_fini(&c);
	pl_matrix_destroy(m);
}

static long peak_kib(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return use.ru_maxrss;
}

static void test_memory(void)
{
	struct probe_choice c = {0};
	struct pl_matrix *m = make_matrix(MANY, LINKS_OF_MANY);
	const long before = peak_kib();
	struct probe_off off;

	if (!ok(m && !hold_back(&c, m), "a large matrix"))
		return;
	is_int(probe_choice_judge(&c, m, &off, NULL), 0, "judged");
	ok(off.n_ways > 100, "by %zu ways", off.n_ways);
	ok(off.median < 0.2, "estimates are near (%g)", off.median);
	ok(peak_kib() - before < LIMIT_KIB, "by less memory than half a square of floats: %ld KiB",
	   peak_kib() - before);
	probe_choice_fini(&c);
	pl_matrix_destroy(m);
}

static void test_no_memory(void)
{
	struct probe_choice c = {0};
	struct pl_matrix *m = make_matrix(FEW, 2);
	bool failed = true, told = true, freed = true;
	size_t live;

	if (!ok(m && !hold_back(&c, m) && !pl_matrix_add_header(m, "x", "y"), "a small matrix"))
		return;
	pl_matrix_drop_header(m); /* there is room for one now */
	for (size_t k = 0; failed; k++) {
		struct pl_err err = {0};
		struct probe_off off;
		const size_t n_headers = m->n_headers;
		int rc;

		failalloc_begin(k);
		rc = probe_choice_judge(&c, m, &off, &err);
		if (m->n_headers > n_headers)
			pl_matrix_drop_header(m);
		failed = failalloc_end(&live);
		freed = freed && live == 0;
		told = told && (rc == -1) == failed && (err.code == PL_ESYSTEM) == failed;
	}
	ok(told && freed, "out of memory at every place: told, nothing kept");
	probe_choice_fini(&c);
	pl_matrix_destroy(m);
}

int main(void)
{
	test_memory(); /* first: the peak is of it */
	test_same();
	test_no_memory();
	return done_testing();
}
